//! The embedded Postgres: shared by the processes on a data folder, stopped by the last, taken over
//! from the dead, and never in the way of the data.

use std::{
    env,
    fs::Permissions,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use server::embedded::{self, Embedded};
use sqlx::{Connection as _, PgConnection};

/// Set for the test's own second process: the data folder whose server it should use until killed.
const SECOND_PROCESS: &str = "MOORING_TEST_SECOND_PROCESS";

async fn connects(url: &str) -> bool {
    PgConnection::connect(url).await.is_ok()
}

async fn run(url: &str, sql: &str) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
}

async fn number(url: &str, sql: &str) -> i64 {
    let mut connection = PgConnection::connect(url).await.unwrap();
    sqlx::query_scalar(sql).fetch_one(&mut connection).await.unwrap()
}

/// Waits for a fact, not for a time.
async fn until(what: &str, mut fact: impl AsyncFnMut() -> bool) {
    for _ in 0..400 {
        if fact().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("in 20 s it did not come true that {what}");
}

async fn start(folder: &Path) -> Embedded {
    embedded::start(folder).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_users_share_one_server_and_the_last_one_out_stops_it() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = tokio::join!(start(folder.path()), start(folder.path()));
    assert_eq!(first.url(), second.url());
    let url = first.url().to_owned();
    run(&url, "create table kept (n bigint); insert into kept values (42)").await;

    first.release().await.unwrap();
    assert!(connects(&url).await, "the server stays while somebody uses it");
    second.release().await.unwrap();
    assert!(!connects(&url).await, "the last one out stops it");

    let again = start(folder.path()).await;
    assert_eq!(number(again.url(), "select n from kept").await, 42, "the data survive");
    again.remove().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_while_the_last_one_is_leaving_has_a_server_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = start(folder.path()).await;
    for _ in 0..5 {
        // Told to stop and not waited for: it calls itself ready for a moment longer.
        drop(server);
        server = start(folder.path()).await;
        assert!(connects(server.url()).await);
    }
    server.remove().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_a_killed_process_left_is_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let mut other = Command::new(env::current_exe().unwrap())
        .args(["--exact", "embedded::second_process", "--nocapture"])
        .env(SECOND_PROCESS, folder.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let ready = folder.path().join("second-process-is-ready");
    until("the second process has a server", async || ready.exists()).await;
    other.kill().unwrap();
    other.wait().unwrap();

    let taken_over = start(folder.path()).await;
    assert_eq!(std::fs::read_to_string(&ready).unwrap(), taken_over.url(), "it is the same server");
    let url = taken_over.url().to_owned();
    taken_over.release().await.unwrap();
    assert!(!connects(&url).await, "the dead process holds no seat");
    start(folder.path()).await.remove().await.unwrap();
}

/// Not a promise: the process that the test above starts and kills. Does nothing elsewhere.
#[tokio::test(flavor = "multi_thread")]
async fn second_process() {
    let Some(folder) = env::var_os(SECOND_PROCESS) else { return };
    let folder = Path::new(&folder);
    let server = start(folder).await;
    std::fs::write(folder.join("draft"), server.url()).unwrap();
    std::fs::rename(folder.join("draft"), folder.join("second-process-is-ready")).unwrap();
    tokio::time::sleep(Duration::from_mins(1)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_was_killed_comes_back_on_its_port_with_its_data() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    run(server.url(), "create table kept (n bigint); insert into kept values (7)").await;

    let pid = rustix::process::Pid::from_raw(server.server_pid().unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    until("the server was started again", async || {
        server.server_pid() != Some(pid.as_raw_nonzero().get()) && connects(server.url()).await
    })
    .await;
    assert_eq!(number(server.url(), "select n from kept").await, 7);
    server.remove().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pid_file_of_a_server_that_is_gone_is_no_obstacle() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let cluster = cluster_of(&server).await;
    server.release().await.unwrap();

    // As after a power cut, with the number given to somebody else since: this test.
    let leftover = format!("{}\n{}\n1700000000\n5432\n\n127.0.0.1\n\nready\n", std::process::id(), cluster);
    std::fs::write(Path::new(&cluster).join("postmaster.pid"), leftover).unwrap();
    let again = start(folder.path()).await;
    assert!(connects(again.url()).await);
    again.remove().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_is_on_loopback_only_asks_for_the_password_and_keeps_it_to_itself() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let mut connection = PgConnection::connect(server.url()).await.unwrap();
    for (setting, wanted) in [
        ("listen_addresses", "127.0.0.1"),
        ("unix_socket_directories", ""),
        ("password_encryption", "scram-sha-256"),
        ("server_encoding", "UTF8"),
        ("fsync", "on"),
        ("max_connections", "100"),
    ] {
        let found: String =
            sqlx::query_scalar("select current_setting($1)").bind(setting).fetch_one(&mut connection).await.unwrap();
        assert_eq!(found, wanted, "{setting}");
    }
    let password = server.url().split([':', '@']).nth(2).unwrap();
    assert!(!connects(&server.url().replace(password, "wrong")).await);
    assert!(!format!("{server:?}").contains(password));
    drop(connection);
    server.remove().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_data_folder_that_the_server_account_cannot_enter_serves_as_well() {
    let closed = tempfile::Builder::new().permissions(Permissions::from_mode(0o700)).tempdir().unwrap();
    let folder = closed.path().join("data");
    let server = start(&folder).await;
    run(server.url(), "create table kept (n bigint); insert into kept values (9)").await;
    let place = cluster_of(&server).await;
    server.release().await.unwrap();

    let again = start(&folder).await;
    assert_eq!(cluster_of(&again).await, place, "the pointer is followed");
    assert_eq!(number(again.url(), "select n from kept").await, 9);
    again.remove().await.unwrap();
    assert!(!Path::new(&place).exists(), "nothing is left behind");
}

async fn cluster_of(server: &Embedded) -> String {
    let mut connection = PgConnection::connect(server.url()).await.unwrap();
    sqlx::query_scalar("show data_directory").fetch_one(&mut connection).await.unwrap()
}
