//! At the library's door it is asked once more whether the accept still holds: who asked, until
//! when, and for which bytes. If not, nothing is saved.

use domain::{
    explanation::StateName,
    id::{TaskId, UserId},
    intent::{Verdict, Wish},
    retry::Terms,
    snapshot::Snapshot,
};

use crate::stage::{Stage, accept};

/// A save that was accepted and that nobody has carried out: never tried, or tried in vain, so
/// that it may have happened for all that is known.
async fn accepted(stage: &Stage, owner: UserId, tried: bool) -> Snapshot {
    let working = stage.work();
    let seen = stage.reviewed(owner).await;
    if tried {
        stage.library.switch(false);
        stage.ask(owner, seen.task_id, accept(&seen)).await.unwrap();
        stage.until_seen(owner, seen.task_id, "a try that failed", |s| s.next_try_at.is_some()).await;
        working.stop().await;
        stage.library.switch(true);
    } else {
        working.stop().await;
        stage.ask(owner, seen.task_id, accept(&seen)).await.unwrap();
    }
    seen
}

async fn run(stage: &Stage, sql: &str, task: TaskId) {
    let done = sqlx::query(sql).bind(task.0).execute(&stage.pool).await.unwrap();
    assert_eq!(done.rows_affected(), 1, "{sql}");
}

/// What changes between the accept and the save, and how it is undone; a shift of the clock stays.
struct Change {
    what: &'static str,
    done: &'static str,
    undone: &'static str,
    notice: &'static str,
}

const CHANGES: [Change; 3] = [
    Change {
        what: "the proposal expires",
        done: "update clock set shift = shift + interval '31 days' where $1 is not null",
        undone: "update clock set shift = shift where $1 is not null",
        notice: "expired",
    },
    Change {
        what: "the account is gone",
        done: "delete from account a using task t where t.task_id = $1 and a.user_id = t.owner",
        undone: "insert into account (user_id, name, name_key, passphrase_hash, created_at)
                 select owner, 'back', owner::text, '', mooring_now() from task where task_id = $1",
        notice: "requester_invalid",
    },
    Change {
        what: "the requester is another",
        done: r#"update task set data = jsonb_set(data, '{state,acceptance,proposal,requester}',
                        '"00000000-0000-7000-8000-000000000000"') where task_id = $1"#,
        undone: "update task set seq = seq where task_id = $1",
        notice: "requester_invalid",
    },
];

