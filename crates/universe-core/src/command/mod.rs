//! What anyone (agent, browser, terminal) may ask of a universe.
//!
//! A command arrives as JSON. [`Command::parse`] is the only way in: it checks every value against the tables of
//! [`crate::shape`], so that deciding has to do with rules alone.

mod around;
mod groups;
mod input;
mod stars;

use serde_json::Value;

use crate::{
    BodyId, DiskId, FieldId, Fields, GroupId, Invalid, Member, NebulaId, SetClock, State, json,
    revise,
};
use input::Input;

/// How deep a command may be nested. Half of what the reader of JSON takes: a line of the log wraps the command some
/// levels deeper, and must be read back.
const LEVELS: usize = 64;

/// A command with its values checked.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Let time pass; backwards is fine.
    Tick {
        dt: f64,
    },
    AddStar {
        id: BodyId,
        parent: Option<BodyId>,
        fields: Fields,
    },
    UpdateStar {
        id: BodyId,
        fields: Fields,
        parent: Named<BodyId>,
    },
    RemoveStar {
        id: BodyId,
    },
    AttachStar {
        child: BodyId,
        parent: BodyId,
    },
    DetachStar {
        child: BodyId,
    },
    AddGroup {
        id: GroupId,
        parent: Option<GroupId>,
        fields: Fields,
        members: Members,
    },
    UpdateGroup {
        id: GroupId,
        fields: Fields,
        parent: Named<GroupId>,
        members: Option<Members>,
    },
    RemoveGroup {
        id: GroupId,
    },
    AddToGroup {
        group: GroupId,
        member: Member,
        extra: Fields,
    },
    RemoveFromGroup {
        group: GroupId,
        child: String,
    },
    MoveToGroup {
        member: Member,
        target: Option<GroupId>,
    },
    SetSmallBodyFields {
        all: Vec<(FieldId, Fields)>,
    },
    UpdateSmallBodyField {
        id: FieldId,
        fields: Fields,
    },
    RemoveSmallBodyField {
        id: FieldId,
    },
    SetProtoplanetaryDisks {
        all: Vec<(DiskId, Fields)>,
    },
    AddProtoplanetaryDisk {
        id: DiskId,
        fields: Fields,
    },
    UpdateProtoplanetaryDisk {
        id: DiskId,
        fields: Fields,
    },
    RemoveProtoplanetaryDisk {
        id: DiskId,
    },
    SetNebulae {
        all: Vec<(NebulaId, Fields)>,
    },
    UpdateNebula {
        id: NebulaId,
        fields: Fields,
    },
    RemoveNebula {
        id: NebulaId,
    },
    UpdateRing {
        planet: BodyId,
        patch: Fields,
    },
    RemoveRing {
        planet: BodyId,
    },
    ReplaceSnapshot {
        state: Box<State>,
    },
    Unknown {
        name: String,
        command: Value,
    },
}

/// Entries of a group, with the keys of each that we do not know.
pub type Members = Vec<(Member, Fields)>;

/// What an update says about the place in the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Named<K> {
    /// Nothing: the key was not there.
    Not,
    /// It becomes, or stays, a root.
    Root,
    In(K),
}

/// Whatever may be sent where commands are: one of the 25, or one of ours that stand beside them.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// For [`crate::decide`].
    Command(Command),
    /// For [`crate::undo`], of this revision or of the latest.
    Undo { revision: Option<u64> },
    /// For [`crate::redo`].
    Redo { revision: Option<u64> },
    /// For [`crate::set_clock`].
    SetClock(SetClock),
}

impl Request {
    pub fn parse(command: &Value) -> Result<Self, Invalid> {
        Ok(match type_of(command)? {
            "undo" => Self::Undo { revision: revise::revision_of(command)? },
            "redo" => Self::Redo { revision: revise::revision_of(command)? },
            "setClock" => Self::SetClock(SetClock::parse(command)?),
            _ => Self::Command(Command::parse(command)?),
        })
    }
}

impl Command {
    /// Reads a command. An unknown `type` is no error here: it is refused when it is decided.
    pub fn parse(command: &Value) -> Result<Self, Invalid> {
        let name = type_of(command)?;
        let mut input = Input::new(command);
        let parsed = match name {
            "tick" => Self::Tick { dt: input.number_or("dt", 1.0) },
            "addStar" => input.add_star(),
            "updateStar" => input.update_star(),
            "removeStar" => Self::RemoveStar { id: input.id("id", "a body") },
            "attachStar" => Self::AttachStar {
                child: input.id("childId", "a body"),
                parent: input.id("parentId", "a body"),
            },
            "detachStar" => Self::DetachStar { child: input.id("childId", "a body") },
            "addGroup" => input.add_group(),
            "updateGroup" => input.update_group(),
            "removeGroup" => Self::RemoveGroup { id: input.id("id", "a group") },
            "addToGroup" => input.add_to_group(),
            "removeFromGroup" => Self::RemoveFromGroup {
                group: input.id("groupId", "a group"),
                child: input.text("childId", "the id of a member"),
            },
            "moveToGroup" => input.move_to_group(),
            "setSmallBodyFields" => Self::SetSmallBodyFields { all: input.all_around("fields") },
            "updateSmallBodyField" => {
                let (id, fields) = input.patch_around("a small body field");
                Self::UpdateSmallBodyField { id, fields }
            }
            "removeSmallBodyField" => {
                Self::RemoveSmallBodyField { id: input.id("id", "a small body field") }
            }
            "setProtoplanetaryDisks" => {
                Self::SetProtoplanetaryDisks { all: input.all_around("disks") }
            }
            "addProtoplanetaryDisk" => input.add_disk(),
            "updateProtoplanetaryDisk" => {
                let (id, fields) = input.patch_around("a disk");
                Self::UpdateProtoplanetaryDisk { id, fields }
            }
            "removeProtoplanetaryDisk" => {
                Self::RemoveProtoplanetaryDisk { id: input.id("id", "a disk") }
            }
            "setNebulae" => Self::SetNebulae { all: input.all_around("nebulae") },
            "updateNebula" => {
                let (id, fields) = input.patch_around("a nebula");
                Self::UpdateNebula { id, fields }
            }
            "removeNebula" => Self::RemoveNebula { id: input.id("id", "a nebula") },
            "updateRing" => input.update_ring(),
            "removeRing" => Self::RemoveRing { planet: input.id("planetId", "a body") },
            "replaceSnapshot" => input.replace_snapshot(),
            other => Self::Unknown { name: other.to_owned(), command: command.clone() },
        };
        input.done(parsed)
    }
}

/// The `type` of a command, the one thing that every command has.
fn type_of(command: &Value) -> Result<&str, Invalid> {
    let name = match command.get("type").and_then(Value::as_str) {
        Some(name) if !name.trim().is_empty() => name,
        _ => return Err(Invalid::new("type", "must be text that names a command")),
    };
    if json::is_deeper_than(command, LEVELS) {
        let message = format!("must not be nested deeper than {LEVELS} levels");
        return Err(Invalid::new(name, message));
    }
    Ok(name)
}
