//! The real server in a process of its own, and a learner who speaks to it over HTTP.

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, ChildStdout, Command, Stdio},
    time::Duration,
};

use domain::id::UserId;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use crate::stage::Stage;

/// Stopped with the test that started it.
pub struct Serving {
    child: Child,
    url: String,
    client: Client,
    /// Kept open, so that nothing more could fail to be printed.
    _told: BufReader<ChildStdout>,
}

impl Serving {
    /// On the stage's database, at a port that was free; `more` are variables.
    pub async fn begin(stage: &Stage, more: &[(&str, &str)]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mooring"))
            .arg("serve")
            .env("DATABASE_URL", &stage.url)
            .env("MOORING_ADDR", "127.0.0.1:0")
            .envs(more.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = BufReader::new(child.stdout.take().unwrap());
        let (line, told) = tokio::task::spawn_blocking(move || {
            let mut line = String::new();
            told.read_line(&mut line).unwrap();
            (line, told)
        })
        .await
        .unwrap();
        let url = line.trim().strip_prefix("Mooring is at ").expect("it says where it is").to_owned();
        let client = Client::builder().cookie_store(true).timeout(Duration::from_secs(20)).build().unwrap();
        Self { child, url, client, _told: told }
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

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
