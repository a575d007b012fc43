//! The static files as they are served: a name that changes with the content, beside each file its
//! compressed forms, and `manifest.json`, which maps plain names to hashed ones.
//!
//! A file may name others as `/assets/NAME`, a web manifest also as `"NAME"`; the name is replaced by
//! the hashed one, so files that name no others come first.

use std::{
    collections::BTreeMap,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest as _, Sha256};

use super::{languages, style, wasm::Program};
use crate::place;

/// Changes whenever this file makes other files out of the same ones.
const EDITION: &str = "3";

/// Forms that compress; pictures and fonts are compressed already.
const COMPRESSED: [&str; 8] = ["css", "html", "js", "json", "svg", "txt", "wasm", "webmanifest"];

/// Forms that may name other files.
const NAMING: [&str; 3] = ["css", "js", "webmanifest"];

/// Fills `target/site`, and leaves it alone where nothing has changed: the server is built from it.
pub fn build(program: &Program) -> Result<()> {
    let files = collect(program)?;
    let made_from = fingerprint(&files);
    let stamp = place::target().join("site-made-from");
    let site = place::site();
    if site.join("manifest.json").is_file() && fs::read_to_string(&stamp).is_ok_and(|text| text == made_from) {
        return Ok(());
    }
    if site.exists() {
        fs::remove_dir_all(&site)?;
    }
    fs::create_dir_all(&site)?;
    let manifest = write(&files, &site)?;
    fs::write(site.join("manifest.json"), serde_json::to_string_pretty(&manifest)?)?;
    fs::write(stamp, made_from)?;
    Ok(())
}

/// All files by their plain names.
fn collect(program: &Program) -> Result<BTreeMap<String, Vec<u8>>> {
    let root = place::root();
    let mut files = BTreeMap::new();
    assets(&root.join("frontend/assets"), "", &mut files)?;
    files.insert("mooring.css".to_owned(), style::join(&root.join("style"))?.into_bytes());
    languages::collect(&root.join("languages"), &mut files)?;
    files.insert("mooring.js".to_owned(), fs::read(&program.js)?);
    for (name, path) in &program.wasm {
        files.insert(name.clone(), fs::read(path)?);
    }
    Ok(files)
}

fn assets(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            assets(&path, &format!("{prefix}{name}/"), files)?;
        } else if !name.starts_with('.') {
            files.insert(format!("{prefix}{name}"), fs::read(&path)?);
        }
    }
    Ok(())
}

fn write(files: &BTreeMap<String, Vec<u8>>, site: &Path) -> Result<BTreeMap<String, String>> {
    let mut manifest = BTreeMap::new();
    let mut left: Vec<(&String, Vec<u8>)> = files.iter().map(|(name, data)| (name, data.clone())).collect();
    while !left.is_empty() {
        let names: Vec<&String> = left.iter().map(|(name, _)| *name).collect();
        let (now, later): (Vec<_>, Vec<_>) = left
            .iter()
            .cloned()
            .partition(|(name, data)| !names.iter().any(|other| other != name && mentions(name, data, other)));
        if now.is_empty() {
            bail!("static files name each other in a circle: {names:?}");
        }
        left = later;
        for (name, data) in now {
            let hashed = hashed_name(name, &data);
            write_forms(&site.join(&hashed), &data)?;
            for (other, text) in &mut left {
                *text = replace(other, text, name, &hashed);
            }
            manifest.insert(name.clone(), hashed);
        }
    }
    Ok(manifest)
}

fn write_forms(path: &PathBuf, data: &[u8]) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, data)?;
    if !COMPRESSED.contains(&ending(&path.to_string_lossy())) {
        return Ok(());
    }
    let beside = |suffix: &str| PathBuf::from(format!("{}{suffix}", path.display()));
    let mut brotli = Vec::new();
    let params = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 22, ..Default::default() };
    brotli::BrotliCompress(&mut &data[..], &mut brotli, &params)?;
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(data)?;
    for (form, suffix) in [(brotli, ".br"), (gzip.finish()?, ".gz")] {
        // A form that saves nothing is not worth its place in the program.
        if form.len() < data.len() {
            fs::write(beside(suffix), form)?;
        }
    }
    Ok(())
}

fn mentions(name: &str, data: &[u8], other: &str) -> bool {
    NAMING.contains(&ending(name)) && replace(name, data, other, "") != data
}

fn replace(name: &str, data: &[u8], other: &str, hashed: &str) -> Vec<u8> {
    let text = String::from_utf8_lossy(data);
    let text = match ending(name) {
        // Its addresses are relative to itself.
        "webmanifest" => text.replace(&format!("\"{other}\""), &format!("\"/assets/{hashed}\"")),
        ending if NAMING.contains(&ending) => text.into_owned(),
        _ => return data.to_vec(),
    };
    text.replace(&format!("/assets/{other}"), &format!("/assets/{hashed}")).into_bytes()
}

/// `icons/book.svg` becomes `icons/book-0a1b2c3d4e5f.svg`.
fn hashed_name(name: &str, data: &[u8]) -> String {
    let hash = &hash(data)[..12];
    match name.rsplit_once('.') {
        Some((stem, ending)) => format!("{stem}-{hash}.{ending}"),
        None => format!("{name}-{hash}"),
    }
}

fn ending(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}

pub fn hash(data: &[u8]) -> String {
    format!("{:x}", Sha256::digest(data))
}

fn fingerprint(files: &BTreeMap<String, Vec<u8>>) -> String {
    let lines = files.iter().map(|(name, data)| format!("{name} {}\n", hash(data)));
    format!("edition {EDITION}\n{}", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_changes_with_the_content() {
        assert_ne!(hashed_name("a/b.css", b"1"), hashed_name("a/b.css", b"2"));
        assert!(hashed_name("a/b.css", b"1").starts_with("a/b-"));
    }

    #[test]
    fn a_file_that_names_another_names_it_by_its_hash() {
        let text = replace("mooring.css", b"a { background: url(/assets/a.svg) }", "a.svg", "a-1.svg");
        assert_eq!(text, b"a { background: url(/assets/a-1.svg) }");
        let text = replace("a.webmanifest", br#"{ "src": "icon.svg" }"#, "icon.svg", "icon-1.svg");
        assert_eq!(text, br#"{ "src": "/assets/icon-1.svg" }"#);
        let text = replace("logo.svg", b"<a href='/assets/a.svg'/>", "a.svg", "a-1.svg");
        assert_eq!(text, b"<a href='/assets/a.svg'/>", "a picture names nothing");
    }
}
