//! What every surface asks of a project.
//!
//! Each function looks at the files as they are now ([`Service::snapshot`]), asks `spox-core` or the search, and gives an
//! answer in the words of [`crate::wire`]. Functions block on the disk: an asynchronous caller uses [`Service::ask`].

mod changes;
mod people;
mod read;
mod search;
mod validate;

use std::sync::Arc;

use kit_app::Clock;
use parking_lot::RwLock;

pub use self::{
    changes::{
        Applied, Approval, Approved, ArchiveOptions, Archived, ChangeDiff, Initialised, Rebased,
    },
    validate::Checked,
};
use crate::{
    Error,
    project::{Place, Project, Snapshot},
    search::Engine,
};

/// One project for all surfaces. Cloning is cheap.
#[derive(Clone)]
pub struct Service(Arc<Inner>);

struct Inner {
    place: Place,
    clock: Arc<dyn Clock>,
    current: RwLock<Option<Arc<Snapshot>>>,
    search: Arc<Engine>,
}

impl Service {
    /// Nothing is read before the first question.
    pub fn new(place: Place, clock: Arc<dyn Clock>) -> Self {
        let (current, search) = (RwLock::new(None), Arc::default());
        Self(Arc::new(Inner { place, clock, current, search }))
    }

    /// The project as it is on disk now. A file that changed costs that file, one that did not a look from outside.
    pub fn snapshot(&self) -> Result<Arc<Snapshot>, Error> {
        loop {
            let earlier = self.0.current.read().clone();
            let project = Project::open(&self.0.place)?;
            let snapshot = Snapshot::read(project, earlier.as_ref());
            let mut current = self.0.current.write();
            // Revisions are given out one by one: who was overtaken builds on what the other has read.
            if current.as_ref().map(Arc::as_ptr) == earlier.as_ref().map(Arc::as_ptr) {
                *current = Some(snapshot.clone());
                return Ok(snapshot);
            }
        }
    }

    /// The revision that was last seen; 0 before anything was.
    pub fn revision(&self) -> u64 {
        self.0.current.read().as_ref().map_or(0, |snapshot| snapshot.revision)
    }

    /// Where the project is looked for.
    pub fn place(&self) -> &Place {
        &self.0.place
    }

    /// Answers a question on a thread that may wait for the disk.
    pub async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Self) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let service = self.clone();
        match tokio::task::spawn_blocking(move || question(&service)).await {
            Ok(answer) => answer,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => Err(Error::Interrupted),
            },
        }
    }
}
