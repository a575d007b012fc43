//! A learner made of HTTP, as a script would write one.

use std::{
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::connection::{Connection, Events};

const PATIENCE: Duration = Duration::from_secs(30);

/// Somebody who is signed in, with a connection for commands.
pub struct Learner {
    connection: Connection,
    address: String,
    cookie: String,
    ids: Ids,
}

impl Learner {
    /// Each `nth` is another person. Slow on purpose: the server hashes a passphrase.
    pub fn sign_up(address: &str, nth: u32) -> Result<Self> {
        let mut connection = Connection::open(address)?;
        let body = format!(r#"{{"name":"bench {nth}","passphrase":"a passphrase for measuring"}}"#);
        let answer = connection.post("/api/v1/sign-up", "", &body)?;
        let Some(cookie) = answer.cookie else { bail!("sign-up gave no session: {}", answer.body) };
        Ok(Self { connection, address: address.to_owned(), cookie, ids: Ids(u64::from(nth) << 40) })
    }

    /// The list is kept by the worker, which may still be making it.
    pub fn a_record(&mut self) -> Result<String> {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let list: Value = serde_json::from_str(&self.ask("records/list", "{}")?)?;
            if let Some(record) = list["records"][0]["record_id"].as_str() {
                return Ok(record.to_owned());
            }
            thread::sleep(Duration::from_millis(50));
        }
        bail!("the server offers no records")
    }

    /// Starts a task and gives its ID. The question is another each time: the same again is refused.
    pub fn start(&mut self, record: &str) -> Result<String> {
        let (op, task) = (self.ids.fresh(), self.ids.fresh());
        let body = format!(
            r#"{{"op_id":"{op}","task_id":"{task}","record_id":"{record}","question":"What should I bring, and when does it start? ({op})"}}"#
        );
        self.ask("tasks/start", &body)?;
        Ok(task)
    }

    /// Watches a task over the event stream.
    pub fn watch(&self, task: &str) -> Result<Watch> {
        let path = format!("/api/v1/tasks/{task}/stream?after_seq=0");
        Ok(Watch { events: Connection::open(&self.address)?.listen(&path, &self.cookie)? })
    }

    /// Accepts what the snapshot shows.
    pub fn accept(&mut self, task: &str, snapshot: &str) -> Result<()> {
        let (hash, version) = field(snapshot, r#""proposal":{"#)
            .and_then(|rest| Some((text(rest, "draft_hash")?, text(rest, "source_version")?)))
            .context("the task awaits review without a proposal")?;
        let op = self.ids.fresh();
        let body = format!(
            r#"{{"op_id":"{op}","task_id":"{task}","draft_version":1,"draft_hash":"{hash}","seen_source_version":"{version}"}}"#
        );
        self.ask("tasks/accept", &body).map(|_| ())
    }

    fn ask(&mut self, what: &str, body: &str) -> Result<String> {
        let answer = self.connection.post(&format!("/api/v1/{what}"), &self.cookie, body)?;
        if answer.status != 200 {
            bail!("{what} was answered {}: {}", answer.status, answer.body);
        }
        Ok(answer.body)
    }
}

/// One task, as it changes.
pub struct Watch {
    events: Events,
}

impl Watch {
    /// Waits until the task is in `state` and gives the snapshot as it was sent.
    pub fn until(&mut self, state: &str, on_the_way: &[&str]) -> Result<String> {
        while let Some(event) = self.events.next()? {
            match text(&event, "state") {
                Some(found) if found == state => return Ok(event),
                Some(found) if !on_the_way.contains(&found) => bail!("the task went to {found}"),
                _ => {}
            }
        }
        bail!("the event stream ended before the task was {state}")
    }
}

/// What stands behind `start`. Searched, not parsed: parsing would cost more than the rest of the
/// client. A quote within a text is escaped, so no text can look like a field.
fn field<'a>(json: &'a str, start: &str) -> Option<&'a str> {
    json.split_once(start).map(|(_, rest)| rest)
}

fn text<'a>(json: &'a str, name: &str) -> Option<&'a str> {
    field(json, &format!(r#""{name}":""#))?.split('"').next()
}

/// UUIDs that are unique in a database that nobody else uses, and spread like random ones.
struct Ids(u64);

impl Ids {
    fn fresh(&mut self) -> String {
        let (high, low) = (self.next(), self.next());
        format!(
            "{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}",
            high >> 32,
            high >> 16 & 0xffff,
            high & 0xfff,
            low >> 52,
            low & 0xffff_ffff_ffff
        )
    }

    /// `SplitMix64`: a counter, well stirred.
    fn next(&mut self) -> u64 {
        self.0 += 1;
        let z = self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_uuids_and_differ() {
        let mut ids = Ids(7 << 40);
        let (one, two) = (ids.fresh(), ids.fresh());
        assert_ne!(one, two);
        let parts: Vec<usize> = one.split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12]);
    }

    #[test]
    fn a_text_that_quotes_a_field_is_not_taken_for_one() {
        let json = r#"{"question":"is \"state\":\"saved\" true?","state":"created"}"#;
        assert_eq!(text(json, "state"), Some("created"));
    }
}
