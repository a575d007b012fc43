//! The server itself: made once by `initdb`, started and stopped by `pg_ctl`.
//!
//! `pg_ctl` puts the server into a session of its own, so that neither a Ctrl-C meant for Mooring nor
//! the death of the Mooring that started it takes the server from the others.

use std::{
    fs,
    net::{Ipv4Addr, TcpListener},
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use super::{
    EmbeddedError, Wait,
    home::{self, Home},
    postmaster,
    programs::Programs,
};

/// A recovery after a crash may take a while; initdb and a normal start take seconds.
pub(super) const PATIENCE: Duration = Duration::from_secs(90);

/// How often a start is tried: another process may take the free port first.
const TRIES: u32 = 4;

/// A home with the programs that fit it.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    home: Home,
    programs: Programs,
}

impl Cluster {
    /// Behind the gate: finds programs, and makes the cluster if there is none.
    pub(super) fn prepare(home: Home) -> Result<Self, EmbeddedError> {
        let programs = Programs::find(home.path(), home.written_by())?;
        let programs = programs.within_reach(home.account(), home.path())?;
        let cluster = Self { home, programs };
        if cluster.home.written_by().is_none() {
            cluster.initialise()?;
        }
        Ok(cluster)
    }

    pub(super) fn home(&self) -> &Home {
        &self.home
    }

    pub(super) fn url(&self, port: u16, database: &str) -> Result<String, EmbeddedError> {
        Ok(format!("postgres://mooring:{}@127.0.0.1:{port}/{database}", self.home.password()?))
    }

    /// Behind the gate: the port of the server, which is started unless it runs.
    pub(super) fn ensure_running(&self) -> Result<u16, EmbeddedError> {
        let folder = self.home.cluster();
        let deadline = Instant::now() + PATIENCE;
        while let Some(found) = postmaster::read(&folder) {
            if !postmaster::is_server_of(&folder, found.pid) {
                self.forget(found.pid)?;
                break;
            }
            if found.status == "ready" {
                return Ok(found.port);
            }
            if deadline <= Instant::now() {
                return Err(EmbeddedError::Busy(self.home.path().to_owned()));
            }
            thread::sleep(Duration::from_millis(50));
        }
        self.start()
    }

