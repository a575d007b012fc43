//! Several tabs, several texts: none is lost, and none is written over another.

use std::rc::Rc;

use app::{
    cache::{Cache, Place, Unsent},
    components::draft::Base,
    pages::task::review::builds_on,
    ports::device::Trigger,
    slots::Key,
};
use domain::{fault::Code, intent::Wish, snapshot::Draft, text::Hash};

use crate::{
    fake::{
        Script, Tab,
        device::Memory,
        server::Answer,
        things::{ada, task_at, the_task},
    },
    tabs::two_tabs,
};

fn draft() -> Place {
    Place::Draft(the_task())
}

fn type_in(tab: &Tab, text: &str) {
    tab.keeper.keep_unsent(draft(), Some(&Unsent::over(1, text)));
}

fn text(tab: &Tab) -> Option<String> {
    tab.keeper.unsent(draft()).map(|unsent| unsent.text)
}

fn others(tab: &Tab) -> Vec<String> {
    tab.keeper.other_texts(draft(), &[]).into_iter().map(|found| found.unsent.text).collect()
}

fn stored(slots: &Memory) -> Vec<String> {
    Cache(slots).texts(ada().user_id, draft()).into_iter().map(|found| found.unsent.text).collect()
}

fn opened(slots: &Rc<Memory>, server: &Rc<Script>) -> Tab {
    let mut tab = Tab::started(slots.clone(), server.clone());
    tab.keeper.watch(Some(the_task()));
    tab.settle();
    tab
}

#[test]
fn c26_two_tabs_with_different_texts_keep_both_and_offer_each_other_s() {
    let (mut a, mut b, slots, server) = two_tabs();
    assert_eq!((text(&a), text(&b)), (None, None));
    type_in(&a, "one");
    b.trigger(Trigger::OtherText);
    type_in(&b, "two");
    a.trigger(Trigger::OtherText);
    assert_eq!((others(&a), others(&b)), (vec!["two".to_owned()], vec!["one".to_owned()]));
    assert_eq!((text(&a).unwrap(), text(&b).unwrap()), ("one".to_owned(), "two".to_owned()));
    drop((a, b));

    let later = opened(&slots, &server);
    assert_eq!((text(&later).unwrap(), others(&later)), ("two".to_owned(), vec!["one".to_owned()]), "the newest first");
}

#[test]
fn that_another_tab_types_is_told_at_once() {
    let (a, mut b, _, _) = two_tabs();
    let told = b.keeper.shown.texts.get_untracked();
    type_in(&a, "one");
    b.trigger(Trigger::OtherText);
    assert_ne!(b.keeper.shown.texts.get_untracked(), told);
    assert!(b.keeper.shown.unsent.get_untracked());
}

#[test]
fn a_text_that_was_taken_over_goes_with_the_first_input_and_only_if_it_is_what_it_was() {
    for goes_on in [false, true] {
        let (a, _, slots, server) = two_tabs();
        type_in(&a, "one");
        let c = opened(&slots, &server);
        assert_eq!(text(&c).as_deref(), Some("one"));
        assert_eq!(stored(&slots), ["one"], "reading changes nothing");
        if goes_on {
            type_in(&a, "one and more");
        }
        type_in(&c, "one, differently");
        let left: &[&str] = if goes_on { &["one and more", "one, differently"] } else { &["one, differently"] };
        let mut texts = stored(&slots);
        texts.sort_unstable();
        assert_eq!(texts, left);
    }
}

#[test]
fn a_text_in_the_box_of_a_living_tab_is_written_again_when_another_tab_went_on_from_it() {
    let (mut a, _, slots, server) = two_tabs();
    type_in(&a, "one");
    let c = opened(&slots, &server);
    assert_eq!(text(&c).as_deref(), Some("one"));
    type_in(&c, "two");
    a.trigger(Trigger::OtherText);
    assert_eq!((others(&a), others(&c)), (vec!["two".to_owned()], vec!["one".to_owned()]));
    drop((a, c));
    let later = opened(&slots, &server);
    assert_eq!((text(&later).unwrap(), others(&later)), ("two".to_owned(), vec!["one".to_owned()]));
}

