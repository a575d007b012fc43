//! The real program in a process of its own, its log kept for reading.

use std::{fs::File, time::Duration};

use domain::id::TaskId;
use reqwest::Client;
use serde_json::{Value, json};
use sqlx::{Connection as _, PgConnection};
use tempfile::NamedTempFile;

use crate::{processes::Process, stage::Stage};

/// Ended with the test that opened it.
pub struct Site {
    _process: Process,
    address: String,
    client: Client,
    log: NamedTempFile,
}

impl Site {
    pub async fn open(stage: &Stage, more: &[(&str, &str)]) -> Self {
        let log = NamedTempFile::new().unwrap();
        let process = Process::serve_and_log(stage, more, File::create(log.path()).unwrap()).await;
        let address = format!("http://{}", process.addr());
        let client = server::outgoing::plain().cookie_store(true).timeout(Duration::from_secs(20)).build().unwrap();
        Self { _process: process, address, client, log }
    }

    /// Whatever it answers.
    pub async fn post(&self, path: &str, body: Value) -> Value {
        let url = format!("{}/api/v1/{path}", self.address);
        self.client.post(url).json(&body).send().await.unwrap().json().await.unwrap()
    }

    pub async fn until_state(&self, task: TaskId, state: &str) -> Value {
        let mut seen = Value::Null;
        for _ in 0..1000 {
            seen = self.post("tasks/read", json!({ "task_id": task })).await;
            if seen["state"] == state {
                return seen;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("in 20 s the task did not come to {state}: {seen}");
    }

    pub async fn ready(&self) -> (u16, Value) {
        let answer = self.client.get(format!("{}/readyz", self.address)).send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap())
    }

    pub async fn metrics(&self) -> String {
        let answer = self.client.get(format!("{}/metrics", self.address)).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        answer.text().await.unwrap()
    }

    /// A number without labels, as it is written.
    pub async fn metric(&self, name: &str) -> Option<String> {
        let text = self.metrics().await;
        text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ').map(str::to_owned))
    }

    pub async fn until_metric(&self, name: &str, value: &str) {
        let mut seen = None;
        for _ in 0..500 {
            seen = self.metric(name).await;
            if seen.as_deref() == Some(value) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("{name} did not come to {value}; it is {seen:?}");
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(self.log.path()).unwrap()
    }
}

impl Stage {
    /// Takes the database away from everybody, or gives it back.
    pub async fn cut(&self, away: bool) {
        let (base, name) = self.url.rsplit_once('/').unwrap();
        let mut outside = PgConnection::connect(&format!("{base}/postgres")).await.unwrap();
        let sql = format!("alter database {name} with allow_connections {}", !away);
        sqlx::raw_sql(&sql).execute(&mut outside).await.unwrap();
        if away {
            let end = "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1";
            sqlx::query(end).bind(name).execute(&mut outside).await.unwrap();
        }
        outside.close().await.unwrap();
    }
}
