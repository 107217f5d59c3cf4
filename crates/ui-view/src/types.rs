//! What is known of the types of a session, as its Lua tells.
//!
//! An audit without it looks at the view alone. With it, a path that names no field is found, and a method that is called
//! something else. The runtime fills a [`Types`] from its prototypes and live objects; nothing here asks Lua.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// Types by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Types(pub BTreeMap<String, TypeFacts>);

/// The fields and methods of one type, inherited ones included.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TypeFacts {
    /// Declared fields, and those that a live instance has.
    pub fields: BTreeMap<String, Shape>,
    pub methods: BTreeSet<String>,
    /// Nobody declared its fields, so one that is not known may come yet.
    pub open: bool,
}

/// What a field was seen to hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Shape {
    /// Nothing yet, or things of different kinds.
    #[default]
    Unknown,
    /// A text, a number or a boolean.
    Plain,
    /// A list; the type of its elements, if they agree on one.
    List(Option<String>),
    /// An object; its type, if it has one.
    Object(Option<String>),
}

impl Types {
    pub fn get(&self, name: &str) -> Option<&TypeFacts> {
        self.0.get(name)
    }

    /// Notes a type; for building by hand.
    #[must_use]
    pub fn with(mut self, name: &str, facts: TypeFacts) -> Self {
        self.0.insert(name.to_owned(), facts);
        self
    }
}

impl TypeFacts {
    #[must_use]
    pub fn field(mut self, name: &str, shape: Shape) -> Self {
        self.fields.insert(name.to_owned(), shape);
        self
    }

    #[must_use]
    pub fn method(mut self, name: &str) -> Self {
        self.methods.insert(name.to_owned());
        self
    }
}
