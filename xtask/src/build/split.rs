//! The program in pieces: what is needed at once, and what is fetched when it is wanted.
//!
//! `#[wasm_split]` in the code says where to cut. The cut is made in what the linker wrote, before it
//! is bound to JavaScript.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, anyhow, bail};
use wasm_split_cli_support::{Options, transform};

/// What the pieces are fetched by; it becomes a part of the program's one script.
const LOADER: &str = "./__wasm_split.js";

/// A piece that gives no answer for so long (ms) has not arrived: the screen says so.
const QUIET: u32 = 30_000;

/// The pieces, before they are made small.
pub struct Pieces {
    /// What is needed at once, to be bound to JavaScript.
    pub main: PathBuf,
    /// The others by their names.
    pub apart: BTreeMap<String, PathBuf>,
    loader: String,
}

/// Cuts a program that was linked with its relocations.
pub fn split(program: &[u8], folder: &Path) -> Result<Pieces> {
    let main = folder.join("main.wasm");
    let mut options = Options::new(program);
    options.output_dir = folder;
    options.main_out_path = &main;
    options.link_name = LOADER;
    options.main_module = "./mooring.js";
    let made = transform(options).map_err(|error| anyhow!("the program cannot be cut into pieces: {error:#}"))?;
    let loader = fs::read_to_string(folder.join(LOADER)).context("no script came with the pieces")?;
    let mut apart = BTreeMap::new();
    for path in made.split_modules {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        apart.insert(name, path);
    }
    Ok(Pieces { main, apart, loader })
}

impl Pieces {
    /// The script of the program with the way to its pieces in it. Two scripts that import each other
    /// could not both carry the hash of the other in their names.
    pub fn join(&self, script: &str) -> Result<String> {
        let (imports, script): (Vec<&str>, Vec<&str>) =
            script.lines().partition(|line| line.starts_with("import * as ") && line.contains(LOADER));
        if imports.is_empty() {
            bail!("the program does not ask for its pieces");
        }
        let mut loader = String::new();
        let mut loaders = Vec::new();
        for line in self.loader.lines() {
            if line.starts_with("import ") {
                continue;
            }
            if let Some((loads, _)) = line.strip_prefix("export const ").and_then(|rest| rest.split_once(' ')) {
                loaders.push(loads.to_owned());
            }
            loader.push_str(line.strip_prefix("export ").unwrap_or(line));
            loader.push('\n');
        }
        for piece in self.apart.keys() {
            let before = format!("fetch(new URL(\"./{piece}.wasm\", import.meta.url))");
            if !loader.contains(&before) {
                bail!("nothing fetches {piece}.wasm");
            }
            let fetch = format!("fetch(\"/assets/{piece}.wasm\", {{ signal: AbortSignal.timeout?.({QUIET}) }})");
            loader = loader.replace(&before, &fetch);
        }
        // The screen says what has not arrived: that is no error of the page.
        let loader = loader.replace("console.error(", "console.warn(");
        let (script, loaders) = (script.join("\n"), loaders.join(", "));
        let names = imports.iter().filter_map(|line| line.split_whitespace().nth(3));
        let named: Vec<String> = names.map(|name| format!("const {name} = pieces;\n")).collect();
        Ok(format!("{script}\n{loader}const pieces = {{ {loaders} }};\n{}", named.concat()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_fetches_the_pieces_itself() -> Result<()> {
        let pieces = Pieces {
            main: PathBuf::new(),
            apart: BTreeMap::from([("split_a".to_owned(), PathBuf::new())]),
            loader: "import { initSync } from \"./mooring.js\";\nexport const load_a = make(() => fetch(new URL(\"./split_a.wasm\", import.meta.url)));\n".to_owned(),
        };
        let joined = pieces.join("import * as import1 from \"./__wasm_split.js\"\nuse(import1);\n")?;
        assert!(!joined.contains("import * as") && !joined.contains("export"), "{joined}");
        assert!(joined.contains("fetch(\"/assets/split_a.wasm\", "), "{joined}");
        assert!(joined.ends_with("const pieces = { load_a };\nconst import1 = pieces;\n"), "{joined}");
        assert!(pieces.join("use();\n").is_err(), "a program in one piece is a mistake of the build");
        Ok(())
    }
}
