//! Children, and their end. Each runs in a process group of its own, so that one signal reaches all
//! that it started; whatever ends xtask ends them.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    os::unix::process::CommandExt as _,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};
use rustix::process::{Pid, Signal, kill_process_group};
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
};

use crate::say;

/// Long enough for a server to hand back its work and stop its Postgres.
const GRACE: Duration = Duration::from_secs(20);

static STOPPING: AtomicBool = AtomicBool::new(false);
static GROUPS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// The first signal asks the children to end, the next one ends them.
pub fn stop_with_us() -> Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).context("cannot listen for signals")?;
    thread::spawn(move || {
        for signal in signals.forever() {
            let again = STOPPING.swap(true, Ordering::SeqCst);
            say::note(&format!("stopping, on {}", signal_hook::low_level::signal_name(signal).unwrap_or("a signal")));
            for group in groups().iter() {
                // It may have ended by itself: then there is nothing to do.
                let _ = kill_process_group(*group, if again { Signal::KILL } else { Signal::TERM });
            }
        }
    });
    Ok(())
}

pub fn is_stopping() -> bool {
    STOPPING.load(Ordering::SeqCst)
}

/// Runs to the end and fails if it fails.
pub fn run(command: &mut Command) -> Result<()> {
    let status = start(command)?.wait()?;
    if status.success() { Ok(()) } else { bail!("{} failed ({status})", name(command)) }
}

/// Runs to the end, shows what it prints and keeps it as well.
pub fn run_and_read(command: &mut Command) -> Result<(ExitStatus, String)> {
    read_lines(command, |line| println!("{line}"))
}

/// Runs to the end and keeps what it prints, quietly.
pub fn read(command: &mut Command) -> Result<(ExitStatus, String)> {
    read_lines(command, |_| ())
}

fn read_lines(command: &mut Command, each: impl Fn(&str)) -> Result<(ExitStatus, String)> {
    let mut running = start(command.stdout(Stdio::piped()))?;
    let mut kept = String::new();
    if let Some(output) = running.child.stdout.take() {
        for line in BufReader::new(output).split(b'\n') {
            let line = line.context("cannot read what a program prints")?;
            let line = String::from_utf8_lossy(&line);
            each(&line);
            kept.push_str(&line);
            kept.push('\n');
        }
    }
    std::io::stdout().flush().context("cannot print")?;
    Ok((running.wait()?, kept))
}

/// What it prints, quietly; nothing if it is not there or fails.
pub fn ask(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Starts a child that ends when the handle is dropped.
pub fn start(command: &mut Command) -> Result<Running> {
    let mut groups = groups();
    if is_stopping() {
        bail!("stopped");
    }
    let name = name(command);
    let child =
        command.stdin(Stdio::null()).process_group(0).spawn().with_context(|| format!("cannot start {name}"))?;
    let group = Pid::from_child(&child);
    groups.push(group);
    Ok(Running { child, group, ended: false })
}

/// A child and all that it started.
pub struct Running {
    child: Child,
    group: Pid,
    ended: bool,
}

impl Running {
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Ends it at once, without a word to it. What left its group lives on.
    pub fn kill(mut self) -> Result<()> {
        kill_process_group(self.group, Signal::KILL).context("cannot kill a program")?;
        self.child.wait().context("cannot wait for a program")?;
        self.ended = true;
        Ok(())
    }

    /// Waits for the child's own end.
    pub fn wait(mut self) -> Result<ExitStatus> {
        let status = self.child.wait().context("cannot wait for a program")?;
        self.ended = true;
        Ok(status)
    }

    /// The child's end, if it has come.
    pub fn ended(&mut self) -> Result<Option<ExitStatus>> {
        let status = self.child.try_wait().context("cannot look at a program")?;
        self.ended = status.is_some();
        Ok(status)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // What it left behind in its group ends too.
        let _ = kill_process_group(self.group, Signal::TERM);
        let deadline = Instant::now() + GRACE;
        while !self.ended && Instant::now() < deadline {
            self.ended = !matches!(self.child.try_wait(), Ok(None));
            if !self.ended {
                thread::sleep(Duration::from_millis(20));
            }
        }
        if !self.ended {
            let _ = kill_process_group(self.group, Signal::KILL);
            let _ = self.child.wait();
        }
        groups().retain(|group| *group != self.group);
    }
}

fn groups() -> MutexGuard<'static, Vec<Pid>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn name(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.take(4).map(|word| word.to_string_lossy().into_owned()).collect();
    format!("`{}`", words.join(" "))
}
