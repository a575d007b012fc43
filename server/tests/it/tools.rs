//! A tool of somebody else's server: what is called, what is refused, and what each way to fail is called.

use std::{
    collections::BTreeSet,
    sync::Arc,
    time::{Duration, Instant},
};

use domain::{explanation::StateName, id::RecordId, retry::Terms};
use server::{
    model::{Model, ModelError, simulated::SimulatedModel},
    sources::{
        Source, SourceError,
        mcp::{McpSource, Settings, map::Map},
    },
    worker::{self, Worker, explanation::Explaining},
};

use crate::{
    adapters::is_running,
    stage::{Stage, Working, accept},
    tool_server::{
        Started,
        http::{AtAddress, Unknown},
    },
};

async fn look(source: &dyn Source, record: &str) -> Result<String, SourceError> {
    source.look_up(&RecordId::parse(record).unwrap()).await.map(|seen| seen.content)
}

/// The code of the problem, and whether another try is worth it.
async fn failure(source: &dyn Source, record: &str) -> (String, bool) {
    let error = look(source, record).await.expect_err(record);
    (error.problem().code, error.worth_retrying())
}

fn by_tool(settings: Settings, tool: &str) -> Settings {
    let mut map = Map::own();
    tool.clone_into(&mut map.get.tool);
    Settings { map, ..settings }
}

impl Stage {
    /// The worker of `work`, with a source and a model of the test's own.
    pub fn asking(&self, source: impl Source, model: impl Model) -> Working {
        self.asking_within(self.worker().settings.step_timeout, source, model)
    }

