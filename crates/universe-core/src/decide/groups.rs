//! Groups. Every change of membership is a [`Move`], whatever command it comes from.

use std::collections::HashSet;

use crate::{
    Event, Fields, GroupId, Member, Move, Refusal, State,
    command::{Members, Named},
};

pub(super) fn add(
    state: &State,
    id: GroupId,
    parent: Option<GroupId>,
    fields: Fields,
    members: Members,
) -> Result<Event, Refusal> {
    if state.groups().contains(&id) {
        return Err(Refusal::DuplicateGroup { id });
    }
    if let Some(parent) = parent.as_ref().filter(|parent| !state.groups().contains(parent)) {
        return Err(Refusal::GroupParentNotFound { id, parent: parent.clone() });
    }
    let mut moves = Vec::with_capacity(members.len());
    for (member, extra) in members {
        moves.push(joining(state, &id, parent.as_ref(), member, extra)?);
    }
    Ok(Event::GroupAdded { id, parent, fields, moves })
}

/// Fields are merged. A named parent is a move; a named list of children lets those come that are new in it and
/// those go that are not in it.
pub(super) fn update(
    state: &State,
    id: GroupId,
    fields: Fields,
    parent: Named<GroupId>,
    members: Option<Members>,
) -> Result<Event, Refusal> {
    let Some(group) = state.groups().get(&id) else {
        return Err(Refusal::GroupNotFound { id });
    };
    let mut moves = Vec::new();
    let parent = match parent {
        Named::Not => group.parent.clone(),
        Named::Root => None,
        Named::In(parent) => Some(parent),
    };
    if parent != group.parent {
        moves.push(moving(state, Member::Group(id.clone()), parent.clone())?);
    }
    let same = |members: &Members| {
        members.iter().map(|(member, extra)| (member, extra)).eq(group.members.iter())
    };
    if let Some(members) = members.filter(|members| !same(members)) {
        let staying: HashSet<&Member> = members.iter().map(|(member, _)| member).collect();
        let leaving = group.members.keys().filter(|member| !staying.contains(member));
        moves.extend(leaving.map(|member| Move {
            member: member.clone(),
            from: Some(id.clone()),
            to: None,
            extra: Fields::default(),
        }));
        // Each goes to the end in turn, and so all of them come to stand in the order of the list.
        for (member, extra) in members {
            moves.push(joining(state, &id, parent.as_ref(), member, extra)?);
        }
    }
    Ok(Event::GroupUpdated { id, fields, moves })
}

pub(super) fn remove(state: &State, id: GroupId) -> Result<Event, Refusal> {
    let Some(group) = state.groups().get(&id) else {
        return Err(Refusal::GroupNotFound { id });
    };
    let moves_up = |(member, extra): (&Member, &Fields)| Move {
        member: member.clone(),
        from: Some(id.clone()),
        to: group.parent.clone(),
        extra: extra.clone(),
    };
    let moves = group.members.iter().map(moves_up).collect();
    Ok(Event::GroupRemoved { parent: group.parent.clone(), moves, id })
}

pub(super) fn add_member(
    state: &State,
    group: GroupId,
    member: Member,
    extra: Fields,
) -> Result<Event, Refusal> {
    let Some(target) = state.groups().get(&group) else {
        return Err(Refusal::GroupNotFound { id: group });
    };
    if target.members.contains(&member) {
        return Err(Refusal::AlreadyInGroup { group, member });
    }
    let parent = target.parent.clone();
    Ok(Event::ChildAddedToGroup(joining(state, &group, parent.as_ref(), member, extra)?))
}

/// A system and a group may have the same id; the command does not say which it means, so both go.
pub(super) fn remove_member(
    state: &State,
    group: GroupId,
    child: String,
) -> Result<Event, Refusal> {
    let Some(found) = state.groups().get(&group) else {
        return Err(Refusal::GroupNotFound { id: group });
    };
    let either = [Member::System(child.as_str().into()), Member::Group(child.as_str().into())];
    let moves: Vec<_> = either
        .into_iter()
        .filter(|member| found.members.contains(member))
        .map(|member| Move {
            member,
            from: Some(group.clone()),
            to: None,
            extra: Fields::default(),
        })
        .collect();
    if moves.is_empty() {
        return Err(Refusal::NotInGroup { group, child });
    }
    Ok(Event::ChildRemovedFromGroup { moves })
}

pub(super) fn move_member(
    state: &State,
    member: Member,
    target: Option<GroupId>,
) -> Result<Event, Refusal> {
    Ok(Event::MovedToGroup(moving(state, member, target)?))
}

fn moving(state: &State, member: Member, target: Option<GroupId>) -> Result<Move, Refusal> {
    if let Some(id) = target.as_ref().filter(|target| !state.groups().contains(target)) {
        return Err(Refusal::GroupNotFound { id: id.clone() });
    }
    if !state.has(&member) {
        return Err(Refusal::MoveNotFound { member, target });
    }
    if let (Member::Group(group), Some(target)) = (&member, &target)
        && state.is_inside(target, group)
    {
        return Err(Refusal::MoveCycle { target: target.clone(), member });
    }
    let from = state.group_of(&member).cloned();
    let entry = from.as_ref().and_then(|from| state.groups().get(from)?.members.get(&member));
    let extra = entry.filter(|_| target.is_some()).cloned().unwrap_or_default();
    Ok(Move { from, member, to: target, extra })
}

/// `member` comes into `group`, which is (or is about to be) in `parent`.
fn joining(
    state: &State,
    group: &GroupId,
    parent: Option<&GroupId>,
    member: Member,
    extra: Fields,
) -> Result<Move, Refusal> {
    if let Member::Group(child) = &member
        && (child == group || parent.is_some_and(|parent| state.is_inside(parent, child)))
    {
        return Err(Refusal::AddToGroupCycle { group: group.clone(), member });
    }
    if !state.has(&member) {
        return Err(Refusal::AddToGroupNotFound { group: group.clone(), member });
    }
    let from = state.group_of(&member).cloned();
    Ok(Move { from, member, to: Some(group.clone()), extra })
}
