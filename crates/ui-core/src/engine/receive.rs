//! What a connection asks for, message by message.

use super::Session;
use super::connection::{Item, Question};
use super::tree::{MAX_ID, Ref};
use crate::error::{Code, Failure};
use crate::ids::{ConnId, Slot, WireId};
use crate::message::{Batch, Create, Message, Update};
use crate::path::Ending;
use crate::props::Access;
use crate::value::Value;
use crate::world::{Source, World, Write};

impl Session {
    /// Does what a batch asks, in order; each message stands alone. Answers and errors come out of the next
    /// [`Session::settle`]. A connection that is gone is not heard.
    pub fn receive(&mut self, world: &mut dyn World, conn: ConnId, batch: Batch) {
        for message in batch.messages {
            if !self.connections.contains_key(&conn) {
                return;
            }
            match message {
                Ok(message) => self.receive_one(world, conn, message),
                Err(bad) => self.complain(conn, bad.var_id, &Failure::new(bad.code, bad.text)),
            }
        }
    }

    fn receive_one(&mut self, world: &mut dyn World, conn: ConnId, message: Message) {
        let (wire, done) = match message {
            Message::Create(create) => (create.id, self.create(world, conn, create)),
            Message::Update(update) => (update.var_id, self.update(world, conn, update)),
            Message::Watch(target) => {
                let found = self.expect(conn, target.var_id);
                (target.var_id, found.map(|slot| self.watch(slot, conn)))
            }
            Message::Unwatch(target) => {
                let found = self.expect(conn, target.var_id);
                (target.var_id, found.map(|slot| self.unwatch(slot, conn)))
            }
            Message::Destroy(target) => (target.var_id, self.destroy_own(conn, target.var_id)),
            Message::Error(error) => {
                self.reports.push((conn, error));
                return;
            }
            Message::Get(get) => return self.ask(conn, Question::Variables(get.var_ids)),
            Message::GetObjects(get) => return self.ask(conn, Question::Objects(get.obj_ids)),
            Message::Got(_) | Message::GotObjects(_) => {
                (WireId::NONE, Err(Failure::new(Code::BadMessage, "an answer to nothing")))
            }
        };
        if let Err(failure) = done {
            self.complain(conn, wire, &failure);
        }
    }

    fn create(
        &mut self,
        world: &mut dyn World,
        conn: ConnId,
        create: Create,
    ) -> Result<(), Failure> {
        let parent = self.check_create(conn, &create)?;
        let id = self.tree.vend_id(create.id);
        let slot = self.insert(id, parent, Some(conn), create.id, create.unbound);
        if let Some(connection) = self.connections.get_mut(&conn) {
            connection.ids.insert(create.id, slot);
        }
        let set = self.set_properties(slot, &create.properties.0, Some(conn));
        if self.tree.get(slot).is_some_and(|variable| !variable.told) {
            self.specify(slot);
        }
        if !create.nowatch {
            self.add_watcher(slot, conn);
        }
        match create.value {
            // Clients that always send the field mean nothing by null.
            Some(value) if !value.is_null() => set.and(self.write(world, conn, slot, value)),
            _ => set,
        }
    }

    /// The parent of what is to be made, if it may be made.
    fn check_create(&self, conn: ConnId, create: &Create) -> Result<Option<Slot>, Failure> {
        let fail = |code, text: String| Err(Failure::new(code, text));
        let id = create.id;
        if self.resolve(conn, id).is_some() {
            return fail(Code::DuplicateId, format!("variable {id} is there already"));
        }
        if !(2..=MAX_ID).contains(&id.0) {
            return fail(
                Code::BadMessage,
                format!("{id} is no id for a new variable: count from 2"),
            );
        }
        let own = self.connections.get(&conn).map_or(0, |connection| connection.ids.len());
        if own >= self.limits.variables {
            return fail(Code::Limit, format!("a connection has at most {own} variables"));
        }
        if create.parent_id == WireId::NONE {
            return Ok(None);
        }
        let Some(parent) = self.resolve(conn, create.parent_id) else {
            return fail(Code::NotFound, format!("no parent variable {}", create.parent_id));
        };
        if self.tree.get(parent).is_some_and(|parent| parent.depth + 1 >= self.limits.depth) {
            let most = self.limits.depth;
            return fail(Code::Limit, format!("variables stand at most {most} above one another"));
        }
        Ok(Some(parent))
    }

