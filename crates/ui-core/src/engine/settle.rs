//! After something happened: find what changed, and write a frame for everybody whom it concerns.

use super::Session;
use super::connection::Item;
use super::frame::Frame;
use crate::ids::{ConnId, Slot};
use crate::message::ErrorMessage;
use crate::viewdef::Viewdefs;
use crate::world::{Seen, Walked, World};

/// What came of [`Session::settle`].
#[derive(Debug, Default)]
pub struct Settled {
    /// At most one for each connection, in the order in which they connected.
    pub frames: Vec<(ConnId, Frame)>,
    /// Walks kept changing things up to the limit: worth a line in the log.
    pub restless: bool,
    /// What browsers reported: for the log.
    pub reports: Vec<(ConnId, ErrorMessage)>,
}

impl Session {
    /// Finds what changed and tells everybody. To be called after every batch, and whenever Lua ran.
    pub fn settle(&mut self, world: &mut dyn World, viewdefs: &mut dyn Viewdefs) -> Settled {
        let restless = self.walk(world);
        self.answer_writers();
        let mut frames = Vec::new();
        for (conn, connection) in &mut self.connections {
            if connection.is_quiet() {
                continue;
            }
            if let Some(frame) = connection.frame(&self.tree, world, viewdefs) {
                frames.push((*conn, frame));
            }
        }
        self.turn += 1;
        Settled { frames, restless, reports: std::mem::take(&mut self.reports) }
    }

    /// Walks until nothing moves any more. Says whether that was given up.
    fn walk(&mut self, world: &mut dyn World) -> bool {
        self.take_requests(world);
        let mut passes = 0;
        loop {
            self.flush(world);
            let mut seen = std::mem::take(&mut self.seen);
            let walked = world.walk(&mut seen);
            self.tree.cool();
            for seen in seen.drain(..) {
                self.see(seen);
            }
            self.seen = seen;
            self.take_requests(world);
            passes += 1;
            // What Lua asked for during the walk may want reading too.
            if walked == Walked::Settled && self.changes.is_empty() {
                return false;
            }
            if passes >= self.limits.passes {
                return true;
            }
        }
    }

    /// Takes in what a walk saw of a variable.
    fn see(&mut self, seen: Seen) {
        let turn = self.turn;
        let Some(variable) = self.tree.get_mut(seen.slot) else { return };
        if let Some(failure) = seen.error {
            if variable.read_error.as_deref() != Some(&failure) {
                variable.read_error = Some(Box::new(failure));
                self.tell_of_error(seen.slot);
            }
            return;
        }
        let mended = variable.read_error.take().is_some();
        let changed = match seen.value {
            Some(value) if !variable.read || value != variable.value => {
                variable.value = value;
                true
            }
            _ => false,
        };
        variable.read = true;
        let retyped = variable.type_name != seen.type_name;
        variable.type_name = seen.type_name;
        if changed {
            variable.changes += 1;
            self.change_count += 1;
            if variable.fault_turn < turn {
                variable.fault = None;
            }
        }
        // Whoever wrote in this turn is answered when all walks are done.
        let writer = variable.written.is_some().then_some(variable.owner).flatten();
        let priority = variable.placed.priority;
        if changed || mended {
            let except = if mended { None } else { writer };
            self.tell_watchers(seen.slot, &Item::Value, priority, except);
        }
        if retyped {
            self.tell_watchers(seen.slot, &Item::Type, priority, None);
        }
    }

    /// Tells writers what became of their value, where that is not what they wrote.
    fn answer_writers(&mut self) {
        for at in std::mem::take(&mut self.written) {
            let Some(variable) = self.tree.at_mut(at) else { continue };
            let Some(written) = variable.written.take() else { continue };
            let Some(variable) = self.tree.at(at) else { continue };
            let visited = self.tree.ancestors(at.slot).all(|above| above.live) && variable.live;
            let same = variable.value == *written;
            if visited && !same && variable.read_error.is_none() {
                let owner = variable.owner.and_then(|owner| self.connections.get_mut(&owner));
                if let Some(connection) = owner {
                    connection.tell(variable, Item::Value);
                }
            }
        }
    }

    fn tell_of_error(&mut self, slot: Slot) {
        let Some(variable) = self.tree.get(slot) else { return };
        let Some(failure) = variable.read_error.as_deref() else { return };
        for watcher in &variable.watchers {
            if let Some(connection) = self.connections.get_mut(&watcher.conn) {
                connection.complain(variable.wire, failure);
            }
        }
    }
}
