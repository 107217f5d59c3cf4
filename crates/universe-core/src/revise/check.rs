//! Whether edits still fit: everything that they touch must be as it was after the change that is revised.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    hash::Hash,
};

use crate::{
    BodyId, Edit, Entity, FieldEdit, Fields, GroupId, Member, Ordered, Patch, State,
    around::Around, json::prints_same, snapshot::find_loop,
};

/// This has another value now, so that the change can no longer be revised.
pub(super) struct Changed(pub(super) String);

type Checked = Result<(), Changed>;

fn changed<T>(id: impl fmt::Display) -> Result<T, Changed> {
    Err(Changed(id.to_string()))
}

pub(super) fn check(now: &State, from: &State, to: &State, patch: &Patch) -> Checked {
    fields(&now.extra, &from.extra, &patch.extra, "state")?;
    entities(&now.bodies, &from.bodies, &patch.bodies, |body| &body.fields)?;
    entities(&now.groups, &from.groups, &patch.groups, |group| &group.fields)?;
    let fit =
        Fit { now, from, to, patch, new: added(&patch.bodies), new_groups: added(&patch.groups) };
    fit.around(&patch.belts)?;
    fit.around(&patch.small_body_fields)?;
    fit.around(&patch.disks)?;
    fit.around(&patch.nebulae)?;
    fit.bodies()?;
    fit.orbits()?;
    fit.groups()?;
    fit.seats()
}

fn added<K: Eq + Hash>(edits: &[Edit<K>]) -> HashSet<&K> {
    let put = |edit: &Edit<K>| matches!(edit, Edit::Put { .. });
    edits.iter().filter(|edit| put(edit)).map(Edit::id).collect()
}

/// A removed entity must be what it was, a changed one in the keys that change; a new one must find its id free.
fn entities<K: Eq + Hash + Clone + fmt::Display, T: Clone>(
    now: &Ordered<K, Entity<T>>,
    from: &Ordered<K, Entity<T>>,
    edits: &[Edit<K>],
    of: impl Fn(&T) -> &Fields,
) -> Checked {
    for edit in edits {
        match (edit, now.get(edit.id()), from.get(edit.id())) {
            (Edit::Put { .. }, None, _) | (Edit::Move { .. }, _, _) => {}
            (Edit::Remove { .. }, Some(now), Some(from)) if of(now) == of(from) => {}
            (Edit::Change { id, fields: edit }, Some(now), Some(from)) => {
                fields(of(now), of(from), edit, id)?;
            }
            (edit, ..) => return changed(edit.id()),
        }
    }
    Ok(())
}

fn fields(now: &Fields, from: &Fields, edit: &FieldEdit, id: impl fmt::Display) -> Checked {
    let same = |key: &String| match (now.get(key), from.get(key)) {
        (Some(now), Some(from)) => prints_same(now, from),
        (now, from) => now.is_none() && from.is_none(),
    };
    if edit.set.keys().chain(&edit.unset).all(same) { Ok(()) } else { changed(id) }
}

struct Fit<'a> {
    now: &'a State,
    from: &'a State,
    to: &'a State,
    patch: &'a Patch,
    new: HashSet<&'a BodyId>,
    new_groups: HashSet<&'a GroupId>,
}

