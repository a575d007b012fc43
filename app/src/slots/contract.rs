//! What every implementation of [`Slots`] must keep. The same checks run on the fake one and in a
//! real browser; they answer with a sentence instead of panicking, so that any test may call them.

use domain::id::UserId;

use super::{Key, aside, read, read_all, restore, write};
use crate::ports::device::{SlotError, Slots};

fn holds(what: &str, true_so: bool) -> Result<(), String> {
    if true_so { Ok(()) } else { Err(format!("it does not hold that {what}")) }
}

/// Runs all checks under keys of `user`, which must be nobody's, and leaves nothing behind.
pub fn check(slots: &dyn Slots, user: UserId) -> Result<(), String> {
    super::forget(slots, user);
    let checked = text_comes_back(slots, user)
        .and_then(|()| prefixes_keep_users_apart(slots, user))
        .and_then(|()| unreadable_values_are_moved_aside(slots, user))
        .and_then(|()| a_newer_form_is_put_aside_and_comes_back(slots, user))
        .and_then(|()| many_keys_are_found(slots, user))
        .and_then(|()| keys_may_hold_any_letter(slots, user));
    super::forget(slots, user);
    checked.and_then(|()| {
        let left = slots.keys(&Key::all_of(user)).map_err(|e| e.to_string())?;
        holds("forgetting a user leaves nothing", left.is_empty())
    })
}

/// What one handle writes, another one on the same storage reads at once: two tabs.
pub fn check_two(ours: &dyn Slots, theirs: &dyn Slots, user: UserId) -> Result<(), String> {
    let key = Key::of(user, "shared");
    write(theirs, &key, &1).map_err(|e| e.to_string())?;
    holds("another tab's value is read", read::<u32>(ours, &key) == Some(1))?;
    write(ours, &key, &2).map_err(|e| e.to_string())?;
    holds("the last one who writes is read by all", read::<u32>(theirs, &key) == Some(2))?;
    super::remove(theirs, &key);
    let found = ours.keys(&Key::all_of(user)).map_err(|e| e.to_string())?;
    holds("what another tab takes away is gone", read::<u32>(ours, &key).is_none() && found.is_empty())
}

/// A value of `too_much` bytes is refused as a whole, and takes nothing along.
pub fn check_full(slots: &dyn Slots, user: UserId, too_much: usize) -> Result<(), String> {
    let (small, large) = (Key::of(user, "small"), Key::of(user, "large"));
    write(slots, &small, &"before").map_err(|e| e.to_string())?;
    write(slots, &large, &"before").map_err(|e| e.to_string())?;
    let refused = slots.set(large.as_str(), &"x".repeat(too_much));
    let texts = [read::<String>(slots, &small), read::<String>(slots, &large)];
    let small_again = write(slots, &small, &"after");
    super::forget(slots, user);
    holds("too much is said to be too much", refused == Err(SlotError::Full))?;
    holds("what was there is there", texts.iter().all(|text| text.as_deref() == Some("before")))?;
    holds("there is still room for what fits", small_again == Ok(()))
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

fn a_newer_form_is_put_aside_and_comes_back(slots: &dyn Slots, user: UserId) -> Result<(), String> {
    let key = Key::of(user, "form.a");
    let newer = r#"{"schema":2,"n":1}"#;
    slots.set(key.as_str(), newer).map_err(|e| e.to_string())?;
    holds("a value in a newer form reads as none", read::<serde_json::Value>(slots, &key).is_none())?;
    let lies_in = |key: &Key| slots.get(key.as_str()).ok().flatten();
    let put_aside = aside(slots, user, "form.");
    holds("it is put aside whole", put_aside.len() == 1 && lies_in(&put_aside[0]).as_deref() == Some(newer))?;
    holds(
        "what cannot be read stays aside",
        restore::<u32>(slots, user, "form.").is_empty() && lies_in(&key).is_none(),
    )?;

    // The same place, seen by a build that knows the form.
    slots.set(put_aside[0].as_str(), "1").map_err(|e| e.to_string())?;
    holds("what can be read again goes back", restore::<u32>(slots, user, "form.").is_empty())?;
    holds("it is where it was", read::<u32>(slots, &key) == Some(1) && aside(slots, user, "form.").is_empty())?;
    slots.set(put_aside[0].as_str(), "2").map_err(|e| e.to_string())?;
    let taken: Vec<u32> = restore::<u32>(slots, user, "form.").into_iter().map(|(_, n)| n).collect();
    holds("a place that is taken is not written over", taken == [2] && read::<u32>(slots, &key) == Some(1))
}

fn many_keys_are_found(slots: &dyn Slots, user: UserId) -> Result<(), String> {
    let numbers: Vec<u32> = (1_000..1_300).collect();
    for n in &numbers {
        write(slots, &Key::of(user, format_args!("crowd.{n}")), n).map_err(|e| e.to_string())?;
    }
    holds("hundreds of keys are found, in their order", read_all::<u32>(slots, user, "crowd.") == numbers)
}

fn keys_may_hold_any_letter(slots: &dyn Slots, user: UserId) -> Result<(), String> {
    let things = ["odd.\u{E4}\u{5D0}", "odd.\u{1F9F5}", "odd. a b", "odd.length", "odd.__proto__", "odd."];
    for thing in things {
        write(slots, &Key::of(user, thing), &thing).map_err(|e| e.to_string())?;
    }
    for thing in things {
        let found = read::<String>(slots, &Key::of(user, thing));
        holds(&format!("the key {thing:?} is like any other"), found.as_deref() == Some(thing))?;
    }
    holds("each is found once", read_all::<String>(slots, user, "odd.").len() == things.len())
}