#[test]
fn a_text_that_two_tabs_took_over_stays_with_the_one_that_still_shows_it() {
    let (a, _, slots, server) = two_tabs();
    type_in(&a, "one");
    drop(a);
    let (mut b, c) = (opened(&slots, &server), opened(&slots, &server));
    assert_eq!((text(&b), text(&c)), (Some("one".to_owned()), Some("one".to_owned())));
    type_in(&c, "two");
    b.trigger(Trigger::OtherText);
    assert_eq!(stored(&slots).len(), 2, "{:?}", stored(&slots));
}

#[test]
fn nothing_of_a_learner_who_was_signed_out_in_another_tab_is_written_again() {
    let (mut a, _, slots, server) = two_tabs();
    type_in(&a, "one");
    Cache(&*slots).forget(ada().user_id);
    a.trigger(Trigger::OtherText);
    *server.who.borrow_mut() = Answer::Refuses(Code::SignedOut.into());
    a.trigger(Trigger::OtherTab);
    assert_eq!(slots.values.borrow().len(), 0, "{:?}", slots.values.borrow());
    *server.who.borrow_mut() = Answer::Says(ada());
    a.trigger(Trigger::Visible);
    a.keeper.watch(Some(the_task()));
    assert_eq!(text(&a), None, "nor is it remembered");
}

#[test]
fn taking_the_other_text_offers_the_one_that_was_in_the_box() {
    let (a, b, slots, server) = two_tabs();
    type_in(&a, "one");
    type_in(&b, "two");
    let other = a.keeper.other_texts(draft(), &[]).pop().unwrap();
    let used = a.keeper.use_other(draft(), &other).unwrap();
    assert_eq!((used.text.as_str(), text(&a).unwrap(), others(&a)), ("two", "two".to_owned(), vec!["one".to_owned()]));
    drop((a, b));
    let later = opened(&slots, &server);
    assert_eq!((text(&later).unwrap(), others(&later)), ("two".to_owned(), vec!["one".to_owned()]));
}

#[test]
fn where_there_is_no_room_for_both_the_box_stays_as_it_is() {
    let (a, b, slots, _) = two_tabs();
    type_in(&a, "one");
    type_in(&b, "two");
    slots.full.set(true);
    let other = a.keeper.other_texts(draft(), &[]).pop().unwrap();
    assert_eq!(a.keeper.use_other(draft(), &other), None);
    assert_eq!((text(&a).unwrap(), others(&a)), ("one".to_owned(), vec!["two".to_owned()]));
    assert!(a.keeper.shown.not_kept.get_untracked().is_some());
}

#[test]
fn a_text_that_is_let_go_takes_its_equals_along_and_no_others() {
    let (a, b, slots, _) = two_tabs();
    type_in(&a, "one");
    type_in(&b, "two");
    Cache(&*slots).keep_text(ada().user_id, draft(), "closed", &Unsent::over(1, "two")).unwrap();
    assert_eq!(others(&a), ["two"], "equal texts count as one");
    let other = a.keeper.other_texts(draft(), &[]).pop().unwrap();
    a.keeper.discard_other(draft(), &other);
    assert_eq!(stored(&slots), ["one"]);
}

#[test]
fn what_is_stored_on_the_server_or_says_nothing_is_not_offered() {
    let (a, b, slots, _) = two_tabs();
    type_in(&b, "Bring an apron.");
    Cache(&*slots).keep_text(ada().user_id, draft(), "emptied", &Unsent::over(1, " \n")).unwrap();
    assert_eq!(others(&a), ["Bring an apron."]);
    assert_eq!(a.keeper.other_texts(draft(), &["Bring an apron.".to_owned()]), []);
    assert_eq!(stored(&slots), Vec::<String>::new());
}

#[test]
fn who_lets_another_tab_s_stored_text_go_knows_that_nothing_is_unsent() {
    let (mut a, b, slots, _) = two_tabs();
    type_in(&b, "Bring an apron.");
    a.trigger(Trigger::OtherText);
    assert!(a.keeper.shown.unsent.get_untracked());
    // The version arrives before the other tab's own removal: no event follows for this tab.
    assert_eq!(a.keeper.other_texts(draft(), &["Bring an apron.".to_owned()]), []);
    assert_eq!(stored(&slots), Vec::<String>::new());
    assert!(!a.keeper.shown.unsent.get_untracked());
}

