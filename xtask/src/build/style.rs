//! One stylesheet out of many: `style/main.css` lists them in their order.

use std::{collections::BTreeSet, fs, path::Path};

use anyhow::{Context as _, Result, bail};

/// Joins the files that `main.css` imports. A file that it forgets is an error, not a surprise.
pub fn join(folder: &Path) -> Result<String> {
    let main = folder.join("main.css");
    let list = fs::read_to_string(&main).with_context(|| format!("cannot read {}", main.display()))?;
    let names = imports(&list);
    let mut forgotten = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "css") && path != main {
            forgotten.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
        }
    }

    let mut joined = String::new();
    for name in names {
        let path = folder.join(name);
        let text =
            fs::read_to_string(&path).with_context(|| format!("main.css imports {name}, which cannot be read"))?;
        joined.push_str(text.trim_end());
        joined.push_str("\n\n");
        forgotten.remove(name);
    }
    if !forgotten.is_empty() {
        bail!("style/main.css does not import {}", forgotten.into_iter().collect::<Vec<_>>().join(", "));
    }
    Ok(joined)
}

fn imports(list: &str) -> Vec<&str> {
    list.lines().filter_map(|line| line.trim().strip_prefix("@import \"")?.split('"').next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_the_list() {
        assert_eq!(imports("/* a */\n@import \"tokens.css\";\n@import \"base.css\";\n"), ["tokens.css", "base.css"]);
    }
}
