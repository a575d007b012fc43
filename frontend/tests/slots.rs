//! The contract of the slots, kept by a real browser's local storage and by what stands in for it.

use app::{ports::device::Keeping, slots::contract};
use domain::id::UserId;
use frontend::device::slots::{Memory, open};
use uuid::Uuid;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

fn nobody() -> UserId {
    UserId(Uuid::from_u128(0xdead))
}

#[wasm_bindgen_test]
fn local_storage_keeps_the_contract() {
    let (slots, keeping) = open();
    assert_eq!(keeping, Keeping::OnDevice);
    assert_eq!(contract::check(&*slots, nobody()), Ok(()));
    let (other, _) = open();
    assert_eq!(contract::check_two(&*slots, &*other, nobody()), Ok(()));
}

#[wasm_bindgen_test]
fn local_storage_says_when_it_is_full() {
    // No browser gives a site more than ten million letters.
    let (slots, _) = open();
    assert_eq!(contract::check_full(&*slots, nobody(), 11_000_000), Ok(()));
}

#[wasm_bindgen_test]
fn memory_keeps_the_contract() {
    assert_eq!(contract::check(&Memory::default(), nobody()), Ok(()));
}

#[wasm_bindgen_test]
fn a_cut_value_is_moved_aside_in_local_storage_and_the_others_stay() {
    let (slots, _) = open();
    let (cut, whole) = (format!("mooring.v1.{}.cut", nobody()), format!("mooring.v1.{}.whole", nobody()));
    assert_eq!(slots.set(&cut, "{\"text\":\"hal"), Ok(()));
    assert_eq!(slots.set(&whole, "\"all\""), Ok(()));
    let key = app::slots::Key::of(nobody(), "cut");
    assert_eq!(app::slots::read::<String>(&*slots, &key), None);
    assert_eq!(slots.get(&format!("{cut}.aside")), Ok(Some("{\"text\":\"hal".to_owned())));
    assert_eq!(slots.get(&cut), Ok(None));
    assert_eq!(slots.get(&whole), Ok(Some("\"all\"".to_owned())));
    app::slots::forget(&*slots, nobody());
}
