//! The databases that models may name, each by the name of its connection.

use std::{collections::BTreeMap, sync::Arc};

use malloy_engine::{Engine, Error};

/// The connection that a workspace always has: DuckDB over its folder.
pub const DEFAULT: &str = "duckdb";

/// Engines by the name that a model writes: `pg` in `pg.table('public.orders')`.
#[derive(Debug, Clone, Default)]
pub struct Connections {
    engines: BTreeMap<String, Arc<dyn Engine>>,
}

impl Connections {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an engine, or puts it in the place of the one with that name.
    pub fn insert(&mut self, name: impl Into<String>, engine: Arc<dyn Engine>) {
        self.engines.insert(name.into(), engine);
    }

    /// Adds those of `others`, in the place of what has their names.
    pub fn insert_all(&mut self, others: Self) {
        self.engines.extend(others.engines);
    }

    /// The engine of a connection. A query that reads no table names none, and runs on the default.
    pub fn get(&self, name: &str) -> Result<&Arc<dyn Engine>, Error> {
        let name = if name.is_empty() { DEFAULT } else { name };
        self.engines.get(name).ok_or_else(|| {
            let known: Vec<_> = self.engines.keys().map(|name| format!("`{name}`")).collect();
            Error::query(format!(
                "there is no connection `{name}`; there is {}",
                if known.is_empty() { "none at all".to_owned() } else { known.join(", ") }
            ))
        })
    }

    /// The names and their engines, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Arc<dyn Engine>)> {
        self.engines.iter().map(|(name, engine)| (&**name, engine))
    }
}
