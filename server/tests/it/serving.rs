//! The real server in a process of its own, and a learner who speaks to it over HTTP.

use std::time::Duration;

use domain::id::UserId;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use crate::{processes::Process, stage::Stage};

/// Stopped with the test that started it.
pub struct Serving {
    _process: Process,
    url: String,
    client: Client,
}

impl Serving {
    /// With the lease and the poll that a server has by itself; `more` are variables that say otherwise.
    pub async fn begin(stage: &Stage, more: &[(&str, &str)]) -> Self {
        let usual = [("MOORING_LEASE", "10s"), ("MOORING_POLL", "1s")];
        let process = Process::serve(stage, &[&usual, more].concat()).await;
        let url = format!("http://{}", process.addr());
        let client = server::outgoing::plain().cookie_store(true).timeout(Duration::from_secs(20)).build().unwrap();
        Self { _process: process, url, client }
    }

    /// Signs up; what is asked from now on, this learner asks.
    pub async fn sign_up(&self, stage: &Stage, name: &str) -> UserId {
        self.post("sign-up", json!({ "name": name, "passphrase": "correct horse" })).await;
        let id = "select user_id from account where name = $1";
        UserId(sqlx::query_scalar(id).bind(name).fetch_one(&stage.pool).await.unwrap())
    }

    pub async fn post(&self, path: &str, body: Value) -> Value {
        let url = format!("{}/api/v1/{path}", self.url);
        let response = self.client.post(url).json(&body).send().await.unwrap();
        let (status, body) = (response.status(), response.json().await.unwrap());
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    /// Waits till `/readyz` says so, and that the listener is `listener`.
    pub async fn until(&self, status: u16, listener: &str) {
        for _ in 0..1000 {
            let (found, report) = self.ready().await;
            if (found.as_u16(), report["listener"].as_str()) == (status, Some(listener)) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("in 10 s `/readyz` did not say {status} with a listener that is {listener}");
    }

    /// What `/readyz` says.
    pub async fn ready(&self) -> (StatusCode, Value) {
        let response = self.client.get(format!("{}/readyz", self.url)).send().await.unwrap();
        (response.status(), response.json().await.unwrap())
    }
}
