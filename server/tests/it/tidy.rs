//! The house stays tidy: sizes, headings, leftovers, and who may import whom.
//!
//! Every rule is a function from a file to complaints, and is shown able to complain.

use std::{
    fs,
    path::{Path, PathBuf},
};

mod clocks; // whose time it is
mod imports; // who may import whom
mod rust; // as much of the language as the rules need

/// Longer files do not fit on three screens.
const LONGEST: usize = 400;

/// Not ours, or made by a tool.
const SKIPPED: [&str; 7] = ["target", "node_modules", ".git", ".mooring", "test-results", "playwright-report", "dist"];

const TEXTS: [&str; 14] =
    ["rs", "ts", "js", "mjs", "css", "sql", "md", "toml", "json", "html", "yml", "sh", "svg", "webmanifest"];

struct Source {
    /// From the root of the repository, with `/`.
    path: String,
    text: String,
}

impl Source {
    fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    fn is(&self, endings: &[&str]) -> bool {
        endings.iter().any(|ending| self.path.ends_with(&format!(".{ending}")))
    }
}

#[test]
fn the_house_is_tidy() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut sources = Vec::new();
    collect(root, root, &mut sources);
    assert!(30 < sources.len(), "the walk found the repository");

    let complaints: Vec<String> = sources.iter().flat_map(complaints_about).collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

fn complaints_about(source: &Source) -> Vec<String> {
    let rules: [fn(&Source) -> Vec<String>; 8] = [
        too_long,
        no_heading,
        leftovers,
        lazy_stories,
        mod_files,
        places_of_this_machine,
        imports::broken,
        clocks::own,
    ];
    rules.iter().flat_map(|rule| rule(source)).map(|complaint| format!("{}: {complaint}", source.path)).collect()
}

fn too_long(source: &Source) -> Vec<String> {
    let lines = source.text.lines().count();
    complain(source.is(&["rs", "ts", "js", "css", "sql"]) && LONGEST < lines, || {
        format!("{lines} lines, {LONGEST} are the limit")
    })
}

fn no_heading(source: &Source) -> Vec<String> {
    let first = source.text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    complain(source.is(&["rs"]) && !first.starts_with("//!"), || "a module starts with `//!`".into())
}

fn leftovers(source: &Source) -> Vec<String> {
    if !source.is(&["rs"]) {
        return Vec::new();
    }
    let code: String = rust::code(&source.text).split_whitespace().collect();
    let found = ["#[ignore", "todo!", "unimplemented!", "dbg!"].into_iter().filter(|word| code.contains(word));
    found.map(|word| format!("`{word}` is a leftover")).collect()
}

fn lazy_stories(source: &Source) -> Vec<String> {
    if !source.is(&["ts"]) {
        return Vec::new();
    }
    let found = ["test.skip", ".fixme(", ".only(", "waitForTimeout"].into_iter();
    found.filter(|word| source.text.contains(word)).map(|word| format!("`{word}` hides what is broken")).collect()
}

fn mod_files(source: &Source) -> Vec<String> {
    complain(source.path.ends_with("/mod.rs"), || "a module is `foo.rs` beside `foo/`".into())
}

fn places_of_this_machine(source: &Source) -> Vec<String> {
    // Written in halves: this file is read too.
    let found = [("/ho", "me/"), ("/Us", "ers/"), ("/wo", "rk/")].map(|(one, two)| format!("{one}{two}"));
    found.iter().filter(|place| source.text.contains(*place)).map(|place| format!("names a place in {place}")).collect()
}

fn complain(broken: bool, complaint: impl FnOnce() -> String) -> Vec<String> {
    broken.then(complaint).into_iter().collect()
}

fn collect(root: &Path, folder: &Path, sources: &mut Vec<Source>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !SKIPPED.contains(&name.as_str()) {
            collect(root, &path, sources);
        } else if path.extension().is_some_and(|ending| TEXTS.contains(&&*ending.to_string_lossy()))
            && let Ok(text) = fs::read_to_string(&path)
        {
            sources.push(Source::new(&path.strip_prefix(root).unwrap().to_string_lossy(), &text));
        }
    }
}

#[test]
fn each_rule_can_complain() {
    for (rule, path, text) in [
        ("400 are the limit", "style/a.css", "a\n".repeat(LONGEST + 1).as_str()),
        ("starts with `//!`", "app/src/a.rs", "use std::fmt;\n"),
        ("`#[ignore`", "app/src/a.rs", "//! A\n#[ ignore = \"slow\"]\nfn a() {}\n"),
        ("`todo!`", "app/src/a.rs", "//! A\nfn a() { todo!() }\n"),
        ("`unimplemented!`", "app/src/a.rs", "//! A\nfn a() { unimplemented!() }\n"),
        ("`dbg!`", "app/src/a.rs", "//! A\nfn a() { dbg!(1); }\n"),
        ("`test.skip`", "end2end/a.spec.ts", "test.skip('a', () => {})"),
        ("`.fixme(`", "end2end/a.spec.ts", "test.fixme('a', () => {})"),
        ("`.only(`", "end2end/a.spec.ts", "test.describe.only('a', () => {})"),
        ("`waitForTimeout`", "end2end/a.spec.ts", "await page.waitForTimeout(5)"),
        ("`foo.rs` beside", "app/src/a/mod.rs", "//! A\n"),
        ("`SystemTime::now`", "server/src/a.rs", "//! A\nfn a() { SystemTime::now(); }\n"),
        ("`now()`", "server/src/a.rs", "//! A\nconst A: &str = \"select now()\";\n"),
        ("`current_timestamp`", "migrations/0009_a.sql", "alter table a alter b set default current_timestamp;\n"),
        ("names a place", "README.md", concat!("run /ho", "me/me/bin/a")),
    ] {
        let complaints = complaints_about(&Source::new(path, text)).join("\n");
        assert!(complaints.contains(rule), "no complaint {rule:?} about {text:?}, only {complaints:?}");
    }
}

#[test]
fn words_in_comments_and_strings_are_no_leftovers() {
    let text = "//! Says todo! here.\nconst A: &str = \"dbg! and // no comment\"; // todo!\n";
    assert_eq!(complaints_about(&Source::new("app/src/a.rs", text)), Vec::<String>::new());
}
