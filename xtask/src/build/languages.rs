//! Sentences in other languages: each `languages/CODE.po`, which people edit, becomes `languages/CODE.txt`,
//! which the program reads without a parser. What that looks like is said at `Catalogue::read` in
//! `app/src/words/said.rs`.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context as _, Result, anyhow, bail};
use rspolib::{POEntry, pofile};

const MARK: &str = "mooring.catalogue.1";

/// Adds the files of all languages.
pub fn collect(folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "po") {
            let code = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let text = catalogue(&code, &path).with_context(|| format!("cannot use {}", path.display()))?;
            files.insert(format!("languages/{code}.txt"), text.into_bytes());
        }
    }
    Ok(())
}

fn catalogue(code: &str, path: &Path) -> Result<String> {
    let file = pofile(path.to_string_lossy().as_ref()).map_err(|error| anyhow!("{error}"))?;
    let mut sentences = BTreeMap::new();
    for entry in &file.entries {
        let (english, other) = sentence(entry)?;
        if english.contains('\n') || other.is_empty() || other.contains('\n') {
            bail!("{english:?} is one line, and has to be one line in this language");
        }
        sentences.insert(english, other);
    }
    let lines = sentences.iter().map(|(english, other)| format!("{english}\n{other}\n"));
    Ok(format!("{MARK} {code}\n{}", lines.collect::<String>()))
}

/// What a sentence is found by, and what it is.
fn sentence(entry: &POEntry) -> Result<(String, &str)> {
    let POEntry { msgid, msgstr, msgid_plural, msgstr_plural, msgctxt, .. } = entry;
    if entry.fuzzy() {
        bail!("{msgid:?} is marked as uncertain");
    }
    if let Some(many) = msgid_plural {
        let [form] = msgstr_plural.as_slice() else { bail!("{msgid:?} has more than one form") };
        return Ok((many.clone(), form));
    }
    let english = match msgctxt {
        None => msgid.clone(),
        Some(meant) => format!("{meant}\u{4}{msgid}"),
    };
    Ok((english, msgstr.as_deref().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_catalogue_is_a_mark_and_two_lines_for_each_sentence_in_the_order_of_english() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("mooring-languages-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let path = folder.join("xx.po");
        let head = "msgid \"\"\nmsgstr \"\"\n\"Plural-Forms: nplurals=1; plural=0;\\n\"\n\n";
        let with = |body: &str| -> Result<String> {
            fs::write(&path, format!("{head}{body}"))?;
            catalogue("xx", &path)
        };
        let text = with(
            "msgid \"Start\"\nmsgstr \"S\"\n\nmsgctxt \"a step\"\nmsgid \"Draft\"\nmsgstr \"D\"\n\n\
             msgid \"one\"\nmsgid_plural \"{n} of them\"\nmsgstr[0] \"{n} O\"\n",
        )?;
        assert_eq!(text, "mooring.catalogue.1 xx\nStart\nS\na step\u{4}Draft\nD\n{n} of them\n{n} O\n");
        assert!(with("msgid \"Start\"\nmsgstr \"\"\n").is_err(), "an empty one is none");
        fs::remove_dir_all(folder)?;
        Ok(())
    }
}
