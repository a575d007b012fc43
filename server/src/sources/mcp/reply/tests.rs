//! Answers of all shapes, read by maps of all shapes.

use rmcp::model::{CallToolResult, ContentBlock, ErrorCode, ErrorData};

use super::*;
use crate::sources::mcp::map::Map;

fn said(text: &str, structured: Option<Value>, is_error: bool) -> Reply {
    let error = is_error.then(|| of_tool(text.to_owned()));
    Reply { text: text.to_owned(), structured: structured.map(|value| value.to_string()), error, hush: Hush::default() }
}

fn get(json: &str) -> Get {
    Map::read(&format!(r#"{{"get": {{"tool": "t", {json}}}}}"#)).unwrap().get
}

fn shown(reply: &Reply, get: &Get) -> String {
    match reply.observation(get, &RecordId::parse("clay").unwrap()) {
        Ok(seen) => format!("{} v{}: {}", seen.title, seen.source_version, seen.content.replace('\n', "|")),
        Err(error) => format!("{}: {error}", error.problem().code),
    }
}

#[test]
fn the_order_of_the_fields_is_that_of_the_text() {
    let text = r#"{"record_id": "clay", "version": "3", "title": "Clay", "fields": {"when": "now", "access": {"b": 1, "a": 2}}}"#;
    let content = r#"{|  "when": "now",|  "access": {|    "a": 2,|    "b": 1|  }|}"#;
    assert_eq!(shown(&said(text, None, false), &Map::own().get), format!("Clay v3: {content}"));
}

#[test]
fn content_may_be_text_or_a_part_of_either_answer() {
    let plain = said("# Clay\r\nBring an apron\u{7}.", None, false);
    let hash = Hash::of("# Clay\nBring an apron.");
    let version = format!("sha256:{}", &hash.as_str()[..12]);
    assert_eq!(shown(&plain, &get(r#""content": "text""#)), format!("clay v{version}: # Clay|Bring an apron."));

    let structured = serde_json::json!({"entities": [{"name": "Clay", "rev": 4, "observations": ["Wet.", "Cold."]}]});
    let map = r#""content": "structured/entities/0/observations", "title": "structured/entities/0/name",
                 "version": "structured/entities/0/rev", "exists": "structured/entities/0""#;
    assert_eq!(shown(&said("", Some(structured), false), &get(map)), "Clay v4: Wet.|Cold.");
    let none = said("", Some(serde_json::json!({"entities": []})), false);
    assert!(shown(&none, &get(map)).starts_with("record_not_found"));
}

#[test]
fn what_cannot_be_read_is_refused_with_the_place() {
    let own = Map::own().get;
    for (text, expected) in [
        ("", "reply_malformed: the reply was not understood: nothing stands at json/record_id"),
        ("[1]", "nothing stands at json/record_id"),
        (r#"{"record_id": "clay", "version": "1", "title": "C"}"#, "nothing stands at json/fields"),
        (r#"{"record_id": "clay", "version": "", "title": "C", "fields": {}}"#, "the version is empty"),
        (r#"{"record_id": "wood", "version": "1", "title": "C", "fields": {}}"#, "about another record"),
        (r#"{"record_id": "clay", "version": "1", "title": "C", "fields": {"a": 1, "a": 2}}"#, "cannot be read"),
    ] {
        let refused = shown(&said(text, None, false), &own);
        assert!(refused.contains(expected) && refused.starts_with("reply_malformed"), "{text}: {refused}");
    }
    let long = "x".repeat(Observation::LIMIT + 1);
    assert!(shown(&said(&long, None, false), &get(r#""content": "text""#)).starts_with("reply_too_large"));
}

#[test]
fn no_digit_is_lost_without_a_word() {
    let map = get(r#""content": "json/fields", "version": "json/version""#);
    let text = |version: &str, fee: &str| format!(r#"{{"version": {version}, "fields": {{"fee": {fee}}}}}"#);
    let seen = |version: &str, fee: &str| shown(&said(&text(version, fee), None, false), &map);
    assert_eq!(seen("1.10", "25.5"), r#"clay v1.10: {|  "fee": 25.5|}"#);
    assert_ne!(seen("1.10", "25.5"), seen("1.1", "25.5"));
    assert!(seen("12345678901234567890123", "1").starts_with("clay v12345678901234567890123:"));
    for fee in ["12345678901234567890123", "[{\"to\": 12345678901234567890123}]", "-1e300"] {
        let refused = seen("1", fee);
        assert!(refused.starts_with("reply_malformed") && refused.contains("more digits"), "{fee}: {refused}");
    }
    assert!(seen("1", "18446744073709551615").contains("18446744073709551615"));

    let map = get(r#""content": "structured/fields", "version": "structured/version""#);
    let seen = |version: &str| {
        let structured = serde_json::from_str(&text(version, "1")).unwrap();
        shown(&said("", Some(structured), false), &map)
    };
    assert!(seen("7").starts_with("clay v7:"), "{}", seen("7"));
    assert!(seen("12345678901234567890123").contains("more digits"), "{}", seen("12345678901234567890123"));
}

#[test]
fn versions_that_differ_anywhere_are_different_ones() {
    let map = get(r#""content": "json/fields", "version": "json/version""#);
    let seen = |version: &str| {
        let text = serde_json::json!({ "version": version, "fields": { "a": 1 } }).to_string();
        said(&text, None, false).observation(&map, &RecordId::parse("clay").unwrap()).unwrap().source_version
    };
    let long = "x".repeat(300);
    assert_ne!(seen(&format!("{long}1")), seen(&format!("{long}2")));
    assert_eq!(seen(&format!("{long}1")), seen(&format!("{long}1")));
    assert!(seen(&long).0.len() <= 200);
    assert_eq!(seen("  2026-11-30 ").0, "2026-11-30");
}

#[test]
fn an_error_of_the_tool_is_told_by_its_words() {
    let own = Map::own().get;
    for (text, code) in [
        ("There is no record clay. (record_not_found)", "record_not_found"),
        ("The record clay was withdrawn. (record_withdrawn)", "record_withdrawn"),
        ("There is no record record_withdrawn. (record_not_found)", "record_not_found"),
        ("MCP error -32602: Input validation error: id", "tool_arguments_refused"),
        ("the disk is on fire", "tool_failed"),
        ("", "tool_failed"),
    ] {
        assert!(shown(&said(text, None, true), &own).starts_with(code), "{text}");
    }
    assert!(!shown(&said("record_not_found", None, false), &own).starts_with("record_not_found"));
}

#[test]
fn a_list_keeps_what_it_can_and_says_when_that_is_not_all() {
    let own = Map::own().list.unwrap();
    let listed = |text: &str| match said(text, None, false).list(&own) {
        Ok(list) => {
            let line = |record: &RecordSummary| format!("{}/{}/{}", record.record_id, record.title, record.version);
            format!("{} {}", list.records.iter().map(line).collect::<Vec<_>>().join(" "), list.complete)
        }
        Err(error) => error.problem().code,
    };
    let good = r#"{"record_id": "b", "title": "B", "version": "2"}, {"record_id": "a", "title": "A", "version": 1}"#;
    assert_eq!(listed(&format!(r#"{{"records": [{good}], "complete": true}}"#)), "a/A/1 b/B/2 true");
    assert_eq!(
        listed(&format!(r#"{{"records": [{good}, {{"record_id": "c d"}}], "complete": true}}"#)),
        "a/A/1 b/B/2 false"
    );
    assert_eq!(listed(r#"{"records": [{"record_id": "a"}]}"#), "a/a/ false");
    assert_eq!(listed(r#"{"records": {}}"#), "reply_malformed");
    assert_eq!(listed("no JSON"), "reply_malformed");
}

#[test]
fn the_protocols_errors_say_what_is_missing_as_the_tools_do() {
    let own = Map::own().get;
    for (code, message, problem) in [
        (ErrorCode::INVALID_PARAMS, "no such record (record_not_found)", "record_not_found"),
        (ErrorCode::RESOURCE_NOT_FOUND, "gone (record_withdrawn)", "record_withdrawn"),
        (ErrorCode::INVALID_PARAMS, "no such argument", "tool_arguments_refused"),
        (ErrorCode::INTERNAL_ERROR, "on fire", "tool_failed"),
    ] {
        let refused = Answer::Refused(ErrorData::new(code, message, None));
        assert!(shown(&Reply::of(refused, Hush::default()), &own).starts_with(problem), "{message}");
    }
}

#[test]
fn a_secret_leaves_in_no_form_in_which_it_may_be_written() {
    let hush = Hush::of(&["ab/cd\"ef", "clay-9"].map(|raw| crate::secret::Secret::from(raw.to_owned())));
    let reply = |text: &str| {
        let result = CallToolResult::success(vec![ContentBlock::text(text)]);
        Reply::of(Answer::Given(result), hush.clone())
    };
    let record = r#"{"record_id": "clay", "version": "1", "title": "ab\/cd\"ef", "fields": {"n": "ab\/cd\u0022ef"}}"#;
    assert_eq!(shown(&reply(record), &Map::own().get), r#"(not shown) v1: {|  "n": "(not shown)"|}"#);
    for (map, text) in [
        (r#""content": "text""#, r#"I was told ab\/cd\"ef"#),
        (r#""content": "json/a""#, r#"{"a": ["ab\/cd\u0022ef"]}"#),
        (r#""content": "json/a""#, r#"{"a": [1, {"b": "ab\/cd\u0022ef"}]}"#),
    ] {
        let shown = shown(&reply(text), &get(map));
        assert!(shown.contains("(not shown)") && !shown.contains("ef"), "{text}: {shown}");
    }
    // A record whose ID is like a secret is that record still.
    let same = reply(r#"{"record_id": "clay-9", "version": "1", "title": "C", "fields": {}}"#);
    assert!(same.observation(&Map::own().get, &RecordId::parse("clay-9").unwrap()).is_ok());
    let failed = CallToolResult::error(vec![ContentBlock::text("no: ab/cd\"ef")]);
    assert!(shown(&Reply::of(Answer::Given(failed), hush.clone()), &Map::own().get).ends_with("no: (not shown)"));
}