    /// The same, with a bound on each call.
    pub fn asking_within(&self, step_timeout: Duration, source: impl Source, model: impl Model) -> Working {
        let library = Arc::clone(&self.backend.library);
        let asks = Explaining { source: Arc::new(source), model: Arc::new(model), library };
        let worker = self.worker();
        let settings = worker::Settings { step_timeout, ..worker.settings };
        Working::begin(Worker { kinds: vec![Arc::new(asks)], settings, ..worker })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_is_not_marked_read_only_is_refused_unless_it_is_allowed_by_name_s2() {
    let (child, server) = (Started::new(), AtAddress::begin().await);
    for settings in [child.settings(""), server.settings()] {
        for tool in ["touch_record", "open_record"] {
            let refused = McpSource::new(by_tool(settings.clone(), tool));
            assert_eq!(failure(&refused, "clay").await, ("tool_not_read_only".to_owned(), false), "{tool}");
            let allowed = vec!["get_record".to_owned(), tool.to_owned()];
            let source = McpSource::new(Settings { allowed, ..by_tool(settings.clone(), tool) });
            assert!(look(&source, "clay").await.unwrap().contains("Said at start"), "{tool}");
        }
        let unknown = McpSource::new(by_tool(settings.clone(), "show_record"));
        assert_eq!(failure(&unknown, "clay").await, ("tool_unknown".to_owned(), false));
    }
    let twice = Started::new();
    let refused = McpSource::new(twice.settings("twice"));
    assert_eq!(failure(&refused, "clay").await, ("tool_not_read_only".to_owned(), false), "one of two is not harmless");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_promises_is_asked_again_when_it_may_have_changed_s2() {
    let child = Started::new();
    let source = McpSource::new(child.settings(""));
    look(&source, "turns").await.unwrap();
    assert_eq!(failure(&source, "clay").await, ("tool_not_read_only".to_owned(), false), "it said that it changed");
    assert_eq!(child.asked(), ["turns"], "it was not asked for the second");

    let server = AtAddress::begin().await;
    let source = McpSource::new(server.settings());
    look(&source, "clay").await.unwrap();
    server.become_one_that("other tools");
    server.forget_sessions();
    assert_eq!(failure(&source, "clay").await, ("tool_not_read_only".to_owned(), false), "another server is met anew");
    assert_eq!((&*source.name(), server.sessions()), ("other tools", 2));
    server.become_one_that("");
    look(&source, "clay").await.expect("a refusal is not for ever");
    assert_eq!(server.sessions(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_call_meets_does_not_end_the_others_s3() {
    let server = AtAddress::begin().await;
    let patience = Duration::from_secs(2);
    let source = Arc::new(McpSource::new(server.settings()));
    let held = || {
        let source = Arc::clone(&source);
        tokio::spawn(async move { look(&*source, "held").await })
    };
    let waiting = held();
    server.is_holding().await;
    for status in [403, 401, 404, 500, 502] {
        // A 404 is how a server says that it does not know the session; the look-up goes on in a new one.
        server.then(status, None);
        let _ = look(&*source, "clay").await;
    }
    // Nobody waits for these any more, and that counts too.
    for _ in 0..2 {
        tokio::time::timeout(patience, look(&*source, "hangs")).await.unwrap_err();
    }
    look(&*source, "clay").await.unwrap();
    assert_eq!(server.sessions(), 3, "one for the forgotten session, one for the silence");
    server.let_go();
    waiting.await.unwrap().expect("the call that was under way in the first session was answered");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_fails_as_if_its_session_were_forgotten_costs_one_new_session_and_no_more() {
    let server = AtAddress::begin().await;
    let source = McpSource::new(server.settings());
    look(&source, "clay").await.unwrap();
    for _ in 0..4 {
        assert_eq!(failure(&source, "fails").await.0, "tool_failed");
        assert_eq!(server.sessions(), 2);
    }
    look(&source, "clay").await.unwrap();
    assert_eq!(server.sessions(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_asks_and_takes_no_answer_is_not_listened_to_for_ever() {
    let server = AtAddress::begin().await;
    server.become_one_that("floods");
    let source = McpSource::new(server.settings());
    look(&source, "clay").await.unwrap();
    until("it has asked what is borne", || 400 <= server.questions()).await;
    // It comes to rest: what nobody reads is not sent. A machine that is busy may only seem to rest.
    let (mut asked, mut rests) = (0, 0);
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let before = std::mem::replace(&mut asked, server.questions());
        rests = if asked == before { rests + 1 } else { 0 };
        if rests == 5 {
            break;
        }
    }
    assert!(rests == 5 && asked < 4_000, "it asked {asked} times, 10 kB each");
    server.become_one_that("");
    look(&source, "clay").await.expect("in a session of its own");
    assert_eq!(server.sessions(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_source_that_is_closed_ends_what_it_started_at_once() {
    for (handshake, record) in [("is silent", "clay"), ("floods", "clay"), ("", "hangs")] {
        let child = Started::new();
        let patience = Duration::from_mins(10);
        let source = Arc::new(McpSource::new(Settings { patience, ..child.settings(handshake) }));
        let calls: Vec<_> = (0..3)
            .map(|_| {
                let source = Arc::clone(&source);
                tokio::spawn(async move { failure(&*source, record).await })
            })
            .collect();
        until(handshake, || match handshake {
            "is silent" => !child.processes().is_empty(),
            _ => !child.asked().is_empty(),
        })
        .await;
        tokio::time::timeout(Duration::from_secs(20), source.end()).await.expect(handshake);
        for call in calls {
            assert_eq!(call.await.unwrap(), ("source_connection_lost".to_owned(), true), "{handshake}");
        }
        let processes = child.processes();
        until(handshake, || !is_running(processes[0])).await;
        assert_eq!(child.processes().len(), 1, "{handshake}: who waited did not start another");
    }
}

/// Waits until it is so.
async fn until(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..3000 {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("in 30 s it did not come to it: {what}");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_way_to_fail_has_a_problem_of_its_own_s3() {
    let (child, server, by_events) = (Started::new(), AtAddress::begin().await, AtAddress::begin().await);
    by_events.answer_by_events();
    for (way, settings) in
        [("stdio", child.settings("")), ("http", server.settings()), ("http by events", by_events.settings())]
    {
        let source = McpSource::new(settings);
        for (record, code, again) in [
            ("dies", "source_connection_lost", true),
            ("fails", "tool_failed", true),
            ("broken", "tool_failed", true),
            ("bad-arguments", "tool_arguments_refused", false),
            ("missing", "record_not_found", false),
            ("nowhere", "record_not_found", false),
            ("../clay", "record_not_found", false),
            ("/clay", "record_not_found", false),
            ("misspelt", "reply_malformed", false),
            ("shapeless", "reply_malformed", false),
            ("withdrawn", "record_withdrawn", false),
            ("odd", "reply_malformed", false),
            ("large", "reply_too_large", false),
            ("longish", "reply_too_large", false),
        ] {
            assert_eq!(failure(&source, record).await, (code.to_owned(), again), "{way}: {record}");
        }
        assert!(look(&source, "clay").await.unwrap().contains("Said at start 2"), "{way}: it is there again");
        assert_eq!((&*source.name(), source.list().await.unwrap().records.len()), ("test-tools", 1), "{way}");
    }
    assert_eq!(child.processes().len(), 2, "it was started again after it died, and only then");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_hangs_is_given_up_and_begun_anew_s3() {
    let child = Started::new();
    let source = McpSource::new(Settings { patience: Duration::from_secs(4), ..child.settings("") });
    look(&source, "clay").await.unwrap();
    for _ in 0..2 {
        let begun = Instant::now();
        assert_eq!(failure(&source, "hangs").await, ("source_timed_out".to_owned(), true));
        assert!(begun.elapsed() < Duration::from_secs(8), "the call was bounded");
    }
    assert!(look(&source, "clay").await.unwrap().contains("Said at start 2"), "after two calls without an answer");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handshake_that_fails_is_said_and_starts_do_not_pile_up_s3() {
    for (handshake, code, again) in [
        ("refuses", "source_handshake_refused", false),
        ("is old", "source_handshake_refused", false),
        ("exits", "source_cannot_start", true),
    ] {
        let child = Started::new();
        let source = Arc::new(McpSource::new(child.settings(handshake)));
        let begun = Instant::now();
        for _ in 0..3 {
            assert_eq!(failure(&*source, "clay").await, (code.to_owned(), again), "{handshake}");
        }
        assert!(Duration::from_millis(600) <= begun.elapsed(), "{handshake}: 0.2 s and 0.4 s lie between the starts");
        let calls = (0..8).map(|_| {
            let source = Arc::clone(&source);
            tokio::spawn(async move { failure(&*source, "clay").await })
        });
        for call in futures::future::join_all(calls).await {
            assert_eq!(call.unwrap(), (code.to_owned(), again), "{handshake}");
        }
        assert!(child.processes().len() <= 5, "{handshake}: who waits for a start does not start another");
    }
    let nowhere = Started::new();
    let mut settings = nowhere.settings("");
    if let server::sources::mcp::way::Way::Stdio(program) = &mut settings.way {
        program.path = "/no/such/program".into();
    }
    assert_eq!(failure(&McpSource::new(settings), "clay").await, ("source_cannot_start".to_owned(), true));
}

#[tokio::test(flavor = "multi_thread")]
async fn over_http_a_lost_session_is_begun_anew_and_statuses_say_what_they_mean() {
    let server = AtAddress::begin().await;
    let source = McpSource::new(server.settings());
    look(&source, "clay").await.unwrap();
    server.forget_sessions();
    look(&source, "clay").await.unwrap();
    assert_eq!(server.sessions(), 2, "the look-up that met the lost session was answered in a new one");

    for how in [Unknown::UnderItsId, Unknown::UnderNone] {
        let before = server.sessions();
        server.says_of_an_unknown_session(how);
        server.forget_sessions();
        look(&source, "clay").await.unwrap_or_else(|error| panic!("{how:?}: {error}"));
        assert_eq!(server.sessions(), before + 1, "{how:?}");
    }

    for (status, wait, code, again) in [
        (429, Some("7"), "source_busy", true),
        (503, None, "source_unreachable", true),
        (503, Some("7"), "source_busy", true),
        (408, None, "source_unreachable", true),
        (425, None, "source_unreachable", true),
        (500, None, "source_unreachable", true),
        (401, None, "source_refused", false),
        (403, None, "source_refused", false),
    ] {
        server.then(status, wait);
        let error = look(&source, "clay").await.expect_err("refused");
        assert_eq!((error.problem().code.as_str(), error.worth_retrying()), (code, again), "{status}: {error}");
        assert_eq!(error.asked_to_wait(), wait.map(|_| Duration::from_secs(7)), "{status}");
        look(&source, "clay").await.unwrap_or_else(|error| panic!("after {status}: {error}"));
    }

    let error = look(&source, "no-message").await.expect_err("no message");
    assert_eq!((error.problem().code.as_str(), error.worth_retrying()), ("reply_malformed", false));
    assert!(!error.to_string().contains("stands in a record"), "what is logged holds no record: {error}");

    let mut settings = server.settings();
    if let server::sources::mcp::way::Way::Http { token, .. } = &mut settings.way {
        *token = None;
    }
    assert_eq!(failure(&McpSource::new(settings.clone()), "clay").await, ("source_refused".to_owned(), false));
    if let server::sources::mcp::way::Way::Http { url, .. } = &mut settings.way {
        "http://127.0.0.1:9/mcp".clone_into(url);
    }
    assert_eq!(failure(&McpSource::new(settings), "clay").await, ("source_unreachable".to_owned(), true));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_calls_are_in_flight_than_are_allowed() {
    let server = AtAddress::begin().await;
    let source = Arc::new(McpSource::new(Settings { in_flight: 3, ..server.settings() }));
    let calls = (0..24).map(|_| {
        let source = Arc::clone(&source);
        tokio::spawn(async move { look(&*source, "slow").await })
    });
    for call in futures::future::join_all(calls).await {
        call.unwrap().unwrap();
    }
    assert_eq!((server.most_at_once(), server.sessions()), (3, 1), "and all of them share one session");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_outlives_its_server_and_says_what_went_wrong_where_it_cannot_s3() {
    let stage = Stage::on(Terms { tries: 3, backoff_ms: 10, ..Terms::default() }).await;
    let ann = stage.learner("ann").await;
    let child = Started::new();
    let working = stage.asking(McpSource::new(child.settings("")), SimulatedModel::new());

    let task = stage.start_about(ann, "dies-once").await;
    let seen = stage.until(ann, task, StateName::AwaitingReview).await;
    let evidence = seen.newest_evidence().unwrap();
    assert_eq!((evidence.source.as_str(), evidence.adapter.as_str()), ("test-tools", "mcp-stdio"));
    assert!(
        evidence.content.contains("Said at start 2") && stage.kinds(ann, task).await.contains(&"try_failed".to_owned())
    );
    stage.ask(ann, task, accept(&seen)).await.unwrap();
    stage.until(ann, task, StateName::Saved).await;

    for (record, code, tries) in [("fails", "tool_failed", "3"), ("large", "reply_too_large", "1")] {
        let task = stage.start_about(ann, record).await;
        let problem = stage.until(ann, task, StateName::SourceUnavailable).await.problem.unwrap();
        assert_eq!((problem.code.as_str(), problem.params["tries"].as_str()), (code, tries), "{record}");
    }
    working.stop().await;
}

#[test]
fn every_failure_has_words_of_its_own() {
    let why = String::new;
    let problems = [
        SourceError::Missing.problem(),
        SourceError::Withdrawn.problem(),
        SourceError::Unreachable(why()).problem(),
        SourceError::TimedOut.problem(),
        SourceError::Busy(Duration::ZERO).problem(),
        SourceError::TooLarge { limit: 1 }.problem(),
        SourceError::Malformed(why()).problem(),
        SourceError::Refused(why()).problem(),
        SourceError::CannotStart(why()).problem(),
        SourceError::HandshakeRefused(why()).problem(),
        SourceError::ConnectionLost(why()).problem(),
        SourceError::ToolUnknown(why()).problem(),
        SourceError::ToolNotReadOnly(why()).problem(),
        SourceError::ArgumentsRefused(why()).problem(),
        SourceError::ToolFailed(why()).problem(),
        ModelError::RateLimited { wait: None, said: why() }.problem(),
        ModelError::Unreachable(why()).problem(),
        ModelError::TimedOut.problem(),
        ModelError::Rejected(why()).problem(),
        ModelError::Malformed(why()).problem(),
        ModelError::Empty.problem(),
        ModelError::TooLarge { limit: 1 }.problem(),
    ];
    let sentences: BTreeSet<String> = problems.iter().map(app::words::problem::problem).collect();
    assert_eq!(sentences.len(), problems.len(), "no two read the same: {sentences:#?}");
    for sentence in sentences {
        assert!(!sentence.contains("Something went wrong"), "{sentence}");
    }
}
