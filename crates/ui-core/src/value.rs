//! Values as they cross the wire.
//!
//! [`Value`] is "value JSON": what is compared to find a change, what browsers are sent and what they write. Objects cross
//! as references only. Whoever holds the objects turns its own values into these and back.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::ids::ObjId;

/// Value JSON. Equality is what change detection goes by.
///
/// Make numbers with [`Value::number`], which keeps one form for each: integral ones are [`Value::Int`].
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Value {
    /// `null`: nil, and what has no form on the wire (functions, NaN).
    #[default]
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A number without fraction.
    Int(i64),
    /// Any other finite number.
    Float(f64),
    /// A string.
    Text(Box<str>),
    /// An array; an array directly inside an array is an [`Value::Object`].
    Array(Box<[Value]>),
    /// `{"obj": n}`: an object by its id.
    Object(ObjId),
    /// The fields of an object, one level deep, as `getObjects` answers; or a JSON object that somebody wrote, which becomes
    /// a table. No variable has it for its value.
    Record(Box<[(Box<str>, Value)]>),
}

impl Value {
    /// The one form of `number`: an integer if it has no fraction, null if it is not finite.
    pub fn number(number: f64) -> Self {
        // The bounds are powers of two, so both are exact; the upper one itself is no `i64`.
        const LOW: f64 = -9_223_372_036_854_775_808.0;
        const HIGH: f64 = 9_223_372_036_854_775_808.0;
        if !number.is_finite() {
            Self::Null
        } else if number.fract() == 0.0 && (LOW..HIGH).contains(&number) {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "no fraction, and within the bounds"
            )]
            Self::Int(number as i64)
        } else {
            Self::Float(number)
        }
    }

    /// A string.
    pub fn text(text: impl Into<Box<str>>) -> Self {
        Self::Text(text.into())
    }

    /// An array.
    pub fn array(items: impl IntoIterator<Item = Self>) -> Self {
        Self::Array(items.into_iter().collect())
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The object it refers to.
    pub fn as_object(&self) -> Option<ObjId> {
        match self {
            Self::Object(id) => Some(*id),
            _ => None,
        }
    }

    /// The string it is.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// As JSON, in one line.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::number(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.into())
    }
}

impl From<ObjId> for Value {
    fn from(value: ObjId) -> Self {
        Self::Object(value)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(value) => serializer.serialize_i64(*value),
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::Text(value) => serializer.serialize_str(value),
            Self::Array(items) => serializer.collect_seq(items.iter()),
            Self::Object(id) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("obj", id)?;
                map.end()
            }
            Self::Record(fields) => {
                serializer.collect_map(fields.iter().map(|(name, value)| (name, value)))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        #[expect(clippy::cast_precision_loss, reason = "past `i64` a number is a float, as in Lua")]
        Ok(i64::try_from(value).map_or(Value::Float(value as f64), Value::Int))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::text(value))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields: Vec<(Box<str>, Value)> = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(match &fields[..] {
            [(name, Value::Int(id))] if &**name == "obj" && *id > 0 => {
                Value::Object(ObjId(id.unsigned_abs()))
            }
            _ => Value::Record(fields.into()),
        })
    }
}
