//! A session is opened once, only gets older or ends, and nobody can read a token off its row.

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
};

use app::{api::error::ApiError, ports::backend::Accounts as _};
use domain::{fault::Code, snapshot::Who};
use server::accounts::{
    Desk,
    directory::{Directory as _, PgDirectory},
    name::Name,
    sessions::{LIFE, PgSessions},
};
use tower_sessions::{Expiry, Session, session::Id};

use crate::stage::Stage;

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const PASSPHRASE: &str = "correct horse";

struct House {
    stage: Stage,
    desk: Arc<Desk>,
    sessions: Arc<PgSessions>,
}

impl House {
    async fn new() -> Self {
        let stage = Stage::new().await;
        let desk = Arc::new(Desk::new(Arc::new(PgDirectory::new(stage.db.clone()))));
        let sessions = Arc::new(PgSessions::new(stage.db.clone()));
        Self { stage, desk, sessions }
    }

    /// One request's view of a session.
    fn request(&self, token: Option<Id>) -> Session {
        Session::new(token, self.sessions.clone(), Some(Expiry::OnInactivity(LIFE)))
    }

    async fn sign_up(&self, name: &str) -> Result<(Who, Id), ApiError> {
        let session = self.request(None);
        let who = self.desk.receive(session.clone(), HERE).sign_up(name.to_owned(), PASSPHRASE.to_owned()).await?;
        session.save().await.unwrap();
        Ok((who, session.id().unwrap()))
    }

    /// Who is signed in, as a request finds it; and the request is answered, so the session is kept.
    async fn who(&self, token: Id) -> Option<Who> {
        let session = self.request(Some(token));
        let who = self.desk.receive(session.clone(), HERE).who().await.unwrap();
        if session.is_modified() {
            session.save().await.unwrap();
        }
        who
    }

    async fn expires_in_hours(&self) -> i64 {
        sqlx::query_scalar("select round(extract(epoch from expires_at - mooring_now()) / 3600)::bigint from session")
            .fetch_one(&self.stage.pool)
            .await
            .unwrap()
    }

    async fn rows(&self) -> i64 {
        sqlx::query_scalar("select count(*) from session").fetch_one(&self.stage.pool).await.unwrap()
    }
}

#[tokio::test]
async fn it_lives_for_thirty_days_after_the_last_one_it_was_used_on() {
    let house = House::new().await;
    let (ada, token) = house.sign_up("Ada").await.unwrap();
    assert_eq!(house.who(token).await, Some(ada.clone()));

    house.stage.shift_clock("12 hours").await;
    house.who(token).await;
    assert_eq!(house.expires_in_hours().await, 30 * 24 - 12, "it is not slid on the first day");
    house.stage.shift_clock("20 days").await;
    house.who(token).await;
    assert_eq!(house.expires_in_hours().await, 30 * 24);
    house.stage.shift_clock("29 days").await;
    assert_eq!(house.who(token).await, Some(ada));
    house.stage.shift_clock("31 days").await;
    assert_eq!(house.who(token).await, None);

    assert_eq!((house.rows().await, house.sessions.sweep().await.unwrap(), house.rows().await), (1, 1, 0));
}

#[tokio::test]
async fn a_slow_request_does_not_bring_it_back_after_a_sign_out() {
    let house = House::new().await;
    let (_, token) = house.sign_up("Ada").await.unwrap();
    house.stage.shift_clock("2 days").await;
    let slow = house.request(Some(token));
    assert!(house.desk.receive(slow.clone(), HERE).who().await.unwrap().is_some());
    assert!(slow.is_modified(), "it means to slide the session when it is done");

    let quick = house.request(Some(token));
    house.desk.receive(quick, HERE).sign_out().await.unwrap();
    slow.save().await.unwrap();
    assert_eq!((house.rows().await, house.who(token).await), (0, None));
}

#[tokio::test]
async fn a_copy_of_the_table_signs_nobody_in() {
    let house = House::new().await;
    let (_, token) = house.sign_up("Ada").await.unwrap();
    let rows: String =
        sqlx::query_scalar("select (select jsonb_agg(to_jsonb(s)) from session s)::text || (select jsonb_agg(to_jsonb(a)) from account a)::text")
            .fetch_one(&house.stage.pool)
            .await
            .unwrap();
    assert!(rows.contains("$argon2id$"), "{rows}");
    assert!(!rows.contains(&token.to_string()) && !rows.contains(PASSPHRASE), "{rows}");
}

#[tokio::test]
async fn of_two_who_want_one_name_at_once_one_gets_it() {
    let house = House::new().await;
    let (one, two) = tokio::join!(house.sign_up("Ada"), house.sign_up("ADA"));
    let refused = [one, two].into_iter().filter_map(Result::err).map(|error| error.code).collect::<Vec<_>>();
    assert_eq!(refused, [Code::NameTaken]);
    let found = PgDirectory::new(house.stage.db.clone()).find(&Name::parse("aDa").unwrap()).await.unwrap();
    assert!(found.is_some());
}
