//! Records in the order in which they came, found by their id.

use std::{fmt, hash::Hash};

use rpds::{HashTrieMapSync, RedBlackTreeMapSync};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A record that has an id.
pub(crate) trait Named {
    type Id: Clone + Eq + Hash;

    fn id(&self) -> &Self::Id;
}

/// Persistent: a clone shares everything with its origin and costs nothing. The place of a record is the seq of the
/// entry that it came with.
#[derive(Clone)]
pub(crate) struct Roster<V: Named> {
    places: HashTrieMapSync<V::Id, u64>,
    items: RedBlackTreeMapSync<u64, V>,
}

impl<V: Named> Default for Roster<V> {
    fn default() -> Self {
        Self { places: HashTrieMapSync::new_sync(), items: RedBlackTreeMapSync::new_sync() }
    }
}

impl<V: Named + Clone> Roster<V> {
    pub(crate) fn len(&self) -> usize {
        self.items.size()
    }

    pub(crate) fn get(&self, id: &V::Id) -> Option<&V> {
        self.items.get(self.places.get(id)?)
    }

    pub(crate) fn get_mut(&mut self, id: &V::Id) -> Option<&mut V> {
        self.items.get_mut(self.places.get(id)?)
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &V> {
        self.items.values()
    }

    pub(crate) fn insert(&mut self, place: u64, value: V) {
        self.remove(&value.id().clone());
        self.places.insert_mut(value.id().clone(), place);
        self.items.insert_mut(place, value);
    }

    pub(crate) fn remove(&mut self, id: &V::Id) {
        if let Some(place) = self.places.get(id).copied() {
            self.places.remove_mut(id);
            self.items.remove_mut(&place);
        }
    }
}

impl<V: Named + PartialEq> PartialEq for Roster<V> {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items
    }
}

impl<V: Named + fmt::Debug> fmt::Debug for Roster<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.items.iter()).finish()
    }
}

/// By place, in order, so that equal rosters print the same bytes.
impl<V: Named + Serialize> Serialize for Roster<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.items.iter())
    }
}

impl<'de, V: Named + Clone + Deserialize<'de>> Deserialize<'de> for Roster<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let items = RedBlackTreeMapSync::<u64, V>::deserialize(deserializer)?;
        let places = items.iter().map(|(place, value)| (value.id().clone(), *place)).collect();
        Ok(Self { places, items })
    }
}
