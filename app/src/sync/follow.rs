//! Listens to the event stream of the task on the screen.
//!
//! Only a visible tab holds one: browsers allow few connections. A stream that says nothing for
//! longer than the heartbeat window is given up, for an open connection is no sign of life.

use std::rc::Rc;

use domain::{
    freshness::Freshness,
    snapshot::{Beat, Snapshot},
    task::SCHEMA,
};

use super::{Keeper, session::Session};
use crate::{
    json,
    ports::device::{Heard, Stream},
};

/// The server beats at least every 10 s; two lost beats and some room.
const SILENCE_MS: u64 = 25_000;

/// The first pause after a stream that never spoke; each later one is twice as long, up to the cap.
const DEAF_MS: u64 = 2_000;
const DEAF_CAP_MS: u64 = 30_000;

/// The stream that is open, when it last said something, and whether it ever told anything.
pub(super) struct Following {
    _stream: Box<dyn Stream>,
    heard_ms: u64,
    told: bool,
}

impl Keeper {
    /// Opens a stream after what is known, if there is none and one makes sense.
    pub(super) fn follow(&self) {
        let (task, known) = (self.shown.watched.get_untracked(), self.shown.task.get_untracked());
        let Some((task, known)) = task.zip(known) else { return };
        let wanted =
            self.device.is_visible() && self.shown.session.get_untracked().is_confirmed() && !known.phase.is_finished();
        if !wanted || self.inner.borrow().following.is_some() {
            return;
        }
        let number = {
            let mut inner = self.inner.borrow_mut();
            inner.streams += 1;
            inner.streams
        };
        let this = self.this.clone();
        let stream = self.device.open_stream(
            &format!("/api/v1/tasks/{task}/stream?after_seq={}", known.seq),
            Rc::new(move |heard| {
                if let Some(keeper) = this.upgrade() {
                    keeper.hear(number, heard);
                }
            }),
        );
        let heard_ms = self.device.monotonic_ms();
        self.inner.borrow_mut().following = Some(Following { _stream: stream, heard_ms, told: false });
        self.watch_for_silence(number, SILENCE_MS);
    }

    pub(super) fn stop_following(&self) {
        let closed = {
            let mut inner = self.inner.borrow_mut();
            inner.streams += 1;
            inner.following.take()
        };
        // Dropped outside of the borrow: closing may call back.
        drop(closed);
    }

    fn hear(&self, number: u64, heard: Heard) {
        {
            let now = self.device.monotonic_ms();
            let mut inner = self.inner.borrow_mut();
            if inner.streams != number {
                return;
            }
            let Some(following) = &mut inner.following else { return };
            following.heard_ms = now;
            if matches!(heard, Heard::Task(_) | Heard::Beat(_)) {
                following.told = true;
                inner.deaf = 0;
            }
        }
        match heard {
            Heard::Opened => {}
            Heard::Task(data) => match json::read::<Snapshot>(&data) {
                Ok(seen) if seen.schema == SCHEMA => self.picture(seen),
                // A newer server: ask in the ordinary way, which says so.
                _ => self.give_up_stream(),
            },
            Heard::Beat(data) => match json::read::<Beat>(&data) {
                Ok(beat) => self.beat(beat),
                Err(_) => self.give_up_stream(),
            },
            Heard::Gone(_) => {
                // The session or the task is no longer there: find out which.
                if let Session::SignedIn(who) = self.shown.session.get_untracked() {
                    self.shown.session.set(Session::Unknown(Some(who)));
                }
                self.stop_following();
                self.check();
            }
            Heard::Broken => self.broken(),
        }
    }

    fn picture(&self, seen: Snapshot) {
        let finished = seen.phase.is_finished();
        self.apply(seen);
        self.reached();
        if finished {
            self.stop_following();
        }
    }

    fn beat(&self, beat: Beat) {
        self.hear_time(beat.server_time);
        self.reached();
        let Some(mut known) = self.shown.task.get_untracked() else { return };
        if beat.seq > known.seq {
            // Something was missed.
            self.check();
        } else if beat.seq == known.seq {
            self.shown.freshness.update(|f| *f = f.answered(beat.server_time));
            if known.active != beat.active {
                known.active = beat.active;
                known.server_time = beat.server_time;
                self.tick_when_lease_ends(&known);
                self.shown.task.set(Some(known));
            }
        }
    }

    /// A stream that spoke and broke is lost contact. One that never spoke says nothing about the
    /// server: something on the way may not let streams through. Then asking now and then, at a
    /// slower and slower pace, takes its place.
    fn broken(&self) {
        let told = self.inner.borrow().following.as_ref().is_some_and(|f| f.told);
        self.stop_following();
        if told {
            self.lost();
            return;
        }
        let (plan, most) = {
            let mut inner = self.inner.borrow_mut();
            inner.deaf += 1;
            inner.plan += 1;
            (inner.plan, DEAF_MS.saturating_mul(1 << inner.deaf.min(5)).min(DEAF_CAP_MS))
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 1,000")]
        let share = (self.device.random() * 1_000.0) as u64;
        self.check_after(plan, most / 2 + most * share / 2_000);
    }

    fn give_up_stream(&self) {
        self.stop_following();
        self.check();
    }

    fn watch_for_silence(&self, number: u64, pause_ms: u64) {
        let pause = self.device.sleep(pause_ms);
        self.spawn(async move |keeper| {
            pause.await;
            let now = keeper.device.monotonic_ms();
            let silent = match &keeper.inner.borrow().following {
                Some(following) if keeper.inner.borrow().streams == number => now.saturating_sub(following.heard_ms),
                _ => return,
            };
            if silent < SILENCE_MS {
                keeper.watch_for_silence(number, SILENCE_MS - silent);
            } else {
                keeper.shown.freshness.update(|f: &mut Freshness| *f = f.asked());
                keeper.give_up_stream();
            }
        });
    }
}
