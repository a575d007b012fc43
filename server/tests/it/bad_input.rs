//! Bad input: a typed refusal, nothing stored, nothing lost.

use domain::{fault::Code, intent::Wish, record::RecordList, snapshot::Snapshot};

use crate::{
    doubles::summary,
    stage::{Stage, edit, new_op, new_task, start},
};

fn asking(record: &str, question: &str) -> Wish {
    Wish::Start { record_id: record.to_owned(), question: question.to_owned(), even_if_similar: false }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_never_be_right_is_refused_and_leaves_no_trace() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let list = RecordList { records: vec![summary("wheel-throwing", "1")], complete: true };
    stage.store.keep_records(&list).await.unwrap();
    let long = "x".repeat(100_000);
    for (wish, code) in [
        (asking("wheel-throwing", ""), Code::Empty),
        (asking("wheel-throwing", " \n\t"), Code::Empty),
        (asking("wheel-throwing", &long), Code::TooLong),
        (asking("wheel-throwing", "a\0b"), Code::BadCharacters),
        (asking("", "What?"), Code::Empty),
        (asking("no-such-record", "What?"), Code::UnknownRecord),
        (asking("../../etc/passwd'; drop table task", "What?"), Code::BadCharacters),
    ] {
        let (task, op) = (new_task(), new_op());
        let refused = stage.ask_as(ann, task, op, wish).await.unwrap_err();
        assert_eq!((refused.code, refused.code.status()), (code, 422));
        let rows = "select (select count(*) from task where task_id = $1) + (select count(*) from operation where task_id = $1)";
        assert_eq!(stage.number(rows, task).await, 0, "422 is never recorded");
        // The operation is free: the corrected request goes through under the same ID.
        stage.ask_as(ann, task, op, start(&format!("What about {task}?"))).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_edit_keeps_the_version_and_a_good_one_keeps_every_byte() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let seen = stage.reviewed(ann).await;
    let limit = "é".repeat(10_000);
    for (text, code) in
        [("", Code::Empty), ("a\0b", Code::BadCharacters), (format!("{limit}x").as_str(), Code::TooLong)]
    {
        assert_eq!(stage.ask(ann, seen.task_id, edit(&seen, text)).await.unwrap_err().code, code);
    }
    let now = stage.snapshot(ann, seen.task_id).await;
    assert_eq!(Snapshot { server_time: seen.server_time, ..now }, seen, "nothing has changed but the time");
    let mut last = seen;
    for text in [limit.as_str(), "tabs\tand\r\nline ends\r", "👩‍👩‍👧‍👦 \u{202e}עברית\u{feff}", " leading and trailing "]
    {
        last = stage.ask(ann, last.task_id, edit(&last, text)).await.unwrap().task;
        assert_eq!(last.current_draft().unwrap().text.as_deref(), Some(text));
    }
    working.stop().await;
}
