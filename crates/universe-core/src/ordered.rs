//! A map that keeps the order in which its keys came.
//!
//! Persistent: a clone shares everything with its origin and costs nothing, so a reader keeps the state it
//! was given while the next command changes the present one. Every operation is logarithmic, removal from
//! the middle included: what a command costs must not depend on how large the universe is.

use std::{fmt, hash::Hash, ops::Bound};

use rpds::{HashTrieMapSync, RedBlackTreeMapSync};
use serde::{Serialize, Serializer};

/// How far apart neighbours stand when they are appended, so that others fit in between.
const GAP: u64 = 1 << 32;

/// How far behind its predecessor one is put that comes in between: far enough for some more in between, near
/// enough for 65 536 that come one after the other.
const STEP: u64 = 1 << 16;

/// Where the first one stands: in the middle, with room on both sides.
const MIDDLE: u64 = 1 << 63;

/// Keys to values, in the order of their first insertion.
#[derive(Clone)]
pub struct Ordered<K: Eq + Hash, V> {
    places: HashTrieMapSync<K, u64>,
    items: RedBlackTreeMapSync<u64, (K, V)>,
}

/// Keys alone, in the order of their insertion.
pub type OrderedSet<K> = Ordered<K, ()>;

impl<K: Eq + Hash, V> Default for Ordered<K, V> {
    fn default() -> Self {
        Self { places: HashTrieMapSync::new_sync(), items: RedBlackTreeMapSync::new_sync() }
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

    /// The key that came last.
    pub fn last(&self) -> Option<&K> {
        self.items.last().map(|(_, (key, _))| key)
    }

    /// Whether both are the same without a look at the entries; `false` says nothing.
    pub(crate) fn shares_all_with(&self, other: &Self) -> bool {
        self.items.ptr_eq(&other.items)
    }

    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let place = self.places.get(key)?;
        self.items.get_mut(place).map(|(_, value)| value)
    }

    /// A key that is there keeps its place; a new one comes last.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        let place = match self.places.get(&key) {
            Some(place) => *place,
            None => self.place_last(),
        };
        self.put(place, key, value);
    }

    /// Puts an entry right behind `after`, or first of all. A key that is there moves; where `after` is not
    /// there, the entry comes last.
    pub(crate) fn insert_after(&mut self, after: Option<&K>, key: K, value: V) {
        self.remove(&key);
        let place = match after {
            None => self.place_first(),
            Some(after) if self.contains(after) => self.place_behind(after),
            Some(_) => self.place_last(),
        };
        self.put(place, key, value);
    }

    /// Moves a key that is there; its value stays.
    pub(crate) fn move_after(&mut self, after: Option<&K>, key: &K) {
        if let Some(value) = self.get(key).cloned() {
            self.insert_after(after, key.clone(), value);
        }
    }

    pub(crate) fn remove(&mut self, key: &K) {
        if let Some(place) = self.places.get(key).copied() {
            self.places.remove_mut(key);
            self.items.remove_mut(&place);
        }
    }

    pub(crate) fn remove_first(&mut self) {
        if let Some((&place, (key, _))) = self.items.first() {
            self.places.remove_mut(key);
            self.items.remove_mut(&place);
        }
    }

    fn put(&mut self, place: u64, key: K, value: V) {
        if self.places.get(&key) != Some(&place) {
            self.places.insert_mut(key.clone(), place);
        }
        self.items.insert_mut(place, (key, value));
    }

    fn place_last(&mut self) -> u64 {
        let last = |items: &RedBlackTreeMapSync<_, _>| items.last().map(|(&place, _)| place);
        let Some(place) = last(&self.items) else { return MIDDLE };
        place.checked_add(GAP).unwrap_or_else(|| {
            self.spread_out();
            last(&self.items).unwrap_or(MIDDLE) + GAP
        })
    }

    fn place_first(&mut self) -> u64 {
        let Some((&place, _)) = self.items.first() else { return MIDDLE };
        place.checked_sub(GAP).unwrap_or_else(|| {
            self.spread_out();
            MIDDLE - GAP
        })
    }

    fn place_behind(&mut self, key: &K) -> u64 {
        loop {
            let Some(&place) = self.places.get(key) else { return self.place_last() };
            let behind = (Bound::Excluded(place), Bound::Unbounded);
            let Some((&next, _)) = self.items.range(behind).next() else {
                return self.place_last();
            };
            match (next - place) / 2 {
                0 => self.spread_out(),
                half => return place + half.min(STEP),
            }
        }
    }

    /// Makes room everywhere. The one operation that looks at every entry: it is due after tens of thousands of
    /// entries were put into one and the same place.
    fn spread_out(&mut self) {
        let entries: Vec<_> = self.items.values().cloned().collect();
        *self = Self::default();
        let mut place = MIDDLE;
        for (key, value) in entries {
            self.put(place, key, value);
            place += GAP;
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
        self.items.ptr_eq(&other.items) || self.items.values().eq(other.items.values())
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

    #[test]
    fn an_entry_goes_behind_another_and_moves_when_it_is_there() {
        let mut map: OrderedSet<&str> = ["a", "b", "c"].into_iter().collect();
        map.insert_after(Some(&"a"), "x", ());
        map.insert_after(None, "c", ());
        map.insert_after(Some(&"gone"), "a", ());
        map.move_after(Some(&"c"), &"b");
        assert_eq!(map.keys().copied().collect::<String>(), "cbxa");
    }

    #[test]
    fn room_is_made_where_it_is_used_up() {
        let mut expected = vec![0, 1];
        let mut set: OrderedSet<i32> = expected.iter().copied().collect();
        for key in 2..200 {
            // Always between the first two: every step halves the room.
            set.insert_after(Some(&0), key, ());
            expected.insert(1, key);
        }
        assert_eq!(set.keys().copied().collect::<Vec<_>>(), expected);
        let mut front: OrderedSet<i32> = [0].into_iter().collect();
        front.items = front.items.remove(&MIDDLE).insert(1, (0, ()));
        front.places.insert_mut(0, 1);
        front.insert_after(None, 1, ());
        assert_eq!(front.keys().copied().collect::<Vec<_>>(), [1, 0]);
    }
}
