//! The screen says what is true, and no more.

use app::{
    components::evidence::facts,
    pages::standing::view_of,
    words::{
        home::{self, InView},
        labels, problem,
        refusal::{self, NoAnswer},
        sending::{self, AtStake, Lasts},
        status::{Standing, in_the_library, status},
        times::{self, Zone},
    },
};
use domain::{
    explanation::StateName,
    fault::{Code, Fault, Problem},
    freshness::Freshness,
    id::SourceVersion,
    intent::{Intent, Wish},
    lease::Active,
    outbox::{Outbox, Sending},
    record::Evidence,
    snapshot::{Author, Outcome, Snapshot, Usage},
    text::Hash,
    time::Timestamp,
};
use uuid::Uuid;

use crate::fake::things::{accept, ada, add_version, in_state, noon, task_at, the_task};

fn standing(task: Option<Snapshot>, freshness: Freshness) -> Standing {
    Standing {
        task,
        freshness,
        now: Some(noon(60)),
        zone: Zone::default(),
        waiting: vec![],
        unsent: false,
        lasts: Lasts::OnDevice,
        before: None,
        gone: false,
    }
}

fn confirmed(task: Snapshot) -> Standing {
    standing(Some(task), Freshness::Confirmed { at: noon(60) })
}

fn saved() -> Snapshot {
    let mut task = in_state(task_at(9), StateName::Saved);
    task.outcome = Some(Outcome::Saved {
        entry_id: domain::id::EntryId(Uuid::from_u128(3)),
        draft_version: 1,
        hash: Hash::of("x"),
        saved_at: noon(30),
    });
    task
}

fn waiting(wish: Wish, sending: Sending) -> domain::outbox::Entry {
    let op_id = domain::id::OpId(Uuid::from_u128(1));
    let intent = Intent { op_id, task_id: the_task(), as_user: Some(ada().user_id), wish };
    let mut outbox = Outbox::default();
    outbox.enqueue(intent, None);
    outbox.mark(op_id, sending).unwrap()
}

#[test]
fn saved_is_said_only_when_it_is_confirmed_and_nothing_waits() {
    assert_eq!(status(&confirmed(saved())).title, "Saved");
    for freshness in [
        Freshness::OPENED,
        Freshness::Unknown { asking: true },
        Freshness::Checking { last: noon(50) },
        Freshness::Stale { last: noon(50) },
    ] {
        let words = status(&standing(Some(saved()), freshness));
        assert_eq!(words.title, "Status unknown");
        assert!(words.detail[0].starts_with("Last known: saved, version 1"), "{words:?}");
    }
    let mut standing = confirmed(saved());
    standing.waiting = vec![waiting(Wish::Cancel, Sending::Queued)];
    assert!(!status(&standing).title.contains("Saved"));
}

#[test]
fn what_has_come_about_meanwhile_is_said_once_it_is_confirmed() {
    let mut standing = confirmed(task_at(9));
    standing.before = Some("generating the draft".to_owned());
    let last = |standing: &Standing| status(standing).detail.pop().unwrap();
    assert_eq!(last(&standing), "When you were last here: generating the draft.");
    standing.freshness = Freshness::Stale { last: noon(50) };
    assert!(!last(&standing).starts_with("When you were"));
}

#[test]
fn a_look_that_brought_nothing_new_says_so() {
    let mut task = task_at(9);
    let told = |task: &Snapshot| status(&confirmed(task.clone())).detail.remove(0);
    task.looked_at = task.newest_evidence().map(|first| first.observed_at);
    assert!(!told(&task).contains("Looked again"), "the first look is no second one");
    task.looked_at = Some(noon(50));
    assert!(told(&task).contains("Looked again today at 12:00: the record has not changed."), "{}", told(&task));
    let mut gone = task.clone();
    gone.notice = Some(Problem::new("source_gone"));
    assert!(!told(&gone).contains("Looked again"), "a later look saw something else");
    let unsure = status(&standing(Some(task), Freshness::Stale { last: noon(50) }));
    assert!(!unsure.detail.concat().contains("Looked again"));
}

