//! What a stream sends next.

use std::{collections::VecDeque, sync::Arc};

use axum::response::sse::Event;
use domain::{
    fault::Code,
    id::{Seq, UserId},
    snapshot::{Beat, Snapshot},
    task::SCHEMA,
};
use serde::Serialize;
use tokio::time::{Interval, MissedTickBehavior, interval};
use tower_sessions::session::Id;

use super::{BEAT, Shared, seats::Seat};
use crate::{accounts::visitor::holder, live::Watching};

/// One onlooker's stream.
pub struct Feed {
    shared: Arc<Shared>,
    token: Id,
    owner: UserId,
    watching: Watching,
    seat: Seat,
    beats: Interval,
    /// The newest `seq` that this client has.
    seen: Seq,
    /// Ready to go out.
    ready: VecDeque<Event>,
    /// Nothing comes after what is ready.
    over: bool,
}

enum Woken {
    Hint,
    Beat,
    End,
}

#[derive(Serialize)]
struct WithSchema<T> {
    schema: u32,
    #[serde(flatten)]
    what: T,
}

#[derive(Serialize)]
struct Gone {
    code: Code,
}

impl Feed {
    /// Begins with the task if the client's is older, and with a beat in any case: it says now that
    /// what the client has is confirmed.
    pub fn new(
        shared: Arc<Shared>,
        token: Id,
        owner: UserId,
        watching: Watching,
        seat: Seat,
        seen: Seq,
        first: &Snapshot,
    ) -> Self {
        let mut beats = interval(BEAT);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        beats.reset();
        let ready = VecDeque::new();
        let mut feed = Self { shared, token, owner, watching, seat, beats, seen, ready, over: false };
        feed.tell(first, true);
        metrics::gauge!("mooring_streams").increment(1);
        feed
    }

    /// The next event; none when the stream ends.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            if self.over {
                return None;
            }
            match self.woken().await {
                Woken::Hint => self.look(false).await,
                Woken::Beat => self.look(true).await,
                Woken::End => return None,
            }
        }
    }

    async fn woken(&mut self) -> Woken {
        tokio::select! {
            biased;
            () = self.shared.shutdown.cancelled() => Woken::End,
            () = self.seat.taken_by_another() => Woken::End,
            _ = self.beats.tick() => Woken::Beat,
            () = self.watching.changed() => Woken::Hint,
        }
    }

    /// Whoever has signed out sees nothing more, not even until the next beat.
    async fn look(&mut self, with_beat: bool) {
        match holder(&*self.shared.sessions, &self.token).await {
            Ok(Some(who)) if who.user_id == self.owner => self.read(with_beat).await,
            Ok(_) => self.gone(Code::SignedOut),
            // Silence is honest: whoever hears nothing says "unknown" and asks again.
            Err(_) => self.over = true,
        }
    }

    async fn read(&mut self, with_beat: bool) {
        match self.shared.backend.task(self.owner, self.watching.task()).await {
            Ok(task) => self.tell(&task, with_beat),
            Err(error) if error.code == Code::NotFound => self.gone(Code::NotFound),
            Err(_) => self.over = true,
        }
    }

    fn tell(&mut self, task: &Snapshot, with_beat: bool) {
        if self.seen < task.seq {
            self.seen = task.seq;
            self.send(Event::default().event("task").id(task.seq.to_string()).json_data(task));
        }
        if with_beat {
            let beat = Beat { server_time: task.server_time, seq: task.seq, active: task.active.clone() };
            self.send(Event::default().event("beat").json_data(WithSchema { schema: SCHEMA, what: beat }));
        }
    }

    fn gone(&mut self, code: Code) {
        self.send(Event::default().event("gone").json_data(WithSchema { schema: SCHEMA, what: Gone { code } }));
        self.over = true;
    }

    fn send(&mut self, event: Result<Event, axum::Error>) {
        match event {
            Ok(event) => self.ready.push_back(event),
            Err(error) => {
                tracing::error!(%error, "an event could not be written; its stream ends");
                self.over = true;
            }
        }
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        metrics::gauge!("mooring_streams").decrement(1);
    }
}
