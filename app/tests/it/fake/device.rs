//! A tab whose time, storage and stream are in the hands of the test.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use app::ports::device::{Device, HandOver, Heard, Keeping, Program, SlotError, Slots, Stream, Trigger, Turn};
use domain::id::{OpId, TaskId};
use futures::{channel::oneshot, executor::LocalSpawner, future::LocalBoxFuture, task::LocalSpawnExt};
use uuid::Uuid;

use super::turns::Turns;

/// Storage that outlives a tab, and may be full or blocked; one browser with its tabs.
pub struct Memory {
    pub values: RefCell<BTreeMap<String, String>>,
    pub full: Cell<bool>,
    /// Bytes of values that there is room for.
    pub room: Cell<usize>,
    pub blocked: Cell<bool>,
    /// How often something was written or taken away.
    pub writes: Cell<usize>,
    /// As in a browser where tabs cannot take turns.
    pub without_turns: Cell<bool>,
    turns: Rc<Turns>,
    opened: Cell<u64>,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            values: RefCell::default(),
            full: Cell::default(),
            room: Cell::new(usize::MAX),
            blocked: Cell::default(),
            writes: Cell::default(),
            without_turns: Cell::default(),
            turns: Turns::new(),
            opened: Cell::default(),
        }
    }
}

impl Memory {
    fn open(&self) -> Result<(), SlotError> {
        if self.blocked.get() { Err(SlotError::Blocked) } else { Ok(()) }
    }
}

impl Slots for Memory {
    fn get(&self, key: &str) -> Result<Option<String>, SlotError> {
        self.open()?;
        Ok(self.values.borrow().get(key).cloned())
    }

    fn set(&self, key: &str, value: &str) -> Result<(), SlotError> {
        self.open()?;
        self.writes.set(self.writes.get() + 1);
        let others = self.values.borrow().iter().filter(|(k, _)| *k != key).map(|(_, v)| v.len()).sum::<usize>();
        if self.full.get() || self.room.get() < others + value.len() {
            return Err(SlotError::Full);
        }
        self.values.borrow_mut().insert(key.to_owned(), value.to_owned());
        Ok(())
    }

    fn remove(&self, key: &str) -> Result<(), SlotError> {
        self.open()?;
        self.writes.set(self.writes.get() + 1);
        self.values.borrow_mut().remove(key);
        Ok(())
    }

    fn keys(&self, prefix: &str) -> Result<Vec<String>, SlotError> {
        self.open()?;
        Ok(self.values.borrow().keys().filter(|key| key.starts_with(prefix)).cloned().collect())
    }
}

type Act = Rc<dyn Fn(Trigger)>;

/// The tab.
pub struct Fake {
    slots: Rc<Memory>,
    name: String,
    /// What the next random numbers are made of; none for one half, always.
    pub seed: Cell<Option<u64>>,
    spawner: LocalSpawner,
    now: Cell<u64>,
    alarms: RefCell<Vec<(u64, oneshot::Sender<()>)>>,
    made: Cell<u128>,
    pub visible: Cell<bool>,
    act: RefCell<Option<Act>>,
    /// What the browser asks before the page is left.
    pub loses: RefCell<Option<Rc<dyn Fn() -> bool>>>,
    /// How the program's own files stand, how often a newer build was looked for, and when the tab
    /// was opened anew.
    pub program: RefCell<Program>,
    pub looks: Cell<u32>,
    pub renewed: RefCell<Vec<u64>>,
    /// What stands in the live region.
    pub said: RefCell<String>,
    /// Streams that were opened: the address, a way to speak into it, and whether it is open still.
    pub streams: RefCell<Vec<FakeStream>>,
}

pub struct FakeStream {
    pub url: String,
    pub hear: Rc<dyn Fn(Heard)>,
    pub open: Rc<Cell<bool>>,
}

struct Closing(Rc<Cell<bool>>);

impl Stream for Closing {}

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

impl Fake {
    pub fn new(slots: Rc<Memory>, spawner: LocalSpawner) -> Self {
        // Each tab makes IDs of its own, as real ones do.
        slots.opened.set(slots.opened.get() + 1);
        let made = Cell::new(u128::from(slots.opened.get()) << 64);
        Self {
            name: format!("tab{}", slots.opened.get()),
            seed: Cell::default(),
            slots,
            spawner,
            now: Cell::new(1_000),
            alarms: RefCell::default(),
            made,
            visible: Cell::new(true),
            act: RefCell::default(),
            loses: RefCell::default(),
            program: RefCell::default(),
            looks: Cell::default(),
            renewed: RefCell::default(),
            said: RefCell::default(),
            streams: RefCell::default(),
        }
    }