#[test]
fn each_state_has_words_of_its_own_and_none_but_saved_says_saved() {
    let mut titles: Vec<String> = StateName::ALL
        .into_iter()
        .map(|state| status(&confirmed(if state == StateName::Saved { saved() } else { in_state(task_at(9), state) })))
        .map(|words| words.title)
        .collect();
    assert_eq!(titles.iter().filter(|title| title.contains("Saved")).count(), 1, "{titles:?}");
    titles.sort();
    titles.dedup();
    assert_eq!(titles.len(), 11);
}

#[test]
fn generating_is_said_only_while_the_lease_is_good_by_server_time() {
    let mut task = in_state(task_at(9), StateName::EvidenceSaved);
    task.active = Some(Active { step: "draft".to_owned(), tries: 0, lease_until: noon(61) });
    assert_eq!(status(&confirmed(task.clone())).title, "Generating the draft");
    task.active = Some(Active { step: "draft".to_owned(), tries: 0, lease_until: noon(60) });
    assert_eq!(status(&confirmed(task)).title, "Evidence found, waiting to be drafted");
}

#[test]
fn what_is_last_known_does_not_change_while_nobody_answers() {
    let mut task = in_state(task_at(9), StateName::EvidenceSaved);
    task.active = Some(Active { step: "draft".to_owned(), tries: 0, lease_until: noon(30) });
    let mut alone = standing(Some(task), Freshness::Stale { last: noon(10) });
    for seconds in [10, 60, 6_000] {
        alone.now = Some(noon(seconds));
        let told = status(&alone).detail.remove(0);
        assert!(told.starts_with("Last known: generating the draft, as of"), "{told}");
    }
}

#[test]
fn a_refused_version_is_named() {
    let mut standing = confirmed(task_at(9));
    let fault = Fault::new(Code::StaleVersion);
    standing.waiting = vec![waiting(accept(1, "old"), Sending::Refused { fault })];
    let words = status(&standing);
    assert_eq!(words.title, "Version 1 was not accepted");
    assert!(words.detail[0].contains("nothing went to your library"));
    standing.freshness = Freshness::Stale { last: noon(50) };
    assert_eq!(status(&standing).title, "Status unknown");
}

#[test]
fn c38_no_network_no_session_and_a_mistake_read_differently_and_none_says_saved() {
    let unavailable = Fault::new(Code::Unavailable);
    let sentences = [
        refusal::of((&unavailable, NoAnswer(true))),
        refusal::of((&Fault::new(Code::SignedOut), NoAnswer(false))),
        refusal::of((&Fault::too_long("text", 20_000), NoAnswer(false))),
    ];
    for (n, sentence) in sentences.iter().enumerate() {
        assert!(!sentence.to_lowercase().contains("saved"), "{sentence}");
        assert!(sentences.iter().skip(n + 1).all(|other| other != sentence));
    }
}

#[test]
fn what_waits_says_where_it_is() {
    for (state, words) in [
        (Sending::Queued, "Kept on this device"),
        (Sending::Unconfirmed, "not confirmed"),
        (Sending::NeedsSignIn, "Sign in again"),
        (Sending::EarlierRefused, "Your text is kept"),
    ] {
        let sentence = sending::sending(&waiting(Wish::Cancel, state), Lasts::OnDevice);
        assert!(sentence.contains(words), "{sentence}");
        assert!(!sentence.contains("Saved") && !sentence.contains("saved"), "{sentence}");
    }
}

#[test]
fn what_is_under_way_is_shown_and_is_said_aloud_only_while_nobody_answers() {
    let edit = Wish::Edit { base_version: 1, text: "Mine.".to_owned() };
    let mut answered = confirmed(task_at(6));
    answered.waiting = vec![waiting(edit, Sending::Sent), waiting(Wish::Cancel, Sending::Sent)];
    let mut alone = answered.clone();
    alone.freshness = Freshness::OPENED;
    let pending = "Cancel the task: being sent.";
    for (standing, aloud) in [(answered, false), (alone, true)] {
        let words = status(&standing);
        assert_eq!(words.pending.as_deref(), Some(pending), "the newest");
        assert_eq!(words.spoken().contains(pending), aloud, "{}", words.spoken());
    }
}

