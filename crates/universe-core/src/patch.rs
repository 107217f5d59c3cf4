//! The difference between two states, as small edits that can be made to a third.
//!
//! What an undo or a redo came to. [`crate::revise`] finds it and makes sure that it applies; folding it in is in
//! `apply/patch.rs`. Time is never part of it.

use serde::{Deserialize, Serialize};

use crate::{BeltId, BodyId, DiskId, FieldId, Fields, GroupId, Member, NebulaId};

/// All edits. They are made in the order of these fields, each list in its own order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Patch {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<Edit<BodyId>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Edit<GroupId>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub belts: Vec<Edit<BeltId>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub small_body_fields: Vec<Edit<FieldId>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disks: Vec<Edit<DiskId>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nebulae: Vec<Edit<NebulaId>>,
    /// Where bodies go in the tree.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub orbits: Vec<Orbit>,
    /// Where members go in groups, and groups among the roots.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<Seat>,
    /// The keys of the state that we do not know.
    #[serde(skip_serializing_if = "FieldEdit::is_empty")]
    pub extra: FieldEdit,
}

/// One entity in its map. `after` is the one that it comes to stand behind, none for the first place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "camelCase")]
pub enum Edit<K> {
    Remove { id: K },
    Put { id: K, fields: Fields, after: Option<K> },
    Move { id: K, after: Option<K> },
    Change { id: K, fields: FieldEdit },
}

impl<K> Edit<K> {
    pub fn id(&self) -> &K {
        match self {
            Self::Remove { id }
            | Self::Put { id, .. }
            | Self::Move { id, .. }
            | Self::Change { id, .. } => id,
        }
    }
}

/// Keys of an entity.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FieldEdit {
    #[serde(skip_serializing_if = "Fields::is_empty")]
    pub set: Fields,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unset: Vec<String>,
    /// The order of all keys, where setting and unsetting does not lead to it by itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
}

impl FieldEdit {
    pub fn is_empty(&self) -> bool {
        self.set.is_empty() && self.unset.is_empty() && self.order.is_empty()
    }
}

/// A body comes to circle `parent`, behind `after`; without a parent it is a root.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Orbit {
    pub id: BodyId,
    pub parent: Option<BodyId>,
    /// Whether one without a parent stands in the list of roots; a rogue planet need not.
    pub listed: bool,
    pub after: Option<BodyId>,
}

/// A member comes to be in `group`, behind `after`; without a group, a group is a root and a system in none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seat {
    pub member: Member,
    /// The group that it leaves.
    pub from: Option<GroupId>,
    pub group: Option<GroupId>,
    pub after: Option<Member>,
    #[serde(default, skip_serializing_if = "Fields::is_empty")]
    pub extra: Fields,
}
