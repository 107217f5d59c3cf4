//! A universe with its log and all its past states, as the service has them.

use serde_json::{Value, json};
use universe_core::{
    Change, Command, Entry, Rejection, State, Universe, Way, decide, json::encode, redo, undo,
};

use crate::arbitrary::Step;

#[derive(Clone)]
pub(crate) struct World {
    pub(crate) universe: Universe,
    pub(crate) log: Vec<String>,
    /// By revision.
    states: Vec<State>,
}

/// The state that `outside` becomes; the empty one if it is refused.
pub(crate) fn begun(outside: Value) -> State {
    State::from_json(outside, 0.0, "state").unwrap_or_default()
}

/// Everything but the time, as bytes.
pub(crate) fn text(state: &State) -> String {
    let mut text = Vec::new();
    state.write_json(&mut text, 0.0);
    String::from_utf8(text).unwrap()
}

impl World {
    pub(crate) fn begin(state: State) -> Self {
        let universe = Universe::default();
        let mut world = Self { universe, log: Vec::new(), states: vec![State::default()] };
        world.happen(Change::Created { name: "any".into(), state });
        world
    }

    pub(crate) fn now(&self) -> &State {
        &self.universe.state
    }

    pub(crate) fn last(&self) -> Entry {
        serde_json::from_str(self.log.last().unwrap()).unwrap()
    }

    pub(crate) fn can_undo(&self) -> Option<u64> {
        self.universe.history.find(Way::Undo, None).ok()
    }

    pub(crate) fn can_redo(&self) -> Option<u64> {
        self.universe.history.find(Way::Redo, None).ok()
    }

    /// Whether it was applied.
    pub(crate) fn step(&mut self, step: &Step) -> bool {
        match step {
            Step::Command(command) => self.send(command).is_ok(),
            Step::Undo(which) => self.revise(Way::Undo, self.named(*which)).is_ok(),
            Step::Redo(which) => self.revise(Way::Redo, self.named(*which)).is_ok(),
        }
    }

    pub(crate) fn send(&mut self, command: &Value) -> Result<(), Rejection> {
        let events = decide(self.now(), Command::parse(command)?)?;
        self.happen(Change::Command { command: command.clone(), events });
        Ok(())
    }

    pub(crate) fn revise(&mut self, way: Way, revision: Option<u64>) -> Result<(), Rejection> {
        let of = self.universe.history.find(way, revision)?;
        let at = usize::try_from(of).unwrap();
        let (before, after) = (&self.states[at - 1], &self.states[at]);
        let command = json!({"type": way.to_string(), "revision": revision});
        self.happen(match way {
            Way::Undo => {
                Change::Undone { of, command, events: undo(self.now(), before, after, of)? }
            }
            Way::Redo => {
                Change::Redone { of, command, events: redo(self.now(), before, after, of)? }
            }
        });
        Ok(())
    }

    /// By way of the log: what is applied is what is read back.
    fn happen(&mut self, change: Change) {
        let entry = Entry::new(i64::try_from(self.log.len()).unwrap(), change);
        self.log.push(encode(&entry));
        self.universe.apply(&self.last());
        self.states.push(self.now().clone());
        assert_eq!(usize::try_from(self.universe.revision).unwrap(), self.log.len());
    }

    fn named(&self, which: Option<usize>) -> Option<u64> {
        which.map(|which| (which % self.states.len()) as u64)
    }
}
