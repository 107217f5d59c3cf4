//! Reading the values of a command.

use serde_json::{Map, Value};

use super::{Command, Named};
use crate::{
    Invalid,
    error::Problem,
    shape::{self, Shape},
};

/// Reads values and notes what is wrong with them; what it gives back then does not matter.
pub(super) struct Input<'a> {
    pub(super) command: &'a Value,
    pub(super) problems: Vec<Problem>,
}

impl<'a> Input<'a> {
    pub(super) fn new(command: &'a Value) -> Self {
        Self { command, problems: Vec::new() }
    }

    pub(super) fn done(self, parsed: Command) -> Result<Command, Invalid> {
        if self.problems.is_empty() { Ok(parsed) } else { Err(Invalid { problems: self.problems }) }
    }

    /// The id of `what`.
    pub(super) fn id<K: for<'t> From<&'t str>>(&mut self, key: &str, what: &str) -> K {
        K::from(&self.text(key, &format!("the id of {what}")))
    }

    pub(super) fn text(&mut self, key: &str, wanted: &str) -> String {
        let value = self.command.get(key).unwrap_or(&Value::Null);
        if let Some(text) = value.as_str() {
            return text.to_owned();
        }
        self.wrong(key, wanted, value);
        String::new()
    }

    pub(super) fn number_or(&mut self, key: &str, default: f64) -> f64 {
        match self.command.get(key) {
            None => default,
            Some(value) => {
                value.as_f64().filter(|number| number.is_finite()).unwrap_or_else(|| {
                    self.wrong(key, "a finite number", value);
                    default
                })
            }
        }
    }

    /// An object under `key`, without its `id`, checked against a table. In a new entity `null` stands for "not
    /// given".
    pub(super) fn fields(
        &mut self,
        key: &str,
        wanted: &str,
        shape: Shape,
        new: bool,
    ) -> Map<String, Value> {
        let mut fields = self.object(key, wanted);
        fields.shift_remove("id");
        shape::check(shape, &fields, key, new, &mut self.problems);
        fields
    }

    pub(super) fn object(&mut self, key: &str, wanted: &str) -> Map<String, Value> {
        let value = self.command.get(key).unwrap_or(&Value::Null);
        value.as_object().cloned().unwrap_or_else(|| {
            self.wrong(key, wanted, value);
            Map::new()
        })
    }

    /// Takes the key that says where something belongs out of its fields.
    pub(super) fn parent<K: for<'t> From<&'t str>>(
        &mut self,
        payload: &mut Map<String, Value>,
        key: &str,
        wanted: &str,
    ) -> Named<K> {
        match payload.shift_remove(key) {
            None => Named::Not,
            Some(Value::Null) => Named::Root,
            Some(Value::String(id)) => Named::In(K::from(&*id)),
            Some(other) => {
                self.wrong(&format!("payload.{key}"), wanted, &other);
                Named::Not
            }
        }
    }

    pub(super) fn wrong(&mut self, way: &str, wanted: &str, found: &Value) {
        self.problems.push(shape::mismatch(way.to_owned(), wanted, found));
    }
}
