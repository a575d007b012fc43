//! A source that changes a record without raising its version: what was read is still what may be
//! accepted, and nothing else.

use domain::{
    explanation::{Command, EvidenceRef, Looked, Task, decide},
    fault::Code,
    id::SourceVersion,
    record::Observation,
};

use crate::world::{NOON, after, command, later, task_that_is};

/// What a source shows that calls everything version 1.
fn shows(content: &str) -> Command {
    let seen = Observation {
        title: "Wheel".to_owned(),
        content: content.to_owned(),
        source_version: SourceVersion("1".to_owned()),
    };
    let evidence = EvidenceRef::of("test", "fixture", &seen, NOON);
    Command::Looked(Looked::Found { evidence, title: "Wheel".to_owned() })
}

/// A task in review that was opened again while the source showed `content`.
fn reopened(task: &Task, content: &str) -> Task {
    let rechecking = after(task, &command("reopen", task), NOON);
    after(&rechecking, &shows(content), NOON)
}

fn accept_naming(task: &Task, source_version: &SourceVersion) -> Result<(), Code> {
    let draft = task.current().unwrap();
    let accept = Command::Accept {
        draft_version: draft.version,
        draft_hash: draft.hash.clone(),
        seen_source_version: source_version.clone(),
    };
    decide(task, &accept, later()).map(|_| ()).map_err(|fault| fault.code)
}

#[test]
fn whoever_read_the_old_content_does_not_accept_on_the_new() {
    let first = task_that_is("awaiting_review");
    let read = first.newest_evidence().unwrap().source_version.clone();
    let changed = reopened(&first, "the studio has moved");
    let newest = changed.newest_evidence().unwrap().source_version.clone();
    assert_ne!(read, newest, "two contents under one version are told apart");
    assert_eq!(accept_naming(&changed, &read), Err(Code::SourceChanged));
    assert_eq!(accept_naming(&changed, &newest), Ok(()));
}

#[test]
fn a_version_with_a_mark_still_has_its_name() {
    let marked = SourceVersion("7".to_owned()).marked(&domain::text::Hash::of("the studio has moved"));
    assert_eq!(marked.named(), ("7", true));
    for plain in ["7", "2026-11-29+01", "v1.0.0+build", "+"] {
        assert_eq!(SourceVersion(plain.to_owned()).named(), (plain, false));
    }
}

#[test]
fn the_same_content_again_is_no_change() {
    let changed = reopened(&task_that_is("awaiting_review"), "the studio has moved");
    let again = reopened(&changed, "the studio has moved");
    assert_eq!(again.known.evidence, changed.known.evidence);
    let newest = again.newest_evidence().unwrap().source_version.clone();
    assert_eq!(accept_naming(&again, &newest), Ok(()));
}

#[test]
fn what_comes_back_has_its_old_name() {
    let first = task_that_is("awaiting_review");
    let back = reopened(&reopened(&first, "the studio has moved"), "as version 1 says");
    let read = &first.newest_evidence().unwrap().source_version;
    assert_eq!(&back.newest_evidence().unwrap().source_version, read);
    assert_eq!(accept_naming(&back, read), Ok(()));
}
