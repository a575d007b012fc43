//! Pages as text: what is on them before anything is asked.

use app::{app::app, words::about};
use domain::explanation::StateName;
use leptos::prelude::{Owner, RenderHtml, provide_context};
use leptos_router::location::RequestUrl;

use crate::returned::at_the_task;

fn page(address: &str) -> String {
    let (tab, _, _) = at_the_task();
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
