//! One thing in a universe, shared between states, with its JSON text once somebody asked for it.
//!
//! A full reply of a large universe joins these texts instead of printing everything anew: it costs about what
//! copying the bytes costs. The only way to change what is inside is [`Entity::change`], which forgets the text.

use std::{
    fmt,
    ops::Deref,
    sync::{Arc, OnceLock},
};

use serde::{Serialize, Serializer};

use crate::json::encode;

/// A value behind a shared pointer. A clone costs nothing.
pub struct Entity<T>(Arc<Printed<T>>);

struct Printed<T> {
    value: T,
    text: OnceLock<Box<str>>,
}

/// A copy is made to be changed, so it starts without a text.
impl<T: Clone> Clone for Printed<T> {
    fn clone(&self) -> Self {
        Self { value: self.value.clone(), text: OnceLock::new() }
    }
}

impl<T> Entity<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Arc::new(Printed { value, text: OnceLock::new() }))
    }
}

impl<T> Entity<T> {
    /// Whether both are one and the same without a look inside; `false` says nothing.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: Clone> Entity<T> {
    /// The value, to be changed. Others that share it keep what they have.
    pub(crate) fn change(&mut self) -> &mut T {
        let printed = Arc::make_mut(&mut self.0);
        // Nobody else may have had it, and then nothing was copied.
        printed.text.take();
        &mut printed.value
    }
}

impl<T: Serialize> Entity<T> {
    /// Its JSON, printed at most once.
    pub fn json(&self) -> &str {
        self.0.text.get_or_init(|| encode(&self.0.value).into())
    }
}

impl<T> Deref for Entity<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.value
    }
}

impl<T> Clone for Entity<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: PartialEq> PartialEq for Entity<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.value == other.0.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Entity<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.value.fmt(f)
    }
}

impl<T: Serialize> Serialize for Entity<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.value.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_value_prints_anew_whether_it_was_shared_or_not() {
        let mut alone = Entity::new(vec![1]);
        assert_eq!(alone.json(), "[1]");
        alone.change().push(2);
        assert_eq!(alone.json(), "[1,2]");

        let other = alone.clone();
        alone.change().push(3);
        assert_eq!((alone.json(), other.json()), ("[1,2,3]", "[1,2]"));
    }
}
