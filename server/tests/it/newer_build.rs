//! What a newer build has written is left to it: not taken, not marked, not changed, and shown as
//! what it is (E30).

use domain::{explanation::StateName, fault::Code, id::TaskId, intent::Wish};
use serde_json::{Value, json};

use crate::stage::{Stage, new_task, start};

/// The whole row.
async fn row(stage: &Stage, task: TaskId) -> Value {
    sqlx::query_scalar("select to_jsonb(t) from task t where task_id = $1")
        .bind(task.0)
        .fetch_one(&stage.pool)
        .await
        .unwrap()
}

async fn write(stage: &Stage, task: TaskId, columns: &Value) {
    sqlx::query(
        "update task t set kind = n.kind, schema = n.schema, state = n.state, step = n.step, data = n.data
           from jsonb_populate_record(null::task, $2) n where t.task_id = $1",
    )
    .bind(task.0)
    .bind(columns)
    .execute(&stage.pool)
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kind_schema_state_or_step_of_a_newer_build_is_left_to_it_e30() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let strange = json!({ "written": "by a newer build" });
    let mut left = Vec::new();
    for (what, value, shown) in [
        ("kind", json!("recipe"), StateName::Created),
        ("schema", json!(2), StateName::Created),
        // What no column can show is shown as what a person has to look at.
        ("state", json!("simmering"), StateName::NeedsChecking),
        ("step", json!("taste"), StateName::Created),
    ] {
        let task = new_task();
        stage.ask(ann, task, start(&format!("What is a new {what}?"))).await.unwrap();
        let old = row(&stage, task).await;
        let mut new = old.clone();
        new[what] = value;
        // A step stands beside the payload; the rest says how the payload is to be read.
        if what != "step" {
            new["data"] = strange.clone();
        }
        write(&stage, task, &new).await;
        left.push((what, task, old, row(&stage, task).await, shown));
    }
    let working = [stage.work(), stage.work_apart("another", stage.lease)];
    stage.reviewed(stage.learner("ben").await).await;

    let list = app::ports::backend::Backend::tasks(&*stage.backend, ann).await.unwrap();
    for (what, task, _, new, shown) in &left {
        let seen = stage.snapshot(ann, *task).await;
        assert_eq!((seen.state, seen.phase.as_str()), (*shown, "pending"), "{what}");
        if *what != "step" {
            assert_eq!(seen.problem.as_ref().map(|p| p.code.as_str()), Some("newer_build"), "{what}");
            let listed = list.iter().find(|listed| listed.task_id == *task).unwrap();
            assert_eq!((&listed.problem, listed.state), (&seen.problem, seen.state), "{what}");
            for wish in [Wish::Cancel, Wish::Retry, Wish::Redraft { base_version: 1 }] {
                assert_eq!(stage.ask(ann, *task, wish).await.unwrap_err().code, Code::Unavailable, "{what}");
            }
        }
        assert_eq!(stage.events(ann, *task).await.len(), 1, "the log says what was, and no more");
        assert_eq!(row(&stage, *task).await, *new, "not one column has changed: {what}");
        let operations = "select count(*) from operation where task_id = $1";
        assert_eq!(stage.number(operations, *task).await, 1, "the start alone");
    }
    // The newer build has come and made of it what all builds know.
    for (_, task, old, ..) in &left {
        write(&stage, *task, old).await;
        stage.until(ann, *task, StateName::AwaitingReview).await;
    }
    for one in working {
        one.stop().await;
    }
}
