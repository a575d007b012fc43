//! The program that is measured: the release build, on a data folder of its own.

use std::{
    net::{Ipv4Addr, TcpListener},
    path::Path,
    process::Command,
    thread,
    time::Duration,
};

use anyhow::{Result, bail};

use crate::{
    process::{self, Running},
    run,
};

/// A database that is named in the environment is somebody's: nothing is measured on it.
pub fn on_its_own(command: &mut Command) {
    for name in ["DATABASE_URL", "MOORING_DIRECT_URL", "MOORING_LIBRARY_URL"] {
        command.env_remove(name);
    }
}

/// A running `mooring serve`, stopped when dropped.
pub struct Server {
    running: Running,
    address: String,
}

impl Server {
    /// Starts it and waits until it is ready.
    pub fn start(mooring: &Path, data: &Path, args: &[&str]) -> Result<Self> {
        let mut server = Self::begin(mooring, data, args)?;
        server.wait_until_ready()?;
        Ok(server)
    }

    /// Starts it and does not wait.
    pub fn begin(mooring: &Path, data: &Path, args: &[&str]) -> Result<Self> {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let address = format!("127.0.0.1:{port}");
        let mut command = Command::new(mooring);
        command.args(["serve", "--addr", &address, "--log", "warn", "--data-dir"]).arg(data).args(args);
        on_its_own(&mut command);
        Ok(Self { running: process::start(&mut command)?, address })
    }

    pub fn wait_until_ready(&mut self) -> Result<()> {
        while !run::is_ready(&self.address) {
            if let Some(status) = self.running.ended()? {
                bail!("Mooring ended before it was ready ({status})");
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    pub fn pid(&self) -> u32 {
        self.running.pid()
    }

    /// Kills it as a lost machine would: nothing is handed back.
    pub fn kill(self) -> Result<()> {
        self.running.kill()
    }
}
