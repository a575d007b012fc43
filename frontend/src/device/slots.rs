//! What is kept on this device: local storage, or memory where that is blocked.

use std::{cell::RefCell, collections::BTreeMap};

use app::ports::device::{Keeping, SlotError, Slots};
use gloo_storage::{LocalStorage, Storage as _};
use web_sys::Storage;

/// Tries local storage once. `LocalStorage::raw` panics where storage is blocked, so that it may
/// only be called after this has found it open.
pub fn open() -> (Box<dyn Slots>, Keeping) {
    if can_be_used() {
        (Box::new(Kept(LocalStorage::raw())), Keeping::OnDevice)
    } else {
        (Box::new(Memory::default()), Keeping::WhileOpen)
    }
}

/// Reading the property throws where storage is blocked; a full one can still be read.
fn can_be_used() -> bool {
    let storage = web_sys::window().and_then(|window| window.local_storage().ok().flatten());
    storage.is_some_and(|storage| storage.length().is_ok())
}

/// Local storage.
pub struct Kept(Storage);

impl Slots for Kept {
    fn get(&self, key: &str) -> Result<Option<String>, SlotError> {
        self.0.get_item(key).map_err(|_| SlotError::Blocked)
    }

    fn set(&self, key: &str, value: &str) -> Result<(), SlotError> {
        self.0.set_item(key, value).map_err(|_| SlotError::Full)
    }

    fn remove(&self, key: &str) -> Result<(), SlotError> {
        self.0.remove_item(key).map_err(|_| SlotError::Blocked)
    }

    fn keys(&self, prefix: &str) -> Result<Vec<String>, SlotError> {
        let length = self.0.length().map_err(|_| SlotError::Blocked)?;
        let key = |n| self.0.key(n).ok().flatten();
        Ok((0..length).filter_map(key).filter(|key| key.starts_with(prefix)).collect())
    }
}

/// Lasts as long as the tab.
#[derive(Default)]
pub struct Memory(RefCell<BTreeMap<String, String>>);

impl Slots for Memory {
    fn get(&self, key: &str) -> Result<Option<String>, SlotError> {
        Ok(self.0.borrow().get(key).cloned())
    }

    fn set(&self, key: &str, value: &str) -> Result<(), SlotError> {
        self.0.borrow_mut().insert(key.to_owned(), value.to_owned());
        Ok(())
    }

    fn remove(&self, key: &str) -> Result<(), SlotError> {
        self.0.borrow_mut().remove(key);
        Ok(())
    }

    fn keys(&self, prefix: &str) -> Result<Vec<String>, SlotError> {
        Ok(self.0.borrow().keys().filter(|key| key.starts_with(prefix)).cloned().collect())
    }
}
