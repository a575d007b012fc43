//! A later look at the source: on a learner's word, or before a save when the evidence is old. It
//! finds the same, a change, nothing, or does not find out; each has its way on.

use std::time::Duration;

use domain::{
    explanation::StateName, fault::Code, intent::Wish, record::Observation, retry::Terms, snapshot::Snapshot,
};
use server::sources::SourceError;

use crate::{
    doubles::{Turn, observation},
    stage::{Stage, accept, edit},
};

type Look = Turn<Observation, SourceError>;

/// A record that changed without a word about its version.
fn changed_in_silence(seen: &Snapshot) -> Observation {
    Observation { content: "{\n  \"bring\": \"A towel\"\n}".to_owned(), ..observation(&seen.record_id, "1") }
}

/// What a look finds, by its name.
fn found(what: &str, seen: &Snapshot) -> Look {
    match what {
        "the same" => Turn::Answer(observation(&seen.record_id, "1")),
        "version 2" => Turn::Answer(observation(&seen.record_id, "2")),
        "another content" => Turn::Answer(changed_in_silence(seen)),
        "nothing" => Turn::Fail(SourceError::Missing),
        "withdrawn" => Turn::Fail(SourceError::Withdrawn),
        "no answer" => Turn::Fail(SourceError::TimedOut),
        "nonsense" => Turn::Fail(SourceError::Malformed("half a record".to_owned())),
        other => panic!("{other}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reopened_task_returns_with_what_was_found() {
    let stage = Stage::on(Terms { tries: 1, ..Terms::default() }).await;
    let working = stage.work();
    for (look, evidence, notice, proposed_on) in [
        ("the same", 1, None, Some("1")),
        ("version 2", 2, Some("source_moved"), Some("2")),
        // Two contents under one version: the beginning of the hash tells the second from the first.
        ("another content", 2, Some("source_moved"), Some("1+ad7b2dd7")),
        ("nothing", 1, Some("record_not_found"), None),
        ("withdrawn", 1, Some("record_withdrawn"), None),
        ("no answer", 1, Some("source_timed_out"), None),
        ("nonsense", 1, Some("reply_malformed"), None),
    ] {
        let ann = stage.learner(look).await;
        let seen = stage.reviewed(ann).await;
        stage.source.then(found(look, &seen));
        stage.ask(ann, seen.task_id, Wish::Reopen).await.unwrap();
        let back = stage.until(ann, seen.task_id, StateName::AwaitingReview).await;
        assert_eq!(back.evidence.len(), evidence, "{look}: what was seen before stays beside it");
        assert_eq!(back.evidence[0], seen.evidence[0], "{look}");
        assert_eq!(back.notice.as_ref().map(|n| n.code.as_str()), notice, "{look}");
        assert_eq!(back.drafts, seen.drafts, "{look}: the draft is kept");
        let proposal = back.proposal.as_ref();
        assert_eq!(proposal.map(|p| p.source_version.0.as_str()), proposed_on, "{look}");
        if let Some(proposal) = proposal {
            assert!(seen.proposal.unwrap().expires_at < proposal.expires_at, "{look}: a new one");
        } else {
            // Nothing can be accepted until a look finds the record again.
            let refused = stage.ask(ann, seen.task_id, accept(&seen)).await.unwrap_err();
            assert_eq!(refused.code, Code::Expired, "{look}");
            stage.ask(ann, seen.task_id, Wish::Reopen).await.unwrap();
            let again = stage.until(ann, seen.task_id, StateName::AwaitingReview).await;
            assert_eq!((again.notice, again.proposal.is_some()), (None, true), "{look}: found again");
        }
        let now = stage.snapshot(ann, seen.task_id).await;
        stage.ask(ann, seen.task_id, accept(&now)).await.unwrap();
        stage.until(ann, seen.task_id, StateName::Saved).await;
        assert_eq!(stage.entries(seen.task_id).await, 1, "{look}");
    }
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_proposal_is_opened_again_and_the_new_one_counts_from_now() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let seen = stage.reviewed(ann).await;
    let expires_at = seen.proposal.as_ref().unwrap().expires_at;
    stage.shift_clock("31 days").await;
    let refused = stage.ask(ann, seen.task_id, accept(&seen)).await.unwrap_err();
    assert_eq!((refused.code, refused.code.status()), (Code::Expired, 409));
    assert_eq!(refused.current.unwrap().state, StateName::AwaitingReview, "nothing has moved");
    stage.ask(ann, seen.task_id, Wish::Reopen).await.unwrap();
    let fresh = stage.until(ann, seen.task_id, StateName::AwaitingReview).await;
    let days = Duration::from_hours(30 * 24);
    assert!(expires_at.plus(days) < fresh.proposal.as_ref().unwrap().expires_at, "thirty days from now");
    stage.ask(ann, seen.task_id, accept(&fresh)).await.unwrap();
    stage.until(ann, seen.task_id, StateName::Saved).await;
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_makes_a_proposal_where_there_was_none() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let seen = stage.reviewed(ann).await;
    stage.shift_clock("31 days").await;
    let edited = stage.ask(ann, seen.task_id, edit(&seen, "Mine.")).await.unwrap().task;
    stage.ask(ann, seen.task_id, accept(&edited)).await.unwrap();
    stage.until(ann, seen.task_id, StateName::Saved).await;
    assert_eq!(stage.saved_text(seen.task_id).await, "Mine.");
    working.stop().await;
}

/// The two ways on from newer evidence.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    AcceptNamingTheNewer,
    AskForANewDraft,
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_that_moved_on_stops_the_save_and_leaves_two_ways_on() {
    for way in [Way::AcceptNamingTheNewer, Way::AskForANewDraft] {
        let stage = Stage::new().await;
        let ann = stage.learner("ann").await;
        let working = stage.work();
        let seen = stage.reviewed(ann).await;
        stage.shift_clock("25 hours").await;
        stage.source.then(found("version 2", &seen));
        stage.ask(ann, seen.task_id, accept(&seen)).await.unwrap();
        let back = stage.until(ann, seen.task_id, StateName::AwaitingReview).await;
        assert_eq!(back.notice.as_ref().unwrap().code, "source_moved");
        let versions: Vec<_> = back.evidence.iter().map(|e| e.source_version.0.as_str()).collect();
        assert_eq!(versions, ["1", "2"]);
        assert_eq!(back.evidence[1].content, observation(&seen.record_id, "2").content);
        assert_eq!(stage.entries(seen.task_id).await, 0, "nothing is saved");

        let refused = stage.ask(ann, seen.task_id, accept(&seen)).await.unwrap_err();
        assert_eq!((refused.code, refused.params["newest"].as_str()), (Code::SourceChanged, "2"));
        assert_eq!(refused.current.as_ref().unwrap().newest_evidence(), back.newest_evidence(), "and it is shown");
        let (now, calls) = match way {
            Way::AcceptNamingTheNewer => (back, 1),
            Way::AskForANewDraft => {
                stage.ask(ann, seen.task_id, Wish::Redraft { base_version: 1 }).await.unwrap();
                (stage.until_seen(ann, seen.task_id, "version 2", |s| s.draft_version == Some(2)).await, 2)
            }
        };
        let on = now.current_draft().unwrap().on_source_version.0.clone();
        assert_eq!(on, if way == Way::AskForANewDraft { "2" } else { "1" }, "a draft says what it rests on");
        stage.ask(ann, seen.task_id, accept(&now)).await.unwrap();
        stage.until(ann, seen.task_id, StateName::Saved).await;
        assert_eq!(&stage.saved_text(seen.task_id).await, now.current_draft().unwrap().text.as_ref().unwrap());
        assert_eq!((stage.model.calls().begun(), stage.source.calls().begun()), (calls, 2), "{way:?}");
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_look_before_a_save_goes_on_or_stops_it() {
    let stage = Stage::on(Terms { tries: 1, ..Terms::default() }).await;
    let working = stage.work();
    for (look, then, notice) in [
        ("the same", StateName::Saved, None),
        ("another content", StateName::AwaitingReview, Some("source_moved")),
        ("nothing", StateName::AwaitingReview, Some("record_not_found")),
        ("withdrawn", StateName::AwaitingReview, Some("record_withdrawn")),
        ("no answer", StateName::SourceUnavailable, None),
    ] {
        let ann = stage.learner(look).await;
        let seen = stage.reviewed(ann).await;
        stage.shift_clock("25 hours").await;
        stage.source.then(found(look, &seen));
        stage.ask(ann, seen.task_id, accept(&seen)).await.unwrap();
        let back = stage.until(ann, seen.task_id, then).await;
        assert_eq!(back.notice.as_ref().map(|n| n.code.as_str()), notice, "{look}");
        assert_eq!(stage.entries(seen.task_id).await, i64::from(then == StateName::Saved), "{look}");
        match then {
            StateName::SourceUnavailable => drop(stage.ask(ann, seen.task_id, Wish::Retry).await.unwrap()),
            StateName::AwaitingReview => drop(stage.ask(ann, seen.task_id, accept(&back)).await.unwrap()),
            _ => {}
        }
        stage.until(ann, seen.task_id, StateName::Saved).await;
        let accepts = stage.kinds(ann, seen.task_id).await.iter().filter(|kind| *kind == "accepted").count();
        assert_eq!(accepts, if then == StateName::AwaitingReview { 2 } else { 1 }, "{look}: a retry keeps the accept");
        assert_eq!(stage.entries(seen.task_id).await, 1, "{look}");
    }
    working.stop().await;
}