#[test]
fn what_a_text_builds_on_is_the_version_that_says_what_the_learner_saw() {
    let draft = |version: u32, text: &str| {
        let mut draft = task_at(6).drafts[0].clone();
        (draft.version, draft.hash) = (version, Hash::of(text));
        draft
    };
    let base = |version: u32, text: &str| Some(Base { version, text: text.to_owned(), stored: 1 });
    let on = |seen: &str, base: Option<Base>, versions: &[Draft]| {
        builds_on(Some(&Hash::of(seen)), 1, base.as_ref(), versions)
    };
    let first = draft(1, "First.");
    assert_eq!(on("Mine.", base(2, "Mine."), std::slice::from_ref(&first)), 2, "the edit that waits");
    let stored = [first.clone(), draft(2, "Mine."), draft(3, "Theirs.")];
    assert_eq!(on("Mine.", base(3, "Theirs."), &stored), 2, "it became a version");
    let theirs = [first.clone(), draft(2, "Theirs.")];
    assert_eq!(on("Mine.", base(2, "Theirs."), &theirs), 1, "it was discarded: the server finds the conflict");
    let kept = [first, draft(2, "Theirs."), draft(3, "Mine.")];
    assert_eq!(on("Mine.", base(3, "Mine."), &kept), 3, "it was refused and kept all the same");
    assert_eq!(builds_on(None, 2, None, &kept), 2, "of a build that did not note what was seen");
}

#[test]
fn a_text_of_a_build_that_knew_one_place_for_all_tabs_is_taken_up() {
    let (_, _, slots, server) = two_tabs();
    let put = |thing: &str, raw: &str| {
        let key = Key::of(ada().user_id, thing).as_str().to_owned();
        slots.values.borrow_mut().insert(key, raw.to_owned());
    };
    put(&format!("text.{}", the_task()), r#"{"text":"Mine.","base_version":2}"#);
    put("text.start", r#"{"record_id":"glazing","question":"Why?"}"#);
    let tab = opened(&slots, &server);
    assert_eq!(tab.keeper.unsent(draft()), Some(Unsent::over(2, "Mine.")));
    assert_eq!(tab.keeper.unsent(Place::Start), Some(Unsent::question("glazing", "Why?")));
    assert_eq!(tab.keeper.unsent_texts(), 2);
    type_in(&tab, "Mine too.");
    assert_eq!(stored(&slots), ["Mine too."]);
}

#[test]
fn questions_in_two_tabs_are_kept_like_drafts_and_go_when_they_were_asked() {
    let (mut a, b, _, server) = two_tabs();
    let ask = |tab: &Tab, text: &str| tab.keeper.keep_unsent(Place::Start, Some(&Unsent::question("glazing", text)));
    ask(&a, "Why?");
    ask(&b, "How long?");
    let found: Vec<_> = a.keeper.other_texts(Place::Start, &[]).into_iter().map(|f| f.unsent.text).collect();
    assert_eq!(found, ["How long?"]);

    server.on_command(|intent| Answer::Says(crate::fake::things::done(intent, task_at(1))));
    let wish = Wish::Start { record_id: "glazing".to_owned(), question: "Why?".to_owned(), even_if_similar: false };
    a.keeper.wish(None, wish, None).unwrap();
    a.settle();
    assert_eq!(a.keeper.unsent(Place::Start).unwrap().text, "How long?", "the other one is there still");
}

#[test]
fn every_character_is_kept_as_the_field_gave_it() {
    let (a, _, slots, server) = two_tabs();
    // Line ends of another system, an emoji of several parts, right to left, and what stands for half of
    // a pair that is not there.
    let all = "a\r\nb\u{1F469}\u{200D}\u{1F9B0}\u{5D0}\u{5D1}\u{FFFD}\t\u{0}";
    let mut so_far = String::new();
    for c in all.chars() {
        so_far.push(c);
        type_in(&a, &so_far);
        assert_eq!(stored(&slots), [so_far.clone()], "at every input");
    }
    drop(a);
    assert_eq!(text(&opened(&slots, &server)).as_deref(), Some(all));
}
