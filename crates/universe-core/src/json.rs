//! JSON the way JavaScript prints it: `3`, not `3.0`; `1e+21`, not `1e21`.
//!
//! Existing clients compare and cache what they get as text, and they are JavaScript. [`encode`] prints;
//! [`Fields`] holds the keys of an entity with its numbers in one canonical form, so that what is read back
//! from the log equals what was there before it was written.

use std::io;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value, ser::Formatter, value::RawValue};

/// Above this a double no longer holds every whole number, and JavaScript prints rounded digits.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Prints `value` compactly, the JavaScript way.
///
/// # Panics
/// Never for the types of this workspace: it would take a map whose keys are not text.
pub fn encode(value: &(impl Serialize + ?Sized)) -> String {
    let mut text = Vec::with_capacity(128);
    append(&mut text, value);
    String::from_utf8(text).expect("the serializer writes UTF-8")
}

/// Prints `value` at the end of a text.
///
/// # Panics
/// Never, as [`encode`].
pub fn append(text: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    let mut serializer = serde_json::Serializer::with_formatter(text, JavaScript);
    value.serialize(&mut serializer).expect("JSON values and string-keyed maps always serialize");
}

/// The same, ready to stand inside another document without being looked at again.
///
/// # Panics
/// Never: what [`encode`] prints is JSON.
pub fn encode_raw(value: &(impl Serialize + ?Sized)) -> Box<RawValue> {
    RawValue::from_string(encode(value)).expect("encoded text is JSON")
}

/// A finite number as JavaScript's `String(number)` shows it.
pub fn number_text(number: f64) -> String {
    if number == 0.0 {
        return "0".into(); // also minus zero
    }
    // Rust's exponent form has the shortest digits that read back as the same number: `-1.25e-7`.
    let text = format!("{number:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |rest| ("-", rest));
    let digits = digits.replace('.', "");
    let point = exponent.parse::<i32>().unwrap_or(0) + 1;
    format!("{sign}{}", lay_out(&digits, point))
}

/// Places the decimal point: `digits` times ten to the `point`, the point standing before the digits.
fn lay_out(digits: &str, point: i32) -> String {
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    match point {
        22.. | ..-5 => {
            let (first, rest) = digits.split_at(1);
            let dot = if rest.is_empty() { "" } else { "." };
            format!("{first}{dot}{rest}e{:+}", point - 1)
        }
        ..=0 => format!("0.{}{digits}", zeros(-point)),
        _ if point >= count => format!("{digits}{}", zeros(point - count)),
        _ => {
            let (whole, part) = digits.split_at(usize::try_from(point).unwrap_or(0));
            format!("{whole}.{part}")
        }
    }
}

struct JavaScript;

impl Formatter for JavaScript {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        writer.write_all(number_text(value).as_bytes())
    }
}

/// Brings every number inside to its canonical form: whole numbers that a double holds exactly as integers,
/// everything else as a double.
pub fn canonical(value: Value) -> Value {
    match value {
        Value::Number(number) => Value::Number(canonical_number(&number)),
        Value::Array(items) => items.into_iter().map(canonical).collect(),
        Value::Object(map) => Value::Object(canonical_map(map)),
        other => other,
    }
}

fn canonical_map(map: Map<String, Value>) -> Map<String, Value> {
    map.into_iter().map(|(key, value)| (key, canonical(value))).collect()
}

fn canonical_number(number: &Number) -> Number {
    let Some(double) = number.as_f64() else { return number.clone() };
    if double.fract() == 0.0 && double.abs() <= EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
        return Number::from(double as i64);
    }
    Number::from_f64(double).unwrap_or_else(|| number.clone())
}

/// The keys of an entity in the order they came, unknown ones included.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "Map<String, Value>")]
pub struct Fields(Map<String, Value>);

/// Equal when they print the same: the order of keys counts, all the way down.
impl PartialEq for Fields {
    fn eq(&self, other: &Self) -> bool {
        prints_same_map(&self.0, &other.0)
    }
}

/// Whether both print the same. `==` of JSON values does not care about the order of keys.
pub(crate) fn prints_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => prints_same_map(one, other),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| prints_same(a, b))
        }
        _ => one == other,
    }
}

fn prints_same_map(one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    let same =
        |((a, x), (b, y)): ((&String, &Value), (&String, &Value))| a == b && prints_same(x, y);
    one.len() == other.len() && one.iter().zip(other).all(same)
}

/// Whether a value is nested deeper than `levels`. Goes no deeper than that itself.
pub(crate) fn is_deeper_than(value: &Value, levels: usize) -> bool {
    let Some(below) = levels.checked_sub(1) else {
        return value.is_object() || value.is_array();
    };
    match value {
        Value::Object(map) => map.values().any(|value| is_deeper_than(value, below)),
        Value::Array(items) => items.iter().any(|value| is_deeper_than(value, below)),
        _ => false,
    }
}

impl From<Map<String, Value>> for Fields {
    fn from(map: Map<String, Value>) -> Self {
        Self(canonical_map(map))
    }
}

impl From<Fields> for Value {
    fn from(fields: Fields) -> Self {
        Self::Object(fields.0)
    }
}

impl Fields {
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    pub fn text(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.as_str()
    }

    pub fn flag(&self, key: &str) -> bool {
        self.0.get(key).and_then(Value::as_bool).unwrap_or(false)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn set(&mut self, key: &str, value: Value) {
        self.0.insert(key.to_owned(), canonical(value));
    }

    /// Takes a key out and leaves the order of the others alone.
    pub(crate) fn take(&mut self, key: &str) -> Option<Value> {
        self.0.shift_remove(key)
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }

    /// Brings the keys that are named into this order and in front of all others.
    pub(crate) fn sort(&mut self, order: &[String]) {
        let mut old = std::mem::take(&mut self.0);
        for key in order {
            if let Some(value) = old.shift_remove(key) {
                self.0.insert(key.clone(), value);
            }
        }
        self.0.extend(old);
    }

    /// Shallow merge: a key of `patch` replaces the whole value under that key.
    pub(crate) fn merge(&mut self, patch: &Fields) {
        for (key, value) in &patch.0 {
            self.0.insert(key.clone(), value.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_print_as_javascript_prints_them() {
        // The right column was printed by `node -p 'String(…)'`.
        for (number, text) in [
            (3.0, "3"),
            (-0.0, "0"),
            (0.1, "0.1"),
            (-12.5, "-12.5"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1.5e21, "1.5e+21"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (0.000_001, "0.000001"),
            (0.000_000_1, "1e-7"),
            (-1.25e-7, "-1.25e-7"),
            (9_223_372_036_854_775_808.0, "9223372036854776000"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
        ] {
            assert_eq!(number_text(number), text);
        }
    }

    #[test]
    fn a_whole_double_and_an_integer_are_the_same_value() {
        assert_eq!(canonical(json!({"a": [3.0]})), json!({"a": [3]}));
        assert_eq!(encode(&canonical(json!(9_007_199_254_740_993_u64))), "9007199254740992");
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_back_the_same(number in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL) {
            prop_assert_eq!(number_text(number).parse::<f64>(), Ok(number));
            let value = canonical(json!(number));
            let read: Value = serde_json::from_str(&encode(&value)).unwrap();
            prop_assert_eq!(canonical(read), value);
        }
    }
}
