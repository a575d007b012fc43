//! Each row of the list of what has broken others has a test that names it: `…_e21`.

use std::{collections::BTreeSet, fs, path::Path};

/// The rows of the engine, and those of sources and models.
const LISTS: [(char, u32); 2] = [('e', 32), ('s', 5)];

type Row = (char, u32);

#[test]
fn each_row_is_named_by_a_test() {
    let mut sources = String::new();
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![manifest.join("tests/it"), manifest.join("src/model/openai")];
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

fn all() -> impl Iterator<Item = Row> {
    LISTS.into_iter().flat_map(|(list, last)| (1..=last).map(move |row| (list, row)))
}

fn missing(found: &BTreeSet<Row>) -> Vec<String> {
    let missing = all().filter(|row| !found.contains(row));
    missing.map(|(list, row)| format!("{}{row}", list.to_ascii_uppercase())).collect()
}

/// The rows that the names of tests end in; one test may end in several.
fn named(sources: &str) -> BTreeSet<Row> {
    let mut rows = BTreeSet::new();
    let mut is_test = false;
    for line in sources.lines().map(str::trim) {
        if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            is_test = true;
        } else if let Some((before, rest)) = line.split_once("fn ")
            && ["", "async "].contains(&before)
        {
            let name = rest.split('(').next().unwrap_or_default();
            let row = |word: &str| {
                let list = LISTS.into_iter().map(|(list, _)| list).find(|list| word.starts_with(*list))?;
                Some((list, word[1..].parse::<u32>().ok()?))
            };
            // Lists that are kept elsewhere have their own letters: `_e17_c43`.
            let is_row = |word: &&str| word.len() <= 3 && word.ends_with(|c: char| c.is_ascii_digit());
            rows.extend(name.rsplit('_').take_while(is_row).filter_map(row).filter(|_| is_test));
            is_test = false;
        }
    }
    rows
}

#[test]
fn a_row_is_named_by_the_end_of_a_tests_name_alone() {
    let named = |source: &str| named(source).into_iter().map(|(list, row)| format!("{list}{row}")).collect::<Vec<_>>();
    assert_eq!(named("#[test]\nfn a_promise_e3() {"), ["e3"]);
    assert_eq!(
        named("#[tokio::test(flavor = \"multi_thread\")]\nasync fn it_e17_c43_e18_s2() {"),
        ["e17", "e18", "s2"]
    );
    assert_eq!(named("fn a_part_of_a_test_e4() {"), [] as [&str; 0]);
    assert_eq!(named("#[test]\nfn e5_comes_first() {\n}\nfn not_a_test_e6() {"), [] as [&str; 0]);
    assert_eq!(named("#[test]\n// Never run: fn gone_e7()\nfn something_else() {"), [] as [&str; 0]);
    assert_eq!(missing(&all().filter(|row| ![('e', 6), ('s', 4)].contains(row)).collect()), ["E6", "S4"]);
}
