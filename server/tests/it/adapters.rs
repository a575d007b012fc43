//! The engine's boundaries around look-up and draft, with the real adapters: deaths between a call and its record, a
//! source that moves on, and a server that does not outlive the program that started it.

use std::{fs, time::Duration};

use domain::{explanation::StateName, intent::Wish};
use server::sources::mcp::{
    McpSource,
    way::{Program, Way},
};

use crate::{
    chat_server::ChatServer,
    processes::Process,
    stage::{Stage, accept},
    tool_server::{
        Started, asked_by,
        http::{AtAddress, TOKEN},
    },
};

/// A source of each kind, with its own count of what it was asked.
enum Tools {
    Child(Started),
    Address(AtAddress),
}

impl Tools {
    fn adapter(&self) -> &'static str {
        match self {
            Self::Child(_) => "mcp-stdio",
            Self::Address(_) => "mcp-http",
        }
    }

    fn settings(&self) -> Vec<(String, String)> {
        let mut settings = vec![("MOORING_SOURCE".to_owned(), self.adapter().to_owned())];
        let mut set = |name: &str, value: String| settings.push((name.to_owned(), value));
        match self {
            Self::Child(child) => {
                let (command, given) = child.command("");
                set("MOORING_MCP_COMMAND", command.join(" "));
                let names: Vec<&str> = given.iter().map(|(name, _)| name.as_str()).collect();
                set("MOORING_MCP_ENV", names.join(","));
                settings.extend(given);
            }
            Self::Address(server) => {
                set("MOORING_MCP_URL", server.url.clone());
                set("MOORING_MCP_TOKEN", TOKEN.to_owned());
            }
        }
        settings
    }

    fn looks(&self) -> usize {
        match self {
            Self::Child(child) => child.asked().len(),
            Self::Address(server) => server.asked().len(),
        }
    }
}

fn working(stage: &Stage, tools: &Tools, chat: &ChatServer, faults: &str) -> Process {
    let own = tools.settings();
    let mut settings: Vec<(&str, &str)> = own.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    settings.extend([
        // Long: a call that is made again because a busy machine lost its lease would count too.
        ("MOORING_LEASE", "15s"),
        ("MOORING_MODEL", "openai"),
        ("MOORING_OPENAI_URL", &chat.url),
        ("MOORING_OPENAI_MODEL", "test-model"),
        ("MOORING_LAB", "1"),
        ("MOORING_FAULTS", faults),
    ]);
    Process::work(stage, &settings)
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_death_between_a_real_call_and_its_record_the_same_operation_goes_on() {
    let child = || Tools::Child(Started::new());
    let at_address = Tools::Address(AtAddress::begin().await);
    let cases = [
        (child(), "lookup.before_call=abort", "look_up", 1, 1),
        (child(), "lookup.after_call=abort", "look_up", 2, 1),
        (at_address, "lookup.after_call=abort", "look_up", 2, 1),
        (child(), "lookup.after_call=repeat", "look_up", 2, 1),
        (child(), "evidence.after_commit=abort", "draft", 1, 1),
        (child(), "draft.before_call=abort", "draft", 1, 1),
        (child(), "draft.after_call=abort", "draft", 1, 2),
        (child(), "draft.after_call=repeat", "draft", 1, 2),
        (child(), "draft.after_commit=abort", "draft", 1, 1),
    ];
    // A database remembers what has died in it, so each has its own, and none waits for another's lease to run out.
    let all = cases.map(|(tools, fault, step, looks, drafts)| dies(tools, fault, step, (looks, drafts)));
    futures::future::join_all(all).await;
}

/// A task whose worker does what `fault` says at the boundary of `step`, and how often is then looked and drafted.
async fn dies(tools: Tools, fault: &'static str, step: &'static str, times: (usize, usize)) {
    let (stage, chat) = (Stage::new().await, ChatServer::begin().await);
    let ann = stage.learner("ann").await;
    let first = working(&stage, &tools, &chat, fault);
    let task = stage.start_about(ann, "steady").await;
    let mut op = None;
    let _goes_on = if fault.ends_with("abort") {
        first.aborts().await;
        op = Some(stage.only_operation(task, step).await.0);
        working(&stage, &tools, &chat, "")
    } else {
        first
    };
    let seen = stage.until(ann, task, StateName::AwaitingReview).await;
    let (same, state) = stage.only_operation(task, step).await;
    assert_eq!((op.unwrap_or(same), state.as_str()), (same, "done"), "{fault}: the same operation");
    assert_eq!((tools.looks(), chat.asked().len()), times, "{fault}: look-ups and drafts, by the others' own counts");
    assert_eq!((seen.evidence.len(), seen.drafts.len()), (1, 1), "{fault}");
    assert_eq!(seen.evidence[0].adapter, tools.adapter(), "{fault}");
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_death_in_the_look_before_a_save_it_is_looked_again_and_saved_once() {
    let stage = Stage::new().await;
    let chat = ChatServer::begin().await;
    let tools = Tools::Child(Started::new());
    let ann = stage.learner("ann").await;
    let dying = working(&stage, &tools, &chat, "recheck.after_call=abort");
    let task = stage.start_about(ann, "steady").await;
    let seen = stage.until(ann, task, StateName::AwaitingReview).await;
    stage.shift_clock("25 hours").await;
    stage.ask(ann, task, accept(&seen)).await.unwrap();
    dying.aborts().await;
    let _successor = working(&stage, &tools, &chat, "");
    stage.until(ann, task, StateName::Saved).await;
    assert_eq!((tools.looks(), chat.asked().len(), stage.entries(task).await), (3, 1, 1));
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