#[tokio::test(flavor = "multi_thread")]
async fn an_accept_that_no_longer_holds_goes_back_to_its_learner_with_a_notice() {
    // The wait after a failed try outlasts the test unless its clock is moved.
    let terms = Terms { backoff_ms: 10, fresh_s: u32::MAX, ..Terms::default() };
    let stage = Stage::on(terms).await;
    stage.count_library_calls().await;
    sqlx::query("alter table task drop constraint task_owner_fk").execute(&stage.pool).await.unwrap();
    for Change { what, done, undone, notice } in CHANGES {
        for tried in [false, true] {
            let case = format!("{what}, tried before: {tried}");
            let ann = stage.learner(&case).await;
            let seen = accepted(&stage, ann, tried).await;
            let task = seen.task_id;
            let (save, _) = stage.only_operation(task, "save").await;
            run(&stage, done, task).await;

            let working = stage.work();
            let back = stage.until(ann, task, StateName::AwaitingReview).await;
            let told = back.notice.as_ref().unwrap();
            assert_eq!((told.code.as_str(), told.params["version"].as_str()), (notice, "1"), "{case}");
            assert_eq!((stage.entries(task).await, stage.save_calls(task).await), (0, 0), "{case}: nothing is saved");
            let decided = "select count(*) from library.decision where task_id = $1 and outcome = 'withdrawn'";
            assert_eq!(stage.number(decided, task).await, 1, "{case}: nor will it ever be, by that operation");
            assert_eq!(stage.only_operation(task, "save").await, (save, "failed".to_owned()), "{case}");
            assert!(back.proposal.is_some(), "{case}: it may be accepted anew");

            run(&stage, undone, task).await;
            stage.ask(ann, task, accept(&back)).await.unwrap();
            stage.until(ann, task, StateName::Saved).await;
            assert_eq!((stage.entries(task).await, stage.save_calls(task).await), (1, 1), "{case}");
            let saves = stage.operations(task, "save").await;
            assert_eq!((saves.len(), saves[1].1.as_str()), (2, "done"), "{case}: under an operation of its own");
            working.stop().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_name_is_no_reason_not_to_save() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let seen = accepted(&stage, ann, false).await;
    let renamed = "update account a set name = 'anna', name_key = 'anna' from task t
                    where t.task_id = $1 and a.user_id = t.owner";
    run(&stage, renamed, seen.task_id).await;
    let working = stage.work();
    stage.until(ann, seen.task_id, StateName::Saved).await;
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_save_that_had_happened_is_found_however_late() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let seen = accepted(&stage, ann, true).await;
    // The answer to the first try was lost, not the save.
    let save = stage.accepted_save(seen.task_id).await;
    server::library::Library::save(&stage.library, &save).await.unwrap();
    stage.shift_clock("31 days").await;
    let working = stage.work();
    let saved = stage.until(ann, seen.task_id, StateName::Saved).await;
    assert_eq!((saved.notice, stage.entries(seen.task_id).await), (None, 1), "expired or not, it is saved");
    assert_eq!(stage.events(ann, seen.task_id).await.last().unwrap().details["found"], true);
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_are_not_those_accepted_are_kept_out_and_shown_to_a_person() {
    // Only with the triggers off, and with a hash that fits, can a text be changed at all.
    for (what, sql) in [
        (
            "another text",
            "update draft set text = 'Forged.', hash = encode(sha256('Forged.'), 'hex') where task_id = $1",
        ),
        ("no text", "delete from draft where task_id = $1"),
        (
            "another hash",
            "update task set data = jsonb_set(data, '{state,acceptance,proposal,draft_hash}',
                    to_jsonb(repeat('0', 64))) where task_id = $1",
        ),
    ] {
        let stage = Stage::new().await;
        stage.count_library_calls().await;
        let ann = stage.learner("ann").await;
        let seen = accepted(&stage, ann, false).await;
        if what != "another hash" {
            let refused = sqlx::query(sql).bind(seen.task_id.0).execute(&stage.pool).await.unwrap_err();
            let by = refused.as_database_error().unwrap().constraint();
            assert_eq!(by, Some("draft_append_only"), "{what}: the database refuses");
            sqlx::raw_sql(
                "alter table draft disable trigger user; alter table proposal drop constraint proposal_draft_fk",
            )
            .execute(&stage.pool)
            .await
            .unwrap();
        }
        run(&stage, sql, seen.task_id).await;

        let working = stage.work();
        let stopped = stage.until(ann, seen.task_id, StateName::NeedsChecking).await;
        let problem = stopped.problem.unwrap();
        assert_eq!((problem.code.as_str(), problem.params["version"].as_str()), ("hash_wrong", "1"), "{what}");
        // Looking again finds the same; only stopping is left.
        let settle = |verdict| Wish::Settle { verdict, note: "I looked".to_owned() };
        for verdict in [Verdict::LookAgain, Verdict::NotSavedSaveNow] {
            let before = stage.ask(ann, seen.task_id, settle(verdict)).await.unwrap().op.seq;
            let again = |s: &Snapshot| before < s.seq && s.state == StateName::NeedsChecking;
            let again = stage.until_seen(ann, seen.task_id, "the same problem", again).await;
            assert_eq!(again.problem.unwrap().code, "hash_wrong", "{what}, {verdict:?}");
        }
        stage.ask(ann, seen.task_id, settle(Verdict::NotSavedStop)).await.unwrap();
        assert_eq!(stage.snapshot(ann, seen.task_id).await.state, StateName::Cancelled, "{what}");
        assert_eq!((stage.entries(seen.task_id).await, stage.save_calls(seen.task_id).await), (0, 0), "{what}");
        working.stop().await;
    }
}
