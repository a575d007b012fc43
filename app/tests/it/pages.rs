//! Pages as text: what is on them before anything is asked.

use app::{
    app::app,
    cache::{Place, Unsent},
    words::about,
};
use domain::explanation::StateName;
use leptos::prelude::{Owner, RenderHtml, Set, provide_context};
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

fn page_of(tab: &Tab, address: &str) -> String {
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
