//! Each row of the list of what has broken others has a test that names it: `…_e21` here, `…_c9` among the client's
//! own tests, `C9: …` among the stories.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The rows of the engine: E1 to E32.
const ENGINE: u32 = 32;
/// The rows of the client: C1 to C43.
const CLIENT: u32 = 43;
/// The rows of sources and models: S1 to S5.
const OUTSIDE: u32 = 5;

#[test]
fn each_row_of_the_engine_is_named_by_a_test() {
    let found = named('e', &sources(&room("tests/it"), "rs"));
    let missing = missing('E', ENGINE, &found);
    assert!(missing.is_empty(), "no test names these rows: {}", missing.join(", "));
}

#[test]
fn each_row_of_sources_and_models_is_named_by_a_test() {
    let missing = missing('S', OUTSIDE, &named('s', &sources(&room("tests/it"), "rs")));
    assert!(missing.is_empty(), "no test names these rows: {}", missing.join(", "));
}

#[test]
fn each_row_of_the_client_is_named_by_a_test() {
    let mut found = named('c', &sources(&room("tests/it"), "rs"));
    found.append(&mut named('c', &sources(&room("../app/tests/it"), "rs")));
    found.append(&mut titled(&sources(&room("../end2end/regressions"), "spec.ts")));
    let missing = missing('C', CLIENT, &found);
    assert!(missing.is_empty(), "no test names these rows: {}", missing.join(", "));
}

fn room(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// All files of a folder whose name ends so, one after the other.
fn sources(folder: &Path, ending: &str) -> String {
    let mut sources = String::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(&format!(".{ending}")) {
                sources += &fs::read_to_string(&path).unwrap();
            }
        }
    }
    sources
}

fn missing(letter: char, last: u32, found: &BTreeSet<u32>) -> Vec<String> {
    (1..=last).filter(|row| !found.contains(row)).map(|row| format!("{letter}{row}")).collect()
}

/// The rows that the names of tests end in, or begin with; one test may name several.
fn named(letter: char, sources: &str) -> BTreeSet<u32> {
    let mut rows = BTreeSet::new();
    let mut is_test = false;
    for line in sources.lines().map(str::trim) {
        if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            is_test = true;
        } else if let Some((before, rest)) = line.split_once("fn ")
            && ["", "async "].contains(&before)
        {
            let name = rest.split('(').next().unwrap_or_default();
            let row = |word: &str| word.strip_prefix(letter).and_then(|number| number.parse::<u32>().ok());
            // Other lists have their own letters: `_e17_c43`.
            let is_row = |word: &&str| word.len() <= 3 && word.ends_with(|c: char| c.is_ascii_digit());
            let words = name.rsplit('_').take_while(is_row).chain(name.split('_').take_while(is_row));
            rows.extend(words.filter_map(row).filter(|_| is_test));
            is_test = false;
        }
    }
    rows
}

/// The rows that the titles of stories begin with: `test('C18: …'`, `test("C6, C35: …"`.
fn titled(sources: &str) -> BTreeSet<u32> {
    let mut rows = BTreeSet::new();
    for line in sources.lines().map(str::trim) {
        let Some(call) = line.strip_prefix("test(") else { continue };
        let title = call.trim_start_matches(['\'', '"', '`']);
        let Some((names, _)) = title.split_once(':') else { continue };
        let names: Option<Vec<u32>> = names.split(", ").map(|name| name.strip_prefix('C')?.parse().ok()).collect();
        rows.extend(names.unwrap_or_default());
    }
    rows
}

#[test]
fn a_row_is_named_by_the_end_or_the_beginning_of_a_tests_name_alone() {
    let named = |source: &str| named('e', source).into_iter().collect::<Vec<_>>();
    assert_eq!(named("#[test]\nfn a_promise_e3() {"), [3]);
    assert_eq!(named("#[tokio::test(flavor = \"multi_thread\")]\nasync fn it_e17_c43_e18() {"), [17, 18]);
    assert_eq!(named("#[test]\nfn e9_it_begins() {"), [9]);
    assert_eq!(named("fn a_part_of_a_test_e4() {"), [] as [u32; 0]);
    assert_eq!(named("#[test]\nfn in_the_e8_middle() {\n}\nfn not_a_test_e6() {"), [] as [u32; 0]);
    assert_eq!(named("#[test]\n// Never run: fn gone_e7()\nfn something_else() {"), [] as [u32; 0]);
    let all_but = |gone: [u32; 2]| (1..=ENGINE).filter(|row| !gone.contains(row)).collect();
    assert_eq!(missing('E', ENGINE, &all_but([6, 31])), ["E6", "E31"]);
}

#[test]
fn a_row_is_named_by_the_beginning_of_a_storys_title_alone() {
    let titled = |source: &str| titled(source).into_iter().collect::<Vec<_>>();
    assert_eq!(titled("test('C18: three edits', async () => {"), [18]);
    assert_eq!(titled("  test(`C24: then ${choice}`, async () => {"), [24]);
    assert_eq!(titled("test(\"C6, C35: at once\", async () => {"), [6, 35]);
    assert_eq!(titled("test('like the one of C7: no row of its own', async () => {"), [] as [u32; 0]);
    assert_eq!(titled("// test('C8: gone')\ntest.skip('C9: skipped')\ntest('no row')"), [] as [u32; 0]);
}
