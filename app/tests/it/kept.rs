//! What is remembered, and what is not.

use app::{
    cache::{Cache, Place, Unsent},
    ports::device::Slots,
    slots::contract,
};
use domain::id::{TaskId, UserId};
use uuid::Uuid;

use crate::fake::{
    device::Memory,
    things::{ada, bea, task_at, the_task},
};

#[test]
fn the_fake_storage_keeps_the_contract() {
    let (slots, nobody) = (Memory::default(), UserId(Uuid::from_u128(1)));
    assert_eq!(contract::check(&slots, nobody), Ok(()));
    assert_eq!(contract::check_two(&slots, &slots, nobody), Ok(()));
    slots.room.set(10_000);
    assert_eq!(contract::check_full(&slots, nobody, 10_001), Ok(()));
}

#[test]
fn a_newer_picture_is_not_overwritten_by_an_older_one() {
    let slots = Memory::default();
    let (cache, user) = (Cache(&slots), ada().user_id);
    cache.keep_snapshot(user, &task_at(7)).unwrap();
    cache.keep_snapshot(user, &task_at(5)).unwrap();
    assert_eq!(cache.snapshot(user, the_task()).unwrap().seq, 7);
}

#[test]
fn only_the_last_few_pictures_are_kept() {
    let slots = Memory::default();
    let (cache, user) = (Cache(&slots), ada().user_id);
    for n in 0..20 {
        let mut task = task_at(1);
        task.task_id = TaskId(Uuid::from_u128(n));
        cache.keep_snapshot(user, &task).unwrap();
    }
    let kept = slots.keys(&format!("mooring.v1.{user}.snapshot.")).unwrap();
    assert_eq!(kept.len(), 8);
    assert!(cache.snapshot(user, TaskId(Uuid::from_u128(19))).is_some());
    assert!(cache.snapshot(user, TaskId(Uuid::from_u128(0))).is_none());
}

#[test]
fn a_text_comes_back_byte_for_byte_and_only_to_its_writer() {
    let slots = Memory::default();
    let cache = Cache(&slots);
    let unsent = Unsent::over(2, " é\r\n\u{1F9F5}");
    let place = Place::Draft(the_task());
    cache.keep_text(ada().user_id, place, "a-tab", &unsent).unwrap();
    let texts = |user| cache.texts(user, place).into_iter().map(|found| found.unsent).collect::<Vec<_>>();
    assert_eq!(texts(ada().user_id), [unsent]);
    assert_eq!(texts(bea().user_id), []);
}

#[test]
fn a_value_that_was_cut_in_half_is_moved_aside_and_the_others_stay() {
    let slots = Memory::default();
    let (cache, user) = (Cache(&slots), ada().user_id);
    cache.keep_current(user, the_task()).unwrap();
    cache.keep_snapshot(user, &task_at(7)).unwrap();
    let key = format!("mooring.v1.{user}.snapshot.{}", the_task());
    let half = slots.get(&key).unwrap().unwrap();
    let half = &half[..half.len() / 2];
    slots.set(&key, half).unwrap();

    assert_eq!(cache.snapshot(user, the_task()), None);
    assert_eq!(cache.current(user), Some(the_task()));
    assert_eq!(slots.get(&format!("{key}.aside")).unwrap().as_deref(), Some(half));
    cache.keep_snapshot(user, &task_at(8)).unwrap();
    assert_eq!(cache.snapshot(user, the_task()).unwrap().seq, 8);
}

#[test]
fn forgetting_one_user_leaves_the_other() {
    let slots = Memory::default();
    let cache = Cache(&slots);
    for who in [ada(), bea()] {
        cache.keep_last_user(&who).unwrap();
        cache.keep_current(who.user_id, the_task()).unwrap();
    }
    cache.forget(ada().user_id);
    assert_eq!(cache.current(ada().user_id), None);
    assert_eq!(cache.current(bea().user_id), Some(the_task()));
    assert_eq!(cache.last_user(), Some(bea()));
}
