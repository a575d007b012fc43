//! How many streams one learner may hold: when one more comes, the oldest goes.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use domain::id::UserId;
use tokio_util::sync::CancellationToken;

/// Only a visible tab holds a stream, so this is many devices, or a client that has gone wrong.
const MOST: usize = 16;

/// Who sits where.
#[derive(Clone, Default)]
pub struct Seats {
    taken: Arc<Mutex<HashMap<UserId, VecDeque<Held>>>>,
}

struct Held {
    number: u64,
    leave: CancellationToken,
}

/// The right to one stream. Dropping it gives it back.
pub struct Seat {
    seats: Seats,
    owner: UserId,
    number: u64,
    leave: CancellationToken,
}

impl Seats {
    /// Takes a seat, for which the oldest may have to leave.
    pub fn take(&self, owner: UserId) -> Seat {
        let leave = CancellationToken::new();
        let mut taken = self.taken();
        let held = taken.entry(owner).or_default();
        while held.len() >= MOST {
            if let Some(oldest) = held.pop_front() {
                oldest.leave.cancel();
            }
        }
        let number = held.back().map_or(0, |last| last.number + 1);
        held.push_back(Held { number, leave: leave.clone() });
        Seat { seats: self.clone(), owner, number, leave }
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<UserId, VecDeque<Held>>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seat {
    /// Returns when a newer stream needs the seat.
    pub async fn taken_by_another(&self) {
        self.leave.cancelled().await;
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.taken();
        if let Some(held) = taken.get_mut(&self.owner) {
            held.retain(|other| other.number != self.number);
            if held.is_empty() {
                taken.remove(&self.owner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[test]
    fn the_oldest_leaves_and_nothing_is_kept_of_it() {
        let seats = Seats::default();
        let owner = UserId(uuid::Uuid::from_u128(1));
        let mut held: Vec<_> = (0..=MOST).map(|_| seats.take(owner)).collect();
        assert!(held[0].taken_by_another().now_or_never().is_some());
        assert!(held[1].taken_by_another().now_or_never().is_none());
        held.remove(0);
        assert_eq!(seats.taken().get(&owner).map(VecDeque::len), Some(MOST));
        held.clear();
        assert!(seats.taken().is_empty());
    }
}
