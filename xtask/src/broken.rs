//! `cargo xtask broken`: takes one safeguard away at a time, in a copy, and demands that the tests
//! notice. A suite that stays green without the fence does not test the fence.

use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};

mod suite; // the tests of a copy
mod tree; // the copy
mod variants; // what is broken

use self::{
    suite::Suite,
    tree::Tree,
    variants::{ALL, Variant},
};
use crate::{place, process, say, tools};

pub fn broken(args: &[String]) -> Result<ExitCode> {
    let chosen = choose(args)?;
    tools::postgres::ensure()?;
    let folder = place::root().join("target/broken");
    let tree = Tree::read(folder.join("tree"))?;
    let suite = Suite::open(tree.root(), folder.join("target"))?;
    let verdicts = judge_all(&tree, &suite, &chosen);
    suite.close();
    let survivors = report(&verdicts?);
    Ok(if survivors == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// One variant with what became of it.
struct Verdict {
    variant: &'static Variant,
    /// Which tests noticed; an error where that could not be found out.
    caught_by: Result<Vec<String>>,
}

fn choose(args: &[String]) -> Result<Vec<&'static Variant>> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        [] => Ok(ALL.iter().collect()),
        ["--only", name] => {
            let names = || ALL.iter().map(|variant| variant.name).collect::<Vec<_>>().join(", ");
            let found = ALL.iter().find(|variant| variant.name == name);
            found.map(|variant| vec![variant]).with_context(|| format!("--only takes one of {}, not `{name}`", names()))
        }
        _ => bail!("broken takes `--only NAME`"),
    }
}

fn judge_all(tree: &Tree, suite: &Suite, chosen: &[&'static Variant]) -> Result<Vec<Verdict>> {
    let likely: Vec<&str> = chosen.iter().flat_map(|variant| variant.likely).copied().collect();
    control(tree, suite, &likely)?;
    let (mut verdicts, mut all_green) = (Vec::new(), false);
    for variant in chosen {
        let judged = || judge(tree, suite, variant, &mut all_green);
        let caught_by = say::step(&format!("{}: {}", variant.name, variant.breaks), judged);
        if process::is_stopping() {
            bail!("stopped");
        }
        match &caught_by {
            Ok(tests) if tests.is_empty() => say::note("SURVIVED: nothing noticed"),
            Ok(tests) => tests.iter().for_each(|test| say::note(&format!("caught by {test}"))),
            Err(error) => say::note(&format!("{error:#}")),
        }
        verdicts.push(Verdict { variant, caught_by });
    }
    Ok(verdicts)
}

/// What fails without any breakage would prove nothing.
fn control(tree: &Tree, suite: &Suite, filters: &[&str]) -> Result<()> {
    let failed = say::step("Unbroken, for control", || {
        tree.write(&[]).context("the repository cannot be copied")?;
        suite.failures(filters)
    })?;
    match failed.first() {
        None => Ok(()),
        Some(_) => bail!("the tests are red without any breakage: {}", failed.join(", ")),
    }
}

/// By the likely tests, and by all if those notice nothing; all of them have to be green before that.
fn judge(tree: &Tree, suite: &Suite, variant: &Variant, all_green: &mut bool) -> Result<Vec<String>> {
    tree.write(variant.edits)?;
    let caught = suite.failures(variant.likely)?;
    if !caught.is_empty() {
        return Ok(caught);
    }
    if !*all_green {
        control(tree, suite, &[])?;
        *all_green = true;
        tree.write(variant.edits)?;
    }
    suite.failures(&[])
}

fn report(verdicts: &[Verdict]) -> usize {
    let width = verdicts.iter().map(|verdict| verdict.variant.name.len()).max().unwrap_or(0);
    println!();
    for Verdict { variant, caught_by } in verdicts {
        let verdict = match caught_by {
            Ok(tests) if tests.is_empty() => "SURVIVED".to_owned(),
            Ok(tests) => format!("caught by {}", tests.len()),
            Err(_) => "NOT JUDGED".to_owned(),
        };
        println!("{:<width$}  {verdict:<14} {}", variant.name, variant.breaks);
    }
    let survivors = verdicts.iter().filter(|it| !matches!(&it.caught_by, Ok(tests) if !tests.is_empty())).count();
    println!("\n{} broken variants, {survivors} not caught", verdicts.len());
    survivors
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs};

    use super::*;

    #[test]
    fn every_breakage_still_finds_its_text_exactly_once() {
        for variant in ALL {
            for edit in variant.edits {
                let content = fs::read_to_string(place::root().join(edit.file)).unwrap_or_default();
                if let Err(error) = edit.apply(&content) {
                    panic!("{}: {error}", variant.name);
                }
            }
        }
    }

    #[test]
    fn every_variant_has_a_name_of_its_own_and_breaks_something() {
        let names: BTreeSet<_> = ALL.iter().map(|variant| variant.name).collect();
        assert_eq!(names.len(), ALL.len());
        assert!(ALL.iter().all(|it| it.edits.iter().all(|edit| edit.find != edit.put) && !it.edits.is_empty()));
    }
}
