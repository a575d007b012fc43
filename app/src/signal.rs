//! Signals of all types by one machine.
//!
//! Leptos compiles its signals once more for each type that is held in one, and a page holds some sixty.
//! Here a signal holds a value that knows its own type, so that the machine is there once; what a
//! phone downloads shrinks by a tenth. The names and the methods are those of Leptos.

use std::{any::Any, marker::PhantomData, ops::Deref};

use leptos::prelude::{self as machine, Read as _, ReadUntracked as _, Track as _, Write as _};

use crate::words::said::Said;

/// A value of the type that its signal names.
struct Held(Box<dyn Any + Send + Sync>);

impl Held {
    fn new<T: Send + Sync + 'static>(value: T) -> Self {
        Self(Box::new(value))
    }

    /// Only the signals below make one, each of its own type.
    fn seen<T: 'static>(&self) -> &T {
        match self.0.downcast_ref() {
            Some(value) => value,
            None => unreachable!("a signal holds what its type says"),
        }
    }

    fn seen_mut<T: 'static>(&mut self) -> &mut T {
        match self.0.downcast_mut() {
            Some(value) => value,
            None => unreachable!("a signal holds what its type says"),
        }
    }
}

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        pub struct $name<T>(machine::$name<Held>, PhantomData<fn() -> T>);

        impl<T> Clone for $name<T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Copy for $name<T> {}

        impl<T: 'static> $name<T> {
            /// Reads, and has whoever reads told of changes.
            pub fn with<R>(self, read: impl FnOnce(&T) -> R) -> R {
                read(self.0.read().deref().seen())
            }

            /// Has whoever asks told of changes.
            pub fn track(self) {
                self.0.track();
            }

            pub fn with_untracked<R>(self, read: impl FnOnce(&T) -> R) -> R {
                read(self.0.read_untracked().deref().seen())
            }

            /// None once the page that made it is gone.
            pub fn try_with_untracked<R>(self, read: impl FnOnce(&T) -> R) -> Option<R> {
                self.0.try_read_untracked().map(|held| read(held.deref().seen()))
            }

            pub fn get(self) -> T
            where
                T: Clone,
            {
                self.with(T::clone)
            }

            pub fn get_untracked(self) -> T
            where
                T: Clone,
            {
                self.with_untracked(T::clone)
            }

            pub fn try_get_untracked(self) -> Option<T>
            where
                T: Clone,
            {
                self.try_with_untracked(T::clone)
            }
        }
    };
}

handle! {
    /// Is read and written.
    RwSignal
}

handle! {
    /// Follows from others, and is worked out when one of them has changed.
    Memo
}

handle! {
    /// Is read, wherever it comes from.
    Signal
}

impl<T: Send + Sync + 'static> RwSignal<T> {
    pub fn new(value: T) -> Self {
        Self(machine::RwSignal::new(Held::new(value)), PhantomData)
    }

    /// As with Leptos, nothing happens once the page that made it is gone: an answer may come late.
    pub fn set(self, value: T) {
        self.update(|held| *held = value);
    }

    /// As [`Self::set`].
    pub fn update(self, change: impl FnOnce(&mut T)) {
        self.try_update(change);
    }

    pub fn try_update<R>(self, change: impl FnOnce(&mut T) -> R) -> Option<R> {
        self.0.try_write().map(|mut held| change(held.seen_mut()))
    }
}

impl<T: Send + Sync + 'static> Memo<T> {
    pub fn new(work_out: impl Fn(Option<&T>) -> T + Send + Sync + 'static) -> Self
    where
        T: PartialEq,
    {
        type WorkOut = Box<dyn Fn(Option<&Held>) -> Held + Send + Sync>;
        let work_out: WorkOut = Box::new(move |before| Held::new(work_out(before.map(Held::seen))));
        Self(machine::Memo::new_with_compare(work_out, differ::<T>), PhantomData)
    }
}

fn differ<T: PartialEq + 'static>(before: Option<&Held>, now: Option<&Held>) -> bool {
    before.map(Held::seen::<T>) != now.map(Held::seen::<T>)
}

impl<T: Send + Sync + 'static> Signal<T> {
    pub fn derive(work_out: impl Fn() -> T + Send + Sync + 'static) -> Self {
        let work_out: Box<dyn Fn() -> Held + Send + Sync> = Box::new(move || Held::new(work_out()));
        Self(machine::Signal::derive(work_out), PhantomData)
    }

    /// Never changes.
    pub fn stored(value: T) -> Self {
        Self(machine::Signal::stored(Held::new(value)), PhantomData)
    }
}

/// Does something again whenever what it has read changes.
pub struct Effect;

impl Effect {
    pub fn new(act: impl FnMut(Option<()>) + 'static) -> Self {
        let act: Box<dyn FnMut(Option<()>)> = Box::new(act);
        machine::Effect::new(act);
        Self
    }
}

impl<T: Default + Send + Sync + 'static> Default for Signal<T> {
    fn default() -> Self {
        Self::stored(T::default())
    }
}

impl<T: 'static> From<RwSignal<T>> for Signal<T> {
    fn from(signal: RwSignal<T>) -> Self {
        Self(signal.0.into(), PhantomData)
    }
}

impl<T: 'static> From<Memo<T>> for Signal<T> {
    fn from(memo: Memo<T>) -> Self {
        Self(memo.0.into(), PhantomData)
    }
}

impl From<Said> for Signal<String> {
    fn from(said: Said) -> Self {
        Self::stored(said.into())
    }
}

impl From<&str> for Signal<String> {
    fn from(words: &str) -> Self {
        Self::stored(words.to_owned())
    }
}
