//! Folding in what an undo or a redo came to.

use crate::{
    Body, Edit, Entity, FieldEdit, Fields, Member, Orbit, OrderedSet, Patch, Seat, State,
    around::Around,
};

impl State {
    pub(super) fn revise(&mut self, patch: &Patch) {
        for edit in &patch.bodies {
            self.edit_body(edit);
        }
        for edit in &patch.groups {
            self.edit_group(edit);
        }
        self.edit_all_around(&patch.belts);
        self.edit_all_around(&patch.small_body_fields);
        self.edit_all_around(&patch.disks);
        self.edit_all_around(&patch.nebulae);
        for orbit in &patch.orbits {
            self.orbit(orbit);
        }
        for seat in &patch.seats {
            self.take_seat(seat);
        }
        edit_fields(&mut self.extra, &patch.extra);
    }

    fn edit_body(&mut self, edit: &Edit<crate::BodyId>) {
        match edit {
            Edit::Remove { id } => self.remove_body(id),
            Edit::Put { id, fields, after } => {
                // Its orbit follows, in a list of its own.
                let (children, fields) = (OrderedSet::default(), fields.clone());
                let body = Body { id: id.clone(), parent: None, children, fields };
                self.references.link_body(&body);
                self.bodies.insert_after(after.as_ref(), id.clone(), Entity::new(body));
            }
            Edit::Move { id, after } => self.bodies.move_after(after.as_ref(), id),
            Edit::Change { id, fields } => self.change_fields(id, |own| edit_fields(own, fields)),
        }
    }

    fn edit_group(&mut self, edit: &Edit<crate::GroupId>) {
        match edit {
            Edit::Remove { id } => self.remove_group(id),
            Edit::Put { id, fields, after } => {
                self.put_group(id, fields.clone());
                self.groups.move_after(after.as_ref(), id);
            }
            Edit::Move { id, after } => self.groups.move_after(after.as_ref(), id),
            Edit::Change { id, fields } => {
                if let Some(group) = self.groups.get_mut(id).map(Entity::change) {
                    edit_fields(&mut group.fields, fields);
                }
            }
        }
    }

    fn edit_all_around<K: Around>(&mut self, edits: &[Edit<K>]) {
        for edit in edits {
            match edit {
                Edit::Remove { id } => self.remove_around(id),
                Edit::Put { id, fields, after } => {
                    self.put_around(id, fields);
                    K::all_mut(self).move_after(after.as_ref(), id);
                }
                Edit::Move { id, after } => K::all_mut(self).move_after(after.as_ref(), id),
                Edit::Change { id, fields } => {
                    self.change_around(id, |own| edit_fields(own, fields));
                }
            }
        }
    }

    fn orbit(&mut self, orbit: &Orbit) {
        let Some(body) = self.bodies.get_mut(&orbit.id).map(Entity::change) else { return };
        let before = std::mem::replace(&mut body.parent, orbit.parent.clone());
        let must_be_listed = !body.is_rogue();
        self.delist(&orbit.id, before.as_ref());
        let siblings = match &orbit.parent {
            Some(parent) => match self.bodies.get_mut(parent).map(Entity::change) {
                Some(parent) => &mut parent.children,
                None => return,
            },
            None if orbit.listed || must_be_listed => &mut self.roots,
            None => return,
        };
        siblings.insert_after(orbit.after.as_ref(), orbit.id.clone(), ());
    }

    fn take_seat(&mut self, seat: &Seat) {
        self.unseat(&seat.member);
        // One that went with the same patch only leaves.
        if !self.has(&seat.member) {
            return;
        }
        self.settle(&seat.member, seat.group.as_ref());
        match (&seat.group, &seat.member) {
            (Some(home), member) => {
                if let Some(group) = self.groups.get_mut(home).map(Entity::change) {
                    let (member, extra) = (member.clone(), seat.extra.clone());
                    group.members.insert_after(seat.after.as_ref(), member, extra);
                }
            }
            (None, Member::Group(id)) => {
                let after = match &seat.after {
                    Some(Member::Group(after)) => Some(after),
                    _ => None,
                };
                self.root_groups.insert_after(after, id.clone(), ());
            }
            (None, Member::System(_)) => {}
        }
    }
}

fn edit_fields(own: &mut Fields, edit: &FieldEdit) {
    for key in &edit.unset {
        own.take(key);
    }
    own.merge(&edit.set);
    if !edit.order.is_empty() {
        own.sort(&edit.order);
    }
}
