//! Finding requirements.

use std::sync::Arc;

use super::Service;
use crate::{
    Error,
    project::Snapshot,
    search::{IndexState, SearchQuery},
    wire,
};

impl Service {
    /// The requirements that answer a question best.
    pub fn search(&self, query: &SearchQuery) -> Result<wire::SearchResults, Error> {
        self.0.search.search(&self.snapshot()?, query)
    }

    /// Builds the index or brings it up to date, telling how many texts of how many are embedded.
    pub fn rebuild_index(
        &self,
        progress: &dyn Fn(usize, usize),
    ) -> Result<wire::IndexBuilt, Error> {
        let snapshot: Arc<Snapshot> = self.snapshot()?;
        self.0.search.rebuild(&snapshot, progress)
    }

    /// How the index of a snapshot is.
    pub fn index_state(&self, snapshot: &Snapshot) -> IndexState {
        self.0.search.state(snapshot)
    }
}
