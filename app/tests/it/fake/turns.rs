//! Tabs of one browser take turns.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::{Rc, Weak},
};

use app::ports::device::Turn;
use futures::{
    channel::oneshot,
    future::{Either, LocalBoxFuture, select},
};

/// Who has which turn, and who waits for one.
#[derive(Default)]
pub struct Turns {
    taken: RefCell<BTreeMap<String, Rc<Cell<bool>>>>,
    waiting: RefCell<Vec<oneshot::Sender<()>>>,
    this: Weak<Turns>,
}

struct Mine {
    name: String,
    lost: Rc<Cell<bool>>,
    turns: Rc<Turns>,
}

impl Turn for Mine {
    fn is_lost(&self) -> bool {
        self.lost.get()
    }
}

impl Drop for Mine {
    fn drop(&mut self) {
        if !self.lost.get() {
            self.turns.taken.borrow_mut().remove(&self.name);
            for waiting in self.turns.waiting.take() {
                let _ = waiting.send(());
            }
        }
    }
}

impl Turns {
    pub fn new() -> Rc<Self> {
        Rc::new_cyclic(|this| Self { this: this.clone(), ..Self::default() })
    }

    /// Waits for a turn until `patience` has passed, then takes it away from who has it.
    pub fn take(&self, name: String, patience: LocalBoxFuture<'static, ()>) -> LocalBoxFuture<'static, Box<dyn Turn>> {
        let turns = self.this.upgrade().expect("made by new");
        Box::pin(async move {
            let mut patience = patience;
            while turns.taken.borrow().contains_key(&name) {
                let (passed_on, waiting) = oneshot::channel();
                turns.waiting.borrow_mut().push(passed_on);
                match select(waiting, patience).await {
                    Either::Left((_, left)) => patience = left,
                    Either::Right(_) => break,
                }
            }
            let lost = Rc::new(Cell::new(false));
            if let Some(robbed) = turns.taken.borrow_mut().insert(name.clone(), lost.clone()) {
                robbed.set(true);
            }
            let mine: Box<dyn Turn> = Box::new(Mine { name, lost, turns: turns.clone() });
            mine
        })
    }
}
