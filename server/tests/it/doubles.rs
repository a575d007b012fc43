//! A source and a model that count their calls and do what a script says, and a library that can be
//! out of reach.
//!
//! They are the witnesses: whether an effect was repeated is read off their counters, never off
//! our own tables. Clones share one script and one set of counters, so a test keeps a clone.

use std::{
    borrow::Cow,
    collections::VecDeque,
    future::pending,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::SeqCst},
    },
    time::Duration,
};

use async_trait::async_trait;
use domain::{
    id::{EntryId, OpId, RecordId, SourceVersion, TaskId, UserId},
    record::{Observation, RecordList, RecordSummary},
    snapshot::LibraryEntry,
};
use server::{
    library::{Found, Library, LibraryError, Save, Saved, postgres::PostgresLibrary},
    model::{Drafted, Model, ModelError, Prompt},
    sources::{Source, SourceError},
};
use tokio::sync::Notify;

/// How one call goes.
pub enum Turn<T, E> {
    Answer(T),
    Fail(E),
    /// Never answers; the caller has to give up.
    Hang,
    /// Goes on after a while.
    After(Duration, Box<Turn<T, E>>),
    /// Goes on when it is notified; a notice given before the call counts.
    When(Arc<Notify>, Box<Turn<T, E>>),
}

impl<T, E> Turn<T, E> {
    pub fn after(self, wait: Duration) -> Self {
        Self::After(wait, Box::new(self))
    }

    pub fn when(self, notice: &Arc<Notify>) -> Self {
        Self::When(notice.clone(), Box::new(self))
    }

    async fn play(self) -> Result<T, E> {
        let mut turn = self;
        loop {
            turn = match turn {
                Self::Answer(answer) => return Ok(answer),
                Self::Fail(error) => return Err(error),
                Self::Hang => pending().await,
                Self::After(wait, next) => {
                    tokio::time::sleep(wait).await;
                    *next
                }
                Self::When(notice, next) => {
                    notice.notified().await;
                    *next
                }
            }
        }
    }
}

/// How the calls went, counted on the other side.
#[derive(Default)]
pub struct Counters {
    begun: AtomicU64,
    ended: AtomicU64,
    under_way: AtomicU64,
    most_at_once: AtomicU64,
}

impl Counters {
    /// Calls that arrived.
    pub fn begun(&self) -> u64 {
        self.begun.load(SeqCst)
    }

    /// Calls that were answered, well or badly; not those that were dropped.
    pub fn ended(&self) -> u64 {
        self.ended.load(SeqCst)
    }

    /// Calls that are neither answered nor dropped.
    pub fn under_way(&self) -> u64 {
        self.under_way.load(SeqCst)
    }

    /// The highest number of calls at the same time.
    pub fn most_at_once(&self) -> u64 {
        self.most_at_once.load(SeqCst)
    }

    /// Counts one call; gives its number, from 1.
    fn begin(&self) -> (u64, UnderWay<'_>) {
        self.most_at_once.fetch_max(self.under_way.fetch_add(1, SeqCst) + 1, SeqCst);
        (self.begun.fetch_add(1, SeqCst) + 1, UnderWay(self))
    }
}

/// Lives as long as the call does, so that a dropped call is not under way for ever.
struct UnderWay<'a>(&'a Counters);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, SeqCst);
    }
}

/// What a double does at each call: first the turns that were queued, then what it always does,
/// given the call's number and what was asked.
struct Script<A, T, E> {
    counters: Counters,
    queue: Mutex<VecDeque<Turn<T, E>>>,
    always: Always<A, T, E>,
    asked: Mutex<Vec<A>>,
}

type Always<A, T, E> = Box<dyn Fn(u64, &A) -> Turn<T, E> + Send + Sync>;

impl<A: Clone, T, E> Script<A, T, E> {
    fn new(always: Always<A, T, E>) -> Arc<Self> {
        Arc::new(Self { counters: Counters::default(), queue: Mutex::default(), always, asked: Mutex::default() })
    }

