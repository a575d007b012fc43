//! What an operator sees: how the work stands, in numbers that are true, and no learner's words.

mod site; // the real program, with its log kept

use std::time::Duration;

use app::ports::backend::Backend;
use domain::{course::Outcome, explanation::StateName, id::TaskId};
use serde_json::{Value, json};
use server::{
    store::Vitals,
    telemetry::numbers::{METRICS, Metric},
};

use self::site::Site;
use crate::{
    doubles::Turn,
    processes::Process,
    stage::{QUESTION, Stage, accept, new_op, new_task},
};

#[test]
fn the_readme_lists_the_numbers_as_they_are() {
    let row = |Metric { name, kind, labels, meaning }: &Metric| {
        format!("| `{name}` | {} | {labels} | {meaning} |", format!("{kind:?}").to_lowercase())
    };
    let listed = include_str!("../../../README.md").split("<!-- metrics -->").nth(1).unwrap_or_default();
    let listed: Vec<&str> =
        listed.split("<!-- /metrics -->").next().unwrap_or_default().trim().lines().skip(2).collect();
    assert_eq!(listed, METRICS.iter().map(row).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_numbers_say_what_is_due_what_nobody_holds_and_what_needs_a_person() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    assert_eq!(stage.store.vitals().await.unwrap(), Vitals::default(), "nothing to do");

    let due = stage.start(ann).await;
    stage.shift_clock("1 hour").await;
    let seen = stage.store.vitals().await.unwrap();
    assert!(Duration::from_hours(1) <= seen.oldest_due, "{seen:?}");
    assert_eq!((seen.without_live_lease, seen.needs_checking), (0, 0));

    // A worker that takes it and dies leaves a lease that runs out.
    stage.model.then(Turn::Hang);
    let working = stage.work();
    stage.until_seen(ann, due, "the model asked", |_| stage.model.calls().under_way() == 1).await;
    assert_eq!(stage.store.vitals().await.unwrap(), Vitals::default(), "it is held");
    working.crash();
    stage.shift_clock("1 hour").await;
    let seen = stage.store.vitals().await.unwrap();
    assert_eq!((seen.without_live_lease, seen.needs_checking), (1, 0));
    assert!(Duration::from_mins(59) <= seen.oldest_due && seen.oldest_due < Duration::from_hours(1), "{seen:?}");

    // Somebody else takes it, and all is well.
    let working = stage.work_apart("next", stage.lease);
    let reviewed = stage.until(ann, due, StateName::AwaitingReview).await;
    assert_eq!(stage.store.vitals().await.unwrap(), Vitals::default());

    stage.library.switch(false);
    stage.ask(ann, due, accept(&reviewed)).await.unwrap();
    stage.shift_clock("1 hour").await;
    stage.until(ann, due, StateName::NeedsChecking).await;
    assert_eq!(stage.store.vitals().await.unwrap(), Vitals { needs_checking: 1, ..Vitals::default() });
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_is_told_step_by_step_with_the_winner_of_each_claim() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let first = Process::work(&stage, &[("MOORING_MODEL_DELAY", "60s")]);
    let task = stage.start(ann).await;
    stage.until_seen(ann, task, "drafting", |s| s.active.as_ref().is_some_and(|a| a.step == "draft")).await;
    let steps = stage.timeline(ann, task).await.steps;
    assert_eq!(steps.iter().map(|step| step.outcome).collect::<Vec<_>>(), [Outcome::Done, Outcome::Running]);
    first.signal(rustix::process::Signal::KILL);
    let second = stage.work_apart("second", Duration::from_secs(10));
    let seen = stage.until(ann, task, StateName::AwaitingReview).await;

    let [look, draft] = &stage.timeline(ann, task).await.steps[..] else { panic!("two steps") };
    assert_eq!((look.outcome, look.observed_at), (Outcome::Reused, Some(seen.evidence[0].observed_at)));
    assert_eq!((draft.outcome, draft.tries, &draft.why[..]), (Outcome::Done, 1, &["process_lost".to_owned()][..]));
    assert_eq!(draft.attempts.len(), 2);
    let later = Backend::events(&*stage.backend, ann, task, 4).await.unwrap();
    assert_eq!((later.events[0].seq, later.steps.len()), (5, 2), "the steps are told over the whole log");
    assert_ne!(draft.attempts[0].process, draft.attempts[1].process);
    assert_eq!(draft.attempts[1].process.as_deref(), Some("second"));
    assert_eq!(draft.op_id, stage.events(ann, task).await.iter().rfind(|e| e.kind == "draft_produced").unwrap().op_id);
    second.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_database_is_away_the_numbers_say_so_and_are_no_old_ones() {
    let stage = Stage::new().await;
    let site = Site::open(&stage, &[("MOORING_NO_WORKER", "1")]).await;
    site.until_metric("mooring_database_up", "1").await;
    assert_eq!(site.metric("mooring_needs_checking").await.as_deref(), Some("0"));
    assert_eq!(site.metric("mooring_worker_up").await, None, "none is meant to run here");

    stage.cut(true).await;
    site.until_metric("mooring_database_up", "0").await;
    for name in ["mooring_oldest_due_seconds", "mooring_tasks_without_live_lease", "mooring_needs_checking"] {
        assert_eq!(site.metric(name).await.as_deref(), Some("NaN"), "{name}");
    }
    site.until_metric("mooring_listener_up", "0").await;
    let (status, ready) = site.ready().await;
    assert_eq!((status, &ready["database"]), (503, &json!("down")));
    assert_eq!(ready["work"], json!({ "oldest_due_s": null, "without_live_lease": null, "needs_checking": null }));

    stage.cut(false).await;
    site.until_metric("mooring_database_up", "1").await;
    site.until_metric("mooring_listener_up", "1").await;
    let (status, ready) = site.ready().await;
    assert_eq!(status, 200);
    assert_eq!(ready["work"], json!({ "oldest_due_s": 0.0, "without_live_lease": 0, "needs_checking": 0 }));
}

/// Stands for everything that is a learner's: whatever holds it may not show it.
const MARK: &str = "Quince-7351";

fn marked(words: &str) -> String {
    format!("{words} {MARK}")
}

#[tokio::test(flavor = "multi_thread")]
async fn no_learners_words_are_in_metrics_health_or_log() {
    let stage = Stage::new().await;
    let folder = tempfile::tempdir().unwrap();
    let record = json!({ "record_id": "quinces", "version": 1, "title": marked("Jam"), "bring": marked("A pot") });
    std::fs::write(folder.path().join("quinces.json"), record.to_string()).unwrap();
    std::fs::write(folder.path().join("broken.json"), format!("{{ \"title\": {MARK}")).unwrap();
    let more = [
        ("MOORING_LOG", "debug"),
        ("MOORING_LOG_FORMAT", "json"),
        ("MOORING_RECORDS", folder.path().to_str().unwrap()),
        ("MOORING_LAB", "1"),
        ("MOORING_FAULTS", "draft.after_call=error"),
    ];
    let site = Site::open(&stage, &more).await;
    site.post("sign-up", json!({ "name": marked("Ann"), "passphrase": marked("passphrase") })).await;
    site.post("sign-in", json!({ "name": marked("Ann"), "passphrase": marked("wrong") })).await;

    let task = start(&site, "quinces").await;
    let seen = site.until_state(task, "awaiting_review").await;
    let edited = site.post(
        "tasks/edit",
        json!({
            "op_id": new_op(), "task_id": task, "base_version": 1, "text": marked("Mine"),
        }),
    );
    let edited = edited.await;
    assert_eq!(edited["op"]["draft_version"], 2, "{edited}");
    assert!(seen.to_string().contains(MARK), "the learner does see it");

    // Everything that can be wrong, with the same words in it.
    start(&site, "broken").await;
    for (path, body) in [
        ("tasks/start", json!({ "op_id": new_op(), "task_id": new_task(), "record_id": MARK, "question": marked("") })),
        ("tasks/edit", json!({ "op_id": new_op(), "task_id": task, "base_version": 1, "text": marked("Late") })),
        ("tasks/edit", json!({ "op_id": MARK, "task_id": task, "base_version": MARK, "text": 5 })),
        ("tasks/settle", json!({ "op_id": new_op(), "task_id": task, "verdict": "was_saved", "note": marked("") })),
        (MARK, json!({ "question": MARK })),
    ] {
        site.post(path, body).await;
    }

    // A payload that does not read, with a learner's words where nobody expects them.
    sqlx::query(
        "update task set data = jsonb_set(data, '{terms,tries}', to_jsonb($2::text)), step = 'draft',
                step_op = gen_random_uuid(), step_mark = 'intended', due_at = mooring_now() where task_id = $1",
    )
    .bind(task.0)
    .bind(format!("{MARK}, expected {MARK}"))
    .execute(&stage.pool)
    .await
    .unwrap();
    // Not asked for through the web, which would find out first.
    stage.until_all_are("needs_checking", 1).await;
    site.until_state(task, "needs_checking").await;
    let note = marked("I looked");
    let settle = json!({ "op_id": new_op(), "task_id": task, "verdict": "look_again", "note": &note });
    site.post("tasks/settle", settle).await;

    // The verdict is kept with its note, for its learner alone; steps are told over the whole log.
    let told = site.post("tasks/events", json!({ "task_id": task, "after_seq": 1_000 })).await;
    let [look, draft, .., settled] = &told["steps"].as_array().unwrap()[..] else { panic!("{told}") };
    assert_eq!((&told["events"], &look["outcome"]), (&json!([]), &json!("reused")));
    assert_eq!((&draft["outcome"], &draft["attempts"][0]["attempt"]), (&json!("done"), &json!(1)));
    assert_eq!((&settled["outcome"], &settled["verdicts"][0]["note"]), (&json!("done"), &json!(note)), "{told}");

    let (_, ready) = site.ready().await;
    let (metrics, log) = (site.metrics().await, site.log());
    for (place, text) in [("/metrics", &metrics), ("/readyz", &ready.to_string()), ("the log", &log)] {
        let found = text.lines().find(|line| line.contains(MARK) || line.contains(&MARK.to_lowercase()));
        assert_eq!(found, None, "{place} shows a learner's words");
    }
    for Metric { name, .. } in METRICS {
        let silent = ["mooring_streams", "mooring_foreign_origins_total", "mooring_panics_total"].contains(&name);
        let retried = name == "mooring_retries_total";
        assert!(silent || retried || metrics.contains(name), "{name} in {metrics}");
    }
    assert!(metrics.contains(r#"mooring_step_seconds_count{step="draft",outcome="done"}"#), "{metrics}");
    assert!(metrics.contains(r#"mooring_step_seconds_count{step="look_up",outcome="failed"}"#), "{metrics}");
    assert!(metrics.contains(r#"mooring_commands_total{verb="edit",code="stale_version"}"#), "{metrics}");
    assert_lines_say_whose_they_are(&log, task);
}

async fn start(site: &Site, record: &str) -> TaskId {
    let task = new_task();
    let body = json!({ "op_id": new_op(), "task_id": task, "record_id": record, "question": marked(QUESTION) });
    let done = site.post("tasks/start", body).await;
    assert_eq!(done["op"]["code"], "started", "{done}");
    task
}

/// The planned failure after the model's answer ended an attempt: its line names all four.
fn assert_lines_say_whose_they_are(log: &str, task: TaskId) {
    let lines: Vec<Value> = log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let said = |what: &str| {
        let line = lines.iter().find(|line| line["message"].as_str().is_some_and(|m| m.contains(what)));
        line.unwrap_or_else(|| panic!("no line says: {what}"))
    };
    let ended = said("an attempt ended early");
    assert_eq!(ended["task.id"], json!(task), "{ended}");
    let failed = said("a look-up failed");
    assert_eq!(said("a task cannot be read")["why"], "something else stands where u32 is expected");
    let spans = failed["spans"].as_array().unwrap();
    for id in ["task.id", "attempt", "operation.id", "step"] {
        assert!(spans.iter().any(|span| !span[id].is_null()), "{id} in {failed}");
        assert!(!ended[id].is_null(), "{id} in {ended}");
    }
}
