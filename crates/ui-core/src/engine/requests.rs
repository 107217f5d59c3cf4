//! What Lua asks of the engine: variables of its own, properties that wrappers set, notes.

use super::Session;
use super::tree::Ref;
use crate::error::{Code, Failure};
use crate::ids::{Slot, VarId, WireId};
use crate::world::{Change, Request, World};

impl Session {
    /// Does what Lua asked for since the last time.
    pub(super) fn take_requests(&mut self, world: &mut dyn World) {
        let mut requests = std::mem::take(&mut self.requests);
        world.requests(&mut requests);
        for request in requests.drain(..) {
            self.take_request(request);
        }
        self.requests = requests;
    }

    /// Tells the world what changed in the set of variables.
    pub(super) fn flush(&mut self, world: &mut dyn World) {
        if !self.changes.is_empty() {
            world.plan(&mut self.changes);
            self.changes.clear();
        }
    }

    fn take_request(&mut self, request: Request) {
        match request {
            Request::Root { properties } => self.set_by_lua(Slot::ROOT, &properties),
            Request::Create { id, parent, properties } => {
                if let Err(failure) = self.create_for_lua(id, parent, &properties) {
                    self.changes.push(Change::Refuse { id, failure });
                }
            }
            Request::Destroy { id } => {
                if let Some(slot) = self.tree.find(id).filter(|slot| *slot != Slot::ROOT) {
                    self.destroy(slot);
                }
            }
            Request::Property { id, name, value } => {
                if let Some(slot) = self.tree.find(id) {
                    self.set_by_lua(slot, &[(name, value)]);
                }
            }
            Request::Note { id, text } => {
                if let Some(variable) = self.tree.find(id).and_then(|slot| self.tree.get_mut(slot))
                {
                    variable.note(text);
                }
            }
        }
    }

    fn create_for_lua(
        &mut self,
        id: VarId,
        parent: VarId,
        properties: &[(String, String)],
    ) -> Result<(), Failure> {
        if id.0 >= 0 || self.tree.find(id).is_some() {
            return Err(Failure::new(
                Code::DuplicateId,
                format!("{id} is no id for a new variable"),
            ));
        }
        let slot = self
            .tree
            .find(parent)
            .ok_or_else(|| Failure::new(Code::NotFound, format!("no parent variable {parent}")))?;
        let depth = self.tree.get(slot).map_or(0, |parent| parent.depth + 1);
        if depth >= self.limits.depth || self.made_by_lua >= self.limits.variables {
            return Err(Failure::new(Code::Limit, "too many variables"));
        }
        let slot = self.insert(id, Some(slot), None, WireId(id.0), false);
        self.made_by_lua += 1;
        self.set_by_lua(slot, properties);
        if self.tree.get(slot).is_some_and(|variable| !variable.told) {
            self.specify(slot);
        }
        Ok(())
    }

    /// Sets properties as Lua asks; what is refused becomes the variable's error, for the debug tree.
    fn set_by_lua(&mut self, slot: Slot, properties: &[(String, String)]) {
        let Some(variable) = self.tree.get(slot) else { return };
        let at = Ref { slot, serial: variable.serial };
        if let Err(failure) = self.set_properties(slot, properties, None)
            && let Some(variable) = self.tree.at_mut(at)
        {
            variable.note(failure.to_string());
        }
    }
}