    fn update(
        &mut self,
        world: &mut dyn World,
        conn: ConnId,
        update: Update,
    ) -> Result<(), Failure> {
        let slot = self.expect(conn, update.var_id)?;
        let set = self.set_properties(slot, &update.properties.0, Some(conn));
        match update.value {
            Some(value) => set.and(self.write(world, conn, slot, value)),
            None => set,
        }
    }

    /// Writes a value, and remembers that its writer need not be told.
    fn write(
        &mut self,
        world: &mut dyn World,
        conn: ConnId,
        slot: Slot,
        value: Value,
    ) -> Result<(), Failure> {
        let Some(variable) = self.tree.get(slot) else { return Ok(()) };
        let at = Ref { slot, serial: variable.serial };
        let done = match self.way_to_write(slot, &value) {
            Ok(write) => {
                self.flush(world);
                world.write(slot, write)
            }
            Err(failure) => Err(failure),
        };
        self.take_requests(world);
        let turn = self.turn;
        // What was called may have destroyed the variable.
        let Some(variable) = self.tree.at_mut(at) else { return done };
        if let Err(failure) = done {
            if variable.placed.source != Source::None {
                variable.fault = Some(Box::new(failure.clone()));
                variable.fault_turn = turn;
            }
            return Err(failure);
        }
        let mended = variable.fault.take().is_some();
        if variable.is_read() {
            variable.written = Some(Box::new(value));
            self.written.push(at);
        }
        // The browser shows an error until it hears of the variable again.
        if mended
            && let (Some(variable), Some(connection)) =
                (self.tree.at(at), self.connections.get_mut(&conn))
        {
            connection.tell(variable, Item::Value);
        }
        Ok(())
    }

    fn way_to_write<'a>(&self, slot: Slot, value: &'a Value) -> Result<Write<'a>, Failure> {
        let refused = |text: String| Err(Failure::new(Code::BadAccess, text));
        let Some(variable) = self.tree.get(slot) else { return Ok(Write::Call) };
        if variable.owner.is_none() {
            return refused(format!("variable {} is not a browser's to write", variable.id()));
        }
        let access = variable.placed.access;
        let path = match &variable.placed.source {
            Source::None => {
                let fault = variable.fault.as_deref();
                return Err(fault.cloned().unwrap_or_else(|| {
                    Failure::new(Code::BadPath, "the variable has no usable path")
                }));
            }
            Source::Held if access.writes() => return Ok(Write::Assign(value)),
            Source::Held => return refused("access `r` does not write".to_owned()),
            Source::Path(path) => path,
        };
        match path.ending() {
            _ if !access.writes() => {
                refused(format!("`{path}` has access `r`, which does not write"))
            }
            Ending::Fixed => refused(format!("`{path}` names no field to write")),
            Ending::Place => Ok(Write::Assign(value)),
            Ending::Call if access == Access::Action => Ok(Write::Call),
            Ending::Call | Ending::CallWith => Ok(Write::CallWith(value)),
        }
    }

    fn destroy_own(&mut self, conn: ConnId, wire: WireId) -> Result<(), Failure> {
        let slot = self.expect(conn, wire)?;
        if self.tree.get(slot).is_some_and(|variable| variable.owner.is_none()) {
            let text = format!("variable {wire} is not a browser's to destroy");
            return Err(Failure::new(Code::BadAccess, text));
        }
        self.destroy(slot);
        Ok(())
    }

    fn ask(&mut self, conn: ConnId, question: Question) {
        if let Some(connection) = self.connections.get_mut(&conn) {
            connection.questions.push(question);
        }
    }

    fn expect(&self, conn: ConnId, wire: WireId) -> Result<Slot, Failure> {
        self.resolve(conn, wire)
            .ok_or_else(|| Failure::new(Code::NotFound, format!("no variable {wire}")))
    }

    fn complain(&mut self, conn: ConnId, wire: WireId, failure: &Failure) {
        if let Some(connection) = self.connections.get_mut(&conn) {
            connection.complain(wire, failure);
        }
    }
}
