//! Who is looking at which task in this process, and the hint that there is something to see.
//!
//! Invariant: a hint carries no truth. Whoever gets one reads the task again, and whoever misses
//! one reads it at the next beat anyway.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use domain::id::{Seq, TaskId};
use tokio::{sync::watch, time::Instant};

/// How long a hint that does not press waits for the next one.
const LINGER: Duration = Duration::from_millis(40);

/// The hub. Cloning it gives another handle to the same one.
#[derive(Clone, Debug, Default)]
pub struct Live {
    watched: Arc<Mutex<HashMap<TaskId, watch::Sender<Hint>>>>,
}

/// What an onlooker is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Hint {
    seq: Seq,
    /// Goes up with each hint that presses.
    pressing: u64,
}

/// One onlooker of one task. Dropping it leaves.
#[derive(Debug)]
pub struct Watching {
    live: Live,
    task: TaskId,
    hints: watch::Receiver<Hint>,
    /// The last pressing hint that was passed on.
    pressed: u64,
    /// When the hint that waits is passed on. Kept here, since whoever waits may turn away.
    until: Option<Instant>,
}

impl Live {
    /// From now on, tells of changes to `task`. Read the task after this, not before.
    pub fn subscribe(&self, task: TaskId) -> Watching {
        let hints = self.watched().entry(task).or_insert_with(|| watch::channel(Hint::default()).0).subscribe();
        let pressed = hints.borrow().pressing;
        Watching { live: self.clone(), task, hints, pressed, until: None }
    }

    /// The task has reached `seq`, here or in another process. Cheap where nobody looks.
    pub fn publish(&self, task: TaskId, seq: Seq) {
        if let Some(hint) = self.watched().get(&task) {
            hint.send_modify(|known| *known = Hint { seq: seq.max(known.seq), pressing: known.pressing + 1 });
        }
    }

    /// As [`Self::publish`], where more is to come: may be passed on together with it.
    pub fn publish_soon(&self, task: TaskId, seq: Seq) {
        if let Some(hint) = self.watched().get(&task) {
            hint.send_modify(|known| known.seq = seq.max(known.seq));
        }
    }

    /// Hints may have been lost: everybody looks again.
    pub fn publish_all(&self) {
        for hint in self.watched().values() {
            hint.send_modify(|known| known.pressing += 1);
        }
    }

    /// Tasks that somebody is looking at.
    pub fn len(&self) -> usize {
        self.watched().len()
    }

    /// Nobody is looking at anything.
    pub fn is_empty(&self) -> bool {
        self.watched().is_empty()
    }

    fn watched(&self) -> MutexGuard<'_, HashMap<TaskId, watch::Sender<Hint>>> {
        // No panic can happen in the middle of a change to the map, so it is whole.
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watching {
    /// What is looked at.
    pub fn task(&self) -> TaskId {
        self.task
    }

    /// Returns when there was a hint since the last time. Many hints count as one. Whoever stops
    /// waiting and asks again has lost none.
    pub async fn changed(&mut self) {
        loop {
            match self.until {
                None => self.hint().await,
                Some(until) => tokio::select! {
                    () = self.hint() => {}
                    () = tokio::time::sleep_until(until) => return self.pass_on(),
                },
            }
            if self.hints.borrow_and_update().pressing != self.pressed {
                return self.pass_on();
            }
            self.until.get_or_insert_with(|| Instant::now() + LINGER);
        }
    }

    async fn hint(&mut self) {
        if self.hints.changed().await.is_err() {
            // The hub lives as long as we do, so this is never reached; waiting is safe, spinning is not.
            std::future::pending::<()>().await;
        }
    }

    fn pass_on(&mut self) {
        self.pressed = self.hints.borrow().pressing;
        self.until = None;
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let mut watched = self.live.watched();
        // Ours is still counted.
        if watched.get(&self.task).is_some_and(|hint| hint.receiver_count() <= 1) {
            watched.remove(&self.task);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn task(n: u128) -> TaskId {
        TaskId(uuid::Uuid::from_u128(n))
    }

    #[tokio::test(start_paused = true)]
    async fn an_onlooker_hears_of_its_own_task_only() {
        let live = Live::default();
        let mut mine = live.subscribe(task(1));
        live.publish(task(2), 5);
        assert!(tokio::time::timeout(Duration::from_millis(20), mine.changed()).await.is_err());
        live.publish(task(1), 5);
        live.publish(task(1), 6);
        mine.changed().await;
        assert!(tokio::time::timeout(Duration::from_millis(20), mine.changed()).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn what_does_not_press_comes_a_little_later_and_with_what_presses() {
        let live = Live::default();
        let mut mine = live.subscribe(task(1));
        live.publish_soon(task(1), 2);
        assert!(tokio::time::timeout(LINGER / 4, mine.changed()).await.is_err());
        // Whoever turned away has not lost it.
        tokio::time::timeout(LINGER * 100, mine.changed()).await.unwrap();
        live.publish_soon(task(1), 3);
        live.publish(task(1), 4);
        mine.changed().await;
        assert!(tokio::time::timeout(LINGER * 2, mine.changed()).await.is_err(), "one look for both");
    }

    #[tokio::test]
    async fn nothing_is_kept_of_onlookers_who_left() {
        let live = Live::default();
        let (first, second) = (live.subscribe(task(1)), live.subscribe(task(1)));
        drop(first);
        assert_eq!(live.len(), 1);
        drop(second);
        assert!(live.is_empty());
    }

    #[tokio::test]
    async fn lost_hints_make_everybody_look_again() {
        let live = Live::default();
        let (mut one, mut two) = (live.subscribe(task(1)), live.subscribe(task(2)));
        live.publish_all();
        for onlooker in [&mut one, &mut two] {
            tokio::time::timeout(LINGER, onlooker.changed()).await.unwrap();
        }
    }
}
