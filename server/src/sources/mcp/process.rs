//! A child process that speaks MCP: started with little of our environment, its error stream logged, ended with its
//! whole group when it is no longer wanted.

use std::{ffi::OsString, process::Stdio, time::Duration};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, BufReader, DuplexStream},
    process::{Child, ChildStdin, Command},
};

use super::{MESSAGE_LIMIT, lines, way::Program};
use crate::secret::Hush;

/// What every program may need and none of which is a secret. The rest of our environment is not a child's business:
/// there are passwords in it.
const INHERITED: [&str; 11] =
    ["HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "SSL_CERT_FILE", "TERM", "TMPDIR", "TZ", "USER"];

/// How long a child may take to end by itself once its input is closed.
const FAREWELL: Duration = Duration::from_secs(2);

/// Of what a child writes to its error stream, so much of a line is logged.
const LINE_LIMIT: usize = 500;
/// And so many lines of one child.
const LINES_LIMIT: u32 = 1_000;

/// A child that runs. Dropped, it is killed.
pub struct Process {
    child: Child,
    group: Option<Pid>,
    ended: bool,
}

impl Process {
    /// Starts it. Its messages come through the stream; what is written to its input are ours.
    pub fn start(program: &Program, hush: &Hush) -> std::io::Result<(Self, DuplexStream, ChildStdin)> {
        let mut command = Command::new(&program.path);
        command
            .args(&program.arguments)
            .env_clear()
            .envs(INHERITED.iter().filter_map(|name| Some((OsString::from(name), std::env::var_os(name)?))))
            .envs(program.environment.iter().map(|(name, value)| (name, value.reveal())))
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
        let group = child.id().and_then(|id| Pid::from_raw(id.try_into().ok()?));
        let pid = child.id().unwrap_or_default();
        tracing::info!(source.process = pid, "the MCP server was started");
        tokio::spawn(log_errors(stderr, pid, hush.clone()));
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        tokio::spawn(async move {
            // Either end may go first; the session notices.
            let _ = lines::pass_on(stdout, theirs, MESSAGE_LIMIT).await;
        });
        Ok((Self { child, group, ended: false }, ours, stdin))
    }

    /// Waits for it to end, its input being closed, and kills what is left then.
    pub async fn end(mut self) {
        match tokio::time::timeout(FAREWELL, self.child.wait()).await {
            Ok(Ok(status)) => tracing::info!(%status, "the MCP server has ended"),
            Ok(Err(error)) => tracing::warn!(%error, "it is not known how the MCP server ended"),
            Err(_) => tracing::warn!("the MCP server did not end by itself and is killed"),
        }
        self.kill_group();
    }

    fn kill_group(&mut self) {
        if let Some(group) = self.group.filter(|_| !std::mem::replace(&mut self.ended, true)) {
            // An error means that nobody is left.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill_group();
    }
}

async fn log_errors(stderr: impl AsyncRead + Unpin, process: u32, hush: Hush) {
    let mut stderr = BufReader::new(stderr);
    let mut line: Vec<u8> = Vec::new();
    let mut logged = 0;
    // Read to its end, whatever is logged of it: a full pipe would stop the child.
    while let Ok(chunk) = stderr.fill_buf().await
        && !chunk.is_empty()
    {
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let read = end.map_or(chunk.len(), |at| at + 1);
        let part = &chunk[..end.unwrap_or(chunk.len())];
        line.extend_from_slice(&part[..part.len().min(LINE_LIMIT.saturating_sub(line.len()))]);
        stderr.consume(read);
        if end.is_some() {
            log_line(&line, process, &hush, &mut logged);
            line.clear();
        }
    }
    log_line(&line, process, &hush, &mut logged);
    tracing::info!(source.process = process, "the MCP server says no more");
}

fn log_line(line: &[u8], process: u32, hush: &Hush, logged: &mut u32) {
    let said = hush.hide(&String::from_utf8_lossy(line).replace(char::is_control, " "));
    if said.trim().is_empty() || LINES_LIMIT < *logged {
        return;
    }
    *logged += 1;
    let said = if LINES_LIMIT < *logged { "(and more, which is not logged)" } else { said.trim() };
    tracing::info!(source.process = process, said, "the MCP server says");
}
