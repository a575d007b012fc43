//! An MCP server of the tests' own, with a mind to misbehave: over standard streams it is this test binary, over HTTP a
//! part of the test. It is written against the protocol, not with the library that the program uses.
//!
//! How a call goes is chosen by the record that it asks for.

use std::{
    env,
    fs::{self, OpenOptions},
    io::{BufRead as _, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::{Value, json};
use server::{
    secret::Secret,
    sources::mcp::{
        Settings,
        map::Map,
        way::{Program, Way},
    },
};
use tempfile::TempDir;

pub mod http; // the same server at an address

/// The file in which each start becomes a line: the process that it was.
const STARTS: &str = "TOOL_SERVER_STARTS";
/// The file in which each call of a tool becomes a line: the record that it asked for.
const ASKED: &str = "TOOL_SERVER_ASKED";
/// How the handshake goes: well, unless it is `refuses`, `exits`, `is old` or `is silent`. After it the server `floods`, offers
/// `other tools` or some of them `twice`.
const HANDSHAKE: &str = "TOOL_SERVER_HANDSHAKE";
/// What the server is told in confidence.
pub const CONFIDED: &str = "TOOL_SERVER_SECRET";
/// In lines of its own, and with what JSON escapes.
const SECRET: &str = "confided/\"1234\nconfided-second-line";

/// More than any call needs on a machine that is busy.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// What a message brings.
pub enum Answer {
    Say(Value),
    Nothing,
    /// Never answers this one, and goes on with the others.
    Hang,
    Die,
}

/// A server that is started for a source, and the count of its starts.
pub struct Started {
    folder: TempDir,
}

impl Started {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("starts")
    }

    /// The processes that were started, oldest first.
    pub fn processes(&self) -> Vec<i32> {
        let text = fs::read_to_string(self.file()).unwrap_or_default();
        text.lines().map(|line| line.parse().unwrap()).collect()
    }

    /// The records that its tool was asked for, by its own count.
    pub fn asked(&self) -> Vec<String> {
        let text = fs::read_to_string(self.folder.path().join("asked")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// The command that starts it, and what it must be given.
    pub fn command(&self, handshake: &str) -> (Vec<String>, Vec<(String, String)>) {
        let (program, starts, asked) = (env::current_exe().unwrap(), self.file(), self.folder.path().join("asked"));
        let command = [program.to_str().unwrap(), "--exact", PRETENCE, "--nocapture"];
        let given = [
            (STARTS, starts.to_str().unwrap()),
            (ASKED, asked.to_str().unwrap()),
            (HANDSHAKE, handshake),
            (CONFIDED, SECRET),
        ];
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        (command.map(str::to_owned).to_vec(), given.iter().map(owned).collect())
    }

    pub fn settings(&self, handshake: &str) -> Settings {
        let (command, given) = self.command(handshake);
        let program = Program {
            path: PathBuf::from(&command[0]),
            arguments: command[1..].iter().map(Into::into).collect(),
            confided: given.into_iter().map(|(name, value)| (name, Secret::from(value))).collect(),
            ..Program::default()
        };
        asked_by(Way::Stdio(program))
    }
}

/// A source's settings, with the map of `mooring records`.
pub fn asked_by(way: Way) -> Settings {
    Settings { way, map: Map::own(), allowed: Vec::new(), patience: PATIENCE, in_flight: 8 }
}

/// What the server says to a message. `start` counts its own starts from 1.
pub fn answer(message: &Value, start: usize, handshake: &str, confided: &str) -> Answer {
    let (id, params) = (&message["id"], &message["params"]);
    let say = |result: Value| Answer::Say(json!({ "jsonrpc": "2.0", "id": id, "result": result }));
    match message["method"].as_str() {
        Some("initialize") => match handshake {
            "refuses" => fail(id, -32600, "not with you"),
            "exits" => Answer::Die,
            "is silent" => Answer::Hang,
            _ => say(json!({
                "protocolVersion": if handshake == "is old" { "1999-01-01" } else { params["protocolVersion"].as_str().unwrap() },
                "capabilities": { "tools": {} },
                "serverInfo": { "name": if handshake == "other tools" { handshake } else { "test-tools" }, "version": "1" },
            })),
        },
        Some("tools/list") => say(json!({ "tools": [
            tool("get_record", json!({ "readOnlyHint": handshake != "other tools" })),
            tool(if handshake == "twice" { "get_record" } else { "put_record" }, json!({ "readOnlyHint": false })),
            tool("list_records", json!({ "readOnlyHint": true })),
            tool("touch_record", json!({ "readOnlyHint": false })),
            tool("open_record", Value::Null),
        ] })),
        Some("tools/call") if params["name"] == "list_records" => {
            let list =
                json!({ "records": [{ "record_id": "clay", "title": "Clay", "version": "1" }], "complete": false });
            say(text(&list.to_string()))
        }
        Some("tools/call") => match params["arguments"]["record_id"].as_str().unwrap_or_default() {
            "dies" => Answer::Die,
            "dies-once" if start == 1 => Answer::Die,
            "hangs" => Answer::Hang,
            "bad-arguments" => fail(id, -32602, "no such argument"),
            "broken" => fail(id, -32603, &format!("the shelf is on fire, says {confided}")),
            "fails" => say(error(&format!("the shelf is on fire, says {confided}"))),
            "nowhere" => fail(id, -32602, "There is none. (record_not_found)"),
            "missing" => say(error("There is none. (record_not_found)")),
            "withdrawn" => say(error("It is gone. (record_withdrawn)")),
            "odd" => say(text("no JSON at all")),
            "misspelt" => Answer::Say(json!({ "jsonrpc": "2.0", "id": id, "error": "no" })),
            "shapeless" => say(json!({ "content": 7 })),
            "large" => say(text(&"x".repeat(5_000_000))),
            "longish" => say(text(&record("longish", &"x".repeat(70_000)))),
            "steady" => say(text(&record("steady", "Always the same."))),
            "echo" => say(text(&record("echo", &format!("You told me {confided}.")))),
            other => say(text(&record(other, &format!("Said at start {start}.")))),
        },
        Some("ping") => say(json!({})),
        Some(_) if id.is_null() => Answer::Nothing,
        _ => fail(id, -32601, "no such method"),
    }
}

fn tool(name: &str, annotations: Value) -> Value {
    let mut tool = json!({ "name": name, "inputSchema": { "type": "object" } });
    if !annotations.is_null() {
        tool["annotations"] = annotations;
    }
    tool
}

fn text(said: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": said }] })
}

fn error(said: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": said }], "isError": true })
}

fn fail(id: &Value, code: i32, message: &str) -> Answer {
    Answer::Say(json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }))
}

/// A record as `mooring records` shows it.
fn record(id: &str, note: &str) -> String {
    json!({ "record_id": id, "version": "1", "title": format!("About {id}"), "fields": { "note": note } }).to_string()
}

/// Asks for more than our end can answer, and reads nothing any more.
fn flood(out: &mut impl std::io::Write) -> ! {
    for id in 0.. {
        if writeln!(out, "{}", json!({ "jsonrpc": "2.0", "id": id, "method": "ping" })).is_err() {
            break;
        }
    }
    loop {
        std::thread::park();
    }
}

const PRETENCE: &str = "tool_server::a_process_that_serves_tools";

/// Not a test where nobody asked for a server.
#[test]
fn a_process_that_serves_tools() {
    let Ok(starts) = env::var(STARTS) else { return };
    let mut file = OpenOptions::new().create(true).append(true).open(&starts).unwrap();
    writeln!(file, "{}", std::process::id()).unwrap();
    let start = fs::read_to_string(Path::new(&starts)).unwrap().lines().count();
    let var = |name| env::var(name).unwrap_or_default();
    let (mut handshake, confided) = (var(HANDSHAKE), var(CONFIDED));
    let mut asked = OpenOptions::new().create(true).append(true).open(var(ASKED)).unwrap();
    let mut out = std::io::stdout();
    // What the test program has said on this line ends here; it is no message, and is passed over.
    writeln!(out).unwrap();
    eprintln!("at your service, {confided}");
    eprintln!("{}{confided}", "x".repeat(495));
    for line in std::io::stdin().lock().lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line.unwrap()) else { continue };
        if message["method"] == "tools/call" {
            let record = message["params"]["arguments"]["record_id"].as_str().unwrap_or_default();
            if !record.is_empty() {
                writeln!(asked, "{record}").unwrap();
            }
            if record == "turns" {
                "other tools".clone_into(&mut handshake);
                writeln!(out, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" })).unwrap();
            }
        }
        if handshake == "floods" && message["method"] == "tools/call" {
            flood(&mut out);
        }
        match answer(&message, start, &handshake, &confided) {
            Answer::Say(reply) => {
                writeln!(out, "{reply}").unwrap();
                out.flush().unwrap();
            }
            Answer::Nothing | Answer::Hang => {}
            Answer::Die => std::process::exit(9),
        }
    }
    // No word of the test program after the last message.
    std::process::exit(0);
}
