//! As much of Rust as the rules need: code without comments and strings, and the paths in it.

/// The code, with comments gone and strings emptied.
pub fn code(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if rest.starts_with("/*") {
            rest = rest.split_once("*/").map_or("", |(_, after)| after);
        } else if let Some(after) = raw_string(rest, out.chars().last()) {
            out.push_str("\"\"");
            rest = after;
        } else if next == '"' {
            out.push_str("\"\"");
            rest = after_string(&rest[1..]);
        } else if let Some(after) = character(rest) {
            out.push_str("' '");
            rest = after;
        } else {
            out.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    out
}

fn after_string(inside: &str) -> &str {
    let mut escaped = false;
    for (at, c) in inside.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return &inside[at + 1..],
            _ => {}
        }
    }
    ""
}

/// `r"…"`, `r#"…"#`; not the end of a name such as `for`.
fn raw_string(rest: &str, before: Option<char>) -> Option<&str> {
    if before.is_some_and(|c| c.is_alphanumeric() || c == '_') && before != Some('b') {
        return None;
    }
    let after = rest.strip_prefix('r')?;
    let hashes = after.chars().take_while(|c| *c == '#').count();
    let inside = after[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some(inside.split_once(&end).map_or("", |(_, after)| after))
}

/// A character, not a lifetime.
fn character(rest: &str) -> Option<&str> {
    let inside = rest.strip_prefix('\'')?;
    if let Some(escaped) = inside.strip_prefix('\\') {
        return escaped.get(1..)?.split_once('\'').map(|(_, after)| after);
    }
    let mut characters = inside.chars();
    characters.next()?;
    characters.as_str().strip_prefix('\'')
}

/// Every path in the code, such as `crate::api::read`, with the trees of `use` spread out.
pub fn paths(text: &str) -> Vec<String> {
    let code = code(text);
    let mut found = Vec::new();
    spread(&words(&code), &mut 0, "", &mut found);
    found
}

/// Names, `::`, and single characters.
fn words(code: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let name = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let length = match name {
            0 if rest.starts_with("::") => 2,
            0 => first.len_utf8(),
            _ => name,
        };
        words.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    words
}

/// Reads paths up to the end or the closing brace of the tree that starts with `prefix`.
fn spread(words: &[&str], at: &mut usize, prefix: &str, found: &mut Vec<String>) {
    let mut path = String::new();
    let full = |path: &str| match (prefix, path) {
        (_, "") => String::new(),
        ("", path) => path.to_owned(),
        (prefix, path) => format!("{prefix}::{path}"),
    };
    let mut after_colons = false;
    while let Some(word) = words.get(*at) {
        *at += 1;
        match *word {
            "::" => {
                after_colons = true;
                continue;
            }
            "{" if after_colons => spread(words, at, &full(&path), found),
            "}" if !prefix.is_empty() => break,
            name if name.starts_with(|c: char| c.is_alphanumeric() || c == '_') => {
                if after_colons && !path.is_empty() {
                    path.push_str("::");
                } else {
                    found.push(full(&path));
                    path.clear();
                }
                path.push_str(name);
                after_colons = false;
                continue;
            }
            _ => {}
        }
        found.push(full(&path));
        path.clear();
        after_colons = false;
    }
    found.push(full(&path));
    found.retain(|path| !path.is_empty());
}

#[test]
fn comments_strings_and_characters_are_no_code() {
    assert_eq!(code("a // b\nc /* d */ \"e \\\" f\" 'g' '\\'' r#\"h\"# &'i j"), "a \nc  \"\" ' ' ' ' \"\" &'i j");
}

#[test]
fn trees_are_spread_out() {
    let found = paths("use crate::{api::{self, error}, words};\nfn a() { sqlx::query(b).fetch::<C>(); }");
    for wanted in ["crate::api::self", "crate::api::error", "crate::words", "sqlx::query", "fetch"] {
        assert!(found.iter().any(|path| path == wanted), "{wanted} is missing from {found:?}");
    }
}
