//! A record's fields, in the order in which its source gave them.
//!
//! A sorted map would put *access* before *when*: the order is part of how a record reads, and
//! the stored content must be the same bytes each time, because its hash is compared.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, MapAccess, Visitor},
};
use serde_json::Value;

/// The members of a JSON object, in their order; no name comes twice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields(Vec<(String, Value)>);

impl Fields {
    /// The fields of a record's content; none if the content is anything but a JSON object.
    pub fn read(content: &str) -> Option<Self> {
        serde_json::from_str(content).ok()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Removes a field and gives its value.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        let place = self.0.iter().position(|(n, _)| n == name)?;
        Some(self.0.remove(place).1)
    }

    /// The fields with each name and each piece of text changed by `change`.
    #[must_use]
    pub fn map_text(self, change: impl Fn(&str) -> String) -> Self {
        Self(self.0.into_iter().map(|(name, value)| (change(&name), changed(value, &change))).collect())
    }
}

/// A value as a person reads it: text as it stands, lists with commas; empty if it says nothing.
pub fn in_words(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Array(values) => values.iter().map(in_words).collect::<Vec<_>>().join(", "),
        Value::Object(members) => {
            members.iter().map(|(name, value)| format!("{name}: {}", in_words(value))).collect::<Vec<_>>().join(", ")
        }
    }
}

fn changed(value: Value, change: &impl Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(change(&text)),
        Value::Array(values) => values.into_iter().map(|v| changed(v, change)).collect(),
        Value::Object(members) => members.into_iter().map(|(name, v)| (change(&name), changed(v, change))).collect(),
        plain => plain,
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of fields")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Fields, A::Error> {
                let mut fields: Vec<(String, Value)> = Vec::new();
                while let Some((name, value)) = members.next_entry::<String, Value>()? {
                    if fields.iter().any(|(n, _)| *n == name) {
                        return Err(A::Error::custom(format_args!("the field {name} comes twice")));
                    }
                    fields.push((name, value));
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_keep_their_order_through_reading_and_writing() {
        let content = r#"{"when":"Saturday","access":["ramp","lift"],"bring":null,"size":8}"#;
        let fields = Fields::read(content).unwrap();
        assert_eq!(serde_json::to_string(&fields).unwrap(), content);
        let words: Vec<_> = fields.iter().map(|(name, value)| format!("{name}={}", in_words(value))).collect();
        assert_eq!(words, ["when=Saturday", "access=ramp, lift", "bring=", "size=8"]);
    }

    #[test]
    fn what_is_not_an_object_of_distinct_fields_has_no_fields() {
        for content in ["", "plain text", "[1]", "\"a\"", r#"{"a":1,"a":2}"#, r#"{"a":1"#] {
            assert_eq!(Fields::read(content), None, "{content}");
        }
    }
}
