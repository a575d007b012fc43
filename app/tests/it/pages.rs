//! Pages as text: what is on them before anything is asked.

use app::{
    app::app,
    cache::{Place, Unsent},
    words::{about, labels},
};
use domain::{explanation::StateName, freshness::Link, intent::Wish};
use leptos::prelude::{Owner, RenderHtml, provide_context};
use leptos_router::location::RequestUrl;

use crate::{
    fake::{
        Tab,
        things::{in_state, task_at, the_task},
    },
    returned::at_the_task,
};

fn page(address: &str) -> String {
    let (tab, _, _) = at_the_task();
    page_of(&tab, address)
}

pub fn page_of(tab: &Tab, address: &str) -> String {
    Owner::new().with(|| {
        provide_context(RequestUrl::new(address));
        app(tab.keeper.clone()).to_html()
    })
}

#[test]
fn the_page_about_mooring_draws_each_state_with_its_arrows_and_names_what_was_used() {
    let html = page("/about");
    let drawing = html.split("class=\"states\"").nth(1).unwrap().split("</dl>").next().unwrap();
    let rows: Vec<&str> = drawing.split("<dt>").skip(1).collect();
    assert_eq!(rows.len(), StateName::ALL.len());
    for (state, row) in StateName::ALL.into_iter().zip(rows) {
        assert!(row.starts_with(about::state(state).0), "{row}");
        assert_eq!(row.matches("<li>").count(), state.next().len(), "{row}");
    }
    assert!(html.contains("read from the example records"), "{html}");
    assert!(html.contains("a simulated model: rules"), "{html}");
}

#[test]
fn the_start_page_shows_the_current_task_and_one_status() {
    let html = page("/");
    assert!(html.contains("Wheel throwing for beginners"), "{html}");
    assert_eq!(html.matches("role=\"status\"").count(), 1);
    assert!(!html.contains("No task yet"));
}

/// The start page of a learner of whom the server has said that no task is open.
fn idle_page(link: Link, waits: bool) -> String {
    let (tab, _, _) = at_the_task();
    let shown = tab.keeper.shown;
    shown.current.set(None);
    shown.none_open.set(true);
    shown.link.set(link);
    if waits {
        let question = "Where is it?".to_owned();
        let wish = Wish::Start { record_id: "wheel-throwing".to_owned(), question, even_if_similar: false };
        tab.keeper.wish(None, wish, None).unwrap();
    }
    page_of(&tab, "/")
}

#[test]
fn that_there_is_no_task_is_said_as_the_server_s_word_only_while_it_answers() {
    let html = idle_page(Link::Up, false);
    assert!(html.contains("No task yet") && html.contains("data-freshness=\"confirmed\""), "{html}");
    let html = idle_page(Link::Lost { since: None }, false);
    assert!(html.contains("data-freshness=\"stale\"") && html.contains("does not answer just now"), "{html}");
}

#[test]
fn a_saved_task_says_nothing_of_another_one_that_waits_to_start() {
    let (tab, _, _) = at_the_task();
    tab.keeper.shown.task.set(Some(in_state(task_at(7), StateName::Saved)));
    assert!(page_of(&tab, "/").contains("Saved"));
    let question = "Where is it?".to_owned();
    let wish = Wish::Start { record_id: "wheel-throwing".to_owned(), question, even_if_similar: false };
    tab.keeper.wish(None, wish, None).unwrap();
    let html = page_of(&tab, "/");
    assert!(html.contains("A new task is kept on this device") && !html.contains("Saved"), "{html}");
}

#[test]
fn a_start_that_only_this_device_knows_is_a_task_of_unknown_status() {
    let html = idle_page(Link::Lost { since: None }, true);
    assert!(html.contains("Status unknown") && html.contains("A new task is kept on this device"), "{html}");
    assert!(html.contains("data-freshness=\"unknown\"") && !html.contains("No task yet"), "{html}");
}

#[test]
fn a_typed_text_is_shown_in_every_state_of_its_task_and_only_once() {
    for state in StateName::ALL {
        let (tab, _, _) = at_the_task();
        tab.keeper.keep_unsent(Place::Draft(the_task()), Some(&Unsent::over(1, "Half a sente")));
        tab.keeper.shown.task.set(Some(in_state(task_at(6), state)));
        let html = page_of(&tab, &format!("/tasks/{}", the_task()));
        let kept = html.matches("Kept on this device").count();
        assert_eq!(kept, usize::from(state != StateName::AwaitingReview), "{state:?}");
        assert!(kept == 0 || html.contains("Half a sente"));
    }
}

#[test]
fn a_task_that_is_not_there_leads_to_another_one() {
    let (tab, _, _) = at_the_task();
    let address = format!("/tasks/{}", the_task());
    let way_on = format!(">{}</a>", labels::NEW_TASK.words());
    assert!(!page_of(&tab, &address).contains(&way_on));
    tab.keeper.shown.task.set(None);
    tab.keeper.shown.gone.set(true);
    assert!(page_of(&tab, &address).contains(&way_on));
}

#[test]
fn the_draft_comes_first_once_there_is_one_and_the_evidence_until_then() {
    for (drafted, first) in [(true, "card--draft"), (false, "card--evidence")] {
        let (tab, _, _) = at_the_task();
        let mut task = in_state(task_at(6), if drafted { StateName::Saved } else { StateName::EvidenceSaved });
        if !drafted {
            (task.drafts, task.draft_version) = (vec![], None);
        }
        tab.keeper.shown.task.set(Some(task));
        let html = page_of(&tab, &format!("/tasks/{}", the_task()));
        let of = |card: &str| html.find(card).unwrap();
        let other = if drafted { "card--evidence" } else { "card--draft" };
        assert!(of(first) < of(other), "{html}");
    }
}
