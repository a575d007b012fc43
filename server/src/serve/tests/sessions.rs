//! Signing up, in and out, as the wire shows it.

use super::{Browser, World};
use crate::{config::web::public_url, serve::origin::Origins};

#[tokio::test]
async fn whoever_signs_up_is_signed_in_until_they_sign_out() {
    let world = World::new();
    let mut browser = Browser::new(&world);
    browser.who().await.refused(401, "signed_out");
    let who = browser.sign_up(" Ada ").await.done();
    assert_eq!(who["name"], "Ada");
    assert_eq!(browser.who().await.done()["user_id"], who["user_id"]);

    let kept = browser.cookie.clone();
    assert_eq!(browser.post("/api/v1/sign-out", "{}").await.done()["user_id"], who["user_id"]);
    assert_eq!(browser.cookie, None);
    browser.who().await.refused(401, "signed_out");
    browser.post("/api/v1/sign-out", "{}").await.refused(401, "signed_out");

    browser.cookie = kept;
    browser.who().await.refused(401, "signed_out");
}

#[tokio::test]
async fn signing_in_gives_a_token_that_nobody_can_have_planted() {
    let world = World::new();
    let mut browser = Browser::new(&world);
    browser.sign_up("Ada").await.done();
    let first = browser.cookie.clone();
    browser.sign_in("ADA", "correct horse").await.done();
    let second = browser.cookie.clone();
    assert_ne!(first, second);

    browser.cookie = first;
    browser.who().await.refused(401, "signed_out");

    browser.cookie = Some("mooring_session=AAAAAAAAAAAAAAAAAAAAAA".to_owned());
    browser.sign_in("Ada", "correct horse").await.done();
    assert!(!browser.cookie.unwrap().contains("AAAAAAAAAAAAAAAAAAAAAA"));
}

#[tokio::test]
async fn a_wrong_name_and_a_wrong_passphrase_get_one_answer() {
    let world = World::new();
    let mut browser = Browser::new(&world);
    browser.sign_up("Ada").await.done();
    browser.cookie = None;
    let wrong = browser.sign_in("Ada", "wrong horse").await;
    wrong.refused(401, "wrong_passphrase");
    assert_eq!(wrong.body, browser.sign_in("Nobody", "correct horse").await.body);
    assert_eq!(browser.cookie, None);
}

#[tokio::test]
async fn a_name_belongs_to_one_however_it_is_written() {
    let mut browser = Browser::new(&World::new());
    browser.sign_up("Ada").await.done();
    browser.sign_up("aDA ").await.refused(409, "name_taken");
    browser.sign_up("").await.refused(422, "empty");
    browser.sign_up(&"a".repeat(65)).await.refused(422, "too_long");
    browser.sign_up("a\\u0000b").await.refused(422, "bad_characters");
    let short = browser.post("/api/v1/sign-up", r#"{"name":"Bob","passphrase":"short"}"#).await;
    short.refused(422, "too_short");
}

#[tokio::test]
async fn too_many_tries_must_wait_and_others_need_not() {
    let mut browser = Browser::new(&World::new());
    let mut waits = browser.sign_in("Ada", "wrong horse").await;
    // On a slow machine the budget grows a little meanwhile.
    for _ in 0..30 {
        if waits.status.as_u16() == 429 {
            break;
        }
        waits.refused(401, "wrong_passphrase");
        waits = browser.sign_in("Ada", "wrong horse").await;
    }
    let error = waits.refused(429, "too_fast");
    assert!(error.retry_after_ms.is_some_and(|ms| 0 < ms && ms <= 5000), "{error:?}");
    assert!((1..=5).contains(&waits.header("retry-after").parse::<u64>().unwrap()));
    browser.sign_up("Bob").await.done();
    for _ in 0..20 {
        browser.sign_in("Bob", "correct horse").await.done();
    }
}

#[tokio::test]
async fn the_cookie_is_out_of_scripts_reach_and_insists_on_https_where_there_is_any() {
    let mut world = World::new();
    let plain = Browser::new(&world).sign_up("Ada").await.header("set-cookie").to_owned();
    for part in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=2592000"] {
        assert!(plain.contains(part), "{plain} lacks {part}");
    }
    assert!(!plain.contains("Secure"));
    world.origins = Origins::new(&[public_url("https://mooring.example").unwrap()], "127.0.0.1:3000".parse().unwrap());
    assert!(Browser::new(&world).sign_up("Bob").await.header("set-cookie").contains("Secure"));
}
