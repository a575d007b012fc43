//! The same operation gets the same answer; another request under its ID is refused.

use std::sync::Arc;

use domain::{explanation::StateName, fault::Code, intent::Wish, text::Hash};
use tokio::sync::Notify;

use crate::{
    doubles::{Turn, drafted},
    learner::{Learner, accept as accept_over_http, start as start_over_http},
    processes::Process,
    stage::{Stage, accept, edit, new_op, new_task, start},
};

#[tokio::test(flavor = "multi_thread")]
async fn fifty_starts_with_one_operation_make_one_task_e7() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let (task, op) = (new_task(), new_op());
    let ask = |_| async {
        loop {
            match stage.ask_as(ann, task, op, start("What should I bring?")).await {
                // A machine that is too busy says so; the same request again is what a device does then.
                Err(refused) if refused.code == Code::Unavailable => {}
                answer => return answer.unwrap(),
            }
        }
    };
    let answers = futures::future::join_all((0..50).map(ask)).await;
    for answer in &answers {
        assert_eq!(answer.op, answers[0].op);
    }
    stage.until(ann, task, StateName::AwaitingReview).await;
    assert_eq!((stage.source.calls().begun(), stage.model.calls().begun()), (1, 1));
    assert_eq!(stage.count("select count(*) from task").await, 1);
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_starts_at_two_servers_are_answered_alike_e7() {
    let stage = Stage::new().await;
    // A machine that is too busy for heartbeats must not look like a death.
    let patient = [("MOORING_LEASE", "1m")];
    let (one, two) = tokio::join!(Process::serve(&stage, &patient), Process::serve(&stage, &patient));
    let ann = Learner::sign_up(&one, "ann").await;
    let task = new_task();
    let body = start_over_http(task, 0);
    let ask = |n: usize| {
        let (ann, body, server) = (&ann, &body, if n.is_multiple_of(2) { &one } else { &two });
        async move {
            loop {
                match ann.post(server, "tasks/start", body.clone()).await {
                    (503, _) => {}
                    answer => return answer,
                }
            }
        }
    };
    let answers = futures::future::join_all((0..50).map(ask)).await;
    for (status, answer) in &answers {
        assert_eq!((*status, &answer["op"]), (200, &answers[0].1["op"]), "{answer}");
    }
    ann.until(&two, task, "awaiting_review").await;
    for (sql, rows) in [
        ("select count(*) from task", 1),
        ("select count(*) from operation where kind = 'start'", 1),
        ("select count(*) from operation where kind = 'look_up'", 1),
        ("select count(*) from task_event where kind in ('started', 'claimed', 'source_found')", 3),
    ] {
        assert_eq!(stage.count(sql).await, rows, "{sql}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_record_or_question_under_the_same_operation_is_refused_e8() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let (task, op) = (new_task(), new_op());
    let asking = |record_id: &str, question: &str, even_if_similar| Wish::Start {
        record_id: record_id.to_owned(),
        question: question.to_owned(),
        even_if_similar,
    };
    let wish = asking("wheel-throwing", "What should I bring?", false);
    let first = stage.ask_as(ann, task, op, wish.clone()).await.unwrap();
    let row = "select to_jsonb(t)::text || (select jsonb_agg(to_jsonb(o))::text from operation o) from task t";
    let stored = || async { sqlx::query_scalar::<_, String>(row).fetch_one(&stage.pool).await.unwrap() };
    let before = stored().await;
    for other in [
        asking("wheel-throwing", "What does it cost?", false),
        asking("bread", "What should I bring?", false),
        asking("wheel-throwing", "What should I bring?", true),
        Wish::Cancel,
    ] {
        let refused = stage.ask_as(ann, task, op, other.clone()).await.unwrap_err();
        assert_eq!((refused.code, refused.code.status()), (Code::KeyReused, 409), "{other:?}");
        assert_eq!(refused.current.unwrap().question, "What should I bring?");
        assert_eq!(stored().await, before, "{other:?}: the first task is untouched, and its answer too");
    }
    assert_eq!(stage.ask_as(ann, task, op, wish).await.unwrap().op, first.op);
    assert_eq!(stage.kinds(ann, task).await, ["started"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_effect_is_known_by_its_task_and_step_whoever_notes_it_down() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let task = stage.start(ann).await;
    let seen = stage.until(ann, task, StateName::AwaitingReview).await;
    stage.ask(ann, task, accept(&seen)).await.unwrap();
    stage.until(ann, task, StateName::Saved).await;
    working.stop().await;
    let noted: Vec<(String, String)> = sqlx::query_as(
        "select kind, fingerprint from operation where kind in ('look_up', 'draft', 'save') order by intended_at",
    )
    .fetch_all(&stage.pool)
    .await
    .unwrap();
    let known =
        ["look_up", "draft", "save"].map(|step| (step.to_owned(), Hash::of(&format!("{task}/{step}")).to_string()));
    assert_eq!(noted, known);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_whose_reply_is_lost_is_answered_while_running_and_after_the_end_e9() {
    let stage = Stage::new().await;
    let lossy = [("MOORING_LAB", "1"), ("MOORING_FAULTS", "reply.lost=abort"), ("MOORING_NO_WORKER", "1")];
    let (calm, losing) = tokio::join!(Process::serve(&stage, &lossy[2..]), Process::serve(&stage, &lossy));
    let ann = Learner::sign_up(&calm, "ann").await;
    let task = new_task();
    let body = start_over_http(task, 0);
    ann.try_post(&losing, "tasks/start", body.clone()).await.expect_err("its server died with the reply");
    losing.aborts().await;

    let again = || ann.post(&calm, "tasks/start", body.clone());
    let (status, waiting) = again().await;
    assert_eq!((status, waiting["task"]["state"].as_str()), (200, Some("created")), "{waiting}");
    let go = Arc::new(Notify::new());
    stage.model.then(Turn::Answer(drafted("Bring an apron.")).when(&go));
    let working = stage.work();
    stage.until_seen(ann.id, task, "the model asked", |_| stage.model.calls().under_way() == 1).await;
    let (status, running) = again().await;
    assert_eq!((status, running["task"]["state"].as_str()), (200, Some("evidence_saved")), "{running}");
    go.notify_one();
    let seen = stage.until(ann.id, task, StateName::AwaitingReview).await;
    stage.ask(ann.id, task, accept(&seen)).await.unwrap();
    stage.until(ann.id, task, StateName::Saved).await;
    let (status, ended) = again().await;
    assert_eq!((status, ended["task"]["state"].as_str()), (200, Some("saved")), "{ended}");
    for answer in [&running, &ended] {
        assert_eq!((&answer["op"], &answer["task"]["task_id"]), (&waiting["op"], &waiting["task"]["task_id"]));
    }
    assert_eq!(stage.count("select count(*) from task").await, 1);
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_accept_repeated_after_a_crash_is_one_event_e10() {
    let stage = Stage::new().await;
    let calm = Process::serve(&stage, &[("MOORING_NO_WORKER", "1")]).await;
    for boundary in ["accept.before_commit", "accept.after_commit", "reply.lost"] {
        let plan = format!("{boundary}=abort");
        let lossy = [("MOORING_LAB", "1"), ("MOORING_FAULTS", plan.as_str()), ("MOORING_NO_WORKER", "1")];
        let dying = Process::serve(&stage, &lossy).await;
        let ann = Learner::sign_up(&calm, boundary).await;
        let working = stage.work();
        let task = stage.reviewed(ann.id).await.task_id;
        working.crash();
        let body = accept_over_http(&ann.read(&calm, task).await);
        ann.try_post(&dying, "tasks/accept", body.clone()).await.expect_err("its server died");
        dying.aborts().await;
        let accepted = stage.kinds(ann.id, task).await.iter().filter(|kind| *kind == "accepted").count();
        assert_eq!(accepted, usize::from(boundary != "accept.before_commit"), "{boundary}: it died where it should");

        // The learner asks again while another process recovers, and once more at the end.
        let recovered = stage.work_apart("successor", stage.lease);
        let (status, first) = ann.post(&calm, "tasks/accept", body.clone()).await;
        assert_eq!((status, first["op"]["code"].as_str()), (200, Some("accepted")), "{boundary}: {first}");
        ann.until(&calm, task, "saved").await;
        let (status, again) = ann.post(&calm, "tasks/accept", body).await;
        assert_eq!((status, &again["op"], again["task"]["state"].as_str()), (200, &first["op"], Some("saved")));
        let kinds = stage.kinds(ann.id, task).await;
        assert_eq!(kinds.iter().filter(|kind| *kind == "accepted").count(), 1, "{boundary}: {kinds:?}");
        assert_eq!(stage.entries(task).await, 1, "{boundary}");
        recovered.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_recorded_and_stays_the_answer() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let seen = stage.reviewed(ann).await;
    stage.ask(ann, seen.task_id, edit(&seen, "Mine.")).await.unwrap();
    let op = new_op();
    let late = edit(&seen, "From another device.");
    let refused = stage.ask_as(ann, seen.task_id, op, late.clone()).await.unwrap_err();
    assert_eq!(refused.code, Code::StaleVersion);
    assert_eq!(refused.current.as_ref().unwrap().current_draft().unwrap().text.as_deref(), Some("Mine."));
    // Version 1 is not current and never will be; the recorded answer does not change either way.
    let again = stage.ask_as(ann, seen.task_id, op, late).await.unwrap_err();
    assert_eq!((again.code, again.params), (refused.code, refused.params));
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_question_is_offered_the_open_task_c41() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let first = stage.start(ann).await;
    let (second, op) = (new_task(), new_op());
    let refused = stage.ask_as(ann, second, op, start("What should I bring?")).await.unwrap_err();
    assert_eq!(refused.code, Code::SimilarTask);
    assert_eq!(refused.params["task_id"], first.to_string());
    assert_eq!(refused.current.unwrap().task_id, first);
    assert_eq!(stage.number("select count(*) from task where task_id = $1", second).await, 0, "no row is left");

    let on_purpose = Wish::Start {
        record_id: "wheel-throwing".to_owned(),
        question: "What should I bring?".to_owned(),
        even_if_similar: true,
    };
    let third = new_task();
    assert_eq!(stage.ask(ann, third, on_purpose).await.unwrap().task.task_id, third);
    // Another learner's open task is nobody's business.
    let ben = stage.learner("ben").await;
    stage.start(ben).await;
    // Once the first has ended, the question is new again.
    for open in [first, third] {
        stage.ask(ann, open, Wish::Cancel).await.unwrap();
    }
    stage.start(ann).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_learners_task_is_not_there() {
    let stage = Stage::new().await;
    let (ann, ben) = (stage.learner("ann").await, stage.learner("ben").await);
    let working = stage.work();
    let seen = stage.reviewed(ann).await;
    let nowhere = new_task();
    let op = new_op();
    stage.ask_as(ann, seen.task_id, op, edit(&seen, "Mine.")).await.unwrap();
    for (task, wish) in [
        (seen.task_id, accept(&seen)),
        (seen.task_id, Wish::Cancel),
        (seen.task_id, start("What should I bring?")),
        (nowhere, Wish::Cancel),
    ] {
        assert_eq!(stage.ask_as(ben, task, op, wish).await.unwrap_err().code, Code::NotFound);
    }
    let theirs = app::ports::backend::Backend::task(&*stage.backend, ben, seen.task_id).await.unwrap_err();
    let none = app::ports::backend::Backend::task(&*stage.backend, ben, nowhere).await.unwrap_err();
    assert_eq!(theirs, none, "the same answer for both");
    assert_eq!(stage.snapshot(ann, seen.task_id).await.draft_version, Some(2), "nothing happened to it");
    working.stop().await;
}
