//! The port that a browser tab implements: what it remembers, when it is, and what happens to it.
//!
//! One thread only: a device is never shared between threads, so nothing here is `Send`.

use std::rc::Rc;

use domain::id::{OpId, TaskId};
use futures::future::LocalBoxFuture;

/// Why a value could not be kept or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SlotError {
    #[error("the browser does not let us keep anything")]
    Blocked,
    #[error("there is no room left on this device")]
    Full,
    #[error("what was kept on this device was taken away")]
    Emptied,
}

/// Text under a key. Keys and versions are the business of [`crate::slots`].
pub trait Slots {
    fn get(&self, key: &str) -> Result<Option<String>, SlotError>;
    fn set(&self, key: &str, value: &str) -> Result<(), SlotError>;
    fn remove(&self, key: &str) -> Result<(), SlotError>;
    /// All keys that begin with `prefix`, in no particular order.
    fn keys(&self, prefix: &str) -> Result<Vec<String>, SlotError>;
}

/// Where values end up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// They outlive the tab.
    OnDevice,
    /// Storage is blocked: they last as long as the tab.
    WhileOpen,
}

/// Moments at which it is worth asking the server. None of them says that there is a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    Visible,
    Hidden,
    /// The page was shown; `restored` from the browser's memory of pages, with old content.
    PageShown {
        restored: bool,
    },
    /// The page stood still, timers and all, and goes on.
    Thawed,
    Online,
    /// The browser believes that there is no network. Only the server's silence says so.
    Offline,
    /// Another tab of this browser changed what is stored: who is here, or what waits.
    OtherTab,
    /// Another tab changed a text that is being typed.
    OtherText,
    /// All that was stored was taken away, by whoever looks after the browser.
    Cleared,
    /// How the program's own files stand on this device has changed.
    Program,
}

impl Trigger {
    /// Whether the way to the server may be another one than before. What other tabs store says nothing
    /// of it, and comes with every key that is pressed there.
    pub fn brings_hope(self) -> bool {
        matches!(self, Self::Visible | Self::PageShown { .. } | Self::Thawed | Self::Online)
    }
}

/// The program itself, as a device has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The name of the build that this tab runs.
    pub build: String,
    /// All its files are kept here: it opens without a connection.
    pub kept: bool,
    pub newer: Newer,
}

/// Another build than the one that a tab runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Newer {
    #[default]
    None,
    /// It is here as a whole and waits to be taken up.
    Waits,
    /// Another tab has taken it up: this one gets it when it is opened anew.
    Taken,
}

/// What comes out of an event stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    Opened,
    /// `event: task`, with its data.
    Task(String),
    /// `event: beat`, with its data.
    Beat(String),
    /// `event: gone`, with its data.
    Gone(String),
    /// It ended or never opened. Nothing more will be heard.
    Broken,
}

/// An open stream; dropping it closes it.
pub trait Stream {}

/// A turn among the tabs of this browser; dropping it passes it on.
pub trait Turn {
    /// Another tab took it away, because this one held it for too long.
    fn is_lost(&self) -> bool;
}

/// A browser tab.
pub trait Device {
    fn slots(&self) -> &dyn Slots;
    fn keeping(&self) -> Keeping;
    /// A name that no other tab has, nor this one after a reload.
    fn tab(&self) -> &str;
    /// Waits until no other tab has a turn under this name. One that has it for longer than the patience
    /// is frozen or hangs, and loses it. Where tabs cannot take turns, it is given at once.
    fn turn(&self, name: String, patience_ms: u64) -> LocalBoxFuture<'static, Box<dyn Turn>>;

    fn new_op(&self) -> OpId;
    fn new_task(&self) -> TaskId;
    /// A random number in `0.0..1.0`.
    fn random(&self) -> f64;

    /// Milliseconds since some moment; never goes back, whatever happens to the clock.
    fn monotonic_ms(&self) -> u64;
    /// How far local time is ahead of UTC, for times that people read.
    fn offset_minutes(&self) -> i32;
    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()>;
    /// Runs a future to its end beside everything else.
    fn spawn(&self, work: LocalBoxFuture<'static, ()>);

    fn is_visible(&self) -> bool;
    /// Whenever the learner is about to leave the page, `loses` says whether something would be lost with it;
    /// then the browser asks them first.
    fn ask_before_leaving(&self, loses: Rc<dyn Fn() -> bool>);
    /// Calls `act` at every trigger, for as long as the tab lives.
    fn on_trigger(&self, act: Rc<dyn Fn(Trigger)>);
    /// How the program's own files stand on this device, as far as it is known by now.
    fn program(&self) -> Program;
    /// Asks whether there is a newer build. What comes of it is a trigger.
    fn look_for_build(&self);
    /// Lets a newer build take over, and opens this tab anew, once.
    fn renew(&self);

    /// Opens an event stream; `hear` is never called from within this call.
    fn open_stream(&self, url: &str, hear: Rc<dyn Fn(Heard)>) -> Box<dyn Stream>;

    /// Says a sentence through the live region, to those who listen to the page.
    fn announce(&self, sentence: &str);
    /// Names the page, in the tab and in the history.
    fn set_title(&self, title: &str);
    /// Moves the focus to the heading of the page, so that who listens or uses keys starts there.
    fn focus_heading(&self);
    /// Whether the system has a sheet from which a text can be given to other programs.
    fn can_share(&self) -> bool;
    /// Gives a text away. Whether that was done: a learner may think better of it, or it is not allowed.
    fn hand_over(&self, text: &str, to: HandOver) -> LocalBoxFuture<'static, bool>;
}

/// To whom a text is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandOver {
    Clipboard,
    /// The system's sheet, which shows a title beside it.
    Sheet {
        title: String,
    },
}
