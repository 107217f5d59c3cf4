//! The domain as a caller sees it: JSON commands in, JSON state out.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod arbitrary;
mod commands;
mod generate;
mod laws;
mod outside;
mod world;

use serde_json::{Value, json};
use universe_core::{Command, Event, Rejection, State, decide, json::encode};

/// Sends one command; the state changes if it was accepted.
fn send(state: &mut State, command: &Value) -> Result<Vec<Event>, Rejection> {
    let events = decide(state, Command::parse(command)?)?;
    state.apply_all(&events);
    Ok(events)
}

/// The state after commands that are all accepted.
fn after(commands: &[Value]) -> State {
    let mut state = State::default();
    for command in commands {
        send(&mut state, command).unwrap_or_else(|error| panic!("{command} was refused: {error}"));
    }
    state
}

fn from_outside(state: Value) -> State {
    State::from_json(state, 0.0, "state").unwrap()
}

/// What clients see of a state.
fn shown(state: &State) -> Value {
    serde_json::from_str(&encode(state)).unwrap()
}

fn add(id: &str, parent: Option<&str>) -> Value {
    json!({"type": "addStar", "id": id, "payload": {"parentId": parent}})
}

fn ids(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect()
}
