//! Which entities events touched: what a live viewer has to be told anew.

use std::{collections::HashSet, hash::Hash};

use serde::{Serialize, Serializer, ser::SerializeMap};

use crate::{
    BeltId, BodyId, Change, DiskId, Edit, Entity, Event, FieldId, GroupId, Member, Move, NebulaId,
    Ordered, Patch, State, model::WithoutChildren,
};

/// Ids by kind, each once, in the order in which they were touched. An entity that is named may be unchanged; one that
/// is not named is. The `children` of a body are no part of it: they follow from the parents.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Touched {
    /// Anything may have changed, and the ids say nothing.
    pub everything: bool,
    pub time: bool,
    pub bodies: Ids<BodyId>,
    pub groups: Ids<GroupId>,
    pub belts: Ids<BeltId>,
    pub small_body_fields: Ids<FieldId>,
    pub disks: Ids<DiskId>,
    pub nebulae: Ids<NebulaId>,
}

/// A list without repetitions.
#[derive(Debug, Clone, PartialEq)]
pub struct Ids<K: Eq + Hash> {
    list: Vec<K>,
    seen: HashSet<K>,
}

impl<K: Eq + Hash> Default for Ids<K> {
    fn default() -> Self {
        Self { list: Vec::new(), seen: HashSet::new() }
    }
}

impl<K: Eq + Hash + Clone> Ids<K> {
    pub fn iter(&self) -> impl Iterator<Item = &K> {
        self.list.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    fn add(&mut self, id: &K) {
        if self.seen.insert(id.clone()) {
            self.list.push(id.clone());
        }
    }

    fn add_all<'a>(&mut self, ids: impl IntoIterator<Item = &'a K>)
    where
        K: 'a,
    {
        for id in ids {
            self.add(id);
        }
    }
}

/// What a line of the log touched.
pub fn touched_by(change: &Change) -> Touched {
    match change {
        Change::Command { events, .. }
        | Change::Undone { events, .. }
        | Change::Redone { events, .. } => touched(events),
        Change::Created { .. } | Change::Replaced { state: Some(_), .. } => {
            Touched { everything: true, time: true, ..Touched::default() }
        }
        Change::Clock { .. } => Touched { time: true, ..Touched::default() },
        Change::Replaced { state: None, .. } | Change::Deleted => Touched::default(),
    }
}

/// What these events touched.
pub fn touched(events: &[Event]) -> Touched {
    let mut touched = Touched::default();
    for event in events {
        touched.note(event);
    }
    touched
}

impl Touched {
    fn note(&mut self, event: &Event) {
        match event {
            Event::Ticked { .. } => self.time = true,
            Event::StarAdded { id, .. } | Event::StarUpdated { id, .. } => self.bodies.add(id),
            Event::StarAttached { child, .. } | Event::StarDetached { child, .. } => {
                self.bodies.add(child);
            }
            Event::RingUpdated { planet, .. } | Event::RingRemoved { planet } => {
                self.bodies.add(planet);
            }
            Event::StarRemoved(removal) => {
                self.bodies.add_all(removal.bodies.iter().chain(&removal.unhosted));
                self.small_body_fields.add_all(&removal.small_body_fields);
                self.disks.add_all(&removal.disks);
                self.groups.add_all(removal.memberships.iter().map(|ended| &ended.group_id));
            }
            Event::GroupAdded { id, parent, moves, .. }
            | Event::GroupRemoved { id, parent, moves } => {
                self.groups.add(id);
                self.groups.add_all(parent);
                self.note_moves(moves);
            }
            Event::GroupUpdated { id, moves, .. } => {
                self.groups.add(id);
                self.note_moves(moves);
            }
            Event::ChildAddedToGroup(moved) | Event::MovedToGroup(moved) => {
                self.note_moves(std::slice::from_ref(moved));
            }
            Event::ChildRemovedFromGroup { moves } => self.note_moves(moves),
            Event::SmallBodyFieldsSet { all, removed } => {
                self.small_body_fields.add_all(all.iter().map(|(id, _)| id).chain(removed));
            }
            Event::SmallBodyFieldUpdated { id, .. } | Event::SmallBodyFieldRemoved { id } => {
                self.small_body_fields.add(id);
            }
            Event::ProtoplanetaryDisksSet { all, removed } => {
                self.disks.add_all(all.iter().map(|(id, _)| id).chain(removed));
            }
            Event::ProtoplanetaryDiskAdded { id, .. }
            | Event::ProtoplanetaryDiskUpdated { id, .. }
            | Event::ProtoplanetaryDiskRemoved { id } => self.disks.add(id),
            Event::NebulaeSet { all, removed } => {
                self.nebulae.add_all(all.iter().map(|(id, _)| id).chain(removed));
            }
            Event::NebulaUpdated { id, .. } | Event::NebulaRemoved { id } => self.nebulae.add(id),
            Event::SnapshotReplaced { .. } => self.everything = true,
            Event::Revised(patch) => self.note_patch(patch),
        }
    }