#[test]
fn what_is_too_short_or_too_long_says_by_how_much() {
    let short = refusal::of_fault(&Fault::too_short("passphrase", 8));
    assert_eq!(short, "The passphrase is too short. 8 characters are enough.");
    assert!(refusal::of_fault(&Fault::too_long("note", 2_000)).contains("at most 2000 plain letters"));
}

#[test]
fn a_library_that_did_not_answer_is_not_one_that_refused() {
    let (silent, refused) = (Problem::new("save_uncertain"), Problem::new("other_entry"));
    assert!(problem::problem(&silent).contains("not known whether"));
    assert_eq!(problem::problem(&refused), "The library already holds another text for this task.");
}

#[test]
fn a_step_that_failed_on_the_way_says_what_it_has_left_as_it_was() {
    let told = |code: &str| problem::notice(&Problem::new(code).with("tries", 3));
    for code in ["source_unreachable", "source_timed_out", "tool_failed", "reply_too_large"] {
        let told = told(code);
        assert!(told.contains("what was seen before") && told.ends_with("It was tried 3 times."), "{told}");
    }
    for code in ["model_busy", "draft_empty", "budget_used_up"] {
        assert!(told(code).contains("The earlier version is kept."), "{}", told(code));
    }
    assert!(!told("draft_incomplete").contains("could not be written"));
}

#[test]
fn only_a_save_that_was_intended_can_be_settled_as_one() {
    let mut task = in_state(task_at(9), StateName::NeedsChecking);
    task.problem = Some(Problem::new("unreadable"));
    assert!(!task.may_have_saved(), "it has a draft, but nothing was accepted");
    task.problem = Some(Problem::new("save_uncertain").with("version", 1));
    assert!(task.may_have_saved());
    assert!(!in_state(task, StateName::AwaitingReview).may_have_saved());
}

#[test]
fn a_sign_out_states_everything_that_it_would_take() {
    for (changes, texts, words) in [
        (1, 0, "One change is still waiting"),
        (0, 1, "One unsent text is still waiting"),
        (2, 1, "2 changes and one unsent text are still waiting"),
    ] {
        let question = sending::sign_out_question(AtStake { changes, texts });
        assert!(question.starts_with(words), "{question}");
    }
}

#[test]
fn times_are_the_servers_in_the_zone_of_the_device() {
    let zone = Zone { offset_minutes: 90 };
    assert_eq!(times::at(noon(0), Some(noon(60)), Zone::default()), "today at 12:00");
    assert_eq!(times::at(noon(0), Some(noon(60)), zone), "today at 13:30");
    assert_eq!(times::since(noon(0), Some(noon(60)), zone), "13:30");
    assert_eq!(times::at(noon(-86_400), Some(noon(0)), Zone::default()), "yesterday at 12:00");
    // From 13:30 until midnight there it is ten hours and a half.
    assert!(zone.same_day(noon(0), noon(37_799)) && !zone.same_day(noon(0), noon(37_800)));
    assert_eq!(times::at(noon(0), None, Zone::default()), "29 Nov 2025, 12:00");
    assert_eq!(times::at(noon(0), Some(noon(400 * 86_400)), Zone::default()), "29 Nov 2025, 12:00");
}

