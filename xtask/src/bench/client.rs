//! A learner made of HTTP, as a script would write one.

use std::{
    cell::Cell,
    io::{BufRead as _, BufReader},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use ureq::Agent;

use crate::build;

const PATIENCE: Duration = Duration::from_secs(30);

pub struct Learner {
    agent: Agent,
    base: String,
    cookie: String,
    made: Cell<u32>,
}

impl Learner {
    pub fn sign_up(address: &str) -> Result<Self> {
        let agent: Agent =
            Agent::config_builder().http_status_as_error(false).timeout_global(Some(PATIENCE)).build().into();
        let mut learner =
            Self { agent, base: format!("http://{address}/api/v1"), cookie: String::new(), made: Cell::new(0) };
        let mut response = learner
            .agent
            .post(format!("{}/sign-up", learner.base))
            .header("content-type", "application/json")
            .send(json!({ "name": "bench", "passphrase": "a passphrase for measuring" }).to_string())?;
        let cookie = response.headers().get("set-cookie").and_then(|cookie| cookie.to_str().ok());
        learner.cookie = match cookie.and_then(|cookie| cookie.split(';').next()) {
            Some(cookie) => cookie.to_owned(),
            None => bail!("sign-up gave no session: {}", response.body_mut().read_to_string()?),
        };
        Ok(learner)
    }

    /// The list is kept by the worker, which may still be making it.
    pub fn a_record(&self) -> Result<String> {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let list = self.ask("records/list", &json!({}))?;
            if let Some(record) = list["records"][0]["record_id"].as_str() {
                return Ok(record.to_owned());
            }
            thread::sleep(Duration::from_millis(50));
        }
        bail!("the server offers no records")
    }

    pub fn start(&self, record: &str, nth: u32) -> Result<String> {
        let task = self.fresh_id();
        let question = format!("What should I bring, and when does it start? ({nth})");
        let body = json!({ "op_id": self.fresh_id(), "task_id": task, "record_id": record, "question": question });
        self.ask("tasks/start", &body)?;
        Ok(task)
    }

    pub fn wait_for_draft(&self, task: &str) -> Result<()> {
        let url = format!("{}/tasks/{task}/stream?after_seq=0", self.base);
        let response = self.agent.get(url).header("cookie", &self.cookie).call()?;
        for line in BufReader::new(response.into_body().into_reader()).lines() {
            let Some(data) = line?.strip_prefix("data:").map(str::to_owned) else { continue };
            let snapshot: Value =
                serde_json::from_str(data.trim()).context("the stream sent something else than JSON")?;
            match snapshot["state"].as_str() {
                Some("awaiting_review") => return Ok(()),
                Some("created" | "evidence_saved") | None => {}
                Some(other) => bail!("the task went to {other}"),
            }
        }
        bail!("the stream ended before there was a draft")
    }

    fn ask(&self, what: &str, body: &Value) -> Result<Value> {
        let mut response = self
            .agent
            .post(format!("{}/{what}", self.base))
            .header("content-type", "application/json")
            .header("cookie", &self.cookie)
            .send(body.to_string())?;
        let text = response.body_mut().read_to_string()?;
        if response.status() != 200 {
            bail!("{what} answered {}: {text}", response.status());
        }
        serde_json::from_str(&text).with_context(|| format!("{what} answered something else than JSON"))
    }

    /// A UUID that is unique in a database that nobody else uses.
    fn fresh_id(&self) -> String {
        self.made.set(self.made.get() + 1);
        let hash = build::hash(format!("bench {}", self.made.get()).as_bytes());
        format!("{}-{}-4{}-8{}-{}", &hash[..8], &hash[8..12], &hash[13..16], &hash[17..20], &hash[20..32])
    }
}