    fn note_moves(&mut self, moves: &[Move]) {
        for moved in moves {
            if let Member::Group(id) = &moved.member {
                self.groups.add(id);
            }
            self.groups.add_all(moved.from.iter().chain(&moved.to));
        }
    }

    fn note_patch(&mut self, patch: &Patch) {
        // No delta has room for keys of the state itself.
        self.everything |= !patch.extra.is_empty();
        self.bodies.add_all(patch.bodies.iter().map(Edit::id));
        self.bodies.add_all(patch.orbits.iter().map(|orbit| &orbit.id));
        self.groups.add_all(patch.groups.iter().map(Edit::id));
        self.belts.add_all(patch.belts.iter().map(Edit::id));
        self.small_body_fields.add_all(patch.small_body_fields.iter().map(Edit::id));
        self.disks.add_all(patch.disks.iter().map(Edit::id));
        self.nebulae.add_all(patch.nebulae.iter().map(Edit::id));
        for seat in &patch.seats {
            if let Member::Group(id) = &seat.member {
                self.groups.add(id);
            }
            self.groups.add_all(seat.from.iter().chain(&seat.group));
        }
    }
}

/// Whether a change left anything but time other than it was. Only then there is something to undo.
pub(crate) fn did_something(events: &[Event], before: &State, after: &State) -> bool {
    let touched = touched(events);
    if touched.everything {
        return !after.is_same_but_for_time(before);
    }
    // The order of a list may change while all that is in it stays as it is.
    let reorders = |event: &Event| match event {
        Event::StarAttached { child, parent } => {
            before.bodies().get(parent).is_none_or(|parent| parent.children.last() != Some(child))
        }
        Event::MovedToGroup(Move { member: Member::Group(id), to: None, .. }) => {
            before.root_groups().last() != Some(id)
        }
        Event::SmallBodyFieldsSet { .. } => before.small_body_fields != after.small_body_fields,
        Event::ProtoplanetaryDisksSet { .. } => before.disks != after.disks,
        Event::NebulaeSet { .. } => before.nebulae != after.nebulae,
        _ => false,
    };
    events.iter().any(reorders)
        || differs(&touched.bodies, &before.bodies, &after.bodies)
        || differs(&touched.groups, &before.groups, &after.groups)
        || differs(&touched.small_body_fields, &before.small_body_fields, &after.small_body_fields)
        || differs(&touched.disks, &before.disks, &after.disks)
        || differs(&touched.nebulae, &before.nebulae, &after.nebulae)
}

fn differs<K: Eq + Hash + Clone, V: Clone + PartialEq>(
    ids: &Ids<K>,
    before: &Ordered<K, V>,
    after: &Ordered<K, V>,
) -> bool {
    ids.iter().any(|id| before.get(id) != after.get(id))
}

/// The touched entities as they are in a state, as live viewers are told: `{"stars": {id: body or null}, …}` with only
/// the kinds that were touched, and bodies without their children.
pub struct Delta<'a> {
    pub state: &'a State,
    pub touched: &'a Touched,
}

impl Serialize for Delta<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { state, touched } = self;
        let mut map = serializer.serialize_map(None)?;
        if !touched.bodies.is_empty() {
            map.serialize_entry("stars", &Bodies { state, ids: &touched.bodies })?;
        }
        entry(&mut map, "groups", &touched.groups, &state.groups)?;
        entry(&mut map, "belts", &touched.belts, &state.belts)?;
        entry(&mut map, "smallBodyFields", &touched.small_body_fields, &state.small_body_fields)?;
        entry(&mut map, "protoplanetaryDisks", &touched.disks, &state.disks)?;
        entry(&mut map, "nebulae", &touched.nebulae, &state.nebulae)?;
        map.end()
    }
}

fn entry<M: SerializeMap, K: Eq + Hash + Clone + Serialize, T: Serialize>(
    map: &mut M,
    key: &str,
    ids: &Ids<K>,
    all: &Ordered<K, Entity<T>>,
) -> Result<(), M::Error> {
    if ids.is_empty() { Ok(()) } else { map.serialize_entry(key, &Entities { all, ids }) }
}

struct Entities<'a, K: Eq + Hash, T> {
    all: &'a Ordered<K, Entity<T>>,
    ids: &'a Ids<K>,
}

impl<K: Eq + Hash + Clone + Serialize, T: Serialize> Serialize for Entities<'_, K, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.ids.iter().map(|id| (id, self.all.get(id))))
    }
}

struct Bodies<'a> {
    state: &'a State,
    ids: &'a Ids<BodyId>,
}

impl Serialize for Bodies<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let body = |id| self.state.bodies.get(id).map(|body| WithoutChildren(body));
        serializer.collect_map(self.ids.iter().map(|id| (id, body(id))))
    }
}
