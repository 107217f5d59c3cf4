//! Folding events in. Total: what was decided always applies, and what could not have been decided changes
//! nothing.

use std::sync::Arc;

use serde_json::json;

use crate::{
    Body, BodyId, Change, Clock, Entry, Event, Fields, Member, OrderedSet, Removal, State,
    Universe,
    references::{self, Referrer},
};

impl Universe {
    /// Folds the next line of the log in.
    pub fn apply(&mut self, entry: &Entry) {
        let before = self.state.clone();
        self.revision += 1;
        match &entry.change {
            Change::Created { name, state } => {
                let clock = Clock { since_ms: entry.at, ..Clock::default() };
                let (name, state, revision) = (name.clone(), state.clone(), self.revision);
                *self = Self { name, state, revision, clock, ..Self::default() };
                self.created_at = entry.at;
            }
            Change::Command { events, .. } => {
                self.state.apply_all(events);
                self.did_something(&before);
            }
            Change::Replaced { name, state } => {
                if let Some(name) = name {
                    self.name.clone_from(name);
                }
                if let Some(state) = state {
                    self.state = state.clone();
                    // Its time is the time of this moment.
                    self.clock.since_ms = entry.at;
                    self.did_something(&before);
                }
            }
            Change::Undone { of, events, .. } => {
                self.state.apply_all(events);
                self.history.undid(*of);
            }
            Change::Redone { of, events, .. } => {
                self.state.apply_all(events);
                self.history.redid(*of);
            }
            Change::Clock { clock, time, .. } => {
                self.clock = *clock;
                self.state.time = *time;
            }
            Change::Deleted => self.deleted = true,
        }
        if let Some(key) = &entry.key {
            self.keys.remember(key, self.revision);
        }
        self.updated_at = entry.at;
    }

    /// A change that left everything but time as it was is nothing to undo.
    fn did_something(&mut self, before: &State) {
        if !self.state.same_but_for_time(before) {
            self.history.did(self.revision);
        }
    }
}

impl State {
    fn same_but_for_time(&self, other: &Self) -> bool {
        Self { time: 0.0, ..self.clone() } == Self { time: 0.0, ..other.clone() }
    }

    pub fn apply_all(&mut self, events: &[Event]) {
        for event in events {
            self.apply(event);
        }
    }

    /// Folds one event in.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::Ticked { time } => self.time = *time,
            Event::StarAdded { id, parent, fields } => {
                self.add_body(id.clone(), parent.clone(), fields.clone());
            }
            Event::StarUpdated { id, fields } => self.merge_fields(id, fields),
            Event::StarAttached { child, parent } => self.attach(child, Some(parent)),
            Event::StarDetached { child, orbital_distance } => {
                self.attach(child, None);
                if let Some(body) = self.bodies.get_mut(child).map(Arc::make_mut) {
                    body.fields.set("orbitalDistance", json!(orbital_distance));
                }
            }
            Event::StarRemoved(removal) => self.remove(removal),
        }
    }

    /// The only way a new body comes in, so that tree, roots and references agree.
    pub(crate) fn add_body(&mut self, id: BodyId, parent: Option<BodyId>, fields: Fields) {
        let body = Body { id: id.clone(), parent, children: OrderedSet::default(), fields };
        self.references.link_body(&body);
        self.enlist(&id, body.parent.as_ref());
        self.bodies.insert(id, Arc::new(body));
    }

    fn merge_fields(&mut self, id: &BodyId, patch: &Fields) {
        let Some(body) = self.bodies.get_mut(id).map(Arc::make_mut) else { return };
        self.references.unlink_body(body);
        body.fields.merge(patch);
        self.references.link_body(body);
        // A rogue planet may stand outside the roots; one that is rogue no longer may not.
        if body.parent.is_none() && !body.is_rogue() {
            self.roots.add(id.clone());
        }
    }

    fn attach(&mut self, child: &BodyId, parent: Option<&BodyId>) {
        let Some(body) = self.bodies.get_mut(child).map(Arc::make_mut) else { return };
        let before = std::mem::replace(&mut body.parent, parent.cloned());
        self.delist(child, before.as_ref());
        self.enlist(child, parent);
    }

    /// Puts a body at the end of its parent's children, or of the roots.
    fn enlist(&mut self, child: &BodyId, parent: Option<&BodyId>) {
        match parent {
            None => self.roots.add(child.clone()),
            Some(parent) => {
                if let Some(parent) = self.bodies.get_mut(parent).map(Arc::make_mut) {
                    parent.children.add(child.clone());
                }
            }
        }
    }

    fn delist(&mut self, child: &BodyId, parent: Option<&BodyId>) {
        match parent {
            None => self.roots.remove(child),
            Some(parent) => {
                if let Some(parent) = self.bodies.get_mut(parent).map(Arc::make_mut) {
                    parent.children.remove(child);
                }
            }
        }
    }

    fn remove(&mut self, removal: &Removal) {
        for id in &removal.bodies {
            let Some(body) = self.bodies.get(id).cloned() else { continue };
            self.references.unlink_body(&body);
            self.delist(id, body.parent.as_ref());
            self.bodies.remove(id);
        }
        for id in &removal.small_body_fields {
            let Some(field) = self.small_body_fields.get(id).cloned() else { continue };
            for body in references::of_field(&field) {
                self.references.unlink(&body, &Referrer::Field(id.clone()));
            }
            self.small_body_fields.remove(id);
        }
        for id in &removal.disks {
            let Some(disk) = self.disks.get(id).cloned() else { continue };
            for body in references::of_disk(&disk) {
                self.references.unlink(&body, &Referrer::Disk(id.clone()));
            }
            self.disks.remove(id);
        }
        for ended in &removal.memberships {
            let Some(group) = self.groups.get_mut(&ended.group_id).map(Arc::make_mut) else {
                continue;
            };
            group.members.remove(&Member::System(ended.system_id.clone()));
            self.references.unlink(&ended.system_id, &Referrer::Group(ended.group_id.clone()));
        }
        for id in &removal.unhosted {
            let Some(body) = self.bodies.get_mut(id).map(Arc::make_mut) else { continue };
            self.references.unlink_body(body);
            body.fields.take("lagrangeHostId");
            self.references.link_body(body);
        }
    }
}
