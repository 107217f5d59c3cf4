//! Properties, and what follows from them for reading a variable.

use std::sync::Arc;

use super::connection::Item;
use super::variable::{Name, Variable};
use super::{Session, set};
use crate::error::{Code, Failure};
use crate::ids::{ConnId, Slot};
use crate::props::{Access, Priority, names};
use crate::world::{Change, Placed, Source};

/// Those that decide how a variable is read.
const DECISIVE: [&str; 8] = [
    names::PATH,
    names::ACCESS,
    names::WRAPPER,
    names::ITEM_WRAPPER,
    names::ITEM,
    names::CREATE,
    names::PRIORITY,
    names::INACTIVE,
];

impl Session {
    /// Sets properties as `by` asks, or Lua, and tells those who watch, but not who asked. What the server sets (`type`,
    /// `viewdefs`) is passed over. Gives the first thing that was refused; the others are set.
    pub(super) fn set_properties(
        &mut self,
        slot: Slot,
        properties: &[(String, String)],
        by: Option<ConnId>,
    ) -> Result<(), Failure> {
        let mut result = Ok(());
        let mut decisive = false;
        for (raw, value) in properties {
            let (name, priority) = Priority::split(raw);
            let set = self.set_property(slot, name, value, priority, by);
            if name == names::PATH && set.is_ok() {
                decisive |= self.set_params(slot, value, properties, by);
            }
            decisive |= DECISIVE.contains(&name) && set.is_ok();
            result = result.and(set);
        }
        if decisive {
            self.specify(slot);
        }
        result
    }

    /// Works out how a variable is read, and tells the world if that is news.
    pub(super) fn specify(&mut self, slot: Slot) {
        let Some(variable) = self.tree.get(slot) else { return };
        let path = variable.props.get(names::PATH).map(Arc::clone);
        let (placed, fault) = match self.source(slot, path.as_ref()) {
            Ok((source, access)) => (self.placed(slot, source, access), None),
            Err(failure) => (self.placed(slot, Source::None, Access::default()), Some(failure)),
        };
        let turn = self.turn;
        let (Some(placed), Some(variable)) = (placed, self.tree.get_mut(slot)) else { return };
        if variable.placed.source == Source::None && fault.is_none() {
            variable.fault = None;
        }
        let news = !variable.told || variable.placed != placed;
        let wrapped = placed.wrapper.is_some()
            && (!variable.told || placed.wrapper != variable.placed.wrapper);
        if news {
            variable.told = true;
            // Whoever watches it is told what it is now, even if that is what it was.
            variable.read = false;
            variable.placed = placed.clone();
            self.changes.push(Change::Place(placed));
        }
        if wrapped {
            self.changes.extend(variable.props.iter().map(|prop| Change::Property {
                slot,
                name: prop.name.to_arc(),
                value: Arc::clone(&prop.value),
            }));
        }
        if let Some(failure) = fault {
            variable.fault_turn = turn;
            variable.fault = Some(Box::new(failure.clone()));
            if let Some(connection) =
                variable.owner.and_then(|owner| self.connections.get_mut(&owner))
            {
                connection.complain(variable.wire, &failure);
            }
        }
        self.refresh_live(slot);
    }

    fn set_property(
        &mut self,
        slot: Slot,
        name: &str,
        value: &str,
        priority: Option<Priority>,
        by: Option<ConnId>,
    ) -> Result<(), Failure> {
        if name == names::TYPE || name == names::VIEWDEFS {
            return Ok(());
        }
        let most = self.limits.properties;
        let Some(variable) = self.tree.get_mut(slot) else { return Ok(()) };
        if by.is_some() && variable.owner.is_none() && DECISIVE.contains(&name) {
            let text = format!("`{name}` of variable {} is not a browser's to set", variable.id());
            return Err(Failure::new(Code::BadAccess, text));
        }
        if name.is_empty() {
            return Err(Failure::new(Code::BadMessage, "a property without a name"));
        }
        if variable.props.len() >= most && variable.props.get(name).is_none() && !value.is_empty() {
            let text = format!("a variable has at most {most} properties");
            return Err(Failure::new(Code::Limit, text));
        }
        let Some((name, priority)) = variable.props.set(name, value, priority) else {
            return Ok(());
        };
        self.property_changed(slot, name, value, priority, by);
        Ok(())
    }

    fn property_changed(
        &mut self,
        slot: Slot,
        name: Name,
        value: &str,
        priority: Priority,
        by: Option<ConnId>,
    ) {
        if self.tree.get(slot).is_some_and(|variable| variable.placed.wrapper.is_some()) {
            let (name, value) = (name.to_arc(), value.into());
            self.changes.push(Change::Property { slot, name, value });
        }
        self.tell_watchers(slot, &Item::Prop(name), priority, by);
    }

    /// What a path says after `?` are properties too, unless the same message sets them. Says whether any is decisive.
    fn set_params(
        &mut self,
        slot: Slot,
        path: &str,
        properties: &[(String, String)],
        by: Option<ConnId>,
    ) -> bool {
        // Most have none, and a path that cannot be parsed is complained of when the variable is specified.
        if !path.contains('?') {
            return false;
        }
        let Ok(path) = self.paths.get(&Arc::from(path)) else { return false };
        let mut decisive = false;
        for param in path.params() {
            let said = |(name, _): &(String, String)| Priority::split(name).0 == &*param.key;
            if &*param.key != names::PATH && !properties.iter().any(said) {
                // A parameter past the limit is dropped; the limit says so when a message asks for it.
                let set = self.set_property(slot, &param.key, &param.value, None, by);
                decisive |= set.is_ok() && DECISIVE.contains(&&*param.key);
            }
        }
        decisive
    }

    /// Where the value comes from, and what may be done with it.
    fn source(&mut self, slot: Slot, path: Option<&Arc<str>>) -> Result<(Source, Access), Failure> {
        let Some(variable) = self.tree.get(slot) else { return Ok((Source::None, Access::Read)) };
        let access = variable.props.get(names::ACCESS).map_or("", |access| access);
        let access = Access::parse(access)?;
        check_priority(variable)?;
        match path {
            Some(path) if variable.owner.is_some() && !variable.unbound => {
                let path = self.paths.get(path).map_err(|bad| {
                    Failure::new(Code::BadPath, format!("`{path}` is no path: {bad}"))
                })?;
                access.check(&path)?;
                Ok((Source::Path(path), access))
            }
            _ => Ok((Source::Held, access)),
        }
    }

    fn placed(&self, slot: Slot, source: Source, access: Access) -> Option<Placed> {
        let variable = self.tree.get(slot)?;
        let props = &variable.props;
        let priority = props.get(names::PRIORITY).and_then(|text| Priority::parse(text));
        Some(Placed {
            slot,
            id: variable.id(),
            parent: variable.placed.parent,
            source,
            access,
            priority: priority.unwrap_or_default(),
            wrapper: set(props.get(names::WRAPPER)),
            item_wrapper: set(props.get(names::ITEM_WRAPPER).or_else(|| props.get(names::ITEM))),
            create: set(props.get(names::CREATE)),
        })
    }
}

fn check_priority(variable: &Variable) -> Result<(), Failure> {
    let Some(text) = variable.props.get(names::PRIORITY) else { return Ok(()) };
    match Priority::parse(text) {
        Some(_) => Ok(()),
        None => Err(Failure::new(
            Code::BadMessage,
            format!("no priority `{text}`: `high`, `medium` and `low` are known"),
        )),
    }
}
