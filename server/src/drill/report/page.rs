//! The report as a page: what was played and where, one table, and what was left out with its reason.

use std::fmt::Write as _;

use super::{Fact, Line, Report};

/// What the words of a row mean.
const LEGEND: &str = "\
*Where* is a named boundary: a place in the program between two things that must not be torn apart, such as `save.after_effect` (the \
library has saved, the task does not know it yet). *Action*: `abort` ends the process at once, `error` fails the step, `delay` holds it \
up, `repeat` carries it out twice, `freeze` lets its holder say nothing for two leases. *Phase*: before recovery, a healthy system is \
struck; during recovery, the process that is just taking the task up; after recovery, the same task again, once it was taken up. *Plan* is \
what the servers were given (`MOORING_FAULTS`); `@1000` is counted from a number that the drill set just before, so that it strikes at \
the moment meant and not at an earlier one.

*Commands* are the learner's, each under one operation however often it was sent; *answers: the same* says that repeated ones got \
equal answers. *Effects* are operations of the ledger that reach outside. *Claims* count how often a process took the task, *late \
results* how often one came back after another had taken over. A range is given where a crash may or may not have come before a call \
was answered: a read may then be made once more, a save never.
";

pub fn page(report: &Report) -> String {
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write_page(report, &mut page);
    page
}

fn write_page(report: &Report, page: &mut String) -> std::fmt::Result {
    let Report { date, version, build, cores, postgres, seed, lease, seconds, passed, different, rows, left_out } =
        report;
    writeln!(page, "# Drill report\n")?;
    writeln!(page, "- {passed} rows as expected, {different} different, {seconds:.0} s in all")?;
    writeln!(page, "- {date}; Mooring {version} ({build} build); {cores} cores; PostgreSQL {postgres}; seed {seed}")?;
    writeln!(
        page,
        "- Each row: real `mooring` processes on a database of its own; a lease of {lease}. *Expected* was \
                    written down before, *observed* is what the witnesses said: the library's rows, the ledger, the \
                    source's and the model's own logs of their calls.\n"
    )?;
    writeln!(page, "{LEGEND}")?;
    writeln!(page, "| # | Where | Action | Phase | Plan | Expected | Observed | Verdict | Seconds |")?;
    writeln!(page, "| --: | --- | --- | --- | --- | --- | --- | --- | --: |")?;
    for line in rows {
        write_line(line, page)?;
    }
    let set_aside = || rows.iter().flat_map(|line| line.set_aside.iter().map(move |said| (line, said)));
    if set_aside().next().is_some() {
        writeln!(
            page,
            "\n## Played again\n\nLeases ran out because the machine stood still. What may never differ did not.\n"
        )?;
    }
    for (line, said) in set_aside() {
        writeln!(page, "- {} ({}): {said}", line.n, line.name())?;
    }
    writeln!(page, "\n## Left out\n\n| Boundary | Action | Why |\n| --- | --- | --- |")?;
    for out in left_out {
        writeln!(page, "| {} | {} | {} |", out.boundary, out.action, out.why)?;
    }
    Ok(())
}

fn write_line(line: &Line, page: &mut String) -> std::fmt::Result {
    let Line { n, place, action, phase, faults, facts, seconds, .. } = line;
    let column = |of: fn(&Fact) -> String| facts.iter().map(of).collect::<Vec<_>>().join("<br>").replace('|', "\\|");
    let expected = column(|fact| format!("{}: {}", fact.name, fact.expected.as_deref().unwrap_or("nothing")));
    let observed = column(|fact| match &fact.observed {
        Some(seen) if fact.fits => format!("{}: {seen}", fact.name),
        Some(seen) => format!("{}: **{seen}**", fact.name),
        None => format!("{}: **nothing**", fact.name),
    });
    let faults = faults.replace(',', ", ");
    let verdict = if line.passed() { "as expected" } else { "**different**" };
    writeln!(
        page,
        "| {n} | {place} | {action} | {phase} | {faults} | {expected} | {observed} | {verdict} | {seconds:.1} |"
    )
}
