//! A child process that speaks MCP: started with little of our environment, watched until it ends, ended with its whole
//! group when it is no longer wanted.

use std::{
    ffi::OsString,
    process::Stdio,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::{
    io::DuplexStream,
    process::{Child, ChildStdin, Command},
};
use tokio_util::sync::CancellationToken;

use super::{
    MESSAGE_LIMIT,
    lines::{self, Input},
    said,
    way::Program,
};
use crate::secret::Hush;

/// What every program may need and none of which is a secret. The rest of our environment is not a child's business:
/// there are passwords in it.
const INHERITED: [&str; 11] =
    ["HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "SSL_CERT_FILE", "TERM", "TMPDIR", "TZ", "USER"];

/// How long a child may take to end by itself once its input is closed.
const FAREWELL: Duration = Duration::from_secs(2);

/// A child that runs. Dropped, it is killed.
pub struct Process {
    id: u32,
    group: Arc<Group>,
    ended: CancellationToken,
}

/// A child and those that it started, as long as it is known to be there: its number is given to others later.
struct Group(Mutex<Option<Pid>>);

impl Process {
    /// Starts it. Its messages come through the stream; what is written to its input are ours.
    pub fn start(program: &Program, hush: &Hush) -> std::io::Result<(Self, DuplexStream, Input<ChildStdin>)> {
        let mut command = Command::new(&program.path);
        command
            .args(&program.arguments)
            .env_clear()
            .envs(INHERITED.iter().filter_map(|name| Some((OsString::from(name), std::env::var_os(name)?))))
            .envs(program.plain.iter().chain(&program.confided).map(|(name, value)| (name, value.reveal())))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A group of its own: it may start others, and a Ctrl-C in our terminal is meant for us.
            .process_group(0)
            .kill_on_drop(true);
        let mut child = command.spawn()?;
        let lost = || std::io::Error::other("a stream of the child is missing");
        let stdin = child.stdin.take().ok_or_else(lost)?;
        let stdout = child.stdout.take().ok_or_else(lost)?;
        let stderr = child.stderr.take().ok_or_else(lost)?;
        let id = child.id().unwrap_or_default();
        tracing::info!(source.process = id, "the MCP server was started");
        tokio::spawn(said::log(stderr, id, hush.clone()));
        let (input, unheard) = Input::of(stdin);
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        tokio::spawn(async move {
            // Either end may go first; the session notices.
            if let Err(error) = lines::pass_on(stdout, theirs, MESSAGE_LIMIT, &unheard).await {
                tracing::warn!(source.process = id, %error, "the MCP server is not listened to any more");
            }
        });
        let group = Arc::new(Group(Mutex::new(child.id().and_then(|id| Pid::from_raw(id.try_into().ok()?)))));
        let ended = CancellationToken::new();
        tokio::spawn(watch(child, id, Arc::clone(&group), ended.clone()));
        Ok((Self { id, group, ended }, ours, input))
    }

    /// Waits for it to end, its input being closed, and kills what is left then.
    pub async fn end(self) {
        if tokio::time::timeout(FAREWELL, self.ended.cancelled()).await.is_err() {
            tracing::warn!(source.process = self.id, "the MCP server did not end by itself and is killed");
            self.group.kill();
            // It is gone in a moment; whoever stops us should still read how.
            let _ = tokio::time::timeout(FAREWELL, self.ended.cancelled()).await;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.group.kill();
    }
}

impl Group {
    /// Once: what is killed is ours then, and need not be later.
    fn kill(&self) {
        if let Some(group) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // An error means that nobody is left.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Says when and how it ended, whoever ended it, and ends what it leaves behind.
async fn watch(mut child: Child, id: u32, group: Arc<Group>, ended: CancellationToken) {
    match child.wait().await {
        Ok(status) => tracing::info!(source.process = id, %status, "the MCP server has ended"),
        Err(error) => tracing::warn!(source.process = id, %error, "it is not known how the MCP server ended"),
    }
    group.kill();
    ended.cancel();
}
