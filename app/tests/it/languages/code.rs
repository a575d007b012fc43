//! The sentences in our own code: those that are said, and those that forgot to be.

use std::{
    fs,
    path::{Path, PathBuf},
};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::LitStr;

/// A sentence that is said somewhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sentence {
    /// What a catalogue has it under.
    pub key: String,
    pub english: String,
    /// How many values it takes, besides a number that chooses its form.
    pub values: usize,
}

/// What a file says, and what it holds besides.
#[derive(Debug, Default)]
pub struct Found {
    pub said: Vec<Sentence>,
    /// Texts that are not said.
    pub other: Vec<String>,
}

/// All files of a folder of `app`, each with what is in it.
pub fn found_in(folder: &str) -> Vec<(PathBuf, Found)> {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut files);
    files.into_iter().map(|path| (path.clone(), read(&fs::read_to_string(&path).unwrap()))).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}

pub fn read(code: &str) -> Found {
    let mut found = Found::default();
    walk(&code.parse().unwrap(), &mut found);
    found
}

fn walk(tokens: &TokenStream, found: &mut Found) {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut at = 0;
    while let Some(tree) = trees.get(at) {
        let names = |name: &str| matches!(tree, TokenTree::Ident(ident) if *ident == name);
        match (tree, trees.get(at + 1), trees.get(at + 2)) {
            // A comment or an attribute.
            (TokenTree::Punct(hash), Some(TokenTree::Group(_)), _) if hash.as_char() == '#' => at += 1,
            (TokenTree::Punct(hash), Some(TokenTree::Punct(_)), Some(TokenTree::Group(_))) if hash.as_char() == '#' => {
                at += 2;
            }
            (_, Some(TokenTree::Punct(_)), Some(TokenTree::Group(group))) if names("say") => {
                say(group, found);
                at += 2;
            }
            (_, Some(TokenTree::Group(group)), _) if names("Said") && group.delimiter() == Delimiter::Parenthesis => {
                say(group, found);
                at += 1;
            }
            (TokenTree::Group(group), ..) => walk(&group.stream(), found),
            (TokenTree::Literal(_), ..) => found.other.extend(text(tree)),
            _ => {}
        }
        at += 1;
    }
}

/// What stands between the brackets of one that is said. In a pattern, or where the type is made, no text does.
fn say(group: &Group, found: &mut Found) {
    let trees: Vec<TokenTree> = group.stream().into_iter().collect();
    let Some(first) = trees.first().and_then(text) else { return };
    let punct = |n: usize| matches!(trees.get(n), Some(TokenTree::Punct(p)) if p.as_char() != ',');
    let commas = trees.iter().filter(|tree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ',')).count();
    let sentence = match trees.get(if punct(2) { 3 } else { 2 }).and_then(text) {
        // "a step" => "Draft"
        Some(english) if punct(1) && punct(2) => Sentence { key: format!("{first}\u{4}{english}"), english, values: 0 },
        // "one change" | "{n} changes" % n
        Some(english) if punct(1) => Sentence { key: english.clone(), english, values: 0 },
        _ => Sentence { key: first.clone(), english: first, values: commas },
    };
    found.said.push(sentence);
    // The values may say something themselves.
    let rest = trees.into_iter().filter(|tree| !matches!(tree, TokenTree::Literal(_))).collect();
    walk(&rest, found);
}

fn text(tree: &TokenTree) -> Option<String> {
    syn::parse_str::<LitStr>(&tree.to_string()).ok().map(|literal| literal.value())
}
