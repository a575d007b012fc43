//! What every implementation of [`Slots`] must keep. The same checks run on the fake one and in a
//! real browser; they answer with a sentence instead of panicking, so that any test may call them.

use domain::id::UserId;

use super::{Key, read, read_all, write};
use crate::ports::device::Slots;

fn holds(what: &str, true_so: bool) -> Result<(), String> {
    if true_so { Ok(()) } else { Err(format!("it does not hold that {what}")) }
}

/// Runs all checks under keys of `user`, which must be nobody's, and leaves nothing behind.
pub fn check(slots: &dyn Slots, user: UserId) -> Result<(), String> {
    super::forget(slots, user);
    let checked = text_comes_back(slots, user)
        .and_then(|()| prefixes_keep_users_apart(slots, user))
        .and_then(|()| unreadable_values_are_moved_aside(slots, user));
    super::forget(slots, user);
    checked.and_then(|()| {
        let left = slots.keys(&Key::all_of(user)).map_err(|e| e.to_string())?;
        holds("forgetting a user leaves nothing", left.is_empty())
    })
}

fn text_comes_back(slots: &dyn Slots, user: UserId) -> Result<(), String> {
    let key = Key::of(user, "text");
    let text = "é\u{1F9F5}\r\n\t\"quoted\"".to_owned();
    holds("an absent value reads as none", read::<String>(slots, &key).is_none())?;
    write(slots, &key, &text).map_err(|e| e.to_string())?;
    holds("text comes back byte for byte", read::<String>(slots, &key).as_ref() == Some(&text))?;
    holds("a key carries version and user", key.as_str() == format!("mooring.v1.{user}.text"))?;
    super::remove(slots, &key);
    holds("a removed value reads as none", read::<String>(slots, &key).is_none())
}

fn prefixes_keep_users_apart(slots: &dyn Slots, user: UserId) -> Result<(), String> {
    for (thing, n) in [("many.b", 2), ("many.a", 1), ("other", 3)] {
        write(slots, &Key::of(user, thing), &n).map_err(|e| e.to_string())?;
    }
    let many: Vec<u32> = read_all(slots, user, "many.");
    holds("a prefix finds its values and no others", many == [1, 2])
}

fn unreadable_values_are_moved_aside(slots: &dyn Slots, user: UserId) -> Result<(), String> {
    let key = Key::of(user, "cut");
    for raw in ["{\"cut", "[1,"] {
        slots.set(key.as_str(), raw).map_err(|e| e.to_string())?;
        holds("a cut value reads as none", read::<Vec<u32>>(slots, &key).is_none())?;
        write(slots, &key, &vec![1, 2]).map_err(|e| e.to_string())?;
    }
    let aside = |name: &str| slots.get(&format!("{}{name}", key.as_str())).ok().flatten();
    holds("the raw text is kept aside", aside(".aside").as_deref() == Some("{\"cut"))?;
    holds("a second one does not overwrite it", aside(".aside.2").as_deref() == Some("[1,"))?;
    holds("the place is usable again", read::<Vec<u32>>(slots, &key) == Some(vec![1, 2]))
}
