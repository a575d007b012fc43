//! A learner as the servers see one: a client of `/api/v1` that repeats what was not answered, under the same
//! operation ID, until there is a typed answer.

use std::{
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::{Duration, Instant},
};

use rand::{Rng as _, rngs::StdRng};
use reqwest::{StatusCode, header};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{DrillError, stage::Door};

/// No answer after this long is a finding.
const PATIENCE: Duration = Duration::from_secs(40);
/// A server that is silent for longer is asked again, or another one is.
const DEADLINE: Duration = Duration::from_secs(3);
/// Between two tries.
const AGAIN: Duration = Duration::from_millis(50);
/// A learner takes at most this long between two commands.
const THINKS: u64 = 60;

/// A signed-in learner, with all that they have ever asked for.
pub struct Learner {
    http: reqwest::Client,
    doors: Vec<Door>,
    /// The door that answered last.
    at: AtomicUsize,
    cookie: String,
    chance: StdRng,
    asked: Vec<Asked>,
    /// Whether one operation was ever answered in two ways.
    two_answers: Option<String>,
}

/// A typed answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// What was done: the receipt, which never changes.
    Done { op: Value },
    /// The code of the refusal.
    Refused(String),
}

/// A command that was answered.
struct Asked {
    path: String,
    body: Value,
    answer: Answer,
}

impl Learner {
    /// A fresh browser, signed up.
    pub async fn sign_up(doors: Vec<Door>, mut chance: StdRng) -> Result<Self, DrillError> {
        let http = crate::outgoing::plain().no_proxy().timeout(DEADLINE).build().map_err(DrillError::Client)?;
        let name = format!("learner-{:08x}", chance.random::<u32>());
        let cookie = String::new();
        let mut learner =
            Self { http, doors, at: AtomicUsize::new(0), cookie, chance, asked: Vec::new(), two_answers: None };
        let who = json!({ "name": name, "passphrase": "a passphrase for drills" });
        let mut reply = learner.ask("sign-up", &who, 0).await?;
        // The reply was lost once and the account is there.
        if reply.status == StatusCode::CONFLICT {
            reply = learner.ask("sign-in", &who, 0).await?;
        }
        learner.cookie = reply.cookie.ok_or_else(|| DrillError::Unexpected("nobody could sign up".to_owned()))?;
        Ok(learner)
    }

    pub fn fresh_id(&mut self) -> Uuid {
        uuid::Builder::from_random_bytes(self.chance.random()).into_uuid()
    }

    /// A command, answered; sent through two doors at once if `twice`.
    pub async fn command(&mut self, verb: &str, task: Uuid, fields: Value, twice: bool) -> Result<Answer, DrillError> {
        let (path, body) = self.prepare(verb, task, fields);
        self.think().await;
        let answer = if twice {
            let (one, other) = tokio::join!(self.send(&path, &body, 0), self.send(&path, &body, 1));
            let (one, other) = (one?, other?);
            if one != other {
                self.two_answers = Some(format!("{verb} twice at once: {one:?} and {other:?}"));
            }
            one
        } else {
            let at = self.at.load(Relaxed);
            self.send(&path, &body, at).await?
        };
        self.asked.push(Asked { path, body, answer: answer.clone() });
        Ok(answer)
    }

    /// Two different commands in the same instant, through two doors.
    pub async fn both(
        &mut self,
        task: Uuid,
        one: (&str, Value),
        other: (&str, Value),
    ) -> Result<(Answer, Answer), DrillError> {
        let (one, other) = (self.prepare(one.0, task, one.1), self.prepare(other.0, task, other.1));
        self.think().await;
        let (first, second) = tokio::join!(self.send(&one.0, &one.1, 0), self.send(&other.0, &other.1, 1));
        let (first, second) = (first?, second?);
        self.asked.push(Asked { path: one.0, body: one.1, answer: first.clone() });
        self.asked.push(Asked { path: other.0, body: other.1, answer: second.clone() });
        Ok((first, second))
    }

