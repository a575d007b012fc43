//! Lists with their filters, what is saved, and the ways between them.

use app::{
    components::task_list::{Filter, Line},
    words::{labels, places, times::Zone},
};
use domain::{
    explanation::StateName,
    fault::Code,
    id::{EntryId, OpId},
    intent::Wish,
    snapshot::LibraryEntry,
    text::Hash,
};
use uuid::Uuid;

use crate::{
    fake::{
        server::Answer,
        things::{in_state, noon, task_at, the_task},
    },
    pages::page_of,
    returned::at_the_task,
};

const UTC: Zone = Zone { offset_minutes: 0 };

fn another_start() -> Wish {
    let question = "Where is it?".to_owned();
    Wish::Start { record_id: "sourdough".to_owned(), question, even_if_similar: false }
}

#[test]
fn each_state_falls_under_one_filter_that_its_address_leads_back_to() {
    let table = [
        (StateName::Created, Filter::Running),
        (StateName::EvidenceSaved, Filter::Running),
        (StateName::AwaitingReview, Filter::NeedsMe),
        (StateName::Rechecking, Filter::Running),
        (StateName::Accepted, Filter::Running),
        (StateName::Saved, Filter::Finished),
        (StateName::SourceMissing, Filter::Failed),
        (StateName::SourceUnavailable, Filter::Failed),
        (StateName::DraftFailed, Filter::Failed),
        (StateName::NeedsChecking, Filter::NeedsMe),
        (StateName::Cancelled, Filter::Finished),
    ];
    assert_eq!(table.map(|(state, _)| state), StateName::ALL);
    for (state, filter) in table {
        assert_eq!(Filter::of(state.phase()), filter, "{state:?}");
    }
    for filter in Filter::EACH {
        assert_eq!(Filter::named(filter.word()), filter);
    }
    assert_eq!(Filter::named("no such word"), Filter::All);
}

#[test]
fn a_task_that_the_server_has_not_listed_is_last_known_and_no_more() {
    let saved = in_state(task_at(6), StateName::Saved);
    let listed = Line::of_task(&saved, true, Some(noon(60)), UTC);
    assert_eq!((listed.tag.as_str(), listed.tone.as_str()), ("Saved, version 1", "good"));
    let known = Line::of_task(&saved, false, None, UTC);
    assert_eq!((known.tag.as_str(), known.tone.as_str()), ("Last known: saved, version 1", "unknown"));
}

#[test]
fn the_list_shows_what_this_device_knows_and_what_waits_on_it_before_anybody_answers() {
    let (mut tab, _, _) = at_the_task();
    tab.keeper.wish(None, another_start(), None).unwrap();
    let html = page_of(&tab, "/tasks");
    assert!(
        html.contains("Last known: awaiting review, version 1") && html.contains(places::LAST_KNOWN.words()),
        "{html}"
    );
    assert!(html.contains("Where is it?") && html.contains(labels::WAITING.words()), "{html}");
    tab.settle();
}

#[test]
fn the_filter_in_the_address_is_the_one_that_is_shown() {
    let (tab, _, _) = at_the_task();
    let html = page_of(&tab, "/tasks?show=failed");
    assert!(html.contains(places::NONE_FAILED.words()) && !html.contains("What should I bring?"), "{html}");
    let html = page_of(&tab, "/tasks?show=needs-me");
    assert!(html.contains("What should I bring?"), "{html}");
    assert_eq!(html.matches("aria-current=\"page\"").count(), 2, "one place, one filter: {html}");
}

#[test]
fn a_start_that_was_refused_is_not_called_waiting() {
    let (mut tab, _, server) = at_the_task();
    server.on_command(|_| Answer::Refuses(Code::UnknownRecord.into()));
    tab.keeper.wish(None, another_start(), None).unwrap();
    tab.settle();
    let html = page_of(&tab, "/tasks");
    assert!(html.contains(places::NOT_STARTED.words()) && !html.contains(labels::WAITING.words()), "{html}");
}

#[test]
fn while_a_start_waits_the_status_is_not_that_of_the_task_before() {
    let (tab, _, server) = at_the_task();
    server.on_command(|_| Answer::Silent);
    tab.keeper.shown.task.set(Some(in_state(task_at(6), StateName::Saved)));
    let before = page_of(&tab, "/");
    assert!(before.contains("data-state=\"saved\"") && before.contains("data-freshness=\"confirmed\""), "{before}");
    tab.keeper.wish(None, another_start(), None).unwrap();
    let html = page_of(&tab, "/");
    assert!(html.contains("data-state=\"none\"") && html.contains("Status unknown"), "{html}");
    assert!(html.contains("Last known: saved, version 1"), "{html}");
    assert!(!html.contains(">Saved<") && !html.contains("data-state=\"saved\""), "{html}");
}

#[test]
fn on_a_task_s_page_the_bottom_belongs_to_its_own_next_step() {
    let (tab, _, _) = at_the_task();
    assert!(page_of(&tab, "/library").contains("class=\"top top--places\""));
    assert!(page_of(&tab, &format!("/tasks/{}", the_task())).contains("class=\"top top--task\""));
}

#[test]
fn the_diagram_has_a_line_for_each_way_and_a_box_for_each_state() {
    let (tab, _, _) = at_the_task();
    let html = page_of(&tab, "/about");
    let drawing = html.split("class=\"diagram\"").nth(1).unwrap().split("</svg>").next().unwrap();
    let ways: usize = StateName::ALL.into_iter().map(|state| state.next().len()).sum();
    assert_eq!(drawing.matches("diagram__way").count(), ways);
    assert_eq!(drawing.matches("<rect").count(), StateName::ALL.len());
}

fn entry(title: &str, question: Option<&str>) -> LibraryEntry {
    LibraryEntry {
        entry_id: EntryId(Uuid::from_u128(1)),
        task_id: the_task(),
        op_id: OpId(Uuid::from_u128(2)),
        draft_version: 2,
        hash: Hash::of("Bring an apron."),
        title: title.to_owned(),
        question: question.map(str::to_owned),
        text: "Bring an apron.".to_owned(),
        saved_at: noon(0),
    }
}

#[test]
fn a_saved_explanation_is_a_file_that_says_what_it_answers() {
    let text = places::as_file(&entry("Wheel throwing", Some("What should I bring?")), UTC);
    assert!(text.starts_with("Wheel throwing\nYou asked: What should I bring?\n\nBring an apron.\n\n"), "{text}");
    let text = places::as_file(&entry("Wheel throwing", None), UTC);
    assert!(text.starts_with("Wheel throwing\n\nBring an apron.\n\n"), "{text}");
}

#[test]
fn a_file_is_called_like_its_record_without_what_file_systems_refuse() {
    for (title, name) in [
        ("Sourdough: from starter to loaf", "Sourdough from starter to loaf.txt"),
        ("../../etc/passwd", "etc passwd.txt"),
        ("陶艺 入门", "陶艺 入门.txt"),
        ("???", "Mooring.txt"),
    ] {
        assert_eq!(places::file_name(title), name);
    }
}
