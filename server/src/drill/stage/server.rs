//! One server process: started, watched, started again when it dies, and ended with us.

use std::{
    fs::{self, OpenOptions},
    os::unix::process::ExitStatusExt as _,
    path::PathBuf,
    process::{ExitStatus, Stdio},
};

pub use rustix::process::Signal;
use rustix::process::{Pid, kill_process};
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
    sync::watch,
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

use crate::{
    drill::{plan::ARMED, postgres::rows::Rows},
    faults::Boundary,
};

/// What a server prints when it listens.
const ADDRESS: &str = "Mooring is at ";

/// How a server is started, each time.
pub struct Launch {
    pub program: PathBuf,
    pub variables: Vec<(&'static str, String)>,
    pub log: PathBuf,
    /// Whether somebody starts it again when it has died.
    pub restart: bool,
    /// What is armed between its first death and its next life.
    pub arm: Option<(Rows, Vec<Boundary>)>,
}

/// Where to ask a server; nothing while it is not there.
pub type Door = watch::Receiver<Now>;

/// A server as it is now.
#[derive(Clone, Debug, Default)]
pub struct Now {
    pub address: Option<String>,
    pid: Option<u32>,
    deaths: u64,
    /// It ended in a way that nobody planned.
    broken: Option<String>,
}

/// A server, in whichever process it lives at the moment.
pub struct Server {
    now: Door,
    log: PathBuf,
    stop: CancellationToken,
    keeper: Option<JoinHandle<()>>,
}

impl Server {
    pub fn start(launch: Launch) -> Self {
        let (tell, now) = watch::channel(Now::default());
        let stop = CancellationToken::new();
        let log = launch.log.clone();
        let keeper = tokio::spawn(keep(launch, tell, stop.clone()));
        Self { now, log, stop, keeper: Some(keeper) }
    }

    pub fn door(&self) -> Door {
        self.now.clone()
    }

    pub fn deaths(&self) -> u64 {
        self.now.borrow().deaths
    }

    pub fn broken(&self) -> Option<String> {
        self.now.borrow().broken.clone()
    }

    pub fn pid(&self) -> Option<u32> {
        self.now.borrow().pid
    }

    /// A process that has just ended needs no signal.
    pub fn signal(&self, signal: Signal) {
        if let Some(pid) = self.pid().and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw) {
            let _ = kill_process(pid, signal);
        }
    }

    /// How many lines of its log hold these words.
    pub fn lines(&self, words: &str) -> usize {
        self.log_text().lines().filter(|line| line.contains(words)).count()
    }

    pub fn any_line(&self, is_it: impl Fn(&str) -> bool) -> bool {
        self.log_text().lines().any(is_it)
    }

    /// A process that dies may leave half a character behind.
    fn log_text(&self) -> String {
        fs::read(&self.log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
    }

    /// Ends it where it stands.
    pub async fn end(&mut self) {
        self.stop.cancel();
        if let Some(keeper) = self.keeper.take() {
            let _ = keeper.await;
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

async fn keep(launch: Launch, tell: watch::Sender<Now>, stop: CancellationToken) {
    loop {
        let status = match launch.child() {
            Ok(child) => live(child, &tell, &stop).await,
            Err(error) => {
                tell.send_modify(|now| now.broken = Some(format!("a server could not be started: {error}")));
                return;
            }
        };
        tell.send_modify(|now| (now.address, now.pid) = (None, None));
        let Some(status) = status else { return };
        if status.signal().is_none() {
            if !status.success() {
                tell.send_modify(|now| now.broken = Some(format!("a server ended by itself ({status})")));
            }
            return;
        }
        if let Some((rows, boundaries)) = &launch.arm
            && tell.borrow().deaths == 0
        {
            for boundary in boundaries {
                if let Err(error) = rows.arm(*boundary, ARMED).await {
                    tell.send_modify(|now| now.broken = Some(format!("a fault could not be armed: {error}")));
                }
            }
        }
        tell.send_modify(|now| now.deaths += 1);
        if !launch.restart {
            return;
        }
    }
}

/// Lives until it ends, or until we do: then it is killed, and nothing is said.
async fn live(mut child: Child, tell: &watch::Sender<Now>, stop: &CancellationToken) -> Option<ExitStatus> {
    tell.send_modify(|now| now.pid = child.id());
    let mut lines = child.stdout.take().map(|out| BufReader::new(out).lines());
    loop {
        let line = async {
            match &mut lines {
                Some(lines) => lines.next_line().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = stop.cancelled() => {
                let _ = child.kill().await;
                return None;
            }
            status = child.wait() => return status.ok(),
            line = line => match line {
                Ok(Some(line)) => if let Some(address) = line.strip_prefix(ADDRESS) {
                    tell.send_modify(|now| now.address = Some(address.to_owned()));
                },
                _ => lines = None,
            },
        }
    }
}

impl Launch {
    /// A process group of its own: Ctrl-C ends the drill, and the drill ends its servers.
    fn child(&self) -> std::io::Result<Child> {
        let log = OpenOptions::new().create(true).append(true).open(&self.log)?;
        let mut command = Command::new(&self.program);
        // What the drill was told is not for its servers.
        for (name, _) in std::env::vars_os() {
            let told = name.to_string_lossy();
            if told.starts_with("MOORING_") && told != "MOORING_POSTGRES_BIN" || told == "RUST_LOG" {
                command.env_remove(name);
            }
        }
        command.arg("serve").envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log).process_group(0).kill_on_drop(true).spawn()
    }
}
