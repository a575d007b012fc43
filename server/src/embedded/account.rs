//! Who the server runs as. PostgreSQL refuses root, so a Mooring started as root runs it under an
//! ordinary account, which must be able to reach the programs and the folder.

use std::{
    fs, io,
    os::unix::{
        fs::{MetadataExt as _, chown},
        process::CommandExt as _,
    },
    path::Path,
    process::{Command, Stdio},
};

use super::EmbeddedError;

/// Ourselves, or the account that root hands the server to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Account {
    Ours,
    Other { name: String, uid: u32, gid: u32 },
}

impl Account {
    /// The owner of an existing cluster; for a new one `postgres` or else `nobody`.
    pub(super) fn choose(cluster: &Path) -> Result<Self, EmbeddedError> {
        if !rustix::process::geteuid().is_root() {
            return Ok(Self::Ours);
        }
        if let Ok(folder) = fs::metadata(cluster)
            && folder.uid() != 0
        {
            let (uid, gid) = (folder.uid(), folder.gid());
            return Ok(Self::Other { name: format!("with the number {uid}"), uid, gid });
        }
        let accounts = fs::read_to_string("/etc/passwd").unwrap_or_default();
        ["postgres", "nobody"].iter().find_map(|name| find(&accounts, name)).ok_or(EmbeddedError::NoAccount)
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Self::Ours => "that Mooring runs as",
            Self::Other { name, .. } => name,
        }
    }

    /// A command under this account, with nothing of our environment: it may hold credentials.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("LC_ALL", "C").env("PATH", "/usr/local/bin:/usr/bin:/bin").stdin(Stdio::null());
        if let Self::Other { uid, gid, .. } = self {
            command.uid(*uid).gid(*gid);
        }
        command
    }

    /// Gives a file or folder to this account.
    pub(super) fn own(&self, path: &Path) -> io::Result<()> {
        match self {
            Self::Ours => Ok(()),
            Self::Other { uid, gid, .. } => chown(path, Some(*uid), Some(*gid)),
        }
    }

    /// Tries, rather than reasons about modes and access lists: does the program run in the folder?
    pub(super) fn reaches(&self, program: &Path, folder: &Path) -> bool {
        self.command(program)
            .arg("--version")
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }
}

/// One line of `/etc/passwd`. Anything whose number is 0 is root by another name.
fn find(accounts: &str, wanted: &str) -> Option<Account> {
    accounts.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next().filter(|name| *name == wanted)?;
        let uid = fields.nth(1)?.parse().ok().filter(|uid| *uid != 0)?;
        let gid = fields.next()?.parse().ok()?;
        Some(Account::Other { name: name.to_owned(), uid, gid })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_read_from_the_list() {
        let list = "root:x:0:0::/root:/bin/sh\npostgres:x:101:104:,,,:/var/lib/postgresql:/bin/bash\n";
        assert_eq!(find(list, "postgres"), Some(Account::Other { name: "postgres".into(), uid: 101, gid: 104 }));
        assert_eq!(find(list, "nobody"), None);
        assert_eq!(find(list, "root"), None);
    }
}