    async fn play(&self, asked: &A) -> Result<T, E> {
        let (number, _under_way) = self.counters.begin();
        self.asked.lock().unwrap().push(asked.clone());
        let queued = self.queue.lock().unwrap().pop_front();
        let outcome = queued.unwrap_or_else(|| (self.always)(number, asked)).play().await;
        self.counters.ended.fetch_add(1, SeqCst);
        outcome
    }
}

/// A source that knows every record, at version 1, unless its script says otherwise.
#[derive(Clone)]
pub struct CountingSource {
    script: Arc<Script<RecordId, Observation, SourceError>>,
    lists: Arc<AtomicU64>,
    list: Arc<Mutex<RecordList>>,
}

impl CountingSource {
    pub fn new() -> Self {
        Self::scripted(|_, record| Turn::Answer(observation(record, "1")))
    }

    /// Does this at each call that no queued turn is for.
    pub fn scripted(always: impl Fn(u64, &RecordId) -> Turn<Observation, SourceError> + Send + Sync + 'static) -> Self {
        let list = RecordList { records: vec![summary("wheel-throwing", "1")], complete: false };
        Self { script: Script::new(Box::new(always)), lists: Arc::default(), list: Arc::new(Mutex::new(list)) }
    }

    /// What the next look-up does; further turns queue behind it.
    pub fn then(&self, turn: Turn<Observation, SourceError>) -> &Self {
        self.script.queue.lock().unwrap().push_back(turn);
        self
    }

    /// What `list` answers from now on.
    pub fn lists(&self, list: RecordList) -> &Self {
        *self.list.lock().unwrap() = list;
        self
    }

    /// Look-ups, counted here.
    pub fn calls(&self) -> &Counters {
        &self.script.counters
    }

    /// How often the list was asked for.
    pub fn list_calls(&self) -> u64 {
        self.lists.load(SeqCst)
    }

    /// The records that were looked up, in order.
    pub fn asked(&self) -> Vec<RecordId> {
        self.script.asked.lock().unwrap().clone()
    }
}

#[async_trait]
impl Source for CountingSource {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed("counting")
    }

    fn adapter(&self) -> &'static str {
        "fixture"
    }

    async fn list(&self) -> Result<RecordList, SourceError> {
        self.lists.fetch_add(1, SeqCst);
        Ok(self.list.lock().unwrap().clone())
    }

    async fn look_up(&self, record: &RecordId) -> Result<Observation, SourceError> {
        self.script.play(record).await
    }
}

/// A model that writes another text at each call, unless its script says otherwise.
#[derive(Clone)]
pub struct CountingModel {
    script: Arc<Script<Prompt, Drafted, ModelError>>,
}

impl CountingModel {
    pub fn new() -> Self {
        Self::scripted(|number, prompt| {
            Turn::Answer(drafted(&format!("Draft number {number} about {}.", prompt.title)))
        })
    }

    /// Does this at each call that no queued turn is for.
    pub fn scripted(always: impl Fn(u64, &Prompt) -> Turn<Drafted, ModelError> + Send + Sync + 'static) -> Self {
        Self { script: Script::new(Box::new(always)) }
    }

    /// What the next call does; further turns queue behind it.
    pub fn then(&self, turn: Turn<Drafted, ModelError>) -> &Self {
        self.script.queue.lock().unwrap().push_back(turn);
        self
    }

    /// Calls, counted here.
    pub fn calls(&self) -> &Counters {
        &self.script.counters
    }

    /// The prompts that were given, in order.
    pub fn asked(&self) -> Vec<Prompt> {
        self.script.asked.lock().unwrap().clone()
    }
}

#[async_trait]
impl Model for CountingModel {
    fn name(&self) -> &'static str {
        "counting"
    }

    fn simulated(&self) -> bool {
        true
    }

    async fn draft(&self, prompt: &Prompt) -> Result<Drafted, ModelError> {
        self.script.play(prompt).await
    }
}

/// The real library behind a switch: while it is off, nothing is known of what was asked.
#[derive(Clone)]
pub struct SwitchedLibrary {
    inner: PostgresLibrary,
    off: Arc<AtomicBool>,
}

impl SwitchedLibrary {
    pub fn new(inner: PostgresLibrary) -> Self {
        Self { inner, off: Arc::default() }
    }

