//! Writing a frame: sorted, joined, and straight into text.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::Arc;

use serde::Serialize;

use super::connection::{Complaint, Connection, Event, Item, Question};
use super::listing::ListedProperties;
use super::tree::Tree;
use super::variable::{Name, Variable};
use crate::error::Code;
use crate::ids::{ObjId, WireId};
use crate::viewdef::{Key, Viewdefs};
use crate::world::World;

/// One text frame for the socket of a connection: a message, or an array of them; and a list of what is in it, for
/// [`Session::dropped`](super::Session::dropped).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Frame {
    /// What to send.
    pub text: String,
    /// Variables that it tells of.
    pub(super) updated: Vec<WireId>,
    /// Variables that it says are gone.
    pub(super) destroyed: Vec<WireId>,
    /// Variables whose errors it tells.
    pub(super) complained: Vec<WireId>,
    /// Definitions that it brings.
    pub(super) viewdefs: Vec<Key>,
}

impl Connection {
    /// The next frame, in the order of the protocol: view definitions; what is gone; updates by priority, parents before
    /// children, by id; errors; answers. None if nothing is left to say.
    pub(super) fn frame(
        &mut self,
        tree: &Tree,
        world: &mut dyn World,
        viewdefs: &mut dyn Viewdefs,
    ) -> Option<Frame> {
        let mut events = std::mem::take(&mut self.events);
        events.retain(|event| tree.at(event.at).is_some());
        events.sort_by_key(|event| event.order);
        for variable in events.iter().filter_map(|event| tree.at(event.at)) {
            if let Some(type_name) = &variable.type_name {
                self.views.meet(type_name, viewdefs);
            }
        }
        for event in events.iter().filter(|event| matches!(event.item, Item::All)) {
            self.repeat_error(tree, event);
        }
        let mut writer = Writer::default();
        writer.viewdefs(self.views.take_due());
        for wire in std::mem::take(&mut self.lost) {
            // The browser may have made another with the same number, which is not the one that went.
            if self.find(tree, wire).is_none() {
                writer.destroy(wire);
            }
        }
        for wire in self.destroyed.drain(..) {
            writer.destroy(wire);
        }
        for told in events.chunk_by(|a, b| a.order == b.order) {
            if let Some(variable) = tree.at(told[0].at) {
                writer.update(variable, told);
            }
        }
        for complaint in self.errors.drain(..) {
            writer.error(&complaint);
        }
        for question in std::mem::take(&mut self.questions) {
            match question {
                Question::Variables(wires) => self.answer_variables(&mut writer, tree, &wires),
                Question::Objects(ids) => answer_objects(&mut writer, world, &ids),
            }
        }
        events.clear();
        self.events = events;
        writer.finish()
    }

    /// Whoever asks for a variable hears what is wrong with it too: a browser takes an update for the end of an error.
    fn repeat_error(&mut self, tree: &Tree, event: &Event) {
        let Some(variable) = tree.at(event.at) else { return };
        let told = self.errors.iter().any(|complaint| complaint.wire == variable.wire);
        if let Some(failure) = variable.error().filter(|_| !told) {
            self.complain(variable.wire, failure);
        }
    }

    fn answer_variables(&self, writer: &mut Writer, tree: &Tree, wires: &[WireId]) {
        writer.begin("get");
        writer.put("\"variables\":[");
        let mut missing = Vec::new();
        let mut first = true;
        for wire in wires {
            let Some(variable) = self.find(tree, *wire) else {
                missing.push(*wire);
                continue;
            };
            writer.comma(&mut first);
            writer.raw(format_args!("{{\"id\":{wire},\"value\":"));
            writer.json(&variable.value);
            writer.put(",\"properties\":");
            writer.json(&ListedProperties::new(variable));
            writer.put("}");
        }
        writer.put("]");
        writer.end();
        for wire in missing {
            let text = format!("no variable {wire}").into();
            writer.error(&Complaint { wire, code: Code::NotFound, text });
        }
    }

    fn find<'a>(&self, tree: &'a Tree, wire: WireId) -> Option<&'a Variable> {
        tree.get(self.slot_of(tree, wire)?)
    }
}

fn answer_objects(writer: &mut Writer, world: &mut dyn World, ids: &[ObjId]) {
    writer.begin("getObjects");
    writer.put("\"objects\":[");
    let mut missing = Vec::new();
    let mut first = true;
    for id in ids {
        let Some(value) = world.object(*id) else {
            missing.push(*id);
            continue;
        };
        writer.comma(&mut first);
        writer.raw(format_args!("{{\"obj\":{id},\"value\":"));
        writer.json(&value);
        writer.put("}");
    }
    writer.put("]");
    writer.end();
    for id in missing {
        let text = format!("no object {id}").into();
        writer.error(&Complaint { wire: WireId::NONE, code: Code::NotFound, text });
    }
}

