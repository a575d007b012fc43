//! `mooring records`, driven by a client that others wrote: what it lists, shows and refuses, over either transport.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    process::{Child, Command, ExitStatus, Stdio},
    time::Duration,
};

use domain::id::RecordId;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use server::sources::{
    Source as _,
    mcp::{McpSource, way::Way},
};

use crate::{others::script, tool_server::asked_by};

/// The program, listening; killed when dropped.
struct Listening {
    child: Child,
    url: String,
}

impl Listening {
    fn begin() -> Self {
        Self::at("127.0.0.1:0")
    }

    fn at(address: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mooring"))
            .args(["--log=warn", "records", "--http", address])
            .env_remove("MOORING_RECORDS")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.split_whitespace().last().unwrap_or_default().to_owned();
        Self { child, url }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn driven(how: &[&str]) -> Value {
    let out = Command::new("node").arg(script("client.mjs")).args(how).env_remove("MOORING_RECORDS").output().unwrap();
    let said = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{said}{}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}"))
}

#[test]
fn a_client_of_others_lists_calls_and_is_refused_clearly() {
    let listening = Listening::begin();
    for how in [&["stdio", env!("CARGO_BIN_EXE_mooring"), "records"][..], &["http", &listening.url]] {
        let seen = driven(how);
        let way = how[0];
        assert_eq!(seen["server"], "mooring-records", "{way}");
        assert_eq!(
            seen["tools"],
            json!([
                { "name": "list_records", "readOnly": true, "takes": [], "gives": ["complete", "records"] },
                { "name": "get_record", "readOnly": true, "takes": ["record_id"],
                  "gives": ["fields", "record_id", "title", "version"] },
            ]),
            "{way}"
        );
        let listed = &seen["list"]["structured"];
        assert_eq!((listed["records"].as_array().unwrap().len(), &listed["complete"]), (12, &json!(true)), "{way}");
        let record = &seen["record"]["structured"];
        assert_eq!((&record["record_id"], &record["version"]), (&json!("wheel-throwing"), &json!("7")), "{way}");
        assert!(record["fields"]["bring"].as_str().unwrap().contains("apron"), "{way}");
        let text = seen["record"]["text"].as_str().unwrap();
        assert_eq!(&serde_json::from_str::<Value>(text).unwrap(), record, "{way}: the same as text");
        for (what, sentence) in [("withdrawn", "was withdrawn"), ("unknown", "There is no record no-such-record")] {
            let refused = &seen[what];
            assert_eq!(refused["isError"], true, "{way}: {refused}");
            assert!(refused["text"].as_str().unwrap().contains(sentence), "{way}: {refused}");
        }
        for what in ["misnamed", "noTool"] {
            assert_eq!(seen[what]["code"], -32602, "{way}: {}", seen[what]);
        }
        assert_eq!(seen["pinged"], json!({}), "{way}");
        let version = seen["strange"]["version"].as_str().unwrap_or_else(|| panic!("{way}: {}", seen["strange"]));
        assert!(
            version.starts_with("20"),
            "{way}: it offers a version of its own, which the client may refuse: {version}"
        );
    }
}

#[test]
fn a_stop_waits_for_nobody_who_says_half_a_sentence() {
    let mut listening = Listening::begin();
    let address = listening.url.trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
    let mut half = TcpStream::connect(&address).unwrap();
    let head = "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: 100";
    write!(half, "POST /mcp HTTP/1.1\r\nHost: {address}\r\n{head}\r\n\r\n{{").unwrap();
    // Whoever is answered after it knows that it was heard.
    let mut whole = TcpStream::connect(&address).unwrap();
    write!(whole, "GET /nowhere HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut said = String::new();
    whole.read_to_string(&mut said).unwrap();
    assert!(said.starts_with("HTTP/1.1 404"), "{said}");
    kill_process(Pid::from_child(&listening.child), Signal::TERM).unwrap();
    let status = ends(&mut listening.child);
    assert!(status.success(), "{status}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_gone_is_said_to_be_so_and_found_again_s3() {
    let listening = Listening::begin();
    let url = listening.url.clone();
    let source = McpSource::new(asked_by(Way::Http { url: url.clone(), token: None }));
    let wheel = RecordId::parse("wheel-throwing").unwrap();
    let seen = source.look_up(&wheel).await.unwrap();
    drop(listening);
    for _ in 0..2 {
        let gone = source.look_up(&wheel).await.expect_err("nobody is there");
        assert_eq!((gone.problem().code.as_str(), gone.worth_retrying()), ("source_unreachable", true), "{gone}");
    }
    let _again = Listening::at(url.trim_start_matches("http://").trim_end_matches("/mcp"));
    assert_eq!(source.look_up(&wheel).await.unwrap(), seen);
}

#[test]
fn an_address_that_is_taken_is_said_and_not_waited_for() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let child = Command::new(env!("CARGO_BIN_EXE_mooring"))
        .args(["--log=off", "records", "--http", &address])
        .env_remove("MOORING_RECORDS")
        .stderr(Stdio::null())
        .spawn();
    let mut listening = Listening { child: child.unwrap(), url: String::new() };
    assert!(!ends(&mut listening.child).success());
}

fn ends(child: &mut Child) -> ExitStatus {
    for _ in 0..2000 {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("in 20 s it did not end");
}
