//! Maps as a person writes them.

use super::*;

fn place(raw: &str) -> String {
    match Place::try_from(raw.to_owned()) {
        Ok(place) => place.to_string(),
        Err(sentence) => sentence,
    }
}

#[test]
fn a_place_is_read_as_it_is_written_or_refused_with_a_sentence() {
    for raw in ["text", "json", "json/a/0/b", "structured/fields", "structured/a~1b/c~0d"] {
        assert_eq!(place(raw), raw);
    }
    for raw in ["", "texts", "text/a", "/a", "yaml/a"] {
        assert!(place(raw).ends_with("write text, json/… or structured/…"), "{raw}");
    }
}

#[test]
fn the_record_stands_wherever_the_arguments_name_it() {
    let map = Map::read(
        r#"{"get": {"tool": "open", "content": "text",
            "arguments": {"path": "shelf/{record}.md", "names": ["{record}", {"id": "{record}"}], "head": 3}}}"#,
    )
    .unwrap();
    let arguments = map.get.arguments_for(&RecordId::parse("sourdough").unwrap());
    assert_eq!(
        Value::Object(arguments),
        serde_json::json!({"path": "shelf/sourdough.md", "names": ["sourdough", {"id": "sourdough"}], "head": 3})
    );
}

#[test]
fn a_map_that_cannot_be_right_is_refused_with_a_sentence() {
    for (json, sentence) in [
        ("{", "EOF"),
        (r#"{"list": null}"#, "missing field `get`"),
        (r#"{"get": {"tool": "a"}}"#, "missing field `content`"),
        (r#"{"get": {"tool": "a", "content": "body"}}"#, "is no place"),
        (r#"{"get": {"tool": "a", "content": "text", "verison": "text"}}"#, "unknown field `verison`"),
        (
            r#"{"get": {"tool": "a", "content": "text"}, "list": {"tool": "b", "records": "json", "id": "x"}}"#,
            "no JSON pointer",
        ),
    ] {
        let refused = Map::read(json).expect_err(json);
        assert!(refused.contains(sentence), "{json}: {refused}");
    }
}
