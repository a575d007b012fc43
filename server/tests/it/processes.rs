//! Real processes of the program under test, ended with the test that started them.

use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::stage::Stage;

/// A worker in a process of its own.
pub struct Process(Child);

impl Process {
    /// With a short lease; `more` are variables that say otherwise.
    pub fn work(stage: &Stage, more: &[(&str, &str)]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mooring"));
        command.arg("work").env("DATABASE_URL", &stage.url).env("MOORING_LEASE", "1s").env("MOORING_POLL", "100ms");
        command.env_remove("MOORING_ADDR").stdin(Stdio::null()).stdout(Stdio::null());
        Self(command.envs(more.iter().copied()).spawn().unwrap())
    }

    pub fn is_alive(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
