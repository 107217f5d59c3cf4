//! Events as callers are told of them: what happened to what, not the whole fact.
//!
//! The names and keys are those of the contract; what it has no name for goes under further keys.

use serde::Serialize;
use serde_json::Value;
use universe_core::{
    BodyId, DiskId, Event, FieldId, GroupId, Membership, NebulaId, Refusal, Removal, Way,
};

/// One event.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum Notice<'a> {
    StarAdded {
        id: &'a BodyId,
    },
    StarUpdated {
        id: &'a BodyId,
    },
    StarRemoved(Gone<'a>),
    StarAttached {
        child_id: &'a BodyId,
        parent_id: &'a BodyId,
    },
    StarDetached {
        child_id: &'a BodyId,
    },
    GroupAdded {
        id: &'a GroupId,
    },
    GroupUpdated {
        id: &'a GroupId,
    },
    GroupRemoved {
        id: &'a GroupId,
    },
    ChildAddedToGroup {
        group_id: &'a GroupId,
        child_id: &'a str,
    },
    ChildRemovedFromGroup {
        group_id: &'a GroupId,
        child_id: &'a str,
    },
    MovedToGroup {
        child_id: &'a str,
        target_group_id: Option<&'a GroupId>,
    },
    SmallBodyFieldsSet,
    SmallBodyFieldUpdated {
        id: &'a FieldId,
    },
    SmallBodyFieldRemoved {
        id: &'a FieldId,
    },
    ProtoplanetaryDisksSet,
    ProtoplanetaryDiskAdded {
        id: &'a DiskId,
    },
    ProtoplanetaryDiskUpdated {
        id: &'a DiskId,
    },
    ProtoplanetaryDiskRemoved {
        id: &'a DiskId,
    },
    NebulaeSet,
    NebulaUpdated {
        id: &'a NebulaId,
    },
    NebulaRemoved {
        id: &'a NebulaId,
    },
    RingUpdated {
        planet_id: &'a BodyId,
    },
    RingRemoved {
        planet_id: &'a BodyId,
    },
    SnapshotReplaced,
    /// What the change at this revision did was taken back.
    Undone {
        revision: u64,
    },
    Redone {
        revision: u64,
    },
    StarNotFound {
        id: &'a BodyId,
    },
    AddFailed {
        reason: &'static str,
        id: &'a str,
    },
    AttachFailed {
        reason: &'static str,
        child_id: &'a BodyId,
        parent_id: &'a BodyId,
    },
    DetachFailed {
        reason: &'static str,
        child_id: &'a BodyId,
    },
    GroupNotFound {
        id: &'a GroupId,
    },
    ChildAlreadyInGroup {
        group_id: &'a GroupId,
        child_id: &'a str,
    },
    ChildNotInGroup {
        group_id: &'a GroupId,
        child_id: &'a str,
    },
    AddToGroupFailed {
        reason: &'static str,
        group_id: &'a GroupId,
        child_id: &'a str,
    },
    MoveToGroupFailed {
        reason: &'static str,
        child_id: &'a str,
        target_group_id: Option<&'a GroupId>,
    },
    SmallBodyFieldNotFound {
        id: &'a FieldId,
    },
    ProtoplanetaryDiskNotFound {
        id: &'a DiskId,
    },
    NebulaNotFound {
        id: &'a NebulaId,
    },
    RingNotFound {
        planet_id: &'a BodyId,
    },
    UndoFailed(RevisionFailed<'a>),
    RedoFailed(RevisionFailed<'a>),
    UnknownCommand {
        command: &'a Value,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Gone<'a> {
    id: &'a BodyId,
    removed_ids: &'a [BodyId],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    removed_field_ids: &'a [FieldId],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    removed_disk_ids: &'a [DiskId],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    removed_memberships: &'a [Membership],
    /// Bodies that stay and lost the marker they accompanied.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    unhosted_ids: &'a [BodyId],
}

impl<'a> From<&'a Removal> for Gone<'a> {
    fn from(removal: &'a Removal) -> Self {
        Self {
            id: &removal.id,
            removed_ids: &removal.bodies,
            removed_field_ids: &removal.small_body_fields,
            removed_disk_ids: &removal.disks,
            removed_memberships: &removal.memberships,
            unhosted_ids: &removal.unhosted,
        }
    }
}

/// Why history stays as it is.
#[derive(Serialize)]
pub(crate) struct RevisionFailed<'a> {
    reason: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<u64>,
    /// What was changed since.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
}

impl<'a> Notice<'a> {
    /// Passing time is no event to the callers. What an undo or a redo came to is told by the change it was about, see
    /// [`Notice::revised`].
    pub(crate) fn of(event: &'a Event) -> Option<Self> {
        Some(match event {
            Event::Ticked { .. } | Event::Revised(_) => return None,
            Event::StarAdded { id, .. } => Self::StarAdded { id },
            Event::StarUpdated { id, .. } => Self::StarUpdated { id },
            Event::StarAttached { child, parent } => {
                Self::StarAttached { child_id: child, parent_id: parent }
            }
            Event::StarDetached { child, .. } => Self::StarDetached { child_id: child },
            Event::StarRemoved(removal) => Self::StarRemoved(removal.into()),
            Event::GroupAdded { id, .. } => Self::GroupAdded { id },
            Event::GroupUpdated { id, .. } => Self::GroupUpdated { id },
            Event::GroupRemoved { id, .. } => Self::GroupRemoved { id },
            Event::ChildAddedToGroup(moved) => Self::ChildAddedToGroup {
                group_id: moved.to.as_ref()?,
                child_id: moved.member.id(),
            },
            Event::ChildRemovedFromGroup { moves } => {
                let moved = moves.first()?;
                let (group_id, child_id) = (moved.from.as_ref()?, moved.member.id());
                Self::ChildRemovedFromGroup { group_id, child_id }
            }
            Event::MovedToGroup(moved) => Self::MovedToGroup {
                child_id: moved.member.id(),
                target_group_id: moved.to.as_ref(),
            },
            Event::SmallBodyFieldsSet { .. } => Self::SmallBodyFieldsSet,
            Event::SmallBodyFieldUpdated { id, .. } => Self::SmallBodyFieldUpdated { id },
            Event::SmallBodyFieldRemoved { id } => Self::SmallBodyFieldRemoved { id },
            Event::ProtoplanetaryDisksSet { .. } => Self::ProtoplanetaryDisksSet,
            Event::ProtoplanetaryDiskAdded { id, .. } => Self::ProtoplanetaryDiskAdded { id },
            Event::ProtoplanetaryDiskUpdated { id, .. } => Self::ProtoplanetaryDiskUpdated { id },
            Event::ProtoplanetaryDiskRemoved { id } => Self::ProtoplanetaryDiskRemoved { id },
            Event::NebulaeSet { .. } => Self::NebulaeSet,
            Event::NebulaUpdated { id, .. } => Self::NebulaUpdated { id },
            Event::NebulaRemoved { id } => Self::NebulaRemoved { id },
            Event::RingUpdated { planet, .. } => Self::RingUpdated { planet_id: planet },
            Event::RingRemoved { planet } => Self::RingRemoved { planet_id: planet },
            Event::SnapshotReplaced { .. } => Self::SnapshotReplaced,
        })
    }

    /// That the change at `revision` was undone or redone.
    #[expect(
        dead_code,
        reason = "the service tells of undo and redo with the surfaces that offer them"
    )]
    pub(crate) fn revised(way: Way, revision: u64) -> Self {
        match way {
            Way::Undo => Self::Undone { revision },
            Way::Redo => Self::Redone { revision },
        }
    }

    pub(crate) fn refused(refusal: &'a Refusal) -> Self {
        match refusal {
            Refusal::StarNotFound { id } => Self::StarNotFound { id },
            Refusal::DuplicateStar { id } => {
                Self::AddFailed { reason: "duplicateId", id: id.as_str() }
            }
            Refusal::DuplicateGroup { id } => {
                Self::AddFailed { reason: "duplicateId", id: id.as_str() }
            }
            Refusal::ParentNotFound { id, .. } => {
                Self::AddFailed { reason: "parentNotFound", id: id.as_str() }
            }
            Refusal::GroupParentNotFound { id, .. } => {
                Self::AddFailed { reason: "parentNotFound", id: id.as_str() }
            }
            Refusal::AttachNotFound { child, parent } => {
                Self::AttachFailed { reason: "notFound", child_id: child, parent_id: parent }
            }
            Refusal::AttachCycle { child, parent } => {
                Self::AttachFailed { reason: "cycle", child_id: child, parent_id: parent }
            }
            Refusal::NotAttached { child } => {
                Self::DetachFailed { reason: "notAttached", child_id: child }
            }
            Refusal::GroupNotFound { id } => Self::GroupNotFound { id },
            Refusal::AlreadyInGroup { group, member } => {
                Self::ChildAlreadyInGroup { group_id: group, child_id: member.id() }
            }
            Refusal::NotInGroup { group, child } => {
                Self::ChildNotInGroup { group_id: group, child_id: child }
            }
            Refusal::AddToGroupNotFound { group, member } => Self::AddToGroupFailed {
                reason: "notFound",
                group_id: group,
                child_id: member.id(),
            },
            Refusal::AddToGroupCycle { group, member } => {
                Self::AddToGroupFailed { reason: "cycle", group_id: group, child_id: member.id() }
            }
            Refusal::MoveNotFound { member, target } => Self::MoveToGroupFailed {
                reason: "notFound",
                child_id: member.id(),
                target_group_id: target.as_ref(),
            },
            Refusal::MoveCycle { member, target } => Self::MoveToGroupFailed {
                reason: "cycle",
                child_id: member.id(),
                target_group_id: Some(target),
            },
            Refusal::FieldNotFound { id } => Self::SmallBodyFieldNotFound { id },
            Refusal::DiskNotFound { id } => Self::ProtoplanetaryDiskNotFound { id },
            Refusal::NebulaNotFound { id } => Self::NebulaNotFound { id },
            Refusal::FieldGone { id } => Self::SmallBodyFieldRemoved { id },
            Refusal::DiskGone { id } => Self::ProtoplanetaryDiskRemoved { id },
            Refusal::NebulaGone { id } => Self::NebulaRemoved { id },
            Refusal::RingNotFound { planet } => Self::RingNotFound { planet_id: planet },
            Refusal::NothingToRevise { way } => not_revised(*way, None, None),
            Refusal::NotRevisable { way, revision } => not_revised(*way, Some(*revision), None),
            Refusal::ChangedSince { way, revision, id } => {
                not_revised(*way, Some(*revision), Some(id))
            }
            Refusal::UnknownCommand { command, .. } => Self::UnknownCommand { command },
        }
    }
}

fn not_revised(way: Way, revision: Option<u64>, id: Option<&str>) -> Notice<'_> {
    let reason = match (way, revision, id) {
        (_, _, Some(_)) => "changedSince",
        (Way::Undo, Some(_), None) => "notUndoable",
        (Way::Redo, Some(_), None) => "notRedoable",
        (Way::Undo, None, None) => "nothingToUndo",
        (Way::Redo, None, None) => "nothingToRedo",
    };
    let failed = RevisionFailed { reason, revision, id };
    match way {
        Way::Undo => Notice::UndoFailed(failed),
        Way::Redo => Notice::RedoFailed(failed),
    }
}
