//! Every sentence is there in every language, with the same values in it.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use app::words::{
    about, capital, changes, labels, language,
    said::{self, Catalogue},
    times::{self, Zone},
};
use rspolib::POEntry;

mod code; // the sentences in our own code

use self::code::{Sentence, found_in, read};
use crate::fake::things::noon;

/// The sentences of a language, by what they are found under.
fn translated(language: &str) -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../languages/{language}.po"));
    let file = rspolib::pofile(path.to_str().unwrap()).unwrap();
    let sentence = |entry: &POEntry| match (&entry.msgid_plural, &entry.msgctxt) {
        (Some(many), _) => (many.clone(), entry.msgstr_plural.concat()),
        (None, Some(meant)) => (format!("{meant}\u{4}{}", entry.msgid), entry.msgstr.clone().unwrap_or_default()),
        (None, None) => (entry.msgid.clone(), entry.msgstr.clone().unwrap_or_default()),
    };
    let sentences: BTreeMap<_, _> = file.entries.iter().map(sentence).collect();
    assert_eq!(sentences.len(), file.entries.len(), "a sentence stands in it twice");
    sentences
}

pub fn catalogue(language: &str) -> &'static Catalogue {
    let lines = translated(language).into_iter().map(|(english, other)| format!("{english}\n{other}\n"));
    Catalogue::read(format!("mooring.catalogue.1 {language}\n{}", lines.collect::<String>())).unwrap()
}

fn all_said() -> BTreeSet<Sentence> {
    found_in("src").into_iter().flat_map(|(_, found)| found.said).collect()
}

#[test]
fn every_sentence_is_there_in_every_language_and_none_is_left_over() {
    let said = all_said();
    assert!(400 < said.len(), "the walk found them");
    for (language, _) in language::ALL.into_iter().skip(1) {
        let translated = translated(language);
        let missing: Vec<_> = said.iter().filter(|s| !translated.contains_key(&s.key)).map(|s| &s.key).collect();
        assert!(missing.is_empty(), "{language} lacks: {missing:#?}");
        let left: Vec<_> = translated.keys().filter(|key| said.iter().all(|s| s.key != **key)).collect();
        assert!(left.is_empty(), "nobody says any more, in {language}: {left:#?}");
        let empty: Vec<_> = translated.iter().filter(|(_, other)| other.trim().is_empty()).collect();
        assert!(empty.is_empty(), "{empty:#?}");
    }
}

#[test]
fn every_language_fills_in_the_same_values() {
    for (language, _) in language::ALL.into_iter().skip(1) {
        let translated = translated(language);
        for sentence in all_said() {
            let other = &translated[&sentence.key];
            let (wanted, there) = (values(&sentence.english), values(other));
            let known = |name: &String| name == "n" || name.parse::<usize>().is_ok_and(|n| n < sentence.values);
            assert!(
                wanted.is_subset(&there) && there.iter().all(|name| wanted.contains(name) || known(name)),
                "{:?} takes {wanted:?}, {other:?} takes {there:?}",
                sentence.english
            );
        }
    }
}

/// The values of a sentence: `{}` is the next, `{1}` the second, `{n}` the number.
fn values(sentence: &str) -> BTreeSet<String> {
    let mut next = 0..;
    let inside = sentence.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(name, _)| name);
    inside.map(|name| if name.is_empty() { next.next().unwrap_or(0).to_string() } else { name.to_owned() }).collect()
}

/// The same in every language.
const NAMES: [&str; 3] = ["Mooring", "Mooring.txt", "English"];

#[test]
fn whatever_reads_like_a_sentence_is_said() {
    let found = found_in("src/words").into_iter().chain(found_in("src/components")).chain(found_in("src/pages"));
    let silent = |(path, found): (std::path::PathBuf, code::Found)| {
        let texts = found.other.into_iter().filter(|text| is_sentence(text));
        texts.map(move |text| format!("{}: {text:?}", path.display())).collect::<Vec<_>>()
    };
    let mut silent: Vec<String> = found.flat_map(silent).collect();
    // In the room of words a single one is a name of something.
    let words = found_in("src/words").into_iter().flat_map(|(_, found)| found.other);
    silent.extend(words.filter(|text| text.starts_with(char::is_uppercase) && !NAMES.contains(&text.as_str())));
    assert!(silent.is_empty(), "not said, and so in one language only: {silent:#?}");
    let found = read("//! A heading of a module.\nfn a() -> String { format!(\"Saved by {}\", say!(\"you\")) }");
    assert!(found.other.iter().any(|text| is_sentence(text)), "the rule can complain");
}

/// Two words that begin like a sentence. Names of classes, paths of pictures and addresses do not.
fn is_sentence(text: &str) -> bool {
    let words = text.split(' ').filter(|word| 1 < word.len() && word.chars().all(char::is_alphabetic)).count();
    1 < words && text.starts_with(char::is_uppercase) || text.ends_with(". ") || 2 < words && text.ends_with('.')
}

#[test]
fn chinese_is_spoken_as_people_speak_it() {
    let chinese = catalogue("zh-Hans");
    said::speaking(chinese, || {
        assert_eq!(labels::START.words(), "开始");
        assert_eq!(labels::accept(2), "采用第 2 版");
        assert_eq!((labels::DRAFT.words(), labels::steps()[1]), ("草稿", "起草"), "one word in English, two here");
        assert_eq!((changes(1).as_str(), changes(3).as_str()), ("1 项修改", "3 项修改"));
        assert_eq!(capital("已保存"), "已保存");
        let at = |then, now| times::at(noon(then), now, Zone::default());
        assert_eq!(at(0, Some(noon(60))), "今天 12:00");
        assert_eq!(at(-86_400, Some(noon(0))), "昨天 12:00");
        assert_eq!(at(0, None), "2025年11月29日 12:00");
        assert_eq!(at(0, Some(noon(400 * 86_400))), "2025年11月29日 12:00");
    });
    assert_eq!(labels::START.words(), "Start", "and English again");
    assert_eq!(about::state(domain::explanation::StateName::Saved).0, "Saved");
}

#[test]
fn a_page_of_the_network_is_no_catalogue() {
    for text in ["", "<!doctype html>\n<p>Sign in to the hotel</p>\n", "mooring.catalogue.1 xx\nb\nB\na\nA\n"] {
        assert!(Catalogue::read(text.to_owned()).is_none(), "{text:?}");
    }
}
