//! The engine's boundaries around look-up and draft, with the real adapters: deaths between a call and its record, a
//! source that moves on, and a server that does not outlive the program that started it.

use std::{fs, path::Path, time::Duration};

use domain::{explanation::StateName, intent::Wish};
use server::{
    calls::{self, Call},
    sources::mcp::{
        McpSource,
        way::{Program, Way},
    },
};

use crate::{
    chat_server::ChatServer,
    processes::Process,
    stage::{Stage, accept},
    tool_server::{Started, asked_by},
};

/// The calls that name a record, and those of the model, as the program's own log of its calls has them.
fn counted(log: &Path) -> (usize, usize) {
    let calls = calls::read(log).unwrap();
    let looks = calls.iter().filter(|call| matches!(call, Call::Source { record: Some(_), .. })).count();
    (looks, calls.iter().filter(|call| matches!(call, Call::Model { .. })).count())
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_death_between_a_real_call_and_its_record_the_same_operation_goes_on() {
    let stage = Stage::new().await;
    let chat = ChatServer::begin().await;
    let folder = tempfile::tempdir().unwrap();
    for (boundary, step, looks, drafts) in [
        ("lookup.before_call", "look_up", 1, 1),
        ("lookup.after_call", "look_up", 2, 1),
        ("evidence.after_commit", "draft", 1, 1),
        ("draft.before_call", "draft", 1, 1),
        ("draft.after_call", "draft", 1, 2),
        ("draft.after_commit", "draft", 1, 1),
    ] {
        let log = folder.path().join(boundary);
        let (plan, log_path) = (format!("{boundary}=abort"), log.to_str().unwrap());
        let settings = [
            // Long: a call that is made again because a busy machine lost its lease would count too.
            ("MOORING_LEASE", "15s"),
            ("MOORING_SOURCE", "mcp-stdio"),
            ("MOORING_MODEL", "openai"),
            ("MOORING_OPENAI_URL", &chat.url),
            ("MOORING_OPENAI_MODEL", "test-model"),
            ("MOORING_LAB", "1"),
            ("MOORING_CALL_LOG", log_path),
            ("MOORING_FAULTS", &plan),
        ];
        let asked = chat.asked().len();
        let ann = stage.learner(boundary).await;
        let dying = Process::work(&stage, &settings);
        let task = stage.start(ann).await;
        dying.aborts().await;
        let (op, _) = stage.only_operation(task, step).await;

        let _successor = Process::work(&stage, &settings[..7]);
        let seen = stage.until(ann, task, StateName::AwaitingReview).await;
        assert_eq!(stage.only_operation(task, step).await, (op, "done".to_owned()), "{boundary}: the same operation");
        assert_eq!(counted(&log), (looks, drafts), "{boundary}: look-ups and drafts asked for");
        assert_eq!(chat.asked().len() - asked, drafts, "{boundary}: by the model's own count");
        assert_eq!((seen.evidence.len(), seen.drafts.len()), (1, 1), "{boundary}");
        assert_eq!(seen.evidence[0].adapter, "mcp-stdio", "{boundary}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_source_that_moves_on_gives_new_evidence_beside_the_old_and_drafts_say_which() {
    let stage = Stage::new().await;
    let chat = ChatServer::begin().await;
    let folder = tempfile::tempdir().unwrap();
    let write = |version: u32, bring: &str| {
        let record = serde_json::json!({
            "record_id": "wheel-throwing", "version": version, "title": "Wheel throwing", "bring": bring
        });
        fs::write(folder.path().join("wheel-throwing.json"), record.to_string()).unwrap();
    };
    write(1, "An apron");
    let program = Program {
        path: env!("CARGO_BIN_EXE_mooring").into(),
        arguments: ["records", "--records", folder.path().to_str().unwrap()].map(Into::into).to_vec(),
        ..Program::default()
    };
    let working = stage.asking(McpSource::new(asked_by(Way::Stdio(program))), chat.model());
    let ann = stage.learner("ann").await;
    let first = stage.reviewed(ann).await;
    write(2, "A towel");
    stage.ask(ann, first.task_id, Wish::Reopen).await.unwrap();
    let moved = stage.until_seen(ann, first.task_id, "a notice", |seen| seen.notice.is_some()).await;
    assert_eq!(moved.notice.as_ref().unwrap().code, "source_moved");
    assert_eq!(moved.evidence[0], first.evidence[0], "what was seen before stays");
    let versions: Vec<&str> = moved.evidence.iter().map(|seen| seen.source_version.0.as_str()).collect();
    assert_eq!(versions, ["1", "2"]);
    assert!(moved.evidence[1].content.contains("A towel"));
    assert_eq!(moved.current_draft().unwrap().on_source_version.0, "1", "the draft rests on what it was written from");

    stage.ask(ann, first.task_id, Wish::Redraft { base_version: 1 }).await.unwrap();
    let again = stage.until_seen(ann, first.task_id, "a second draft", |seen| seen.draft_version == Some(2)).await;
    assert_eq!(again.current_draft().unwrap().on_source_version.0, "2");
    stage.ask(ann, first.task_id, accept(&again)).await.unwrap();
    stage.until(ann, first.task_id, StateName::Saved).await;
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_was_started_ends_with_the_program_however_that_ends() {
    let stage = Stage::new().await;
    for graceful in [true, false] {
        let child = Started::new();
        let (command, given) = child.command("");
        let names: Vec<&str> = given.iter().map(|(name, _)| name.as_str()).collect();
        let (command, names) = (command.join(" "), names.join(","));
        let mut settings =
            vec![("MOORING_SOURCE", "mcp-stdio"), ("MOORING_MCP_COMMAND", &command), ("MOORING_MCP_ENV", &names)];
        settings.extend(given.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        let mut server = Process::serve(&stage, &settings).await;
        let tools = *child.processes().last().unwrap();
        assert!(is_running(tools), "it serves");
        if graceful {
            server.signal(rustix::process::Signal::TERM);
            server.end().await;
        } else {
            server.kill().await;
        }
        for _ in 0..1000 {
            if !is_running(tools) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(!is_running(tools), "graceful: {graceful}");
    }
}

/// One that has ended and that nobody has asked about yet is not running.
pub fn is_running(process: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().next()).is_some_and(|state| !"ZX".contains(state))
}