    /// PostgreSQL clears a leftover file itself, but only if nobody else has the number by now.
    fn forget(&self, pid: i32) -> Result<(), EmbeddedError> {
        let folder = self.home.cluster();
        let deadline = Instant::now() + Duration::from_secs(10);
        while postmaster::stragglers(&folder) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(50));
        }
        let path = folder.join("postmaster.pid");
        tracing::info!(pid, "a PostgreSQL server that is gone left its pid file behind");
        fs::remove_file(&path).map_err(EmbeddedError::io("remove", &path))
    }

    fn start(&self) -> Result<u16, EmbeddedError> {
        let mut tries = 0;
        loop {
            tries += 1;
            let port = self.free_port()?;
            self.write_settings(port)?;
            let mut command = self.pg_ctl("start");
            command.arg("-w").args(["-t", &PATIENCE.as_secs().to_string()]).arg("-l").arg(self.home.log());
            match self.run("Starting PostgreSQL", command) {
                Ok(()) => return Ok(port),
                Err(error) if TRIES <= tries => return Err(error),
                Err(_) => thread::sleep(Duration::from_millis(200)),
            }
        }
    }

    pub(super) fn stop(&self, wait: Wait) -> Result<(), EmbeddedError> {
        if !postmaster::is_running(&self.home.cluster()) {
            return Ok(());
        }
        let mut fast = self.pg_ctl("stop");
        fast.args(["-m", "fast", if wait == Wait::No { "-W" } else { "-w" }, "-t", "30"]);
        self.run("Stopping PostgreSQL", fast).or_else(|_| {
            let mut at_once = self.pg_ctl("stop");
            at_once.args(["-m", "immediate", "-w", "-t", "30"]);
            self.run("Stopping PostgreSQL", at_once)
        })
    }

    /// Made beside its place and moved there when complete: half a cluster must not look like one.
    fn initialise(&self) -> Result<(), EmbeddedError> {
        let account = self.home.account();
        let draft = self.home.path().join("cluster.new");
        let password_file = self.home.path().join("password.new");
        let password = self.home.password()?;
        let mut outcome = Ok(());
        // Not every system has C.UTF-8; C sorts alike, by bytes.
        for locale in ["C.UTF-8", "C"] {
            if draft.exists() {
                fs::remove_dir_all(&draft).map_err(EmbeddedError::io("remove", &draft))?;
            }
            home::make_folder(&draft, 0o700)?;
            home::write_private(&password_file, &password)?;
            for path in [&draft, &password_file] {
                account.own(path).map_err(EmbeddedError::io("hand over", path))?;
            }
            let mut initdb = account.command(&self.programs.program("initdb"));
            initdb
                .current_dir(self.home.path())
                .arg("-D")
                .arg(&draft)
                .arg("--pwfile")
                .arg(&password_file)
                .args(["--username=mooring", "--auth=scram-sha-256", "--encoding=UTF8", "--no-instructions"])
                .arg(format!("--locale={locale}"));
            outcome = self.run("Making the PostgreSQL cluster", initdb);
            if outcome.is_ok() {
                break;
            }
        }
        fs::remove_file(&password_file).map_err(EmbeddedError::io("remove", &password_file))?;
        outcome?;
        include_settings(&draft)?;
        let place = self.home.cluster();
        if place.exists() {
            // Without PG_VERSION there is no cluster in it.
            fs::remove_dir_all(&place).map_err(EmbeddedError::io("remove", &place))?;
        }
        fs::rename(&draft, &place).map_err(EmbeddedError::io("move", &draft))
    }

    /// The port of the last time if it is free: whoever still holds the old address finds the server.
    fn free_port(&self) -> Result<u16, EmbeddedError> {
        let path = self.home.path().join("port");
        let last = fs::read_to_string(&path).ok().and_then(|port| port.trim().parse::<u16>().ok()).unwrap_or(0);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, last))
            .or_else(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))
            .map_err(EmbeddedError::io("find a free port for", self.home.path()))?;
        let port = listener.local_addr().map_err(EmbeddedError::io("find a free port for", self.home.path()))?.port();
        fs::write(&path, port.to_string()).map_err(EmbeddedError::io("write", &path))?;
        Ok(port)
    }

    fn write_settings(&self, port: u16) -> Result<(), EmbeddedError> {
        let path = self.home.cluster().join("mooring.conf");
        fs::write(&path, settings(port)).map_err(EmbeddedError::io("write", &path))?;
        self.home.account().own(&path).map_err(EmbeddedError::io("hand over", &path))
    }

    fn pg_ctl(&self, action: &str) -> Command {
        let mut command = self.home.account().command(&self.programs.program("pg_ctl"));
        command.current_dir(self.home.path()).arg(action).arg("-D").arg(self.home.cluster());
        command
    }

    /// What the program said is the reason that it failed.
    fn run(&self, what: &'static str, mut command: Command) -> Result<(), EmbeddedError> {
        let output = command.output().map_err(EmbeddedError::io("run a program in", self.home.path()))?;
        if output.status.success() {
            return Ok(());
        }
        let said = if output.stderr.is_empty() { output.stdout } else { output.stderr };
        let said = String::from_utf8_lossy(&said).lines().map(str::trim).collect::<Vec<_>>().join(" ");
        Err(EmbeddedError::Program { what, said, log: self.home.log() })
    }
}

fn include_settings(cluster: &Path) -> Result<(), EmbeddedError> {
    let path = cluster.join("postgresql.conf");
    let mut text = fs::read_to_string(&path).map_err(EmbeddedError::io("read", &path))?;
    text.push_str("\n# Written anew at each start:\ninclude 'mooring.conf'\n");
    fs::write(&path, text).map_err(EmbeddedError::io("write", &path))
}

/// Good for a small application beside its own web server. Nothing that was committed is ever lost:
/// fsync and synchronous commit stay on. Errors are logged without the rows and statements that
/// caused them, because those hold learners' texts.
fn settings(port: u16) -> String {
    format!(
        "listen_addresses = '127.0.0.1'\n\
         port = {port}\n\
         unix_socket_directories = ''\n\
         max_connections = 100\n\
         shared_buffers = '64MB'\n\
         max_wal_size = '256MB'\n\
         checkpoint_timeout = '15min'\n\
         jit = off\n\
         timezone = 'UTC'\n\
         log_timezone = 'UTC'\n\
         logging_collector = on\n\
         log_directory = 'log'\n\
         log_filename = 'postgres-%a.log'\n\
         log_rotation_age = '1d'\n\
         log_rotation_size = 0\n\
         log_truncate_on_rotation = on\n\
         log_error_verbosity = terse\n\
         log_min_error_statement = panic\n\
         log_parameter_max_length_on_error = 0\n"
    )
}
