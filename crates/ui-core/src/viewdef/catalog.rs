//! View definitions in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Key, Viewdef, Viewdefs};

/// Definitions by type and namespace.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    types: BTreeMap<Box<str>, BTreeMap<Box<str>, Viewdef>>,
}

impl Catalog {
    /// Puts a definition in. Gives it back if it is new or its content is another than before.
    pub fn insert(&mut self, key: Key, html: impl Into<Arc<str>>) -> Option<Viewdef> {
        let viewdef = Viewdef { key, html: html.into() };
        let (type_name, namespace) = (viewdef.key.type_name(), viewdef.key.namespace());
        let namespaces = self.types.entry(type_name.into()).or_default();
        if namespaces.get(namespace).is_some_and(|known| known.html == viewdef.html) {
            return None;
        }
        namespaces.insert(namespace.into(), viewdef.clone());
        Some(viewdef)
    }

    /// Takes a definition out.
    pub fn remove(&mut self, key: &Key) -> Option<Viewdef> {
        let namespaces = self.types.get_mut(key.type_name())?;
        let removed = namespaces.remove(key.namespace());
        if namespaces.is_empty() {
            self.types.remove(key.type_name());
        }
        removed
    }

    /// The definition under `key`, the text of a key.
    pub fn get(&self, key: &str) -> Option<&Viewdef> {
        let (type_name, namespace) = key.rsplit_once('.')?;
        self.types.get(type_name)?.get(namespace)
    }

    /// Every definition, by type and then namespace.
    pub fn iter(&self) -> impl Iterator<Item = &Viewdef> {
        self.types.values().flat_map(BTreeMap::values)
    }
}

impl Viewdefs for Catalog {
    fn of_type(&mut self, type_name: &str) -> Vec<Viewdef> {
        self.types.get(type_name).map_or(Vec::new(), |known| known.values().cloned().collect())
    }
}
