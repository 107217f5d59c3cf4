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

#[cfg(test)]
mod tests {
    use serde_json::json;
    use universe_core::{Command, Rejection, State, decide, json::encode};

    use super::*;

    /// Two systems, one of them in a group in a group, and one of everything around.
    fn state() -> State {
        let state = json!({
            "stars": {
                "sol": {"ring": {}},
                "earth": {"parentId": "sol"},
                "luna": {"parentId": "earth"},
                "far": {},
            },
            "groups": {
                "g": {"children": [{"id": "h", "type": "group"}, {"id": "sol", "type": "system"}]},
                "h": {"parentGroupId": "g"},
                "i": {},
            },
            "smallBodyFields": {"f": {"hostStarId": "sol"}},
            "protoplanetaryDisks": {"d": {"centralStarId": "sol"}},
            "nebulae": {"n": {}},
        });
        State::from_json(state, 0.0, "state").unwrap()
    }

    /// The events that a caller is told, success or not.
    fn told(command: &Value) -> String {
        match decide(&state(), Command::parse(command).unwrap()) {
            Ok(events) => encode(&events.iter().filter_map(Notice::of).collect::<Vec<_>>()),
            Err(Rejection::Refused(refusal)) => {
                assert!(!refusal.hint().is_empty());
                encode(&[Notice::refused(&refusal)])
            }
            Err(Rejection::Invalid(invalid)) => panic!("{command}: {invalid}"),
        }
    }