    pub fn now(&self) -> u64 {
        self.now.get()
    }

    pub fn next_alarm(&self) -> Option<u64> {
        self.alarms.borrow().iter().map(|(at, _)| *at).min()
    }

    pub fn set_now(&self, now: u64) {
        self.now.set(now);
        let (due, later): (Vec<_>, Vec<_>) = self.alarms.take().into_iter().partition(|(at, _)| *at <= now);
        *self.alarms.borrow_mut() = later;
        for (_, alarm) in due {
            let _ = alarm.send(());
        }
    }

    pub fn trigger(&self, trigger: Trigger) {
        let act = self.act.borrow().clone();
        act.expect("the keeper listens")(trigger);
    }

    /// Speaks into the newest stream, as far as it is open.
    pub fn say(&self, heard: Heard) {
        let hear = self.streams.borrow().last().filter(|s| s.open.get()).map(|s| s.hear.clone());
        hear.expect("a stream is open")(heard);
    }

    pub fn open_streams(&self) -> usize {
        self.streams.borrow().iter().filter(|s| s.open.get()).count()
    }

    fn next_id(&self) -> Uuid {
        self.made.set(self.made.get() + 1);
        Uuid::from_u128(self.made.get())
    }
}

impl Device for Fake {
    fn slots(&self) -> &dyn Slots {
        &*self.slots
    }

    fn keeping(&self) -> Keeping {
        if self.slots.blocked.get() { Keeping::WhileOpen } else { Keeping::OnDevice }
    }

    fn tab(&self) -> &str {
        &self.name
    }

    fn turn(&self, name: String, patience_ms: u64) -> LocalBoxFuture<'static, Box<dyn Turn>> {
        let alone = if self.slots.without_turns.get() { Turns::new() } else { self.slots.turns.clone() };
        alone.take(name, self.sleep(patience_ms))
    }

    fn new_op(&self) -> OpId {
        OpId(self.next_id())
    }

    fn new_task(&self) -> TaskId {
        TaskId(self.next_id())
    }

    fn random(&self) -> f64 {
        let Some(seed) = self.seed.get() else { return 0.5 };
        // Numerical Recipes' generator: good enough to spread.
        let next = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223) % (1 << 32);
        self.seed.set(Some(next));
        f64::from(u32::try_from(next).unwrap()) / 4_294_967_296.0
    }

    fn monotonic_ms(&self) -> u64 {
        self.now.get()
    }

    fn offset_minutes(&self) -> i32 {
        0
    }

    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        let (alarm, rung) = oneshot::channel();
        self.alarms.borrow_mut().push((self.now.get() + ms, alarm));
        Box::pin(async {
            let _ = rung.await;
        })
    }

    fn spawn(&self, work: LocalBoxFuture<'static, ()>) {
        self.spawner.spawn_local(work).expect("the pool lives as long as the tab");
    }

    fn is_visible(&self) -> bool {
        self.visible.get()
    }

    fn on_trigger(&self, act: Rc<dyn Fn(Trigger)>) {
        *self.act.borrow_mut() = Some(act);
    }

    fn ask_before_leaving(&self, loses: Rc<dyn Fn() -> bool>) {
        *self.loses.borrow_mut() = Some(loses);
    }

    fn program(&self) -> Program {
        self.program.borrow().clone()
    }

    fn look_for_build(&self) {
        self.looks.set(self.looks.get() + 1);
    }

    fn renew(&self) {
        self.renewed.borrow_mut().push(self.now.get());
    }

    fn open_stream(&self, url: &str, hear: Rc<dyn Fn(Heard)>) -> Box<dyn Stream> {
        let open = Rc::new(Cell::new(true));
        self.streams.borrow_mut().push(FakeStream { url: url.to_owned(), hear, open: open.clone() });
        Box::new(Closing(open))
    }

    fn announce(&self, sentence: &str) {
        sentence.clone_into(&mut self.said.borrow_mut());
    }

    fn set_title(&self, _: &str) {}

    fn focus_heading(&self) {}

    fn can_share(&self) -> bool {
        true
    }

    fn hand_over(&self, _: &str, _: HandOver) -> LocalBoxFuture<'static, bool> {
        Box::pin(async { true })
    }
}
