//! A server that answers as it was told, and counts.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use app::{
    api::{
        error::ApiError,
        reply::{EntryReply, LibraryReply},
    },
    ports::server::{Reply, Server, Unread},
};
use domain::{
    course::Timeline,
    fault::Code,
    id::{EntryId, Seq, TaskId},
    intent::{Done, Intent},
    record::RecordList,
    snapshot::{Draft, Snapshot, Who},
    task::SCHEMA,
};
use futures::{
    channel::oneshot,
    future::{pending, ready},
};
use serde::{Serialize, de::DeserializeOwned};

/// What it does with a call.
#[derive(Clone)]
pub enum Answer<T> {
    Says(T),
    Refuses(ApiError),
    /// A portal's page, a broken connection: nothing of ours.
    NotOurs,
    /// It takes the call and never answers.
    Silent,
    /// It answers when the gate is opened.
    Behind(Rc<Gate>, Box<Answer<T>>),
}

/// Holds answers back until it is opened.
#[derive(Default)]
pub struct Gate {
    open: Cell<bool>,
    waiting: RefCell<Vec<oneshot::Sender<()>>>,
}

impl Gate {
    pub fn open(&self) {
        self.open.set(true);
        for waiting in self.waiting.take() {
            let _ = waiting.send(());
        }
    }
}

impl<T: 'static> Answer<T> {
    fn reply(self) -> Reply<T> {
        match self {
            Self::Says(value) => Box::pin(ready(Ok(value))),
            Self::Refuses(error) => Box::pin(ready(Err(error))),
            Self::NotOurs => Box::pin(ready(Err(ApiError::nobody_answered()))),
            Self::Silent => Box::pin(pending()),
            Self::Behind(gate, answer) if gate.open.get() => answer.reply(),
            Self::Behind(gate, answer) => Box::pin(async move {
                let (opened, wait) = oneshot::channel();
                gate.waiting.borrow_mut().push(opened);
                let _ = wait.await;
                answer.reply().await
            }),
        }
    }
}

impl<T: Serialize + DeserializeOwned + 'static> Answer<T> {
    /// As it comes over the wire.
    fn unread(self) -> Reply<Unread<T>> {
        let written = self.reply();
        Box::pin(async { Ok(Unread::new(serde_json::to_string(&written.await?).unwrap())) })
    }
}

type Commands = Box<dyn FnMut(&Intent) -> Answer<Done>>;

/// The script, and what was asked.
pub struct Script {
    pub who: RefCell<Answer<Who>>,
    pub out: RefCell<Answer<Who>>,
    pub tasks: RefCell<Answer<Vec<Snapshot>>>,
    pub task: RefCell<Answer<Snapshot>>,
    pub timeline: RefCell<Answer<Timeline>>,
    pub commands: RefCell<Commands>,
    /// Each call by name, oldest first.
    pub asked: RefCell<Vec<String>>,
    /// Each command that arrived, answered or not.
    pub got: RefCell<Vec<Intent>>,
}

impl Script {
    pub fn new(who: Who) -> Self {
        Self {
            out: RefCell::new(Answer::Says(who.clone())),
            who: RefCell::new(Answer::Says(who)),
            tasks: RefCell::new(Answer::Says(Vec::new())),
            task: RefCell::new(Answer::Refuses(Code::NotFound.into())),
            timeline: RefCell::new(Answer::Says(Timeline::default())),
            commands: RefCell::new(Box::new(|_| Answer::Silent)),
            asked: RefCell::default(),
            got: RefCell::default(),
        }
    }

    pub fn on_command(&self, answer: impl FnMut(&Intent) -> Answer<Done> + 'static) {
        *self.commands.borrow_mut() = Box::new(answer);
    }

    pub fn count(&self, call: &str) -> usize {
        self.asked.borrow().iter().filter(|asked| *asked == call).count()
    }

    fn note(&self, call: &str) {
        self.asked.borrow_mut().push(call.to_owned());
    }
}

impl Server for Script {
    fn sign_up(&self, _: String, _: String) -> Reply<Who> {
        self.who.borrow().clone().reply()
    }

    fn sign_in(&self, _: String, _: String) -> Reply<Who> {
        self.note("sign-in");
        self.who.borrow().clone().reply()
    }

    fn sign_out(&self) -> Reply<Who> {
        self.note("sign-out");
        self.out.borrow().clone().reply()
    }

    fn who(&self) -> Reply<Who> {
        self.note("who");
        self.who.borrow().clone().reply()
    }

    fn records(&self) -> Reply<RecordList> {
        Answer::Says(RecordList::default()).reply()
    }

    fn tasks(&self) -> Reply<Vec<Snapshot>> {
        self.note("tasks");
        self.tasks.borrow().clone().reply()
    }

    fn task(&self, _: TaskId) -> Reply<Snapshot> {
        self.note("task");
        self.task.borrow().clone().reply()
    }

    fn draft(&self, _: TaskId, _: u32) -> Reply<Draft> {
        Answer::NotOurs.reply()
    }

    fn events(&self, _: TaskId, after_seq: Seq) -> Reply<Unread<Timeline>> {
        self.note(&format!("events after {after_seq}"));
        self.timeline.borrow().clone().unread()
    }

    fn library(&self) -> Reply<Unread<LibraryReply>> {
        Answer::Says(LibraryReply { schema: SCHEMA, entries: Vec::new(), server_time: None }).unread()
    }

    fn entry(&self, _: EntryId) -> Reply<Unread<EntryReply>> {
        Answer::<EntryReply>::NotOurs.unread()
    }

    fn command(&self, intent: Intent) -> Reply<Done> {
        self.note(intent.wish.verb());
        let answer = (self.commands.borrow_mut())(&intent);
        self.got.borrow_mut().push(intent);
        answer.reply()
    }
}
