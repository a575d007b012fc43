//! Whether the data folder outlives a restart of the machine or the container.

use std::path::Path;

/// File systems of Linux whose contents go with the machine's memory or with the container.
const FLEETING: [(i64, &str); 3] = [(0x0102_1994, "tmpfs"), (0x8584_58f6, "ramfs"), (0x794c_7630, "overlay")];

/// A sentence for an operator if what is in the folder will be lost. Nothing where it cannot be
/// known: a warning that cries wolf is not read.
pub fn warning(data_dir: &Path) -> Option<String> {
    // The folder may not be there yet; then its nearest parent is where it will be.
    let there = data_dir.ancestors().find(|dir| dir.exists())?;
    let kind = rustix::fs::statfs(there).ok()?.f_type;
    let (_, name) = FLEETING.iter().find(|(magic, _)| *magic == kind & 0xffff_ffff)?;
    Some(format!(
        "the data folder {} is on {name}: what learners save is gone when this machine or container is; \
         name a lasting folder with --data-dir",
        data_dir.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_no_place_for_data() {
        // Where a machine has no /dev/shm there is nothing to show.
        if Path::new("/dev/shm").is_dir() {
            let sentence = warning(Path::new("/dev/shm/mooring/not/there/yet")).unwrap();
            assert!(sentence.contains("tmpfs"), "{sentence}");
        }
    }
}
