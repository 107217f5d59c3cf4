//! Bodies: the tree and what points into it.

use serde_json::Value;

use crate::{Body, BodyId, Entity, Event, Fields, Member, OrderedSet, Removal, State};

impl State {
    pub(super) fn apply_to_bodies(&mut self, event: &Event) {
        match event {
            Event::StarAdded { id, parent, fields } => {
                self.add_body(id.clone(), parent.clone(), fields.clone());
            }
            Event::StarUpdated { id, fields } => self.change_fields(id, |own| own.merge(fields)),
            Event::StarAttached { child, parent } => self.attach(child, Some(parent)),
            Event::StarDetached { child, orbital_distance } => {
                self.attach(child, None);
                self.change_fields(child, |own| {
                    own.set("orbitalDistance", (*orbital_distance).into());
                });
            }
            Event::StarRemoved(removal) => self.remove(removal),
            Event::RingUpdated { planet, ring } => {
                self.change_fields(planet, |own| own.set("ring", Value::from(ring.clone())));
            }
            Event::RingRemoved { planet } => {
                self.change_fields(planet, |own| drop(own.take("ring")));
            }
            _ => {}
        }
    }

    /// The only way a new body comes in, so that tree, roots and references agree.
    pub(crate) fn add_body(&mut self, id: BodyId, parent: Option<BodyId>, fields: Fields) {
        let body = Body { id: id.clone(), parent, children: OrderedSet::default(), fields };
        self.references.link_body(&body);
        self.enlist(&id, body.parent.as_ref());
        self.bodies.insert(id, Entity::new(body));
    }

    /// Changes fields of a body, and what follows from them.
    pub(super) fn change_fields(&mut self, id: &BodyId, change: impl FnOnce(&mut Fields)) {
        let Some(body) = self.bodies.get_mut(id).map(Entity::change) else { return };
        self.references.unlink_body(body);
        change(&mut body.fields);
        self.references.link_body(body);
        // A rogue planet may stand outside the roots; one that is rogue no longer may not.
        if body.parent.is_none() && !body.is_rogue() {
            self.roots.add(id.clone());
        }
    }

    fn attach(&mut self, child: &BodyId, parent: Option<&BodyId>) {
        let Some(body) = self.bodies.get_mut(child).map(Entity::change) else { return };
        let before = std::mem::replace(&mut body.parent, parent.cloned());
        self.delist(child, before.as_ref());
        self.enlist(child, parent);
    }

    /// Puts a body at the end of its parent's children, or of the roots.
    fn enlist(&mut self, child: &BodyId, parent: Option<&BodyId>) {
        match parent {
            None => self.roots.add(child.clone()),
            Some(parent) => {
                if let Some(parent) = self.bodies.get_mut(parent).map(Entity::change) {
                    parent.children.add(child.clone());
                }
            }
        }
    }

    pub(super) fn delist(&mut self, child: &BodyId, parent: Option<&BodyId>) {
        match parent {
            None => self.roots.remove(child),
            Some(parent) => {
                if let Some(parent) = self.bodies.get_mut(parent).map(Entity::change) {
                    parent.children.remove(child);
                }
            }
        }
    }

    fn remove(&mut self, removal: &Removal) {
        for id in &removal.bodies {
            self.remove_body(id);
        }
        for id in &removal.small_body_fields {
            self.remove_around(id);
        }
        for id in &removal.disks {
            self.remove_around(id);
        }
        for ended in &removal.memberships {
            let Some(group) = self.groups.get_mut(&ended.group_id).map(Entity::change) else {
                continue;
            };
            group.members.remove(&Member::System(ended.system_id.clone()));
            self.references.set_home(&ended.system_id, None);
        }
        for id in &removal.unhosted {
            self.change_fields(id, |own| drop(own.take("lagrangeHostId")));
        }
    }

    /// Takes one body out; what circled it must go, too.
    pub(super) fn remove_body(&mut self, id: &BodyId) {
        let Some(body) = self.bodies.get(id).cloned() else { return };
        self.references.unlink_body(&body);
        self.delist(id, body.parent.as_ref());
        self.bodies.remove(id);
    }
}
