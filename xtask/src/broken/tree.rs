//! A copy of the repository, as it is or with a safeguard missing.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, bail};

use super::variants::Edit;
use crate::{place, process};

/// The copy. Only what differs is written, so that cargo compiles no more than it must.
pub struct Tree {
    root: PathBuf,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Tree {
    /// What git would commit, as it lies in the working folder, and what the server embeds.
    pub fn read(root: PathBuf) -> Result<Self> {
        let mut git = Command::new("git");
        git.args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"]).current_dir(place::root());
        let names = process::ask(&mut git).context("git does not list the files of the repository")?;
        let mut files = BTreeMap::new();
        for name in names.split('\0').filter(|name| !name.is_empty()) {
            // One that was deleted and not yet committed is still listed.
            if let Ok(content) = fs::read(place::root().join(name)) {
                files.insert(PathBuf::from(name), content);
            }
        }
        for entry in fs::read_dir(place::site()).into_iter().flatten().flatten() {
            if let Ok(content) = fs::read(entry.path()) {
                files.insert(Path::new("target/site").join(entry.file_name()), content);
            }
        }
        Ok(Self { root, files })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Makes the copy what the repository is, `edits` aside.
    pub fn write(&self, edits: &[Edit]) -> Result<()> {
        let mut wanted: BTreeMap<&Path, Vec<u8>> = BTreeMap::new();
        for edit in edits {
            let path = Path::new(edit.file);
            let content = wanted.get(path).or_else(|| self.files.get(path)).map(Vec::as_slice).unwrap_or_default();
            wanted.insert(path, edit.apply(&String::from_utf8_lossy(content))?.into_bytes());
        }
        for (path, content) in &self.files {
            let content = wanted.get(path.as_path()).unwrap_or(content);
            let target = self.root.join(path);
            if fs::read(&target).ok().as_ref() != Some(content) {
                fs::create_dir_all(target.parent().unwrap_or(&self.root))?;
                fs::write(&target, content).with_context(|| format!("cannot write {}", target.display()))?;
            }
        }
        remove_what_is_gone(&self.root, &self.files.keys().map(|path| self.root.join(path)).collect())
    }
}

impl Edit {
    /// A text that has moved is an error: a variant that breaks nothing would prove nothing.
    pub fn apply(&self, content: &str) -> Result<String> {
        match content.matches(self.find).count() {
            1 => Ok(content.replacen(self.find, self.put, 1)),
            0 => bail!("{} no longer holds `{}`: say in variants.rs how it is broken now", self.file, self.find),
            n => bail!("{} holds `{}` {n} times: say in variants.rs which is meant", self.file, self.find),
        }
    }
}

fn remove_what_is_gone(folder: &Path, wanted: &BTreeSet<PathBuf>) -> Result<()> {
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            remove_what_is_gone(&path, wanted)?;
        } else if !wanted.contains(&path) {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    Ok(())
}
