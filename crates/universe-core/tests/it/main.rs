//! The domain as a caller sees it: JSON commands in, JSON state out.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod arbitrary;
mod around;
mod commands;
mod costs;
mod deep;
mod generate;
mod groups;
mod laws;
mod outside;
mod revision;
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

/// What is said to a command that a rule refuses; nothing changes.
fn refused(state: &State, command: &Value) -> String {
    let mut copy = state.clone();
    match send(&mut copy, command) {
        Err(Rejection::Refused(refusal)) => {
            assert_eq!(&copy, state, "a refused command changed the state");
            assert!(!refusal.hint().is_empty());
            refusal.to_string()
        }
        other => panic!("{command} was not refused: {other:?}"),
    }
}

/// What is said to a command with values that it cannot have.
fn mistake(command: &Value) -> String {
    match send(&mut State::default(), command) {
        Err(Rejection::Invalid(invalid)) => invalid.to_string(),
        other => panic!("{command} is not invalid: {other:?}"),
    }
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
