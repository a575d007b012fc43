//! Save and withdraw race on one key: the first commit wins, whatever comes later.

use server::library::{Found, Library as _, Save, Saved, postgres::PostgresLibrary};

use crate::stage::{Stage, new_op, new_task};

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
async fn of_save_and_withdraw_at_once_one_wins() {
    let stage = Stage::new().await;
    let library = PostgresLibrary::new(stage.db.clone());
    let owner = stage.learner("ann").await;
    for _ in 0..50 {
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
        let (saved, withdrawn) = tokio::join!(library.save(&save), library.withdraw(task_id, op_id));
        match (saved.unwrap(), withdrawn.unwrap()) {
            (Saved::Entry(a), Found::Entry(b)) => assert_eq!(a, b),
            (Saved::Withdrawn, Found::Withdrawn) => {}
            both => panic!("{both:?}"),
        }
    }
}
