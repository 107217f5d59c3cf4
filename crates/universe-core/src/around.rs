//! What lies around bodies: belts, fields, disks, nebulae. Each kind is a map of plain entities, and what can be done
//! with one can be done with all.

use std::{fmt, hash::Hash};

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    BeltId, BodyId, DiskId, Entity, FieldId, Fields, NebulaId, Ordered, State,
    references::Referrer,
    shape::{self, Shape},
};

/// The id of one kind.
pub(crate) trait Around:
    Eq + Hash + Clone + fmt::Display + for<'t> From<&'t str> + Serialize + DeserializeOwned
{
    const SHAPE: Shape;
    /// The keys under which it names bodies.
    const BODIES: &'static [&'static str];

    fn all(state: &State) -> &Ordered<Self, Entity<Fields>>;
    fn all_mut(state: &mut State) -> &mut Ordered<Self, Entity<Fields>>;
    /// How the index of references calls it, if it names bodies at all.
    fn referrer(&self) -> Option<Referrer>;

    fn bodies(fields: &Fields) -> impl Iterator<Item = BodyId> {
        Self::BODIES.iter().filter_map(|key| fields.text(key)).map(BodyId::from)
    }
}

impl Around for FieldId {
    const SHAPE: Shape = shape::SMALL_BODY_FIELD;
    const BODIES: &'static [&'static str] = &["hostStarId", "systemId"];

    fn all(state: &State) -> &Ordered<Self, Entity<Fields>> {
        &state.small_body_fields
    }

    fn all_mut(state: &mut State) -> &mut Ordered<Self, Entity<Fields>> {
        &mut state.small_body_fields
    }

    fn referrer(&self) -> Option<Referrer> {
        Some(Referrer::Field(self.clone()))
    }
}

impl Around for DiskId {
    const SHAPE: Shape = shape::PROTOPLANETARY_DISK;
    const BODIES: &'static [&'static str] = &["centralStarId", "systemId"];

    fn all(state: &State) -> &Ordered<Self, Entity<Fields>> {
        &state.disks
    }

    fn all_mut(state: &mut State) -> &mut Ordered<Self, Entity<Fields>> {
        &mut state.disks
    }

    fn referrer(&self) -> Option<Referrer> {
        Some(Referrer::Disk(self.clone()))
    }
}

impl Around for NebulaId {
    const SHAPE: Shape = shape::NEBULA_REGION;
    const BODIES: &'static [&'static str] = &[];

    fn all(state: &State) -> &Ordered<Self, Entity<Fields>> {
        &state.nebulae
    }

    fn all_mut(state: &mut State) -> &mut Ordered<Self, Entity<Fields>> {
        &mut state.nebulae
    }

    fn referrer(&self) -> Option<Referrer> {
        None
    }
}

/// Legacy belts name bodies too, but nothing has ever followed from it.
impl Around for BeltId {
    const SHAPE: Shape = shape::ASTEROID_BELT;
    const BODIES: &'static [&'static str] = &[];

    fn all(state: &State) -> &Ordered<Self, Entity<Fields>> {
        &state.belts
    }

    fn all_mut(state: &mut State) -> &mut Ordered<Self, Entity<Fields>> {
        &mut state.belts
    }

    fn referrer(&self) -> Option<Referrer> {
        None
    }
}
