//! Whether words and edges can be told from their grounds: worked out from the tokens, for every scheme.

use std::{collections::BTreeMap, fs};

use crate::place;

type Colours = BTreeMap<String, [f64; 3]>;

const MOODS: [&str; 6] = ["unknown", "waiting", "working", "good", "bad", "neutral"];
const GROUNDS: [&str; 3] = ["paper", "card", "sunken"];

/// The colours that a block of the tokens gives names to.
fn named(block: &str) -> Colours {
    let lines = block.lines().filter_map(|line| line.trim().strip_prefix("--")?.strip_suffix(';')?.split_once(": #"));
    lines
        .map(|(name, hex)| {
            let part = |at: usize| f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
            (name.to_owned(), [part(0), part(2), part(4)])
        })
        .collect()
}

/// The colours of a scheme: what its blocks say, the later over the earlier.
fn scheme(blocks: &[&str]) -> Colours {
    let css = fs::read_to_string(place::root().join("style/tokens.css")).unwrap();
    let mut colours = Colours::new();
    for wanted in blocks {
        let found = css.split("\n@media ").enumerate().find(|(n, block)| match wanted {
            &"" => *n == 0,
            wanted => block.split(" {").next() == Some(wanted),
        });
        colours.extend(named(found.unwrap_or_else(|| panic!("no block for {wanted}")).1));
    }
    colours
}

/// As WCAG 2.2 works it out.
fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let light = |colour: [f64; 3]| {
        let part = |c: f64| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
        0.0722f64.mul_add(part(colour[2]), 0.2126f64.mul_add(part(colour[0]), 0.7152 * part(colour[1])))
    };
    let (one, other) = (light(one), light(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// What stands on what, and whether it is to be read or only to be seen.
fn pairs() -> Vec<(String, String, bool)> {
    let pair = |ink: &str, ground: &str, words| (ink.to_owned(), ground.to_owned(), words);
    let inks = ["ink", "soft", "accent", "waiting", "good", "bad"];
    let mut pairs = vec![pair("on-accent", "accent", true), pair("ink", "quoted", true)];
    for ground in GROUNDS {
        pairs.extend(inks.map(|ink| pair(ink, ground, true)));
        pairs.push(pair("edge", ground, false));
    }
    for mood in MOODS {
        let ground = format!("{mood}-ground");
        pairs.push(pair(mood, &ground, true));
        // The ring of the focus, around a button in a notice.
        pairs.push(pair("accent", &ground, false));
    }
    pairs
}

#[track_caller]
fn check(blocks: &[&str], words_want: f64, edges_want: f64) {
    let colours = scheme(blocks);
    for (ink, ground, words) in pairs() {
        let (found, wanted) = (contrast(colours[&ink], colours[&ground]), if words { words_want } else { edges_want });
        assert!(wanted <= found, "{ink} on {ground}: {found:.2}, wanted {wanted}, in {blocks:?}");
    }
}

#[test]
fn words_and_edges_can_be_told_from_their_grounds_by_day_and_by_night() {
    check(&[""], 4.5, 3.0);
    check(&["", "(prefers-color-scheme: dark)"], 4.5, 3.0);
}

#[test]
fn who_asks_for_more_contrast_gets_more() {
    let more = "(prefers-contrast: more)";
    check(&["", more], 7.0, 4.5);
    let night = "(prefers-color-scheme: dark)";
    check(&["", night, more, "(prefers-contrast: more) and (prefers-color-scheme: dark)"], 7.0, 4.5);
}

#[test]
fn the_measure_is_the_known_one() {
    let black_on_white = contrast([0.0; 3], [1.0; 3]);
    assert!((black_on_white - 21.0).abs() < 1e-9, "{black_on_white}");
}
