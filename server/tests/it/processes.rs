//! Real processes of the program under test, ended with the test that started them.

use std::{
    fs::File,
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    os::unix::process::ExitStatusExt as _,
    process::{Child, ChildStdout, Command, ExitStatus, Stdio},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};

use crate::stage::Stage;

/// A worker, or a whole server, in a process of its own.
pub struct Process {
    child: Child,
    /// Where a server listens.
    addr: Option<SocketAddr>,
    /// Kept, so that it can say a word at any time.
    said: Option<BufReader<ChildStdout>>,
}

impl Process {
    /// A worker with a short lease; `more` are variables that say otherwise.
    pub fn work(stage: &Stage, more: &[(&str, &str)]) -> Self {
        let child = command("work", stage, more).stdout(Stdio::null()).spawn().unwrap();
        Self { child, addr: None, said: None }
    }

    /// A server with a worker beside it, on a free port. It listens when this is given back.
    pub async fn serve(stage: &Stage, more: &[(&str, &str)]) -> Self {
        Self::listen(command("serve", stage, more)).await
    }

    /// The same with the lease that a server has by itself, and a log that is kept.
    pub async fn serve_and_log(stage: &Stage, more: &[(&str, &str)], log: File) -> Self {
        let mut command = command("serve", stage, &[]);
        command.env_remove("MOORING_LEASE").env_remove("MOORING_LOG").envs(more.iter().copied()).stderr(log);
        Self::listen(command).await
    }

    async fn listen(mut command: Command) -> Self {
        let child = command.env("MOORING_ADDR", "127.0.0.1:0").stdout(Stdio::piped()).spawn().unwrap();
        // Held from here on, so that it ends with a test that fails while it waits.
        let mut process = Self { child, addr: None, said: None };
        let mut said = BufReader::new(process.child.stdout.take().unwrap());
        let (line, said) = tokio::task::spawn_blocking(move || {
            let mut line = String::new();
            said.read_line(&mut line).unwrap();
            (line, said)
        })
        .await
        .unwrap();
        let (_, addr) = line.trim().rsplit_once('/').unwrap_or_else(|| panic!("it did not listen: {line:?}"));
        process.addr = Some(addr.parse().unwrap());
        process.said = Some(said);
        process
    }

    pub fn addr(&self) -> SocketAddr {
        self.addr.expect("a server")
    }

    /// As the log names it.
    pub fn name(&self) -> String {
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        format!("{host}-{}", self.child.id())
    }

    pub fn is_alive(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Kills it as `kill -9` does, and sees that it is gone.
    pub async fn kill(mut self) {
        self.signal(Signal::KILL);
        self.end().await;
    }

    /// How it ended, by itself or by a signal.
    pub async fn end(&mut self) -> ExitStatus {
        for _ in 0..3000 {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("in 30 s the process did not end");
    }

    /// Waits until it has died where a planned fault aborts it.
    pub async fn aborts(mut self) {
        let status = self.end().await;
        assert_eq!(status.signal(), Some(Signal::ABORT.as_raw()), "it ended otherwise: {status}");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn command(what: &str, stage: &Stage, more: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mooring"));
    command.arg(what).env("DATABASE_URL", &stage.url).env("MOORING_LEASE", "1s").env("MOORING_POLL", "100ms");
    command.env_remove("MOORING_ADDR").env("MOORING_LOG", "error").stdin(Stdio::null());
    command.envs(more.iter().copied());
    command
}
