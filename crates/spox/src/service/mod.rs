//! What every surface asks of a project.
//!
//! Each function looks at the files as they are now ([`Service::snapshot`]), asks `spox-core` or the search, and gives an
//! answer in the words of [`crate::wire`]. Functions block on the disk: an asynchronous caller uses [`Service::ask`].

mod changes;
mod people;
mod read;
mod search;
mod validate;

use std::sync::{Arc, OnceLock};

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
    project::{Difference, Place, Project, Snapshot},
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
    told: OnceLock<Told>,
}

/// Who hears what is no longer the same, and the revision that it is of.
type Told = Box<dyn Fn(&Difference, u64) + Send + Sync>;

impl Service {
    /// Nothing is read before the first question.
    pub fn new(place: Place, clock: Arc<dyn Clock>) -> Self {
        let (current, search, told) = (RwLock::new(None), Arc::default(), OnceLock::new());
        Self(Arc::new(Inner { place, clock, current, search, told }))
    }

    /// Has `told` called with every difference that anybody's question brings to light, once and in order. The first to
    /// ask for it is the only one.
    pub fn on_change(&self, told: impl Fn(&Difference, u64) + Send + Sync + 'static) {
        drop(self.0.told.set(Box::new(told)));
    }

    /// The project as it is on disk now. A file that changed costs that file, one that did not a look from outside.
    pub fn snapshot(&self) -> Result<Arc<Snapshot>, Error> {
        loop {
            let earlier = self.0.current.read().clone();
            let snapshot = match Project::open(&self.0.place) {
                Ok(project) => Snapshot::read(project, earlier.as_ref()),
                Err(error) => {
                    self.gone();
                    return Err(error);
                }
            };
            let mut current = self.0.current.write();
            // Revisions are given out one by one: who was overtaken builds on what the other has read.
            if current.as_ref().map(Arc::as_ptr) == earlier.as_ref().map(Arc::as_ptr) {
                *current = Some(snapshot.clone());
                match earlier {
                    Some(earlier) if earlier.revision == snapshot.revision => {}
                    // Told under the lock, so that differences are heard in the order of their revisions.
                    Some(earlier) => self.tell(&snapshot.since(&earlier), snapshot.revision),
                    None => self.tell(&Difference::of_project(), snapshot.revision),
                }
                return Ok(snapshot);
            }
        }
    }

    /// There is no project any more, or none that can be read.
    fn gone(&self) {
        let mut current = self.0.current.write();
        if let Some(last) = current.take() {
            self.tell(&Difference::of_project(), last.revision);
        }
    }

    fn tell(&self, difference: &Difference, revision: u64) {
        if let Some(told) = self.0.told.get() {
            told(difference, revision);
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