    pub fn switch(&self, on: bool) {
        self.off.store(!on, SeqCst);
    }

    fn reached(&self) -> Result<&PostgresLibrary, LibraryError> {
        if self.off.load(SeqCst) { Err(LibraryError(sqlx::Error::PoolTimedOut)) } else { Ok(&self.inner) }
    }
}

#[async_trait]
impl Library for SwitchedLibrary {
    async fn save(&self, save: &Save) -> Result<Saved, LibraryError> {
        self.reached()?.save(save).await
    }

    async fn find(&self, task: TaskId, op: OpId) -> Result<Found, LibraryError> {
        self.reached()?.find(task, op).await
    }

    async fn withdraw(&self, task: TaskId, op: OpId) -> Result<Found, LibraryError> {
        self.reached()?.withdraw(task, op).await
    }

    async fn list(&self, owner: UserId) -> Result<Vec<LibraryEntry>, LibraryError> {
        self.reached()?.list(owner).await
    }

    async fn read(&self, owner: UserId, entry: EntryId) -> Result<Option<LibraryEntry>, LibraryError> {
        self.reached()?.read(owner, entry).await
    }
}

/// What a look-up of `record` shows at a version.
pub fn observation(record: &RecordId, version: &str) -> Observation {
    Observation {
        title: format!("The record {record}"),
        content: format!("{{\n  \"bring\": \"An apron, as version {version} says\"\n}}"),
        source_version: SourceVersion(version.to_owned()),
    }
}

/// A line of a list.
pub fn summary(record: &str, version: &str) -> RecordSummary {
    RecordSummary {
        record_id: RecordId::parse(record).unwrap(),
        title: format!("The record {record}"),
        version: SourceVersion(version.to_owned()),
    }
}

/// A whole draft of this text.
pub fn drafted(text: &str) -> Drafted {
    Drafted { text: text.to_owned(), incomplete: false, usage: None }
}

#[tokio::test]
async fn a_double_plays_its_turns_in_order_and_counts_on_its_own_side() {
    let (notice, model) = (Arc::new(Notify::new()), CountingModel::new());
    let ask = || {
        let prompt = Prompt {
            title: "bread".to_owned(),
            question: String::new(),
            content: String::new(),
            source_version: String::new(),
        };
        let model = model.clone();
        async move { model.draft(&prompt).await.map(|drafted| drafted.text).map_err(|error| error.problem().code) }
    };
    model
        .then(Turn::Fail(ModelError::TimedOut))
        .then(Turn::Answer(drafted("slow")).after(Duration::from_millis(5)))
        .then(Turn::Answer(drafted("noticed")).when(&notice))
        .then(Turn::Hang);

    assert_eq!(ask().await.unwrap_err(), "model_timed_out");
    let (slow, noticed, ()) = tokio::join!(ask(), ask(), async { notice.notify_one() });
    assert_eq!((slow.unwrap().as_str(), noticed.unwrap().as_str()), ("slow", "noticed"));
    assert!(tokio::time::timeout(Duration::from_millis(20), ask()).await.is_err());
    assert_eq!(ask().await.unwrap(), "Draft number 5 about bread.");
    assert_eq!(ask().await.unwrap(), "Draft number 6 about bread.");

    let calls = model.calls();
    assert_eq!((calls.begun(), calls.ended(), calls.under_way(), calls.most_at_once()), (6, 5, 0, 2));
    assert_eq!(model.asked().len(), 6);
}

#[tokio::test]
async fn a_counting_source_lists_what_it_is_told_to() {
    let source = CountingSource::new();
    let bread = RecordId::parse("bread").unwrap();
    source.lists(RecordList { records: vec![summary("bread", "2")], complete: true });
    source.then(Turn::Answer(observation(&bread, "2")));
    assert!(source.list().await.unwrap().complete);
    assert_eq!(source.look_up(&bread).await.unwrap().source_version.0, "2");
    assert_eq!(source.look_up(&bread).await.unwrap().source_version.0, "1");
    assert_eq!((source.list_calls(), source.calls().begun(), source.asked()), (1, 2, vec![bread.clone(), bread]));
}
