//! The report to take home: the same data as a page to read and as data to compare.

use std::{fs, path::Path, time::Duration};

use serde::Serialize;

mod page; // the one in Markdown

use super::{
    DrillError,
    plan::{self, Row},
    verdict::{Observed, differences},
};

/// One row, after it was played.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    pub n: usize,
    pub round: usize,
    pub place: String,
    pub action: String,
    pub phase: String,
    pub faults: String,
    /// In the order in which they are read: fact, expected, observed.
    pub facts: Vec<Fact>,
    pub differences: Vec<String>,
    /// Plays that a machine standing still has spoilt, with what differed then.
    pub set_aside: Vec<String>,
    pub seconds: f64,
}

/// One fact of a row.
#[derive(Clone, Debug, Serialize)]
pub struct Fact {
    pub name: String,
    pub expected: Option<String>,
    pub observed: Option<String>,
    pub fits: bool,
}

/// All rows, and where they were played.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub date: String,
    pub version: &'static str,
    pub build: &'static str,
    pub cores: usize,
    pub postgres: String,
    pub seed: u64,
    pub lease: String,
    pub seconds: f64,
    pub passed: usize,
    pub different: usize,
    pub rows: Vec<Line>,
    pub left_out: Vec<plan::LeftOut>,
}

impl Line {
    pub fn new(
        (round, n): (usize, usize),
        row: &Row,
        observed: &Observed,
        took: Duration,
        set_aside: Vec<String>,
    ) -> Self {
        let differences = differences(&row.expected, observed);
        let fact = |fact: &str, expected: Option<String>| Fact {
            fits: !differences.iter().any(|said| said.starts_with(&format!("{fact}: "))),
            name: fact.to_owned(),
            expected,
            observed: observed.get(fact).map(str::to_owned),
        };
        let wanted = row.expected.facts().map(|(name, expected)| fact(name, Some(expected)));
        let unasked = observed.facts().filter(|name| row.expected.facts().all(|(wanted, _)| wanted != *name));
        let facts = wanted.chain(unasked.map(|name| fact(name, None))).collect();
        Self {
            n,
            round,
            place: row.place.clone(),
            action: row.action.clone(),
            phase: row.phase.to_string(),
            faults: row.faults(),
            facts,
            differences,
            set_aside,
            seconds: took.as_secs_f64(),
        }
    }

    pub fn passed(&self) -> bool {
        self.differences.is_empty()
    }

    pub fn name(&self) -> String {
        format!("{} {} {}", self.place, self.action, self.phase)
    }
}

impl Report {
    /// Puts the rows into the order of the plan and counts them.
    #[must_use]
    pub fn closed(mut self) -> Self {
        self.rows.sort_by_key(|line| (line.round, line.n));
        self.passed = self.rows.iter().filter(|line| line.passed()).count();
        self.different = self.rows.len() - self.passed;
        self
    }

    /// Whether all went as expected. A drill without rows shows nothing, and has not passed.
    pub fn verdict(&self) -> Result<(), DrillError> {
        match (self.different, self.rows.len()) {
            (0, rows) if 0 < rows => Ok(()),
            (different, rows) => Err(DrillError::Different { different, rows }),
        }
    }

    /// Writes `drill-report.md` and `drill-report.json`.
    pub fn write(&self, folder: &Path) -> Result<(), DrillError> {
        let io = |path: &Path| {
            let path = path.to_owned();
            move |source| DrillError::Io { path, source }
        };
        fs::create_dir_all(folder).map_err(io(folder))?;
        let (page, data) = (folder.join("drill-report.md"), folder.join("drill-report.json"));
        fs::write(&page, page::page(self)).map_err(io(&page))?;
        fs::write(&data, self.json()?).map_err(io(&data))
    }

    /// One row a line, so that two reports can be compared.
    fn json(&self) -> Result<String, DrillError> {
        let unexpected = |error: serde_json::Error| DrillError::Unexpected(error.to_string());
        let about = serde_json::to_string(&Self { rows: Vec::new(), ..self.clone() }).map_err(unexpected)?;
        let rows: Vec<String> =
            self.rows.iter().map(serde_json::to_string).collect::<Result<_, _>>().map_err(unexpected)?;
        Ok(about.replacen("\"rows\":[]", &format!("\n\"rows\":[\n{}\n]", rows.join(",\n")), 1) + "\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(end: &str) -> Report {
        let row = plan::rows(Duration::from_secs(1)).remove(0);
        let mut observed = Observed::default();
        // Exact facts are given as expected, ranges by their least.
        for (fact, expected) in row.expected.facts() {
            observed.saw(fact, expected.split(" to ").next().unwrap_or_default());
        }
        observed.saw("end", end);
        let line = Line::new((1, 1), &row, &observed, Duration::from_secs(1), Vec::new());
        Report {
            date: "a day".to_owned(),
            version: "0",
            build: "debug",
            cores: 2,
            postgres: "15".to_owned(),
            seed: 1,
            lease: "1s".to_owned(),
            seconds: 1.0,
            passed: 0,
            different: 0,
            rows: vec![line],
            left_out: plan::left_out(),
        }
        .closed()
    }

    #[test]
    fn a_row_as_expected_passes() {
        played("saved, 1 entry, as accepted").verdict().unwrap();
    }

    #[test]
    fn one_wrong_fact_is_a_difference_and_no_success() {
        let report = played("saved, 2 entries");
        assert_eq!(report.verdict().unwrap_err().to_string(), "1 of 1 rows went otherwise than expected");
        assert_eq!(
            report.rows[0].differences,
            ["end: expected saved, 1 entry, as accepted, observed saved, 2 entries"]
        );
    }

    #[test]
    fn no_rows_are_no_success() {
        let report = Report { rows: Vec::new(), ..played("saved, 1 entry, as accepted") };
        assert!(report.closed().verdict().is_err());
    }

    #[test]
    fn expected_and_observed_stand_in_columns_of_their_own() {
        let page = page::page(&played("saved, 2 entries"));
        assert!(page.contains("| Expected | Observed |"), "{page}");
        assert!(page.contains("end: **saved, 2 entries**"), "{page}");
        assert!(page.contains("nothing is held here that silence could lose"), "{page}");
    }
}
