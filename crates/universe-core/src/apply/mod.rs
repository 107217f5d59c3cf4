//! Folding events in. Total: what was decided always applies, and what could not have been decided changes
//! nothing.

mod around;
mod groups;
mod patch;
mod stars;

use crate::{Change, Clock, Entry, Event, State, Universe, touched::did_something};

impl Universe {
    /// Folds the next line of the log in.
    pub fn apply(&mut self, entry: &Entry) {
        self.revision += 1;
        match &entry.change {
            Change::Created { name, state } => {
                let clock = Clock { since_ms: entry.at, ..Clock::default() };
                let (name, state, revision) = (name.clone(), state.clone(), self.revision);
                *self = Self { name, state, revision, clock, ..Self::default() };
                self.created_at = entry.at;
            }
            Change::Command { events, .. } => {
                let before = self.state.clone();
                self.state.apply_all(events);
                if did_something(events, &before, &self.state) {
                    self.history.did(self.revision);
                }
            }
            Change::Replaced { name, state } => {
                self.replace(name.as_ref(), state.as_ref(), entry.at);
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

    fn replace(&mut self, name: Option<&String>, state: Option<&State>, at: i64) {
        if let Some(name) = name {
            self.name.clone_from(name);
        }
        if let Some(state) = state {
            let before = std::mem::replace(&mut self.state, state.clone());
            // Its time is the time of this moment.
            self.clock.since_ms = at;
            if !self.state.is_same_but_for_time(&before) {
                self.history.did(self.revision);
            }
        }
    }
}

impl State {
    pub fn apply_all(&mut self, events: &[Event]) {
        for event in events {
            self.apply(event);
        }
    }

    /// Folds one event in.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::Ticked { time } => self.time = *time,
            Event::StarAdded { .. }
            | Event::StarUpdated { .. }
            | Event::StarAttached { .. }
            | Event::StarDetached { .. }
            | Event::StarRemoved(_)
            | Event::RingUpdated { .. }
            | Event::RingRemoved { .. } => self.apply_to_bodies(event),
            Event::GroupAdded { .. }
            | Event::GroupUpdated { .. }
            | Event::GroupRemoved { .. }
            | Event::ChildAddedToGroup(_)
            | Event::ChildRemovedFromGroup { .. }
            | Event::MovedToGroup(_) => self.apply_to_groups(event),
            Event::SmallBodyFieldsSet { all, .. } => self.set_around(all),
            Event::SmallBodyFieldUpdated { id, fields } => {
                self.change_around(id, |own| own.merge(fields));
            }
            Event::SmallBodyFieldRemoved { id } => self.remove_around(id),
            Event::ProtoplanetaryDisksSet { all, .. } => self.set_around(all),
            Event::ProtoplanetaryDiskAdded { id, fields } => self.put_around(id, fields),
            Event::ProtoplanetaryDiskUpdated { id, fields } => {
                self.change_around(id, |own| own.merge(fields));
            }
            Event::ProtoplanetaryDiskRemoved { id } => self.remove_around(id),
            Event::NebulaeSet { all, .. } => self.set_around(all),
            Event::NebulaUpdated { id, fields } => self.change_around(id, |own| own.merge(fields)),
            Event::NebulaRemoved { id } => self.remove_around(id),
            Event::SnapshotReplaced { state } => {
                *self = Self { time: self.time, ..State::clone(state) };
            }
            Event::Revised(patch) => self.revise(patch),
        }
    }

    pub(crate) fn is_same_but_for_time(&self, other: &Self) -> bool {
        Self { time: 0.0, ..self.clone() } == Self { time: 0.0, ..other.clone() }
    }
}
