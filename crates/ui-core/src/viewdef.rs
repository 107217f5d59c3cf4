//! View definitions: their keys, and which of them a view shows.
//!
//! A definition is the HTML of one type in one namespace, under the key `TYPE.NAMESPACE`. [`Key`] is a checked key: its
//! text is safe as a file name. [`lookup`] is the order in which a view looks for its definition. [`Viewdefs`] is what the
//! engine asks when a connection first meets a type; [`Catalog`] answers it from memory.

pub mod catalog;

use std::fmt;
use std::sync::Arc;

pub use catalog::Catalog;

/// The namespace that every lookup ends with.
pub const DEFAULT_NAMESPACE: &str = "DEFAULT";
/// The namespace that a list gives its items to fall back on.
pub const LIST_ITEM_NAMESPACE: &str = "list-item";

/// The longest type or namespace that is taken: both together, `.html` added, are a file name.
const LONGEST: usize = 120;

/// A checked `TYPE.NAMESPACE`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    text: Arc<str>,
    /// Where the last dot stands; a namespace holds none.
    dot: usize,
}

impl Key {
    /// The key of `type_name` in `namespace`.
    pub fn new(type_name: &str, namespace: &str) -> Result<Self, BadKey> {
        check_type(type_name)?;
        check_namespace(namespace)?;
        Ok(Self { text: format!("{type_name}.{namespace}").into(), dot: type_name.len() })
    }

    /// Reads `TYPE.NAMESPACE`; the namespace is what follows the last dot.
    pub fn parse(text: &str) -> Result<Self, BadKey> {
        let (type_name, namespace) =
            text.rsplit_once('.').ok_or_else(|| BadKey::NoNamespace(text.into()))?;
        Self::new(type_name, namespace)
    }

    /// Reads a file name, `TYPE.NAMESPACE.html`.
    pub fn from_file_name(name: &str) -> Result<Self, BadKey> {
        Self::parse(name.strip_suffix(".html").ok_or_else(|| BadKey::NoHtml(name.into()))?)
    }

    /// The name of its file.
    pub fn file_name(&self) -> String {
        format!("{}.html", self.text)
    }

    /// The type.
    pub fn type_name(&self) -> &str {
        &self.text[..self.dot]
    }

    /// The namespace.
    pub fn namespace(&self) -> &str {
        &self.text[self.dot + 1..]
    }

    /// The whole key.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.text, f)
    }
}

/// Why a name is no type, namespace or key.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadKey {
    /// Letters, digits, `_` and `-`, in parts joined by dots, none starting with a digit or `-`.
    #[error("`{0}` is no type: write letters, digits, `_` and `-`, in parts joined by dots")]
    Type(String),
    /// Letters, digits, `_` and `-`.
    #[error("`{0}` is no namespace: write letters, digits, `_` and `-`")]
    Namespace(String),
    /// The name would not fit a file name.
    #[error("`{0}` is longer than {LONGEST} characters")]
    Long(String),
    /// There is no dot.
    #[error("`{0}` names no namespace: write `TYPE.NAMESPACE`")]
    NoNamespace(String),
    /// The file name has another ending.
    #[error("`{0}` is no view definition: its file ends in `.html`")]
    NoHtml(String),
}

impl kit_core::Fault for BadKey {
    fn kind(&self) -> kit_core::Kind {
        kit_core::Kind::Invalid
    }
}

/// Checks the name of a type: `[A-Za-z_][A-Za-z0-9_-]*` parts joined by dots.
pub fn check_type(name: &str) -> Result<(), BadKey> {
    let part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && part.chars().all(is_word)
    };
    if !name.split('.').all(part) {
        return Err(BadKey::Type(shown(name)));
    }
    check_length(name)
}

/// Checks the name of a namespace: `[A-Za-z0-9_-]+`.
pub fn check_namespace(name: &str) -> Result<(), BadKey> {
    if name.is_empty() || !name.chars().all(is_word) {
        return Err(BadKey::Namespace(shown(name)));
    }
    check_length(name)
}

/// The keys under which a view of `type_name` is looked for; the first that exists is shown.
///
/// An unset or empty namespace is left out, and so is one that stood before.
pub fn lookup<'a>(
    type_name: &'a str,
    namespace: Option<&'a str>,
    fallback: Option<&'a str>,
) -> impl Iterator<Item = String> + 'a {
    let set = |name: Option<&'a str>| name.filter(|name| !name.is_empty());
    let first = set(namespace);
    let second = set(fallback).filter(|name| Some(*name) != first);
    let last = Some(DEFAULT_NAMESPACE).filter(|name| Some(*name) != first && Some(*name) != second);
    [first, second, last]
        .into_iter()
        .flatten()
        .map(move |namespace| format!("{type_name}.{namespace}"))
}

/// One definition: a key and its HTML.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Viewdef {
    /// `TYPE.NAMESPACE`.
    pub key: Key,
    /// The `<template>`, as browsers get it.
    pub html: Arc<str>,
}

/// Where the engine gets definitions from: the files and the built-in ones, or memory.
pub trait Viewdefs {
    /// Every namespace of `type_name`, in the order of their names. Empty if there is none (yet): when one comes, tell the
    /// engine by [`Session::viewdef_changed`](crate::Session::viewdef_changed).
    ///
    /// Asked once for each type that a connection meets. `type_name` comes from Lua and may be no valid type.
    fn of_type(&mut self, type_name: &str) -> Vec<Viewdef>;
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

fn check_length(name: &str) -> Result<(), BadKey> {
    if name.len() > LONGEST { Err(BadKey::Long(shown(name))) } else { Ok(()) }
}

/// A name for a message: cut, since it may be anything.
fn shown(name: &str) -> String {
    if name.chars().count() <= 60 {
        return name.to_owned();
    }
    name.chars().take(57).chain("...".chars()).collect()
}
