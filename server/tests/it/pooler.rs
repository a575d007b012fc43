//! Behind a transaction pooler: another server connection for each transaction, nothing prepared,
//! no LISTEN and no session lock. Polling and leases do.

use std::{
    env, fs,
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::Duration,
};

use domain::{explanation::StateName, intent::Wish};
use sqlx::postgres::PgConnectOptions;
use tempfile::TempDir;

use crate::{
    learner::{self as http, Learner},
    processes::Process,
    stage::{Stage, accept, edit},
};

/// A real pooler before the tests' Postgres, with two server connections for all.
struct Pooler {
    program: Child,
    port: u16,
    _folder: TempDir,
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

impl Pooler {
    fn before(url: &str) -> Self {
        let server: PgConnectOptions = url.parse().unwrap();
        let (user, rest) = url.split_once("//").unwrap().1.split_once(':').unwrap();
        let (password, _) = rest.split_once('@').unwrap();
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::write(path.join("users"), format!("\"{user}\" \"{password}\"\n")).unwrap();
        let settings = format!(
            "[databases]\n* = host=127.0.0.1 port={} user={user} password={password}\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n\
             auth_type = plain\nauth_file = {}\npool_mode = transaction\ndefault_pool_size = 2\n",
            server.get_port(),
            path.join("users").display(),
        );
        fs::write(path.join("settings"), settings).unwrap();
        let mut command = Command::new(program());
        // It does not run as root; its settings may then be read by the account that it runs as.
        if rustix::process::geteuid().is_root() {
            readable(path);
            command.args(["--user", "nobody"]);
        }
        let program = command.arg(path.join("settings")).stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let pooler = Self { program, port, _folder: folder };
        for _ in 0..500 {
            if TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() {
                return pooler;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("in 10 s the pooler did not listen");
    }

    /// The same address, through here.
    fn url(&self, url: &str) -> String {
        let server: PgConnectOptions = url.parse().unwrap();
        url.replace(&format!(":{}/", server.get_port()), &format!(":{}/", self.port))
    }
}

fn readable(folder: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
}

fn program() -> PathBuf {
    let path = env::var_os("PATH").unwrap_or_default();
    let places = env::split_paths(&path).chain([PathBuf::from("/usr/sbin"), PathBuf::from("/opt/homebrew/bin")]);
    places
        .map(|folder| folder.join("pgbouncer"))
        .find(|program| program.is_file())
        .expect("PgBouncer is not installed: `cargo xtask test` installs it on Debian, elsewhere install it yourself")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_whole_journey_goes_through_a_transaction_pooler() {
    let mut pooler = None;
    let stage = Stage::behind(|url| pooler.insert(Pooler::before(url)).url(url)).await;
    let ann = stage.learner("ann").await;
    // Many at once over two server connections, so that every statement meets a stranger.
    let working = [stage.work(), stage.work_apart("other", stage.lease)];
    let mut tasks = Vec::new();
    for n in 0..12 {
        let owner = stage.learner(&format!("learner {n}")).await;
        tasks.push((owner, stage.start(owner).await));
    }
    for (owner, task) in &tasks {
        let seen = stage.until(*owner, *task, StateName::AwaitingReview).await;
        let edited = stage.ask(*owner, *task, edit(&seen, "Through the pooler.")).await.unwrap();
        stage.ask(*owner, *task, accept(&edited.task)).await.unwrap();
        stage.until(*owner, *task, StateName::Saved).await;
        assert_eq!(stage.entries(*task).await, 1);
    }
    let seen = stage.reviewed(ann).await;
    assert_eq!(stage.ask(ann, seen.task_id, Wish::Cancel).await.unwrap().task.state, StateName::Cancelled);
    for one in working {
        one.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_behind_a_pooler_polls_and_its_death_shows_by_its_lease() {
    let mut pooler = None;
    let stage = Stage::behind(|url| pooler.insert(Pooler::before(url)).url(url)).await;
    let ann = stage.learner("ann").await;
    let through = pooler.as_ref().unwrap().url(&stage.url);
    let pooled = [("DATABASE_URL", through.as_str()), ("MOORING_POOLED", "1")];
    let slow = [("MOORING_MODEL_DELAY", "60s"), pooled[0], pooled[1]];
    let first = Process::work(&stage, &slow);
    let task = stage.start(ann).await;
    stage.until_seen(ann, task, "drafting", |s| s.active.as_ref().is_some_and(|a| a.step == "draft")).await;
    let locks: i64 =
        sqlx::query_scalar("select count(*) from process where locks").fetch_one(&stage.pool).await.unwrap();
    assert_eq!(locks, 0, "a process that cannot hold a lock is not judged by one");
    first.signal(rustix::process::Signal::KILL);
    let second = Process::work(&stage, &pooled);
    stage.until(ann, task, StateName::AwaitingReview).await;
    drop((first, second));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_behind_a_pooler_are_one_system_with_a_way_round_it_and_without() {
    let mut pooler = None;
    let stage = Stage::behind(|url| pooler.insert(Pooler::before(url)).url(url)).await;
    let through = pooler.as_ref().unwrap().url(&stage.url);
    let without = [("DATABASE_URL", through.as_str()), ("MOORING_LIBRARY_URL", &through), ("MOORING_POOLED", "1")];
    let round = [("DATABASE_URL", through.as_str()), ("MOORING_DIRECT_URL", &stage.url)];
    let (one, other) = (Process::serve(&stage, &without).await, Process::serve(&stage, &round).await);
    let ann = Learner::sign_up(&one, "ann").await;
    for ordinal in 0..4 {
        // Started at the one, accepted at the other, seen at both.
        let task = ann.start(&one, ordinal).await;
        let seen = ann.until(&other, task, "awaiting_review").await;
        let (status, accepted) = ann.post(&other, "tasks/accept", http::accept(&seen)).await;
        assert_eq!((status, accepted["op"]["code"].as_str()), (200, Some("accepted")), "{accepted}");
        ann.until(&one, task, "saved").await;
        assert_eq!(stage.entries(task).await, 1);
    }
    let locks: i64 =
        sqlx::query_scalar("select count(*) from process where locks").fetch_one(&stage.pool).await.unwrap();
    assert_eq!(locks, 1, "only the one with a way round shows that it lives by a lock");
}
