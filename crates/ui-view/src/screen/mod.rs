//! What the person sees, as text.
//!
//! A [`Screen`] is one more client of a session. It speaks the messages that a page speaks: it watches variable 1, takes the view
//! definitions, makes a variable for each binding, and knows from the answers what a page would show. So it works against
//! anything that speaks the protocol, and needs no browser. [`look`] does it all in one call; otherwise hand each answer to
//! [`Screen::receive`] and send what it gives, until it gives nothing more. Then [`Screen::shown`] is the text.
//!
//! ```text
//! # Contacts
//! [Search: an]
//! - Ann Lee (Edit) (Delete)
//! - Hans Maier {.selected} (Edit) (Delete)
//! [x] Only active
//! (Add){disabled}
//! ```
//!
//! It is bounded: so many variables, views so deep, so many rows of a list, a text so long. What is left out is said.

mod controls;
mod flow;
mod grow;
mod live;
mod write;

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Serialize;
use ui_core::message::{ErrorMessage, Target, Update};
use ui_core::props::names;
use ui_core::{Message, Value, WireId};

use crate::html::{Node, parse};
use live::View;

/// How much is shown, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScreenOptions {
    pub refs: Refs,
    /// Shows what is hidden, too, marked `{hidden}`.
    pub hidden: bool,
    /// Variables that are made at most.
    pub variables: usize,
    /// Rows of a list that are looked at.
    pub rows: usize,
    /// Views inside views.
    pub depth: usize,
    /// Bytes of text.
    pub bytes: usize,
}

impl Default for ScreenOptions {
    fn default() -> Self {
        Self {
            refs: Refs::None,
            hidden: false,
            variables: 5_000,
            rows: 200,
            depth: 32,
            bytes: 64 * 1024,
        }
    }
}

/// What is written after a field or button, for referring to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refs {
    None,
    /// `@contacts.0.name`: its path from the application object.
    Paths,
    /// `#12`: the id of its variable, on this connection.
    Ids,
}

/// A screen as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shown {
    pub text: String,
    /// The fields and buttons in it, in their order.
    pub controls: Vec<Control>,
    /// Whether something was left out for its size.
    pub cut: bool,
}

/// A field or button that a person could use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Control {
    pub kind: ControlKind,
    pub label: String,
    /// Its path from the application object.
    pub path: String,
    /// Its variable, on this connection.
    pub id: WireId,
    pub disabled: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ControlKind {
    /// Takes a value.
    Field,
    /// Is pressed.
    Button,
}

/// A session seen from outside. See the [module](self).
#[derive(Debug)]
pub struct Screen {
    options: ScreenOptions,
    next_id: i64,
    variables: BTreeMap<WireId, Variable>,
    definitions: BTreeMap<String, Rc<[Node]>>,
    root: View,
    /// Errors that belong to no variable.
    errors: Vec<String>,
    outgoing: Vec<Message>,
    /// Some view or row was not made, for a limit.
    cut: bool,
}

/// What is known of a variable.
#[derive(Debug, Default)]
struct Variable {
    value: Value,
    properties: BTreeMap<String, String>,
    error: Option<String>,
    /// Its path from the application object, as far as steps tell.
    path: String,
}

impl Variable {
    fn property(&self, name: &str) -> Option<&str> {
        self.properties.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }
}

/// Looks at a session once. `send` hands messages to it as a connection of its own and returns what it answers.
///
/// Each level of views is one call of `send`, so that a page of five levels takes six.
pub fn look<E>(
    options: ScreenOptions,
    mut send: impl FnMut(Vec<Message>) -> Result<Vec<Message>, E>,
) -> Result<Shown, E> {
    let mut screen = Screen::new(options);
    let mut outgoing = screen.start();
    while !outgoing.is_empty() {
        let answer = send(outgoing)?;
        outgoing = screen.receive(answer);
    }
    Ok(screen.shown())
}

impl Screen {
    pub fn new(options: ScreenOptions) -> Self {
        Self {
            options,
            next_id: 2,
            variables: BTreeMap::from([(WireId::ROOT, Variable::default())]),
            definitions: BTreeMap::new(),
            root: View::new(WireId::ROOT),
            errors: Vec::new(),
            outgoing: Vec::new(),
            cut: false,
        }
    }

    /// What to send first.
    #[must_use]
    pub fn start(&mut self) -> Vec<Message> {
        vec![Message::Watch(Target { var_id: WireId::ROOT })]
    }

    /// Takes what the server sent, answer or news, and gives what is to be sent next.
    #[must_use]
    pub fn receive(&mut self, messages: impl IntoIterator<Item = Message>) -> Vec<Message> {
        for message in messages {
            match message {
                Message::Update(update) => self.update(update),
                Message::Error(error) => self.error(&error),
                Message::Destroy(Target { var_id }) => {
                    self.variables.remove(&var_id);
                }
                // Answers to what is never asked here, and what only clients send.
                _ => {}
            }
        }
        self.grow();
        std::mem::take(&mut self.outgoing)
    }

    /// The screen as it is known now.
    pub fn shown(&self) -> Shown {
        write::write(self)
    }

    /// Presses a button: what to send, as the act of a person.
    pub fn press(&self, control: &Control) -> Message {
        Message::Update(Update {
            var_id: control.id,
            value: Some(Value::Null),
            ..Update::default()
        })
    }

    /// Enters a value into a field: what to send, as the act of a person. It is shown at once, since nobody sends it back.
    pub fn enter(&mut self, control: &Control, value: Value) -> Message {
        if let Some(variable) = self.variables.get_mut(&control.id) {
            variable.value = value.clone();
        }
        Message::Update(Update { var_id: control.id, value: Some(value), ..Update::default() })
    }

    fn update(&mut self, update: Update) {
        if update.asks_again() {
            self.outgoing.push(Message::Watch(Target { var_id: update.var_id }));
            return;
        }
        for (name, value) in &update.properties.0 {
            if update.var_id == WireId::ROOT && name == names::VIEWDEFS {
                self.define(value);
            }
        }
        let Some(variable) = self.variables.get_mut(&update.var_id) else { return };
        variable.error = None;
        if let Some(value) = update.value {
            variable.value = value;
        }
        for (name, value) in update.properties.0 {
            if name != names::VIEWDEFS {
                variable.properties.insert(name, value);
            }
        }
    }

    /// View definitions: JSON text of an object of key and HTML.
    fn define(&mut self, json: &str) {
        let Ok(definitions) = serde_json::from_str::<BTreeMap<String, String>>(json) else {
            self.errors.push("the server sent view definitions that cannot be read".to_owned());
            return;
        };
        for (key, html) in definitions {
            self.root.forget(&key);
            self.definitions.insert(key, parse(&html).nodes.into());
        }
    }

    fn error(&mut self, error: &ErrorMessage) {
        let text = format!("{}: {}", error.code, error.description);
        match self.variables.get_mut(&error.var_id) {
            Some(variable) => variable.error = Some(text),
            None => self.errors.push(text),
        }
    }
}

#[cfg(test)]
mod tests;
