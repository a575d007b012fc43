//! MCP servers and a model's server that others wrote, as the source and the model through configuration alone: the
//! whole journey on what they return. `cargo xtask test` installs them (`server/tests/others`).

use std::{
    fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use serde_json::{Value, json};

use crate::{
    learner::{Learner, accept},
    processes::Process,
    stage::{Stage, new_op, new_task},
};

/// A file of the folder in which they are installed.
pub fn script(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/others");
    assert!(
        folder.join("node_modules").is_dir(),
        "what others wrote is not installed: `cargo xtask test --only server` does it, or `npm ci` in {}",
        folder.display()
    );
    folder.join(name)
}

fn map(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("mcp").join(name).to_str().unwrap().to_owned()
}

fn command(package: &str, arguments: &str) -> String {
    let program = script(&format!("node_modules/@modelcontextprotocol/{package}/dist/index.js"));
    format!("node '{}' {arguments}", program.display())
}

/// From a question to the library, about one record of the source; what the task was in review.
async fn whole_journey(stage: &Stage, server: &Process, ann: &Learner, record: &str) -> Value {
    let task = new_task();
    let body = json!({ "op_id": new_op(), "task_id": task, "record_id": record, "question": "What should I bring?" });
    let (status, started) = ann.post(server, "tasks/start", body).await;
    assert_eq!(status, 200, "{started}");
    let seen = ann.until(server, task, "awaiting_review").await;
    let (status, accepted) = ann.post(server, "tasks/accept", accept(&seen)).await;
    assert_eq!(status, 200, "{accepted}");
    ann.until(server, task, "saved").await;
    assert_eq!(stage.entries(task).await, 1);
    seen
}

/// The list, once the source has been asked for it: somebody else's server may take its time to start.
async fn listed(server: &Process, ann: &Learner) -> Value {
    for _ in 0..3000 {
        let (_, listed) = ann.post(server, "records/list", json!({})).await;
        if listed["records"].as_array().is_some_and(|records| !records.is_empty()) {
            return listed;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("in a minute the source listed no record");
}

async fn not_found(server: &Process, ann: &Learner, record: &str) -> String {
    let task = new_task();
    let body = json!({ "op_id": new_op(), "task_id": task, "record_id": record, "question": "Where is it?" });
    let (status, started) = ann.post(server, "tasks/start", body).await;
    if status != 200 {
        return started["code"].as_str().unwrap().to_owned();
    }
    ann.until(server, task, "source_missing").await["problem"]["code"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_knowledge_graph_that_others_serve_is_a_source() {
    let stage = Stage::new().await;
    let folder = tempfile::tempdir().unwrap();
    let graph = folder.path().join("graph.jsonl");
    let entity = |name: &str, said: &[&str]| {
        json!({ "type": "entity", "name": name, "entityType": "workshop", "observations": said }).to_string()
    };
    let raku = entity("raku-firing", &["Bring: old clothes and gloves", "When: Sunday at noon"]);
    fs::write(&graph, format!("{raku}\n{}\n", entity("glazing", &["Bring: a brush"]))).unwrap();
    let (command, map) = (command("server-memory", ""), map("memory.json"));
    let given = format!("MEMORY_FILE_PATH={}", graph.display());
    let server = Process::serve(
        &stage,
        &[
            ("MOORING_SOURCE", "mcp-stdio"),
            ("MOORING_MCP_COMMAND", &command),
            ("MOORING_MCP_PLAIN_ENV", &given),
            ("MOORING_MCP_MAP", &map),
        ],
    )
    .await;
    let ann = Learner::sign_up(&server, "ann").await;
    let listed = listed(&server, &ann).await;
    let ids: Vec<&str> =
        listed["records"].as_array().unwrap().iter().map(|record| record["record_id"].as_str().unwrap()).collect();
    assert_eq!((ids, &listed["complete"]), (vec!["glazing", "raku-firing"], &json!(true)));

    let seen = whole_journey(&stage, &server, &ann, "raku-firing").await;
    let evidence = &seen["evidence"][0];
    assert_eq!(evidence["content"], "Bring: old clothes and gloves\nWhen: Sunday at noon");
    assert_eq!((&evidence["source"], &evidence["adapter"]), (&json!("memory-server"), &json!("mcp-stdio")));
    assert!(evidence["source_version"].as_str().unwrap().starts_with("sha256:"), "a hash serves as the version");
    assert!(seen["drafts"][0]["text"].as_str().unwrap().contains("old clothes and gloves"));
    // The list is complete: what it does not name is refused before a task is begun.
    assert_eq!(not_found(&server, &ann, "no-such-entity").await, "unknown_record");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_others_serve_is_a_source() {
    let stage = Stage::new().await;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("marbling.md"), "# Paper marbling\n\nBring an apron and ten sheets of paper.\n")
        .unwrap();
    let (command, map) =
        (command("server-filesystem", &format!("'{}'", folder.path().display())), map("filesystem.json"));
    let settings = [("MOORING_SOURCE", "mcp-stdio"), ("MOORING_MCP_COMMAND", &*command), ("MOORING_MCP_MAP", &*map)];
    let server = Process::serve(&stage, &settings).await;
    let ann = Learner::sign_up(&server, "ann").await;
    let seen = whole_journey(&stage, &server, &ann, "marbling").await;
    let evidence = &seen["evidence"][0];
    assert!(evidence["content"].as_str().unwrap().contains("ten sheets of paper"), "{evidence}");
    assert!(evidence["source"].as_str().unwrap().contains("filesystem"), "{evidence}");
    assert_eq!(not_found(&server, &ann, "no-such-file").await, "record_not_found");
}

/// A process that is killed when dropped.
struct Beside(Child);

impl Drop for Beside {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_models_server_that_others_wrote_writes_the_draft() {
    let stage = Stage::new().await;
    let folder = tempfile::tempdir().unwrap();
    let fixtures = folder.path().join("fixtures.json");
    let answer = json!({ "fixtures": [{
        "match": { "userMessage": "What should I bring?" },
        "response": { "content": "Bring an apron, a towel and short nails." },
    }] });
    fs::write(&fixtures, answer.to_string()).unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let other = Command::new("node")
        .arg(script("node_modules/@copilotkit/aimock/dist/cli.js"))
        .args([
            "--port",
            &port.to_string(),
            "--fixtures",
            fixtures.to_str().unwrap(),
            "--strict",
            "--log-level",
            "silent",
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn();
    let _other = Beside(other.unwrap());
    for _ in 0..1000 {
        if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let url = format!("http://127.0.0.1:{port}/v1");
    let settings = [
        ("MOORING_SOURCE", "mcp-stdio"),
        ("MOORING_MODEL", "openai"),
        ("MOORING_OPENAI_URL", &*url),
        ("MOORING_OPENAI_MODEL", "gpt-4o-mini"),
        ("MOORING_OPENAI_KEY", "sk-of-nobody-at-all"),
    ];
    let server = Process::serve(&stage, &settings).await;
    let ann = Learner::sign_up(&server, "ann").await;
    let seen = whole_journey(&stage, &server, &ann, "wheel-throwing").await;
    let draft = &seen["drafts"][0];
    assert_eq!(draft["text"], "Bring an apron, a towel and short nails.");
    assert_eq!((&draft["produced_by"], &draft["simulated"]), (&json!("gpt-4o-mini"), &json!(false)));
    assert!(draft["usage"]["read"].is_number(), "{draft}");
}