    #[test]
    fn every_outcome_of_every_command_has_the_event_of_the_contract() {
        let (system, group) =
            (json!({"id": "far", "type": "system"}), json!({"id": "i", "type": "group"}));
        let (g, h) = (json!({"id": "g", "type": "group"}), json!({"id": "h", "type": "group"}));
        let ghost = json!({"id": "x", "type": "group"});
        #[rustfmt::skip]
        let rows = [
            (json!({"type": "tick", "dt": 2}), "[]"),
            (json!({"type": "addStar", "id": "new", "payload": {}}), r#"[{"type":"starAdded","id":"new"}]"#),
            (json!({"type": "addStar", "id": "sol", "payload": {}}), r#"[{"type":"addFailed","reason":"duplicateId","id":"sol"}]"#),
            (json!({"type": "addStar", "id": "new", "payload": {"parentId": "x"}}), r#"[{"type":"addFailed","reason":"parentNotFound","id":"new"}]"#),
            (json!({"type": "updateStar", "id": "sol", "payload": {}}), r#"[{"type":"starUpdated","id":"sol"}]"#),
            (json!({"type": "updateStar", "id": "x", "payload": {}}), r#"[{"type":"starNotFound","id":"x"}]"#),
            (json!({"type": "removeStar", "id": "earth"}), r#"[{"type":"starRemoved","id":"earth","removedIds":["earth","luna"]}]"#),
            (json!({"type": "removeStar", "id": "sol"}), r#"[{"type":"starRemoved","id":"sol","removedIds":["sol","earth","luna"],"removedFieldIds":["f"],"removedDiskIds":["d"],"removedMemberships":[{"groupId":"g","systemId":"sol"}]}]"#),
            (json!({"type": "removeStar", "id": "x"}), r#"[{"type":"starNotFound","id":"x"}]"#),
            (json!({"type": "attachStar", "childId": "far", "parentId": "sol"}), r#"[{"type":"starAttached","childId":"far","parentId":"sol"}]"#),
            (json!({"type": "attachStar", "childId": "x", "parentId": "sol"}), r#"[{"type":"attachFailed","reason":"notFound","childId":"x","parentId":"sol"}]"#),
            (json!({"type": "attachStar", "childId": "sol", "parentId": "x"}), r#"[{"type":"attachFailed","reason":"notFound","childId":"sol","parentId":"x"}]"#),
            (json!({"type": "attachStar", "childId": "sol", "parentId": "luna"}), r#"[{"type":"attachFailed","reason":"cycle","childId":"sol","parentId":"luna"}]"#),
            (json!({"type": "attachStar", "childId": "sol", "parentId": "sol"}), r#"[{"type":"attachFailed","reason":"cycle","childId":"sol","parentId":"sol"}]"#),
            (json!({"type": "detachStar", "childId": "earth"}), r#"[{"type":"starDetached","childId":"earth"}]"#),
            (json!({"type": "detachStar", "childId": "sol"}), r#"[{"type":"detachFailed","reason":"notAttached","childId":"sol"}]"#),
            (json!({"type": "detachStar", "childId": "x"}), r#"[{"type":"detachFailed","reason":"notAttached","childId":"x"}]"#),
            (json!({"type": "addGroup", "id": "new", "payload": {"children": [system, group]}}), r#"[{"type":"groupAdded","id":"new"}]"#),
            (json!({"type": "addGroup", "id": "g", "payload": {}}), r#"[{"type":"addFailed","reason":"duplicateId","id":"g"}]"#),
            (json!({"type": "addGroup", "id": "new", "payload": {"parentGroupId": "x"}}), r#"[{"type":"addFailed","reason":"parentNotFound","id":"new"}]"#),
            (json!({"type": "addGroup", "id": "new", "payload": {"children": [ghost]}}), r#"[{"type":"addToGroupFailed","reason":"notFound","groupId":"new","childId":"x"}]"#),
            (json!({"type": "addGroup", "id": "new", "payload": {"parentGroupId": "h", "children": [g]}}), r#"[{"type":"addToGroupFailed","reason":"cycle","groupId":"new","childId":"g"}]"#),
            (json!({"type": "updateGroup", "id": "g", "payload": {"name": "G"}}), r#"[{"type":"groupUpdated","id":"g"}]"#),
            (json!({"type": "updateGroup", "id": "x", "payload": {}}), r#"[{"type":"groupNotFound","id":"x"}]"#),
            (json!({"type": "updateGroup", "id": "g", "payload": {"parentGroupId": "h"}}), r#"[{"type":"moveToGroupFailed","reason":"cycle","childId":"g","targetGroupId":"h"}]"#),
            (json!({"type": "removeGroup", "id": "g"}), r#"[{"type":"groupRemoved","id":"g"}]"#),
            (json!({"type": "removeGroup", "id": "x"}), r#"[{"type":"groupNotFound","id":"x"}]"#),
            (json!({"type": "addToGroup", "groupId": "h", "child": system}), r#"[{"type":"childAddedToGroup","groupId":"h","childId":"far"}]"#),
            (json!({"type": "addToGroup", "groupId": "x", "child": system}), r#"[{"type":"groupNotFound","id":"x"}]"#),
            (json!({"type": "addToGroup", "groupId": "g", "child": h}), r#"[{"type":"childAlreadyInGroup","groupId":"g","childId":"h"}]"#),
            (json!({"type": "addToGroup", "groupId": "h", "child": g}), r#"[{"type":"addToGroupFailed","reason":"cycle","groupId":"h","childId":"g"}]"#),
            (json!({"type": "addToGroup", "groupId": "g", "child": g}), r#"[{"type":"addToGroupFailed","reason":"cycle","groupId":"g","childId":"g"}]"#),
            (json!({"type": "addToGroup", "groupId": "g", "child": ghost}), r#"[{"type":"addToGroupFailed","reason":"notFound","groupId":"g","childId":"x"}]"#),
            (json!({"type": "removeFromGroup", "groupId": "g", "childId": "sol"}), r#"[{"type":"childRemovedFromGroup","groupId":"g","childId":"sol"}]"#),
            (json!({"type": "removeFromGroup", "groupId": "g", "childId": "far"}), r#"[{"type":"childNotInGroup","groupId":"g","childId":"far"}]"#),
            (json!({"type": "removeFromGroup", "groupId": "x", "childId": "sol"}), r#"[{"type":"groupNotFound","id":"x"}]"#),
            (json!({"type": "moveToGroup", "childId": "sol", "childType": "system", "targetGroupId": "i"}), r#"[{"type":"movedToGroup","childId":"sol","targetGroupId":"i"}]"#),
            (json!({"type": "moveToGroup", "childId": "h", "childType": "group", "targetGroupId": null}), r#"[{"type":"movedToGroup","childId":"h","targetGroupId":null}]"#),
            (json!({"type": "moveToGroup", "childId": "sol", "childType": "system", "targetGroupId": "x"}), r#"[{"type":"groupNotFound","id":"x"}]"#),
            (json!({"type": "moveToGroup", "childId": "g", "childType": "group", "targetGroupId": "h"}), r#"[{"type":"moveToGroupFailed","reason":"cycle","childId":"g","targetGroupId":"h"}]"#),
            (json!({"type": "moveToGroup", "childId": "g", "childType": "group", "targetGroupId": "g"}), r#"[{"type":"moveToGroupFailed","reason":"cycle","childId":"g","targetGroupId":"g"}]"#),
            (json!({"type": "moveToGroup", "childId": "x", "childType": "group", "targetGroupId": null}), r#"[{"type":"moveToGroupFailed","reason":"notFound","childId":"x","targetGroupId":null}]"#),
            (json!({"type": "setSmallBodyFields", "fields": {}}), r#"[{"type":"smallBodyFieldsSet"}]"#),
            (json!({"type": "updateSmallBodyField", "id": "f", "patch": {}}), r#"[{"type":"smallBodyFieldUpdated","id":"f"}]"#),
            (json!({"type": "updateSmallBodyField", "id": "x", "patch": {}}), r#"[{"type":"smallBodyFieldNotFound","id":"x"}]"#),
            (json!({"type": "removeSmallBodyField", "id": "f"}), r#"[{"type":"smallBodyFieldRemoved","id":"f"}]"#),
            (json!({"type": "removeSmallBodyField", "id": "x"}), r#"[{"type":"smallBodyFieldRemoved","id":"x"}]"#),
            (json!({"type": "setProtoplanetaryDisks", "disks": {}}), r#"[{"type":"protoplanetaryDisksSet"}]"#),
            (json!({"type": "addProtoplanetaryDisk", "disk": {"id": "e"}}), r#"[{"type":"protoplanetaryDiskAdded","id":"e"}]"#),
            (json!({"type": "updateProtoplanetaryDisk", "id": "d", "patch": {}}), r#"[{"type":"protoplanetaryDiskUpdated","id":"d"}]"#),
            (json!({"type": "updateProtoplanetaryDisk", "id": "x", "patch": {}}), r#"[{"type":"protoplanetaryDiskNotFound","id":"x"}]"#),
            (json!({"type": "removeProtoplanetaryDisk", "id": "d"}), r#"[{"type":"protoplanetaryDiskRemoved","id":"d"}]"#),
            (json!({"type": "removeProtoplanetaryDisk", "id": "x"}), r#"[{"type":"protoplanetaryDiskRemoved","id":"x"}]"#),
            (json!({"type": "setNebulae", "nebulae": {}}), r#"[{"type":"nebulaeSet"}]"#),
            (json!({"type": "updateNebula", "id": "n", "patch": {}}), r#"[{"type":"nebulaUpdated","id":"n"}]"#),
            (json!({"type": "updateNebula", "id": "x", "patch": {}}), r#"[{"type":"nebulaNotFound","id":"x"}]"#),
            (json!({"type": "removeNebula", "id": "n"}), r#"[{"type":"nebulaRemoved","id":"n"}]"#),
            (json!({"type": "removeNebula", "id": "x"}), r#"[{"type":"nebulaRemoved","id":"x"}]"#),
            (json!({"type": "updateRing", "planetId": "earth", "patch": {}}), r#"[{"type":"ringUpdated","planetId":"earth"}]"#),
            (json!({"type": "updateRing", "planetId": "x", "patch": {}}), r#"[{"type":"starNotFound","id":"x"}]"#),
            (json!({"type": "removeRing", "planetId": "sol"}), r#"[{"type":"ringRemoved","planetId":"sol"}]"#),
            (json!({"type": "removeRing", "planetId": "earth"}), r#"[{"type":"ringNotFound","planetId":"earth"}]"#),
            (json!({"type": "removeRing", "planetId": "x"}), r#"[{"type":"ringNotFound","planetId":"x"}]"#),
            (json!({"type": "replaceSnapshot", "snapshot": {"stars": {}, "rootIds": []}}), r#"[{"type":"snapshotReplaced"}]"#),
            (json!({"type": "explode", "how": 1}), r#"[{"type":"unknownCommand","command":{"type":"explode","how":1}}]"#),
        ];
        for (command, events) in rows {
            assert_eq!(told(&command), events, "of {command}");
        }
    }

    #[test]
    fn a_failed_undo_says_why() {
        let failed = |refusal: Refusal| encode(&Notice::refused(&refusal));
        let way = Way::Undo;
        assert_eq!(
            failed(Refusal::NothingToRevise { way }),
            r#"{"type":"undoFailed","reason":"nothingToUndo"}"#
        );
        assert_eq!(
            failed(Refusal::NotRevisable { way, revision: 3 }),
            r#"{"type":"undoFailed","reason":"notUndoable","revision":3}"#
        );
        let (way, id) = (Way::Redo, "sol".to_owned());
        assert_eq!(
            failed(Refusal::ChangedSince { way, revision: 3, id }),
            r#"{"type":"redoFailed","reason":"changedSince","revision":3,"id":"sol"}"#
        );
    }
}
