//! The same operation gets the same answer; another request under its ID is refused.

use domain::{explanation::StateName, fault::Code, intent::Wish};

use crate::stage::{Stage, accept, edit, new_op, new_task, start};

#[tokio::test(flavor = "multi_thread")]
async fn fifty_starts_with_one_operation_make_one_task_e7() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let (task, op) = (new_task(), new_op());
    let asked = (0..50).map(|_| stage.ask_as(ann, task, op, start("What should I bring?")));
    let answers = futures::future::join_all(asked).await;
    let first = answers[0].as_ref().unwrap().op.clone();
    for answer in &answers {
        assert_eq!(answer.as_ref().unwrap().op, first);
    }
    stage.until(ann, task, StateName::AwaitingReview).await;
    assert_eq!((stage.source.calls().begun(), stage.model.calls().begun()), (1, 1));
    assert_eq!(stage.number("select count(*) from task where $1 is not null", task).await, 1);
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_question_under_the_same_operation_is_refused_e8() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let (task, op) = (new_task(), new_op());
    let first = stage.ask_as(ann, task, op, start("What should I bring?")).await.unwrap();
    let refused = stage.ask_as(ann, task, op, start("What does it cost?")).await.unwrap_err();
    assert_eq!(refused.code, Code::KeyReused);
    assert_eq!(refused.current.unwrap().question, "What should I bring?");
    let again = stage.ask_as(ann, task, op, start("What should I bring?")).await.unwrap();
    assert_eq!(again.op, first.op);
    assert_eq!(stage.kinds(ann, task).await, ["started"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_start_is_answered_while_running_and_after_the_end_e9() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let (task, op) = (new_task(), new_op());
    let first = stage.ask_as(ann, task, op, start("What should I bring?")).await.unwrap();
    let while_waiting = stage.ask_as(ann, task, op, start("What should I bring?")).await.unwrap();
    assert_eq!((while_waiting.op, while_waiting.task.state), (first.op.clone(), StateName::Created));

    let working = stage.work();
    let seen = stage.until(ann, task, StateName::AwaitingReview).await;
    stage.ask(ann, task, accept(&seen)).await.unwrap();
    stage.until(ann, task, StateName::Saved).await;
    let after_the_end = stage.ask_as(ann, task, op, start("What should I bring?")).await.unwrap();
    assert_eq!((after_the_end.op, after_the_end.task.state), (first.op, StateName::Saved));
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_accept_repeated_after_a_crash_is_one_event_e10() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let seen = stage.reviewed(ann).await;
    working.crash();
    let op = new_op();
    let first = stage.ask_as(ann, seen.task_id, op, accept(&seen)).await.unwrap();
    // Another process picks the task up; the learner, who saw no reply, asks again.
    let recovered = stage.work_apart("second", stage.lease);
    let again = stage.ask_as(ann, seen.task_id, op, accept(&seen)).await.unwrap();
    assert_eq!(again.op, first.op);
    stage.until(ann, seen.task_id, StateName::Saved).await;
    let once_more = stage.ask_as(ann, seen.task_id, op, accept(&seen)).await.unwrap();
    assert_eq!((once_more.op, once_more.task.state), (first.op, StateName::Saved));
    let kinds = stage.kinds(ann, seen.task_id).await;
    assert_eq!(kinds.iter().filter(|kind| *kind == "accepted").count(), 1, "{kinds:?}");
    assert_eq!(stage.entries(seen.task_id).await, 1);
    recovered.stop().await;
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
