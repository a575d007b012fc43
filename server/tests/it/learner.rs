//! A learner who speaks to real servers over HTTP, whichever of them is there.

use std::time::Duration;

use domain::id::{TaskId, UserId};
use reqwest::Client;
use serde_json::{Value, json};

use crate::{
    processes::Process,
    stage::{QUESTION, new_op, new_task},
};

/// A browser with its cookies: the session is good at every server of the same database.
#[derive(Clone)]
pub struct Learner {
    pub id: UserId,
    client: Client,
}

impl Learner {
    /// Somebody who never signed in.
    pub fn nobody() -> Self {
        let client = server::outgoing::plain().cookie_store(true).timeout(Duration::from_secs(30)).build().unwrap();
        Self { id: UserId(new_task().0), client }
    }

    pub async fn sign_up(at: &Process, name: &str) -> Self {
        let mut learner = Self::nobody();
        let (status, who) = learner.post(at, "sign-up", json!({ "name": name, "passphrase": "correct horse" })).await;
        assert_eq!(status, 200, "{who}");
        learner.id = UserId(who["user_id"].as_str().unwrap().parse().unwrap());
        learner
    }

    /// What came back, if anything did: status and body.
    pub async fn try_post(&self, at: &Process, path: &str, body: Value) -> Result<(u16, Value), reqwest::Error> {
        let response = self.client.post(format!("http://{}/api/v1/{path}", at.addr())).json(&body).send().await?;
        Ok((response.status().as_u16(), response.json().await?))
    }

    /// A page or another address, as somebody who is signed in gets it.
    pub async fn get(&self, at: &Process, path: &str) -> String {
        self.client.get(format!("http://{}{path}", at.addr())).send().await.unwrap().text().await.unwrap()
    }

    pub async fn post(&self, at: &Process, path: &str, body: Value) -> (u16, Value) {
        self.try_post(at, path, body).await.unwrap()
    }

    /// Starts a task of this ordinal: each has a question of its own.
    pub async fn start(&self, at: &Process, ordinal: usize) -> TaskId {
        let task = new_task();
        let (status, done) = self.post(at, "tasks/start", start(task, ordinal)).await;
        assert_eq!((status, done["op"]["code"].as_str()), (200, Some("started")), "{done}");
        task
    }

    pub async fn read(&self, at: &Process, task: TaskId) -> Value {
        let (status, snapshot) = self.post(at, "tasks/read", json!({ "task_id": task })).await;
        assert_eq!(status, 200, "{snapshot}");
        snapshot
    }

    /// Reads it again and again until it is in `state`.
    pub async fn until(&self, at: &Process, task: TaskId, state: &str) -> Value {
        let mut last = Value::Null;
        for _ in 0..15_000 {
            last = self.read(at, task).await;
            if last["state"] == state {
                return last;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        panic!("the task did not come to {state}; it is {}", last["state"]);
    }
}

/// A start under a new operation.
pub fn start(task: TaskId, ordinal: usize) -> Value {
    let question = format!("{QUESTION} ({ordinal})");
    json!({ "op_id": new_op(), "task_id": task, "record_id": "wheel-throwing", "question": question })
}

/// The acceptance of exactly what `seen` shows, under a new operation.
pub fn accept(seen: &Value) -> Value {
    let draft = seen["drafts"].as_array().and_then(|drafts| drafts.last()).unwrap();
    let evidence = seen["evidence"].as_array().and_then(|evidence| evidence.last()).unwrap();
    json!({
        "op_id": new_op(), "task_id": seen["task_id"], "draft_version": draft["version"], "draft_hash": draft["hash"],
        "seen_source_version": evidence["source_version"]
    })
}