#[test]
fn evidence_with_fields_is_a_list_in_the_order_of_the_source_and_what_is_used_is_marked() {
    let facts =
        facts(r#"{"when":"Sat 12 Dec","bring":["An apron","A towel"],"no_fee":true,"n":2}"#, "Bring an  APRON.");
    let facts = facts.unwrap();
    let labels: Vec<&str> = facts.iter().map(|fact| fact.label.as_str()).collect();
    assert_eq!(labels, ["When", "Bring", "No fee", "N"]);
    assert_eq!(facts[1].values, [("An apron".to_owned(), true), ("A towel".to_owned(), false)]);
    assert_eq!(facts[2].values, [("yes".to_owned(), false)]);
    for text in ["just text", "[1,2]", "\"a string\"", "{\"cut\":"] {
        assert_eq!(app::components::evidence::facts(text, "text"), None, "{text}");
    }
}

#[test]
fn only_the_text_on_the_screen_can_be_accepted() {
    assert_eq!(InView::of(false, None, false).hindrance(3), None);
    for (view, words) in [
        (InView::of(true, None, false), "Save your edit first"),
        (InView::Overtaken, "A newer version has come"),
        (InView::of(false, Some(1), false), "You are reading version 1. Go back to version 3"),
        (InView::of(false, None, true), "Version 3 has arrived"),
    ] {
        let hindrance = view.hindrance(3).unwrap();
        assert!(hindrance.starts_with(words), "{hindrance}");
    }
}

#[test]
fn saved_does_not_stand_alone_while_a_typed_text_is_kept() {
    let mut standing = confirmed(saved());
    standing.unsent = true;
    let words = status(&standing);
    assert_eq!(words.title, "An unsent text is waiting");
    assert!(words.detail[0].contains("kept on this device"), "{words:?}");
}

#[test]
fn the_bar_says_that_it_is_saved_only_while_the_status_does() {
    let words = |standing: &Standing| in_the_library(standing);
    assert_eq!(words(&confirmed(saved())).as_deref(), Some("Version 1 is in your library."));
    assert_eq!(words(&standing(Some(saved()), Freshness::OPENED)), None, "nobody has confirmed it");
    assert_eq!(words(&confirmed(in_state(task_at(9), StateName::Accepted))), None);
    let mut unsent = confirmed(saved());
    unsent.unsent = true;
    assert_eq!(words(&unsent), None, "the status speaks of the text then");
}

#[test]
fn a_cancelled_task_says_in_words_what_it_leaves() {
    let mut task = in_state(task_at(9), StateName::Cancelled);
    task.outcome = Some(Outcome::Cancelled {
        cancelled_at: noon(30),
        done: vec!["evidence_saved".to_owned(), "version_1".to_owned()],
        unknown: vec![],
    });
    let words = status(&confirmed(task));
    assert_eq!(words.detail[1], "Done by then: evidence kept, version 1 written.");
}

#[test]
fn that_there_is_no_such_task_is_a_confirmed_answer() {
    let mut standing = standing(None, Freshness::Unknown { asking: true });
    standing.gone = true;
    assert_eq!(view_of(&standing).marks.freshness, "confirmed");
}

#[test]
fn another_text_under_the_same_version_is_said_in_words() {
    let evidence = |version: SourceVersion| Evidence {
        source: "fixture".to_owned(),
        adapter: "fixture".to_owned(),
        source_version: version,
        content: "new".to_owned(),
        content_hash: Hash::of("new"),
        observed_at: Timestamp::EPOCH,
    };
    let seen = |version| home::seen(&evidence(version), None, Zone::default());
    let plain = SourceVersion("7".to_owned());
    assert!(seen(plain.clone()).starts_with("record version 7, seen"));
    let marked = seen(plain.marked(&Hash::of("new")));
    assert!(marked.starts_with("record version 7 (its text has changed, its number has not), seen"), "{marked}");
}

#[test]
fn a_draft_names_what_wrote_it_and_what_that_counted() {
    let mut task = in_state(task_at(9), StateName::AwaitingReview);
    task.drafts.clear();
    add_version(&mut task, Author::Model, "Bring an apron.");
    let mut draft = task.drafts.remove(0);
    assert_eq!(labels::version_by(&draft), format!("version {}, by a simulated model", draft.version));
    draft.simulated = false;
    draft.produced_by = "a-model".to_owned();
    draft.usage = Some(Usage { read: 812, written: 233 });
    assert_eq!(
        labels::version_by(&draft),
        format!("version {}, by a-model (812 tokens read, 233 written)", draft.version)
    );
}
