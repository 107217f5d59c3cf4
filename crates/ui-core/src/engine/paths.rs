//! Parsed paths, kept so that a list of a thousand rows parses each of its paths once.

use std::sync::Arc;

use foldhash::HashMap;

use crate::path::{BadPath, Path};

/// How many paths are kept before those that nobody uses go.
const KEPT: usize = 4096;

/// Paths by their text.
#[derive(Debug, Default)]
pub(super) struct Paths {
    known: HashMap<Arc<str>, Arc<Path>>,
    /// The number at which to look for unused ones.
    full: usize,
}

impl Paths {
    pub(super) fn get(&mut self, text: &Arc<str>) -> Result<Arc<Path>, BadPath> {
        if let Some(path) = self.known.get(text) {
            return Ok(Arc::clone(path));
        }
        let path = Arc::new(Path::parse(text)?);
        if self.known.len() >= self.full.max(KEPT) {
            self.known.retain(|_, path| Arc::strong_count(path) > 1);
            // Looking costs the number of paths, so it must not happen at each new one.
            self.full = self.known.len() * 2;
        }
        self.known.insert(Arc::clone(text), Arc::clone(&path));
        Ok(path)
    }
}
