//! What happened.
//!
//! An [`Event`] is a fact: it has the outcome in it, so that folding the log gives the same universe whatever
//! the rules of [`crate::decide`] have become since. An [`Entry`] is one line of a universe's log and counts as
//! one revision.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{BodyId, Clock, DiskId, FieldId, Fields, GroupId, Key, Member, NebulaId, Patch, State};

/// One change of the state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// Time is now this.
    Ticked {
        time: f64,
    },
    StarAdded {
        id: BodyId,
        parent: Option<BodyId>,
        fields: Fields,
    },
    /// These fields have these values now.
    StarUpdated {
        id: BodyId,
        fields: Fields,
    },
    StarAttached {
        child: BodyId,
        parent: BodyId,
    },
    /// It is a root now, at this distance from its container's origin.
    StarDetached {
        child: BodyId,
        orbital_distance: f64,
    },
    StarRemoved(Removal),
    GroupAdded {
        id: GroupId,
        parent: Option<GroupId>,
        fields: Fields,
        /// Those that came in with it, in their order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        moves: Vec<Move>,
    },
    GroupUpdated {
        id: GroupId,
        fields: Fields,
        /// Members that left or came, and the group itself if its parent was named.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        moves: Vec<Move>,
    },
    /// Its members moved up.
    GroupRemoved {
        id: GroupId,
        /// The group that it was in.
        parent: Option<GroupId>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        moves: Vec<Move>,
    },
    ChildAddedToGroup(Move),
    /// One entry, or two: a system and a group of the same id.
    ChildRemovedFromGroup {
        moves: Vec<Move>,
    },
    MovedToGroup(Move),
    /// These are all fields now; `removed` are those of before that are not among them.
    SmallBodyFieldsSet {
        all: Vec<(FieldId, Fields)>,
        removed: Vec<FieldId>,
    },
    SmallBodyFieldUpdated {
        id: FieldId,
        fields: Fields,
    },
    SmallBodyFieldRemoved {
        id: FieldId,
    },
    ProtoplanetaryDisksSet {
        all: Vec<(DiskId, Fields)>,
        removed: Vec<DiskId>,
    },
    /// Added, or put in the place of the one that had this id.
    ProtoplanetaryDiskAdded {
        id: DiskId,
        fields: Fields,
    },
    ProtoplanetaryDiskUpdated {
        id: DiskId,
        fields: Fields,
    },
    ProtoplanetaryDiskRemoved {
        id: DiskId,
    },
    NebulaeSet {
        all: Vec<(NebulaId, Fields)>,
        removed: Vec<NebulaId>,
    },
    NebulaUpdated {
        id: NebulaId,
        fields: Fields,
    },
    NebulaRemoved {
        id: NebulaId,
    },
    /// The ring is this now.
    RingUpdated {
        planet: BodyId,
        ring: Fields,
    },
    RingRemoved {
        planet: BodyId,
    },
    /// Everything but the time is this now.
    SnapshotReplaced {
        state: Box<State>,
    },
    /// What an undo or a redo came to.
    Revised(Box<Patch>),
}

/// A member changes its group, or goes to the end of the one it is in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Move {
    pub member: Member,
    pub from: Option<GroupId>,
    /// None: a system is in no group then, a group is a root.
    pub to: Option<GroupId>,
    /// Keys of the entry that we do not know.
    #[serde(default, skip_serializing_if = "Fields::is_empty")]
    pub extra: Fields,
}

/// A body went, and everything that made no sense without it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Removal {
    /// The body that was named.
    pub id: BodyId,
    /// It and its descendants in pre-order, then the markers that pointed to one of them, each with its own.
    pub bodies: Vec<BodyId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub small_body_fields: Vec<FieldId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disks: Vec<DiskId>,
    /// Memberships that ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memberships: Vec<Membership>,
    /// Bodies that stay, but lost the marker they accompanied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unhosted: Vec<BodyId>,
}

/// A system in a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Membership {
    pub group_id: GroupId,
    pub system_id: BodyId,
}

/// One line of a universe's log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The surface that it came in by: `rest`, `mcp`, `page`, `cli`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Arc<str>>,
    /// What the caller called it, so that sending it again does not make it happen again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Key>,
    pub change: Change,
}

/// What a line of the log says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "camelCase")]
pub enum Change {
    Created {
        name: String,
        state: State,
    },
    /// A command, as it was received (that is what live viewers are told), and what came of it.
    Command {
        command: Value,
        events: Vec<Event>,
    },
    /// Name, state or neither were set from outside; neither still counts as a touch.
    Replaced {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<State>,
    },
    /// What the change at revision `of` did was taken back, as far as it was still there.
    Undone {
        of: u64,
        command: Value,
        events: Vec<Event>,
    },
    /// What the change at revision `of` did, and an undo took back, was brought back.
    Redone {
        of: u64,
        command: Value,
        events: Vec<Event>,
    },
    /// The clock was set, by a command or otherwise. Time was `time` at that moment.
    Clock {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        command: Option<Value>,
        clock: Clock,
        time: f64,
    },
    Deleted,
}

impl Entry {
    /// A line without origin and key.
    pub fn new(at: i64, change: Change) -> Self {
        Self { at, via: None, key: None, change }
    }
}

impl Change {
    /// The word for it in the log and on the feeds.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Created { .. } => "created",
            Self::Command { .. } => "command",
            Self::Replaced { .. } => "replaced",
            Self::Undone { .. } => "undone",
            Self::Redone { .. } => "redone",
            Self::Clock { .. } => "clock",
            Self::Deleted => "deleted",
        }
    }

    /// What happened to the state by commands; nothing for a state that was set from outside.
    pub fn events(&self) -> &[Event] {
        match self {
            Self::Command { events, .. }
            | Self::Undone { events, .. }
            | Self::Redone { events, .. } => events,
            Self::Created { .. } | Self::Replaced { .. } | Self::Clock { .. } | Self::Deleted => {
                &[]
            }
        }
    }

    /// The command as it was received, if one was.
    pub fn command(&self) -> Option<&Value> {
        match self {
            Self::Command { command, .. }
            | Self::Undone { command, .. }
            | Self::Redone { command, .. } => Some(command),
            Self::Clock { command, .. } => command.as_ref(),
            Self::Created { .. } | Self::Replaced { .. } | Self::Deleted => None,
        }
    }
}
