//! Figures by name, one value a round; the median of the rounds is what counts.

/// What a figure should be.
#[derive(Clone, Copy)]
pub enum Goal {
    AtMost(f64),
    AtLeast(f64),
    Below(f64),
}

struct Figure {
    name: String,
    unit: &'static str,
    goal: Option<Goal>,
    /// None: could not be measured here.
    values: Vec<Option<f64>>,
}

/// In the order in which they came first.
#[derive(Default)]
pub struct Figures {
    figures: Vec<Figure>,
}

impl Figures {
    /// One round's value.
    pub fn add(&mut self, name: &str, value: Option<f64>, unit: &'static str, goal: Option<Goal>) {
        match self.figures.iter_mut().find(|figure| figure.name == name) {
            Some(figure) => figure.values.push(value),
            None => self.figures.push(Figure { name: name.to_owned(), unit, goal, values: vec![value] }),
        }
    }

    pub fn print(&self) {
        let width = self.figures.iter().map(|figure| figure.name.chars().count()).max().unwrap_or(0);
        println!("\n{:<width$}  {:>10} {:<8} {:<24} all rounds", "", "median", "", "goal");
        for figure in &self.figures {
            println!("{:<width$}  {}", figure.name, figure.line());
        }
    }
}

impl Figure {
    fn line(&self) -> String {
        let mut values: Vec<f64> = self.values.iter().copied().flatten().collect();
        values.sort_by(f64::total_cmp);
        let Some(median) = values.get(values.len() / 2).copied() else {
            return format!("{:>10}", "not measured");
        };
        let goal = self.goal.map(|goal| goal.verdict(median)).unwrap_or_default();
        let all: Vec<String> = self.values.iter().map(|value| value.map_or("-".to_owned(), rounded)).collect();
        format!("{:>10} {:<8} {goal:<24} {}", rounded(median), self.unit, all.join("  "))
    }
}

impl Goal {
    fn verdict(self, found: f64) -> String {
        let (met, words) = match self {
            Self::AtMost(most) => (found <= most, format!("at most {}", rounded(most))),
            Self::AtLeast(least) => (least <= found, format!("at least {}", rounded(least))),
            Self::Below(limit) => (found < limit, format!("below {}", rounded(limit))),
        };
        format!("{words}: {}", if met { "met" } else { "missed" })
    }
}

/// Three digits that mean something.
fn rounded(value: f64) -> String {
    let digits = match value.abs() {
        size if 100.0 <= size => 0,
        size if 10.0 <= size => 1,
        _ => 2,
    };
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_what_a_goal_is_compared_with() {
        let mut figures = Figures::default();
        for value in [9.0, 1.0, 2.0] {
            figures.add("waiting", Some(value), "ms", Some(Goal::AtMost(3.0)));
        }
        let lines: Vec<String> = figures.figures.iter().map(Figure::line).collect();
        assert_eq!(lines.len(), 1);
        assert!(lines[0].contains("2.00 ms") && lines[0].contains("met"), "{lines:?}");
    }

    #[test]
    fn what_could_not_be_measured_says_so() {
        let mut figures = Figures::default();
        figures.add("CPU", None, "ms", None);
        assert_eq!(figures.figures[0].line(), "not measured");
    }
}
