//! What this application needs of the world besides a store and a clock.

use universe_core::UniverseId;
use uuid::Uuid;

/// Names new universes. A test brings names it knows.
pub trait Ids: Send + Sync + 'static {
    /// A name that no universe has had.
    fn next(&self) -> UniverseId;
}

/// Random UUIDs.
#[derive(Debug, Clone, Copy, Default)]
pub struct RandomIds;

impl Ids for RandomIds {
    fn next(&self) -> UniverseId {
        UniverseId::from(&*Uuid::new_v4().to_string())
    }
}
