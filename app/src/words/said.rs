//! A sentence in the language of whoever reads it.
//!
//! English stands where the sentence is wanted: `say!("Accept version {}", n)`. Every other language is a
//! gettext file in `languages/`, of which `xtask` makes a [`Catalogue`]. What a catalogue lacks is said in
//! English, and a test finds it out before a person does.

use std::{borrow::Cow, cell::Cell, fmt::Display};

use tr::{Translator, set_translator, tr};

/// A sentence that has nothing to be filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said(pub &'static str);

impl Said {
    pub fn words(self) -> &'static str {
        plain(self.0)
    }
}

impl From<Said> for String {
    fn from(said: Said) -> Self {
        said.words().to_owned()
    }
}

/// Says a sentence: as it is, with values in its braces (`{0}` where a language wants another order), by
/// number (`"one change" | "{n} changes" % n`), or, where English has one word for two things, with the
/// one that is meant in front (`"a step" => "Draft"`).
macro_rules! say {
    ($english:literal) => {
        $crate::words::said::plain($english)
    };
    ($meant:literal => $english:literal) => {
        $crate::words::said::meant($meant, $english)
    };
    ($one:literal | $many:literal % $n:expr) => {
        $crate::words::said::counted($one, $many, $n)
    };
    ($english:literal, $($with:expr),+ $(,)?) => {
        $crate::words::said::filled($english, &[$(&$with),+])
    };
}
pub(crate) use say;

/// What stands on the first line of a catalogue: a network's page in its place is none.
const MARK: &str = "mooring.catalogue.1";

/// Between a meaning and its sentence, as gettext has it.
const MEANT: char = '\u{4}';

/// The sentences of one language, by their English.
#[derive(Debug)]
pub struct Catalogue(Vec<(&'static str, &'static str)>);

impl Catalogue {
    /// A mark, and then two lines each: English, in the order of its bytes, and what it is in the other
    /// language. The text stays for as long as the program: sentences are said without copying them.
    pub fn read(text: String) -> Option<Self> {
        let mut lines = text.leak().lines();
        if lines.next() != Some(MARK) {
            return None;
        }
        let mut sentences = Vec::new();
        while let (Some(english), Some(other)) = (lines.next(), lines.next()) {
            sentences.push((english, other));
        }
        sentences.is_sorted().then_some(Self(sentences))
    }

    /// The same, written.
    pub fn write<'a>(sentences: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
        let mut lines: Vec<String> =
            sentences.into_iter().map(|(english, other)| format!("{english}\n{other}\n")).collect();
        lines.sort();
        format!("{MARK}\n{}", lines.concat())
    }

    fn find(&self, english: &str) -> Option<&'static str> {
        let at = self.0.binary_search_by(|(known, _)| (*known).cmp(english)).ok()?;
        self.0.get(at).map(|(_, other)| *other)
    }
}

thread_local! {
    // A browser's tab is one thread. A server speaks English, but for the moment in which it draws the shell.
    static SPOKEN: Cell<Option<&'static Catalogue>> = const { Cell::new(None) };
}

/// From now on this thread speaks the language of a catalogue, or English without one.
pub fn speak(catalogue: Option<&'static Catalogue>) {
    set_translator!(Spoken);
    SPOKEN.set(catalogue);
}

/// Whether another language than English is spoken.
pub fn is_translated() -> bool {
    SPOKEN.get().is_some()
}

pub fn plain(english: &'static str) -> &'static str {
    SPOKEN.get().and_then(|catalogue| catalogue.find(english)).unwrap_or(english)
}

pub fn meant(meaning: &str, english: &'static str) -> &'static str {
    let find = |catalogue: &'static Catalogue| catalogue.find(&format!("{meaning}{MEANT}{english}"));
    SPOKEN.get().and_then(find).unwrap_or(english)
}

// The library's macro brings its whole way to a sentence to each place that it is used in, so these are the
// only ones.

pub fn filled(english: &'static str, with: &[&dyn Display]) -> String {
    match with {
        [a] => tr!(english, a),
        [a, b] => tr!(english, a, b),
        [a, b, c] => tr!(english, a, b, c),
        [a, b, c, d] => tr!(english, a, b, c, d),
        _ => plain(english).to_owned(),
    }
}

pub fn counted(one: &'static str, many: &'static str, n: usize) -> String {
    tr!(one | many % n)
}

/// The library's way to the catalogue.
struct Spoken;

impl Translator for Spoken {
    fn translate<'a>(&'a self, english: &'a str, _: Option<&'a str>) -> Cow<'a, str> {
        Cow::Borrowed(SPOKEN.get().and_then(|catalogue| catalogue.find(english)).unwrap_or(english))
    }

    /// For languages that have one form for all numbers. One with more needs a rule here.
    fn ntranslate<'a>(&'a self, n: u64, one: &'a str, many: &'a str, context: Option<&'a str>) -> Cow<'a, str> {
        self.translate(if n == 1 || is_translated() { one } else { many }, context)
    }
}
