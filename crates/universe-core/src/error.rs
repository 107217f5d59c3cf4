//! Why a command did not happen. The universe is unchanged in every case.

use std::fmt;

use kit_core::{Fault, Kind};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{BodyId, DiskId, FieldId, GroupId, Member, NebulaId, catalogue};

/// One thing that is wrong with the input, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The way to the value, as in `payload.ring.opacity`.
    pub field: String,
    /// What it must be, as in ``must be a number, not text``.
    pub message: String,
}

/// The input has values of the wrong type. Lists everything that is wrong, not only the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    pub problems: Vec<Problem>,
}

impl Invalid {
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { problems: vec![Problem { field: field.into(), message: message.into() }] }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            let comma = if index == 0 { "" } else { "; " };
            write!(f, "{comma}`{}` {}", problem.field, problem.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for Invalid {}

impl Fault for Invalid {
    fn kind(&self) -> Kind {
        Kind::Invalid
    }

    fn context(&self) -> Map<String, Value> {
        let problems = serde_json::to_value(&self.problems).unwrap_or_default();
        Map::from_iter([("problems".to_owned(), problems)])
    }
}

/// A rule of the domain said no. Callers are told by an event, not by an error: a command that came too
/// late for the body it names is part of everyday work.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// Nothing has this id.
    #[error("no body `{id}`")]
    StarNotFound { id: BodyId },
    /// The id is taken.
    #[error("a body `{id}` is there already")]
    DuplicateStar { id: BodyId },
    /// The body that the new one was to circle is not there.
    #[error("no body `{parent}` for `{id}` to circle")]
    ParentNotFound { id: BodyId, parent: BodyId },
    /// One of the two is not there.
    #[error("cannot attach `{child}` to `{parent}`: no such body")]
    AttachNotFound { child: BodyId, parent: BodyId },
    /// A body would circle itself.
    #[error("cannot attach `{child}` to `{parent}`: that one circles `{child}` itself")]
    AttachCycle { child: BodyId, parent: BodyId },
    /// It circles nothing, or is not there.
    #[error("cannot detach `{child}`: no such body, or it circles nothing")]
    NotAttached { child: BodyId },
    #[error("no group `{id}`")]
    GroupNotFound { id: GroupId },
    #[error("a group `{id}` is there already")]
    DuplicateGroup { id: GroupId },
    #[error("no group `{parent}` for `{id}` to be in")]
    GroupParentNotFound { id: GroupId, parent: GroupId },
    #[error("{member} is in group `{group}` already")]
    AlreadyInGroup { group: GroupId, member: Member },
    #[error("nothing called `{child}` is in group `{group}`")]
    NotInGroup { group: GroupId, child: String },
    #[error("cannot put {member} into group `{group}`: there is no such {}", kind(member))]
    AddToGroupNotFound { group: GroupId, member: Member },
    #[error("cannot put {member} into group `{group}`: that one is inside it")]
    AddToGroupCycle { group: GroupId, member: Member },
    #[error("cannot move {member}: there is no such {}", kind(member))]
    MoveNotFound { member: Member, target: Option<GroupId> },
    #[error("cannot move {member} into group `{target}`: that one is inside it")]
    MoveCycle { member: Member, target: GroupId },
    #[error("no small body field `{id}`")]
    FieldNotFound { id: FieldId },
    #[error("no protoplanetary disk `{id}`")]
    DiskNotFound { id: DiskId },
    #[error("no nebula `{id}`")]
    NebulaNotFound { id: NebulaId },
    // To remove what is not there is told by the same event as a removal, as clients are used to. It is a
    // refusal all the same: nothing has changed, so there is nothing to keep and nobody else to tell.
    #[error("no small body field `{id}`, so nothing was removed")]
    FieldGone { id: FieldId },
    #[error("no protoplanetary disk `{id}`, so nothing was removed")]
    DiskGone { id: DiskId },
    #[error("no nebula `{id}`, so nothing was removed")]
    NebulaGone { id: NebulaId },
    #[error("no body `{planet}` with a ring")]
    RingNotFound { planet: BodyId },
    /// There is no change that could be undone or redone.
    #[error("nothing to {way}")]
    NothingToRevise { way: Way },
    /// That change cannot be undone or redone.
    #[error("cannot {way} change {revision}")]
    NotRevisable { way: Way, revision: u64 },
    /// Something that the change touched has been changed by another one since.
    #[error("cannot {way} change {revision}: `{id}` was changed since")]
    ChangedSince { way: Way, revision: u64, id: String },
    /// No such command.
    #[error("no command `{name}`")]
    UnknownCommand { name: String, command: Value },
}

fn kind(member: &Member) -> &'static str {
    match member {
        Member::System(_) => "body",
        Member::Group(_) => "group",
    }
}

impl Refusal {
    /// The next step that gets the caller past this.
    pub fn hint(&self) -> String {
        match self {
            Self::StarNotFound { .. }
            | Self::GroupNotFound { .. }
            | Self::NotInGroup { .. }
            | Self::AddToGroupNotFound { .. }
            | Self::MoveNotFound { .. }
            | Self::FieldGone { .. }
            | Self::DiskGone { .. }
            | Self::NebulaGone { .. } => "read the state for the ids that are there".into(),
            Self::DuplicateStar { .. } => {
                "choose another id, or change the body with `updateStar`".into()
            }
            Self::ParentNotFound { parent, .. } | Self::AttachNotFound { parent, .. } => {
                format!("add `{parent}` first, or leave `parentId` out")
            }
            Self::AttachCycle { child, .. } => {
                format!("choose a body that does not circle `{child}`")
            }
            Self::NotAttached { .. } => "a root needs no detaching".into(),
            Self::DuplicateGroup { .. } => {
                "choose another id, or change the group with `updateGroup`".into()
            }
            Self::GroupParentNotFound { parent, .. } => {
                format!("add group `{parent}` first, or leave `parentGroupId` out")
            }
            Self::AlreadyInGroup { .. } => "`moveToGroup` moves it to the end".into(),
            Self::AddToGroupCycle { member, .. } | Self::MoveCycle { member, .. } => {
                format!("choose a group that is not inside `{}`", member.id())
            }
            Self::FieldNotFound { .. } => "`setSmallBodyFields` adds fields".into(),
            Self::DiskNotFound { .. } => "`addProtoplanetaryDisk` adds a disk".into(),
            Self::NebulaNotFound { .. } => "`setNebulae` adds nebulae".into(),
            Self::RingNotFound { .. } => "`updateRing` gives a body a ring".into(),
            Self::NothingToRevise { way: Way::Undo } => {
                "nothing but time has changed that is not undone already".into()
            }
            Self::NothingToRevise { way: Way::Redo } => "only what was undone can be redone".into(),
            Self::NotRevisable { way: Way::Undo, .. } => {
                "the history lists the changes; one of the last 4096 that changed something other \
                 than time and is not undone can be undone"
                    .into()
            }
            Self::NotRevisable { way: Way::Redo, .. } => {
                "only a change that was undone can be redone".into()
            }
            Self::ChangedSince { way, id, .. } => {
                format!("{way} the later changes of `{id}` first, or set it as you want it")
            }
            Self::UnknownCommand { name, .. } => match catalogue::nearest(name) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`list_universe_commands` lists the commands".into(),
            },
        }
    }
}

/// The two ways through history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Undo,
    Redo,
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Undo => "undo",
            Self::Redo => "redo",
        })
    }
}

/// Why [`crate::decide`] said no.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Rejection {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Invalid(#[from] Invalid),
}
