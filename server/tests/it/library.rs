//! Save and withdraw race on one key: the first commit wins, whatever comes later.

use std::time::Duration;

use domain::{explanation::StateName, fault::Code, intent::Wish};
use futures::StreamExt as _;
use server::library::{Found, Library as _, Save, Saved, postgres::PostgresLibrary};

use crate::stage::{Stage, accept, new_op, new_task, rounds};

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_died_while_they_lay_idle_are_nobodys_failure() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    // As many as there may be, all put back, then all ended.
    let alive = futures::future::join_all((0..12).map(|_| stage.db.pool().acquire())).await;
    drop(alive);
    let own = "select pg_terminate_backend(pid) from pg_stat_activity
                where datname = current_database() and application_name = 'mooring'";
    assert!(12 <= sqlx::query(own).fetch_all(&stage.pool).await.unwrap().len());
    let library = PostgresLibrary::new(stage.db.clone());
    let save = Save {
        task_id: new_task(),
        op_id: new_op(),
        owner: ann,
        draft_version: 1,
        hash: domain::text::Hash::of("Kept."),
        title: "Wheel throwing".to_owned(),
        text: "Kept.".to_owned(),
    };
    let Saved::Entry(entry) = library.save(&save).await.unwrap() else { panic!() };
    assert_eq!(library.find(save.task_id, save.op_id).await.unwrap(), Found::Entry(entry));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operation_saves_once_and_a_withdrawn_one_never() {
    let stage = Stage::new().await;
    let library = PostgresLibrary::new(stage.db.clone());
    let owner = stage.learner("ann").await;
    let save = Save {
        task_id: new_task(),
        op_id: new_op(),
        owner,
        draft_version: 1,
        hash: domain::text::Hash::of("Bring an apron."),
        title: "Wheel throwing".to_owned(),
        text: "Bring an apron.".to_owned(),
    };
    assert_eq!(library.find(save.task_id, save.op_id).await.unwrap(), Found::Nothing);
    let Saved::Entry(entry) = library.save(&save).await.unwrap() else { panic!() };
    assert_eq!(library.save(&save).await.unwrap(), Saved::Entry(entry.clone()), "asking again finds it");
    assert_eq!(library.withdraw(save.task_id, save.op_id).await.unwrap(), Found::Entry(entry.clone()), "too late");
    let other = Save { op_id: new_op(), ..save.clone() };
    assert_eq!(library.save(&other).await.unwrap(), Saved::OtherEntry(entry.clone()), "one task, one entry");
    assert_eq!(library.read(owner, entry.entry_id).await.unwrap(), Some(entry.clone()));
    let stranger = stage.learner("ben").await;
    assert_eq!(library.read(stranger, entry.entry_id).await.unwrap(), None);

    let withdrawn = Save { task_id: new_task(), ..save };
    assert_eq!(library.withdraw(withdrawn.task_id, withdrawn.op_id).await.unwrap(), Found::Withdrawn);
    assert_eq!(library.save(&withdrawn).await.unwrap(), Saved::Withdrawn);
    assert_eq!(library.find(withdrawn.task_id, withdrawn.op_id).await.unwrap(), Found::Withdrawn);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_saves_and_withdrawals_at_once_one_wins() {
    let stage = Stage::new().await;
    let library = PostgresLibrary::new(stage.db.clone());
    let owner = stage.learner("ann").await;
    let mut won = (0, 0);
    for round in 0..rounds(200, 2000) {
        let (task_id, op_id) = (new_task(), new_op());
        let save = Save {
            task_id,
            op_id,
            owner,
            draft_version: 1,
            hash: domain::text::Hash::of("Once."),
            title: String::new(),
            text: "Once.".to_owned(),
        };
        // Either side has the start in turn; each asks twice, as a repeated message does.
        let head_start = |ahead: bool| tokio::time::sleep(Duration::from_micros(if ahead { 0 } else { 300 }));
        let saving = || async {
            head_start(round % 2 == 0).await;
            library.save(&save).await.unwrap()
        };
        let withdrawing = || async {
            head_start(round % 2 == 1).await;
            library.withdraw(task_id, op_id).await.unwrap()
        };
        let (saved, withdrawn, saved_again, withdrawn_again) =
            tokio::join!(saving(), withdrawing(), saving(), withdrawing());
        assert_eq!((&saved, &withdrawn), (&saved_again, &withdrawn_again), "round {round}");
        let entries = stage.entries(task_id).await;
        match (saved, withdrawn) {
            (Saved::Entry(a), Found::Entry(b)) => {
                assert_eq!((a, entries), (b, 1), "round {round}");
                won.0 += 1;
            }
            (Saved::Withdrawn, Found::Withdrawn) => {
                assert_eq!(entries, 0, "round {round}");
                won.1 += 1;
            }
            both => panic!("round {round}: {both:?}"),
        }
    }
    assert!(0 < won.0 && 0 < won.1, "a race that only one side can win is none: {won:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_saves_and_cancels_at_once_each_task_has_one_end() {
    let stage = Stage::new().await;
    stage.count_library_calls().await;
    let ann = stage.learner("ann").await;
    let working = [stage.work(), stage.work_apart("other", stage.lease)];
    let how_many = rounds(100, 500);
    let tasks = stage.start_many(ann, how_many).await;
    stage.until_all_are("awaiting_review", how_many).await;
    let race = |(n, task): (usize, domain::id::TaskId)| {
        let stage = &stage;
        async move {
            let seen = stage.snapshot(ann, task).await;
            stage.ask(ann, task, accept(&seen)).await.unwrap();
            tokio::time::sleep(Duration::from_millis(u64::try_from(n % 20).unwrap())).await;
            let reply = stage.ask(ann, task, Wish::Cancel).await;
            let said = match &reply {
                Ok(done) => done.task.state,
                Err(refused) => {
                    assert_eq!(refused.code, Code::TooLate);
                    refused.current.as_ref().unwrap().state
                }
            };
            (task, said)
        }
    };
    let ends: Vec<_> =
        futures::stream::iter(tasks.into_iter().enumerate().map(race)).buffer_unordered(8).collect().await;
    for (task, said) in ends {
        let saved = said == StateName::Saved;
        assert!(saved || said == StateName::Cancelled, "{said:?}");
        assert_eq!(stage.snapshot(ann, task).await.state, said, "the reply is the final state");
        assert_eq!(stage.entries(task).await, i64::from(saved), "saved iff there is an entry");
        assert!(stage.save_calls(task).await <= 1, "no save is asked for twice");
        let (_, save) = stage.only_operation(task, "save").await;
        assert_eq!(save, if saved { "done" } else { "failed" });
    }
    for one in working {
        one.stop().await;
    }
}
