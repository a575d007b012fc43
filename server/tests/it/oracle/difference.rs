//! Two values, and where they differ.

use serde::Serialize;
use serde_json::Value;

/// Nothing if the two are the same, otherwise the places that are not.
pub fn compare<T: Serialize>(what: &str, real: &T, oracle: &T) -> Result<(), String> {
    let mut places = Vec::new();
    let value = |of: &T| serde_json::to_value(of).unwrap();
    walk(what, &value(real), &value(oracle), &mut places);
    if places.is_empty() { Ok(()) } else { Err(places.join("\n")) }
}

fn walk(at: &str, real: &Value, oracle: &Value, places: &mut Vec<String>) {
    match (real, oracle) {
        (Value::Object(one), Value::Object(two)) => {
            let mut keys: Vec<&String> = one.keys().chain(two.keys()).collect();
            keys.sort();
            keys.dedup();
            for key in keys {
                let of = |map: &serde_json::Map<String, Value>| map.get(key).cloned().unwrap_or(Value::Null);
                walk(&format!("{at}.{key}"), &of(one), &of(two), places);
            }
        }
        (Value::Array(one), Value::Array(two)) if one.len() == two.len() => {
            for (nth, (one, two)) in one.iter().zip(two).enumerate() {
                walk(&format!("{at}[{nth}]"), one, two, places);
            }
        }
        _ if real == oracle => {}
        _ => places.push(format!("{at}: Mooring has {real}, the oracle {oracle}")),
    }
}

#[test]
fn a_difference_names_its_place() {
    let of = |state: &str| serde_json::json!({ "task": { "seq": 1, "states": ["created", state] } });
    assert_eq!(compare("reply", &of("saved"), &of("saved")), Ok(()));
    let told = compare("reply", &of("saved"), &of("accepted")).unwrap_err();
    assert_eq!(told, r#"reply.task.states[1]: Mooring has "saved", the oracle "accepted""#);
}
