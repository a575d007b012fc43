//! A credential is for one other side: it stands in no row, event, log line, number, page or error, also where that
//! other side says it aloud.

use std::{fs, path::Path, time::Duration};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use server::sources::{Source as _, mcp::McpSource};

use crate::{
    chat_server::{ChatServer, KEY, Says},
    learner::Learner,
    processes::Process,
    stage::{Stage, new_op, new_task},
    tool_server::{
        CONFIDED, Started,
        http::{AtAddress, TOKEN},
    },
};

/// What stands where somebody said a secret.
const HIDDEN: &str = "(not shown)";

/// Every row of every table, as text.
async fn all_rows(stage: &Stage) -> String {
    let tables: Vec<(String, String)> = sqlx::query_as(
        "select table_schema::text, table_name::text from information_schema.tables
          where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')",
    )
    .fetch_all(&stage.pool)
    .await
    .unwrap();
    assert!(8 < tables.len(), "the tables were found: {tables:?}");
    let mut rows = String::new();
    for (schema, table) in tables {
        let sql = format!("select coalesce(string_agg(t::text, E'\n'), '') from {schema}.{table} t");
        rows += &sqlx::query_scalar::<_, String>(&sql).fetch_one(&stage.pool).await.unwrap();
    }
    rows
}

#[tokio::test(flavor = "multi_thread")]
async fn no_credential_is_anywhere_s5() {
    let stage = Stage::new().await;
    let (tools, chat) = (AtAddress::begin().await, ChatServer::begin().await);
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let server = Process::serve_and_log(
        &stage,
        &[
            ("MOORING_SOURCE", "mcp-http"),
            ("MOORING_MCP_URL", &tools.url),
            ("MOORING_MCP_TOKEN", TOKEN),
            ("MOORING_MODEL", "openai"),
            ("MOORING_OPENAI_URL", &chat.url),
            ("MOORING_OPENAI_MODEL", "test-model"),
            ("MOORING_OPENAI_KEY", KEY),
            // Also where a part of a library is asked for by its name.
            ("MOORING_LOG", "trace,rmcp::service=trace,rmcp::transport=trace,hyper_util::client=trace"),
            ("MOORING_TRIES", "2"),
            ("MOORING_BACKOFF", "10ms"),
        ],
        fs::File::create(&log).unwrap(),
    )
    .await;
    let ann = Learner::sign_up(&server, "ann").await;
    let refusal = r#"{"error": {"message": "Incorrect API key provided: {key}", "code": "{key}", "type": "{key}"}}"#;
    let mut told = String::new();
    for (record, says, state) in [
        ("echo", None, "awaiting_review"),
        ("fails", None, "source_unavailable"),
        ("broken", None, "source_unavailable"),
        ("clay", Some(Says::Status(401, None, refusal)), "draft_failed"),
    ] {
        if let Some(says) = says {
            chat.then(says);
        }
        let task = new_task();
        let body = json!({ "op_id": new_op(), "task_id": task, "record_id": record, "question": "What is it?" });
        let (status, started) = ann.post(&server, "tasks/start", body).await;
        assert_eq!(status, 200, "{started}");
        let seen = ann.until(&server, task, state).await;
        if record == "echo" {
            let said = |of: &Value, what: &str| of.as_array().unwrap().last().unwrap()[what].to_string();
            assert!(said(&seen["evidence"], "content").contains(HIDDEN), "the source said its token aloud");
            assert!(said(&seen["drafts"], "text").contains(HIDDEN), "and the model its key");
        }
        // What a page is made of: the page itself is the same for everybody.
        told += &seen.to_string();
        told += &ann.get(&server, &format!("/tasks/{task}")).await;
        told += &ann.post(&server, "tasks/events", json!({ "task_id": task, "after_seq": 0 })).await.1.to_string();
        if record == "echo" {
            told += &ann.post(&server, "tasks/draft", json!({ "task_id": task, "version": 1 })).await.1.to_string();
        }
    }
    for path in ["records/list", "tasks/list", "library/list", "who-am-i"] {
        told += &ann.post(&server, path, json!({})).await.1.to_string();
    }
    for path in ["/", "/about", "/tasks", "/metrics", "/readyz", "/healthz", "/nowhere", "/api/v1/nowhere"] {
        told += &ann.get(&server, path).await;
    }
    told += &all_rows(&stage).await;
    let logged = logged(&log);
    assert!(chat.asked().iter().any(|(bearer, _)| bearer.contains(KEY)), "the key was used");
    assert!(logged.contains("a look-up failed") && logged.contains("a draft failed"), "what failed was logged");
    for secret in [TOKEN, KEY] {
        // A part of it is as bad.
        let part = &secret[secret.len() - 8..];
        assert!(!told.contains(part) && !logged.contains(part), "{part} is in:\n{}", around(&told, &logged, part));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_child_is_told_does_not_come_back_s5() {
    let child = Started::new();
    let source = McpSource::new(child.settings(""));
    let seen = source.look_up(&domain::id::RecordId::parse("echo").unwrap()).await.unwrap();
    assert!(seen.content.contains(HIDDEN) && !seen.content.contains("confided"), "{}", seen.content);

    // And what it is not told, it does not know: our own environment is not passed on.
    let stage = Stage::new().await;
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let (command, given) = child.command("");
    let names: Vec<String> = given.iter().map(|(name, _)| name.clone()).collect();
    let (command, names) = (command.join(" "), names.join(","));
    let mut settings =
        vec![("MOORING_SOURCE", "mcp-stdio"), ("MOORING_MCP_COMMAND", &command), ("MOORING_MCP_ENV", &names)];
    settings.extend(given.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    settings.push(("MOORING_OPENAI_KEY", KEY));
    let server = Process::serve_and_log(&stage, &settings, fs::File::create(&log).unwrap()).await;
    let started = *child.processes().last().unwrap();
    let environment = fs::read_to_string(format!("/proc/{started}/environ")).unwrap();
    assert!(environment.contains(CONFIDED), "it was started with what is its own");
    for not_its_own in ["DATABASE_URL", "MOORING_", KEY] {
        assert!(!environment.contains(not_its_own), "{not_its_own} was passed on");
    }
    let heard = until_logged(&log, "x(not ").await;
    assert!(heard.contains("at your service, (not shown)") && !heard.contains("confi"), "{heard}");
    // Its end is said when it comes, whoever asks for it next.
    kill_process(Pid::from_raw(started).unwrap(), Signal::KILL).unwrap();
    assert!(until_logged(&log, "the MCP server has ended").await.contains("signal: 9"));
    server.kill().await;
}

async fn until_logged(path: &Path, what: &str) -> String {
    for _ in 0..3000 {
        let logged = logged(path);
        if logged.contains(what) {
            return logged;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("in 30 s nothing said {what}: {}", logged(path));
}

fn logged(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

fn around(told: &str, logged: &str, part: &str) -> String {
    let lines = told.lines().chain(logged.lines()).filter(|line| line.contains(part));
    lines.take(5).map(|line| line.chars().take(400).collect::<String>()).collect::<Vec<_>>().join("\n")
}
