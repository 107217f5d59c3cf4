//! The edits that lead from one state to another, with places chosen among what is there now.

use std::{collections::HashSet, hash::Hash};

use super::order::arrivals;
use crate::{
    Body, Edit, Entity, FieldEdit, Fields, Group, Member, Orbit, Ordered, Patch, Seat, State,
    around::Around, json::prints_same,
};

/// What leads from `from` to `to`; `now` only tells which neighbours are there to be placed behind.
pub(super) fn diff(now: &State, from: &State, to: &State) -> Patch {
    Patch {
        bodies: edits(&now.bodies, &from.bodies, &to.bodies, |body: &Body| &body.fields),
        groups: edits(&now.groups, &from.groups, &to.groups, |group: &Group| &group.fields),
        belts: around(now, from, to),
        small_body_fields: around(now, from, to),
        disks: around(now, from, to),
        nebulae: around(now, from, to),
        orbits: orbits(now, from, to),
        seats: seats(now, from, to),
        extra: field_edit(&from.extra, &to.extra),
    }
}

fn around<K: Around>(now: &State, from: &State, to: &State) -> Vec<Edit<K>> {
    edits(K::all(now), K::all(from), K::all(to), |fields| fields)
}

fn edits<K: Eq + Hash + Clone, T: Clone + PartialEq>(
    now: &Ordered<K, Entity<T>>,
    from: &Ordered<K, Entity<T>>,
    to: &Ordered<K, Entity<T>>,
    fields: impl Fn(&T) -> &Fields,
) -> Vec<Edit<K>> {
    if from.shares_all_with(to) {
        return Vec::new();
    }
    let gone = from.keys().filter(|id| !to.contains(id));
    let mut edits: Vec<_> = gone.map(|id| Edit::Remove { id: id.clone() }).collect();
    for arrival in arrivals(Some(from), to, |id| now.contains(id)) {
        let (id, after) = (arrival.key.clone(), arrival.after.cloned());
        match to.get(&id) {
            Some(entity) if !from.contains(&id) => {
                edits.push(Edit::Put { id, fields: fields(entity).clone(), after });
            }
            // One that went since has no place to move to.
            Some(_) if now.contains(&id) => edits.push(Edit::Move { id, after }),
            _ => {}
        }
    }
    for (id, entity) in to.iter() {
        let Some(old) = from.get(id).filter(|old| !old.is_same_as(entity)) else { continue };
        let edit = field_edit(fields(old), fields(entity));
        if !edit.is_empty() {
            edits.push(Edit::Change { id: id.clone(), fields: edit });
        }
    }
    edits
}

fn field_edit(from: &Fields, to: &Fields) -> FieldEdit {
    let unset = from.keys().filter(|key| to.get(key).is_none()).cloned().collect();
    let mut set = Fields::default();
    for (key, value) in to.iter() {
        if from.get(key).is_none_or(|old| !prints_same(old, value)) {
            set.set(key, value.clone());
        }
    }
    let kept = from.keys().filter(|key| to.get(key).is_some());
    let added = to.keys().filter(|key| from.get(key).is_none());
    let falls_in_order = kept.chain(added).eq(to.keys());
    let order = if falls_in_order { Vec::new() } else { to.keys().cloned().collect() };
    FieldEdit { set, unset, order }
}

/// Roots first, then the children of each, in the order in which they come to stand.
fn orbits(now: &State, from: &State, to: &State) -> Vec<Orbit> {
    let mut orbits = Vec::new();
    if from.bodies.shares_all_with(&to.bodies) && from.roots.shares_all_with(&to.roots) {
        return orbits;
    }
    for arrival in arrivals(Some(&from.roots), &to.roots, |id| now.roots.contains(id)) {
        let (id, after) = (arrival.key.clone(), arrival.after.cloned());
        orbits.push(Orbit { id, parent: None, listed: true, after });
    }
    for (id, body) in to.bodies.iter() {
        let old = from.bodies.get(id);
        if old.is_some_and(|old| old.is_same_as(body))
            && from.roots.contains(id) == to.roots.contains(id)
        {
            continue;
        }
        // A rogue planet that was among the roots, or circled something, stands alone again.
        let alone = |state: &State| {
            let body = state.bodies.get(id);
            body.is_some_and(|body| body.parent.is_none()) && !state.roots.contains(id)
        };
        if alone(to) && !alone(from) {
            orbits.push(Orbit { id: id.clone(), parent: None, listed: false, after: None });
        }
        let there = now.bodies.get(id);
        let present = |child: &_| there.is_some_and(|there| there.children.contains(child));
        for arrival in arrivals(old.map(|old| &old.children), &body.children, present) {
            let (parent, after) = (Some(id.clone()), arrival.after.cloned());
            orbits.push(Orbit { id: arrival.key.clone(), parent, listed: false, after });
        }
    }
    orbits
}

/// First those that leave for nowhere, then root groups, then the members of each group.
fn seats(now: &State, from: &State, to: &State) -> Vec<Seat> {
    let mut seats = leaving(now, from, to);
    let seat = |member: Member, group: Option<&_>, after, extra| {
        let from = now.group_of(&member).cloned();
        Seat { from, group: group.cloned(), after, extra, member }
    };
    if from.groups.shares_all_with(&to.groups) && from.root_groups.shares_all_with(&to.root_groups)
    {
        return seats;
    }
    let roots =
        arrivals(Some(&from.root_groups), &to.root_groups, |id| now.root_groups.contains(id));
    for arrival in roots {
        let after = arrival.after.cloned().map(Member::Group);
        seats.push(seat(Member::Group(arrival.key.clone()), None, after, Fields::default()));
    }
    for (id, group) in to.groups.iter() {
        let old = from.groups.get(id);
        if old.is_some_and(|old| old.is_same_as(group)) {
            continue;
        }
        let there = now.groups.get(id);
        let present = |member: &_| there.is_some_and(|there| there.members.contains(member));
        let mut placed = HashSet::new();
        for arrival in arrivals(old.map(|old| &old.members), &group.members, present) {
            let extra = group.members.get(arrival.key).cloned().unwrap_or_default();
            seats.push(seat(arrival.key.clone(), Some(id), arrival.after.cloned(), extra));
            placed.insert(arrival.key);
        }
        // Members that stay, of whom something is noted that we do not know.
        let mut after = None;
        for (member, extra) in group.members.iter() {
            let noted = old.and_then(|old| old.members.get(member));
            if noted.is_some_and(|noted| noted != extra) && !placed.contains(member) {
                seats.push(seat(member.clone(), Some(id), after.clone(), extra.clone()));
            }
            if present(member) || placed.contains(member) {
                after = Some(member.clone());
            }
        }
    }
    seats
}

/// Those that are in a group before and in none afterwards, but for groups that become roots: these have a place.
fn leaving(now: &State, from: &State, to: &State) -> Vec<Seat> {
    let mut leaving = Vec::new();
    for (id, group) in from.groups.iter() {
        if to.groups.get(id).is_some_and(|new| new.is_same_as(group)) {
            continue;
        }
        for member in group.members.keys() {
            let goes = match member {
                Member::System(_) => to.group_of(member).is_none(),
                Member::Group(child) => !to.groups.contains(child),
            };
            if goes {
                let from = now.group_of(member).cloned();
                let (after, extra) = (None, Fields::default());
                leaving.push(Seat { member: member.clone(), from, group: None, after, extra });
            }
        }
    }
    leaving
}
