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

/// What the first line of a catalogue begins with: a network's page in its place is none.
const MARK: &str = "mooring.catalogue.1 ";

/// Between a meaning and its sentence, as gettext has it.
const MEANT: char = '\u{4}';

/// The sentences of one language, by their English.
#[derive(Debug)]
pub struct Catalogue {
    language: &'static str,
    sentences: Vec<(&'static str, &'static str)>,
}

impl Catalogue {
    /// A mark with the language, and then two lines for each sentence: English, in the order of its bytes,
    /// and what it is in the other language. The text stays for as long as the program, so that sentences
    /// are said without copying them.
    pub fn read(text: String) -> Option<&'static Self> {
        let mut lines = text.leak().lines();
        let language = lines.next()?.strip_prefix(MARK)?;
        let mut sentences = Vec::new();
        while let (Some(english), Some(other)) = (lines.next(), lines.next()) {
            sentences.push((english, other));
        }
        sentences.is_sorted().then(|| &*Box::leak(Box::new(Self { language, sentences })))
    }

    /// The language, as pages name it.
    pub fn language(&self) -> &'static str {
        self.language
    }

    fn find(&self, english: &str) -> Option<&'static str> {
        let at = self.sentences.binary_search_by(|(known, _)| (*known).cmp(english)).ok()?;
        self.sentences.get(at).map(|(_, other)| *other)
    }
}

thread_local! {
    // A browser's tab is one thread. A server speaks English, but for the moment in which it draws the shell.
    static SPOKEN: Cell<Option<&'static Catalogue>> = const { Cell::new(None) };
}

/// From now on this thread speaks the language of a catalogue.
pub fn speak(catalogue: &'static Catalogue) {
    set_translator!(Spoken);
    SPOKEN.set(Some(catalogue));
}

/// Says something in the language of a catalogue, and goes on as before.
pub fn speaking<R>(catalogue: &'static Catalogue, say: impl FnOnce() -> R) -> R {
    let before = SPOKEN.get();
    speak(catalogue);
    let said = say();
    SPOKEN.set(before);
    said
}

/// The language that is spoken.
pub fn language() -> &'static str {
    SPOKEN.get().map_or("en", Catalogue::language)
}

#[inline(never)]
pub fn plain(english: &'static str) -> &'static str {
    SPOKEN.get().and_then(|catalogue| catalogue.find(english)).unwrap_or(english)
}

pub fn meant(meaning: &str, english: &'static str) -> &'static str {
    let find = |catalogue: &'static Catalogue| catalogue.find(&format!("{meaning}{MEANT}{english}"));
    SPOKEN.get().and_then(find).unwrap_or(english)
}

// The library's macro brings its whole way to a sentence to each place that it is used in, so these are the
// only ones, and they are there once.

#[inline(never)]
pub fn filled(english: &'static str, with: &[&dyn Display]) -> String {
    match with {
        [a] => tr!(english, a),
        [a, b] => tr!(english, a, b),
        [a, b, c] => tr!(english, a, b, c),
        [a, b, c, d] => tr!(english, a, b, c, d),
        _ => plain(english).to_owned(),
    }
}

#[inline(never)]
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
        self.translate(if n == 1 && SPOKEN.get().is_none() { one } else { many }, context)
    }
}