    /// The task as the servers show it.
    pub async fn read(&self, task: Uuid) -> Result<Value, DrillError> {
        Ok(self.ask("tasks/read", &json!({ "task_id": task }), self.at.load(Relaxed)).await?.body)
    }

    /// Waits for a state, not for a time.
    pub async fn wait(&self, task: Uuid, wanted: &[&str]) -> Result<Value, DrillError> {
        let start = Instant::now();
        loop {
            let seen = self.read(task).await?;
            let state = seen["state"].as_str().unwrap_or_default();
            if wanted.contains(&state) {
                return Ok(seen);
            }
            if PATIENCE < start.elapsed() {
                return Err(DrillError::Unexpected(format!(
                    "the task did not come to {}; it is {state}",
                    wanted.join(" or ")
                )));
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Asks for everything once more, under the same operation IDs: the answers must be the same.
    pub async fn ask_all_again(&self) -> Result<String, DrillError> {
        if let Some(two) = &self.two_answers {
            return Ok(two.clone());
        }
        for asked in &self.asked {
            let again = self.send(&asked.path, &asked.body, self.at.load(Relaxed)).await?;
            if again != asked.answer {
                return Ok(format!("{}: {:?}, later {again:?}", asked.path, asked.answer));
            }
        }
        Ok("the same".to_owned())
    }

    fn prepare(&mut self, verb: &str, task: Uuid, mut fields: Value) -> (String, Value) {
        fields["op_id"] = json!(self.fresh_id());
        fields["task_id"] = json!(task);
        (format!("tasks/{verb}"), fields)
    }

    async fn think(&mut self) {
        let pause = Duration::from_millis(self.chance.random_range(0..THINKS));
        tokio::time::sleep(pause).await;
    }

    async fn send(&self, path: &str, body: &Value, door: usize) -> Result<Answer, DrillError> {
        let reply = self.ask(path, body, door).await?;
        Ok(if reply.status == StatusCode::OK {
            Answer::Done { op: reply.body["op"].clone() }
        } else {
            Answer::Refused(reply.body["code"].as_str().unwrap_or_default().to_owned())
        })
    }

    /// Asks until somebody answers in our own words, whatever happens on the way.
    async fn ask(&self, path: &str, body: &Value, first: usize) -> Result<Reply, DrillError> {
        let start = Instant::now();
        let mut door = first;
        let mut last = "no server was there".to_owned();
        while start.elapsed() < PATIENCE {
            door %= self.doors.len().max(1);
            match self.try_once(path, body, door).await {
                Ok(reply) => {
                    self.at.store(door, Relaxed);
                    return Ok(reply);
                }
                Err(why) => last = why,
            }
            door += 1;
            tokio::time::sleep(AGAIN).await;
        }
        Err(DrillError::NoReply { path: path.to_owned(), last })
    }

    async fn try_once(&self, path: &str, body: &Value, door: usize) -> Result<Reply, String> {
        let address = self.doors.get(door).and_then(|door| door.borrow().address.clone());
        let address = address.ok_or_else(|| "no server was there".to_owned())?;
        let request =
            self.http.post(format!("{address}/api/v1/{path}")).header(header::COOKIE, &self.cookie).json(body);
        let response = request.send().await.map_err(|error| error.to_string())?;
        let status = response.status();
        let cookie = response.headers().get(header::SET_COOKIE).and_then(|value| value.to_str().ok());
        let cookie = cookie.and_then(|value| value.split(';').next()).map(str::to_owned);
        let body: Value = response.json().await.map_err(|error| error.to_string())?;
        let typed = status == StatusCode::OK || body["code"].is_string();
        if !typed || status.is_server_error() {
            return Err(format!("{status}"));
        }
        Ok(Reply { status, body, cookie })
    }
}

struct Reply {
    status: StatusCode,
    body: Value,
    cookie: Option<String>,
}
