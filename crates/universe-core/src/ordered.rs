//! A map that keeps the order in which its keys came.
//!
//! Persistent: a clone shares everything with its origin and costs nothing, so a reader keeps the state it
//! was given while the next command changes the present one. Every operation is logarithmic, removal from
//! the middle included: what a command costs must not depend on how large the universe is.

use std::{fmt, hash::Hash};

use rpds::{HashTrieMapSync, RedBlackTreeMapSync};
use serde::{Serialize, Serializer};

/// Keys to values, in the order of their first insertion.
#[derive(Clone)]
pub struct Ordered<K: Eq + Hash, V> {
    places: HashTrieMapSync<K, u64>,
    items: RedBlackTreeMapSync<u64, (K, V)>,
    next: u64,
}

/// Keys alone, in the order of their insertion.
pub type OrderedSet<K> = Ordered<K, ()>;

impl<K: Eq + Hash, V> Default for Ordered<K, V> {
    fn default() -> Self {
        let places = HashTrieMapSync::new_sync();
        Self { places, items: RedBlackTreeMapSync::new_sync(), next: 0 }
    }
}

impl<K: Eq + Hash + Clone, V: Clone> Ordered<K, V> {
    pub fn get(&self, key: &K) -> Option<&V> {
        let place = self.places.get(key)?;
        self.items.get(place).map(|(_, value)| value)
    }

    pub fn contains(&self, key: &K) -> bool {
        self.places.contains_key(key)
    }

    pub fn len(&self) -> usize {
        self.items.size()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.items.values().map(|(key, value)| (key, value))
    }

    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.items.values().map(|(key, _)| key)
    }

    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let place = self.places.get(key)?;
        self.items.get_mut(place).map(|(_, value)| value)
    }

    /// A key that is there keeps its place; a new one comes last.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        let place = self.places.get(&key).copied().unwrap_or(self.next);
        if place == self.next {
            self.places.insert_mut(key.clone(), place);
            self.next += 1;
        }
        self.items.insert_mut(place, (key, value));
    }

    /// The key that came last.
    pub(crate) fn last(&self) -> Option<&K> {
        self.items.last().map(|(_, (key, _))| key)
    }

    pub(crate) fn remove_first(&mut self) {
        if let Some((&place, (key, _))) = self.items.first() {
            self.places.remove_mut(key);
            self.items.remove_mut(&place);
        }
    }

    pub(crate) fn remove(&mut self, key: &K) {
        if let Some(place) = self.places.get(key).copied() {
            self.places.remove_mut(key);
            self.items.remove_mut(&place);
        }
    }
}

impl<K: Eq + Hash + Clone> Ordered<K, ()> {
    pub(crate) fn add(&mut self, key: K) {
        self.insert(key, ());
    }
}

/// Equal when they show the same entries in the same order, whatever was inserted and removed before.
impl<K: Eq + Hash, V: PartialEq> PartialEq for Ordered<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.items.values().eq(other.items.values())
    }
}

impl<K: Eq + Hash + Clone + fmt::Debug, V: Clone + fmt::Debug> fmt::Debug for Ordered<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: Eq + Hash + Clone, V: Clone> FromIterator<(K, V)> for Ordered<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut ordered = Self::default();
        for (key, value) in entries {
            ordered.insert(key, value);
        }
        ordered
    }
}

impl<K: Eq + Hash + Clone> FromIterator<K> for Ordered<K, ()> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        keys.into_iter().map(|key| (key, ())).collect()
    }
}

/// Serializes the keys as a list.
pub(crate) fn as_list<K: Eq + Hash + Clone + Serialize, S: Serializer>(
    set: &OrderedSet<K>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(set.keys())
}

impl<K: Eq + Hash + Clone + Serialize, V: Clone + Serialize> Serialize for Ordered<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replaced_value_keeps_its_place_and_a_new_key_comes_last() {
        let mut map: Ordered<&str, i32> = [("b", 1), ("a", 2), ("c", 3)].into_iter().collect();
        map.insert("a", 9);
        map.remove(&"b");
        map.insert("b", 4);
        assert_eq!(map.iter().collect::<Vec<_>>(), [(&"a", &9), (&"c", &3), (&"b", &4)]);
    }

    #[test]
    fn a_clone_is_not_touched_by_later_changes() {
        let mut map: OrderedSet<&str> = ["a", "b"].into_iter().collect();
        let before = map.clone();
        map.remove(&"a");
        assert_eq!(before.keys().collect::<Vec<_>>(), [&"a", &"b"]);
        assert_eq!(map.len(), 1);
    }
}