impl Fit<'_> {
    /// What names a body must not outlive it: where `to` has the body, it must be there in the end.
    fn names(&self, mut bodies: impl Iterator<Item = BodyId>) -> Checked {
        let lost = |id: &BodyId| self.to.bodies.contains(id) && !self.will_have(id);
        bodies.find(lost).map_or(Ok(()), changed)
    }

    /// Whether a body that `to` has is there once the edits are made.
    fn will_have(&self, id: &BodyId) -> bool {
        self.now.bodies.contains(id) || self.new.contains(id)
    }

    fn around<K: Around>(&self, edits: &[Edit<K>]) -> Checked {
        entities(K::all(self.now), K::all(self.from), edits, |fields| fields)?;
        for edit in edits {
            if let Some(entity) = K::all(self.to).get(edit.id()) {
                self.names(K::bodies(entity))?;
            }
        }
        Ok(())
    }

    fn bodies(&self) -> Checked {
        for edit in &self.patch.bodies {
            match edit {
                Edit::Remove { id } => self.nothing_came_to(id)?,
                Edit::Put { id, .. } | Edit::Change { id, .. } => {
                    if let Some(body) = self.to.bodies.get(id) {
                        self.names(body.marks().chain(body.host()))?;
                    }
                }
                Edit::Move { .. } => {}
            }
        }
        Ok(())
    }

    /// A body that is to go must not have gained moons, belts, disks, markers or a group.
    fn nothing_came_to(&self, id: &BodyId) -> Checked {
        let (Some(now), Some(from)) = (self.now.bodies.get(id), self.from.bodies.get(id)) else {
            return changed(id);
        };
        if place(self.now, id) != place(self.from, id) {
            return changed(id);
        }
        if let Some(child) = now.children.keys().find(|child| !from.children.contains(child)) {
            return changed(child);
        }
        let came = |referrer: &_| !self.from.references.points(referrer, id);
        if let Some(referrer) = self.now.references.to(id).find(|referrer| came(referrer)) {
            return changed(referrer.id());
        }
        if self.now.references.home(id) != self.from.references.home(id) {
            return changed(id);
        }
        Ok(())
    }

    fn orbits(&self) -> Checked {
        let mut parents: HashMap<&BodyId, Option<&BodyId>> = HashMap::new();
        for orbit in &self.patch.orbits {
            let id = &orbit.id;
            if self.from.bodies.contains(id) && place(self.now, id) != place(self.from, id) {
                return changed(id);
            }
            if let Some(parent) = orbit.parent.as_ref().filter(|parent| !self.will_have(parent)) {
                return changed(parent);
            }
            parents.insert(id, orbit.parent.as_ref());
        }
        let parent_of = |id: &BodyId| match parents.get(id) {
            Some(parent) => *parent,
            None => self.now.bodies.get(id)?.parent.as_ref(),
        };
        let moved = self.patch.orbits.iter().map(|orbit| &orbit.id);
        find_loop(moved, parent_of).map_or(Ok(()), changed)
    }

    fn groups(&self) -> Checked {
        for edit in &self.patch.groups {
            let Edit::Remove { id } = edit else { continue };
            let (Some(now), Some(from)) = (self.now.groups.get(id), self.from.groups.get(id))
            else {
                return changed(id);
            };
            if now.parent != from.parent {
                return changed(id);
            }
            if let Some(member) = now.members.keys().find(|member| !from.members.contains(member)) {
                return changed(member.id());
            }
        }
        Ok(())
    }

    fn seats(&self) -> Checked {
        let mut homes: HashMap<&GroupId, Option<&GroupId>> = HashMap::new();
        for seat in &self.patch.seats {
            let member = &seat.member;
            let stays =
                self.now.has(member) && self.now.group_of(member) == self.from.group_of(member);
            if self.from.has(member) && !stays {
                return changed(member.id());
            }
            let there = match member {
                Member::System(body) => seat.group.is_none() || self.will_have(body),
                Member::Group(group) => self.will_have_group(group),
            };
            if !there {
                return changed(member.id());
            }
            if let Some(home) = seat.group.as_ref().filter(|home| !self.will_have_group(home)) {
                return changed(home);
            }
            if let Member::Group(group) = member {
                homes.insert(group, seat.group.as_ref());
            }
        }
        let home_of = |id: &GroupId| match homes.get(id) {
            Some(home) => *home,
            None => self.now.groups.get(id)?.parent.as_ref(),
        };
        let moved = self.patch.seats.iter().filter_map(|seat| match &seat.member {
            Member::Group(group) => Some(group),
            Member::System(_) => None,
        });
        find_loop(moved, home_of).map_or(Ok(()), changed)
    }

    fn will_have_group(&self, id: &GroupId) -> bool {
        self.now.groups.contains(id) || self.new_groups.contains(id)
    }
}

/// Where a body stands: what it circles, or whether it is among the roots.
fn place<'a>(state: &'a State, id: &BodyId) -> Option<(Option<&'a BodyId>, bool)> {
    let body = state.bodies.get(id)?;
    Some((body.parent.as_ref(), state.roots.contains(id)))
}
