//! Each row of the list of what has broken others has a test that names it: `…_e21`.

use std::{collections::BTreeSet, fs, path::Path};

/// The rows of the engine: E1 to E32.
const LAST: u32 = 32;

#[test]
fn each_row_of_the_engine_is_named_by_a_test() {
    let mut sources = String::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                sources += &fs::read_to_string(&path).unwrap();
            }
        }
    }
    let found = named(&sources);
    let missing = missing(&found);
    assert!(missing.is_empty(), "no test names these rows: {}", missing.join(", "));
}

fn missing(found: &BTreeSet<u32>) -> Vec<String> {
    (1..=LAST).filter(|row| !found.contains(row)).map(|row| format!("E{row}")).collect()
}

/// The rows that the names of tests end in; one test may end in several.
fn named(sources: &str) -> BTreeSet<u32> {
    let mut rows = BTreeSet::new();
    let mut is_test = false;
    for line in sources.lines().map(str::trim) {
        if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            is_test = true;
        } else if let Some((before, rest)) = line.split_once("fn ")
            && ["", "async "].contains(&before)
        {
            let name = rest.split('(').next().unwrap_or_default();
            let row = |word: &str| word.strip_prefix('e').and_then(|number| number.parse::<u32>().ok());
            // Other lists have their own letters: `_e17_c43`.
            let is_row = |word: &&str| word.len() <= 3 && word.ends_with(|c: char| c.is_ascii_digit());
            rows.extend(name.rsplit('_').take_while(is_row).filter_map(row).filter(|_| is_test));
            is_test = false;
        }
    }
    rows
}

#[test]
fn a_row_is_named_by_the_end_of_a_tests_name_alone() {
    let named = |source: &str| named(source).into_iter().collect::<Vec<_>>();
    assert_eq!(named("#[test]\nfn a_promise_e3() {"), [3]);
    assert_eq!(named("#[tokio::test(flavor = \"multi_thread\")]\nasync fn it_e17_c43_e18() {"), [17, 18]);
    assert_eq!(named("fn a_part_of_a_test_e4() {"), [] as [u32; 0]);
    assert_eq!(named("#[test]\nfn e5_comes_first() {\n}\nfn not_a_test_e6() {"), [] as [u32; 0]);
    assert_eq!(named("#[test]\n// Never run: fn gone_e7()\nfn something_else() {"), [] as [u32; 0]);
    assert_eq!(missing(&(1..=LAST).filter(|row| ![6, 31].contains(row)).collect()), ["E6", "E31"]);
}