/// Messages, one after the other.
#[derive(Default)]
struct Writer {
    /// JSON. Begins with a bracket, which is taken off again if there is but one message.
    bytes: Vec<u8>,
    messages: usize,
    frame: Frame,
}

impl Writer {
    fn begin(&mut self, kind: &str) {
        self.put(if self.messages == 0 { "[" } else { "," });
        self.messages += 1;
        self.raw(format_args!("{{\"type\":\"{kind}\",\"data\":{{"));
    }

    fn end(&mut self) {
        self.put("}}");
    }

    fn viewdefs(&mut self, due: BTreeMap<Key, Arc<str>>) {
        if due.is_empty() {
            return;
        }
        // JSON text within JSON text.
        let mut inner = Self::default();
        let mut first = true;
        inner.put("{");
        for (key, html) in &due {
            inner.comma(&mut first);
            inner.json(key.as_str());
            inner.put(":");
            inner.json(&**html);
        }
        inner.put("}");
        self.begin("update");
        self.put("\"varId\":1,\"properties\":{\"viewdefs\":");
        self.json(&*String::from_utf8_lossy(&inner.bytes));
        self.put("}");
        self.end();
        self.frame.viewdefs = due.into_keys().collect();
    }

    fn destroy(&mut self, wire: WireId) {
        self.begin("destroy");
        self.raw(format_args!("\"varId\":{wire}"));
        self.end();
        self.frame.destroyed.push(wire);
    }

    /// One update from all that is told of a variable at one priority.
    fn update(&mut self, variable: &Variable, told: &[Event]) {
        let any = |wanted: fn(&Item) -> bool| told.iter().any(|event| wanted(&event.item));
        self.begin("update");
        self.raw(format_args!("\"varId\":{}", variable.wire));
        self.frame.updated.push(variable.wire);
        // Whoever asks again gets everything then.
        if !any(|item| matches!(item, Item::Again)) {
            let all = any(|item| matches!(item, Item::All));
            if all || any(|item| matches!(item, Item::Value)) {
                self.put(",\"value\":");
                self.json(&variable.value);
            }
            if all {
                self.all_properties(variable);
            } else {
                self.changed_properties(variable, told);
            }
        }
        self.end();
    }

    fn all_properties(&mut self, variable: &Variable) {
        if variable.type_name.is_some() || variable.props.len() > 0 {
            self.put(",\"properties\":");
            self.json(&ListedProperties::new(variable));
        }
    }

    fn changed_properties(&mut self, variable: &Variable, told: &[Event]) {
        let mut first = true;
        let mut open = |writer: &mut Self| {
            writer.put(if first { ",\"properties\":{" } else { "," });
            first = false;
        };
        if told.iter().any(|event| matches!(event.item, Item::Type)) {
            open(self);
            self.property("type", variable.type_name.as_deref().unwrap_or_default());
        }
        let name_of = |event: &Event| match &event.item {
            Item::Prop(name) => Some(name.clone()),
            _ => None,
        };
        for (at, event) in told.iter().enumerate() {
            let Some(name) = name_of(event) else { continue };
            let same = |other: Name| other.as_str() == name.as_str();
            if told[..at].iter().filter_map(name_of).any(same) {
                continue;
            }
            open(self);
            let value = variable.props.get(name.as_str());
            self.property(name.as_str(), value.map_or("", |value| value));
        }
        if !first {
            self.put("}");
        }
    }

    fn property(&mut self, name: &str, value: &str) {
        self.json(name);
        self.put(":");
        self.json(value);
    }

    fn error(&mut self, complaint: &Complaint) {
        self.begin("error");
        self.raw(format_args!("\"varId\":{},\"code\":\"{}\"", complaint.wire, complaint.code));
        self.put(",\"description\":");
        self.json(&*complaint.text);
        self.end();
        if complaint.wire != WireId::NONE {
            self.frame.complained.push(complaint.wire);
        }
    }

    fn comma(&mut self, first: &mut bool) {
        if !std::mem::take(first) {
            self.put(",");
        }
    }

    fn put(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn raw(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to memory does not fail.
        self.bytes.write_fmt(text).unwrap_or_default();
    }

    fn json<T: Serialize + ?Sized>(&mut self, value: &T) {
        // Nor does this: all that is written here has a form in JSON.
        serde_json::to_writer(&mut self.bytes, value).unwrap_or_default();
    }

    fn finish(mut self) -> Option<Frame> {
        match self.messages {
            0 => return None,
            1 => {
                self.bytes.remove(0);
            }
            _ => self.put("]"),
        }
        self.frame.text = String::from_utf8(self.bytes).ok()?;
        Some(self.frame)
    }
}
