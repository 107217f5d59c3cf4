//! A universe with its log and all its past states, as the service has them.

use serde_json::{Value, json};
use universe_core::{
    BodyId, Change, Command, DiskId, Entity, Entry, FieldId, Group, GroupId, NebulaId, Rejection,
    State, Universe, Way, decide, json::encode, redo, undo,
};

use crate::arbitrary::Step;

#[derive(Clone)]
pub(crate) struct World {
    pub(crate) universe: Universe,
    pub(crate) log: Vec<String>,
    /// By revision.
    states: Vec<State>,
}

/// The state that `outside` becomes. One that is refused, for its circles, loses its parents and becomes one all the same.
pub(crate) fn begun(mut outside: Value) -> State {
    if let Ok(state) = State::from_json(outside.clone(), 0.0, "state") {
        return state;
    }
    for part in ["stars", "groups"] {
        for entity in outside[part].as_object_mut().unwrap().values_mut() {
            entity.as_object_mut().unwrap().retain(|key, _| !key.starts_with("parent"));
        }
    }
    State::from_json(outside, 0.0, "state").unwrap()
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

    /// The change that the last line undid or redid.
    pub(crate) fn last_of(&self) -> Option<u64> {
        match self.last().change {
            Change::Undone { of, .. } | Change::Redone { of, .. } => Some(of),
            _ => None,
        }
    }

    /// Whether it was applied.
    pub(crate) fn step(&mut self, step: &Step) -> bool {
        self.try_step(step).is_ok()
    }

    pub(crate) fn try_step(&mut self, step: &Step) -> Result<(), Rejection> {
        match step {
            Step::Command(command) => self.send(command),
            Step::Aimed(command, number) => self.send(&aim(self.now(), command, *number)),
            Step::Replace(state) => {
                let state = Some(begun(state.clone()));
                self.happen(Change::Replaced { name: None, state });
                Ok(())
            }
            Step::Undo(which) => self.revise(Way::Undo, self.named(*which)),
            Step::Redo(which) => self.revise(Way::Redo, self.named(*which)),
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

/// Lets a command name things that are there.
fn aim(state: &State, command: &Value, number: usize) -> Value {
    let bodies = || state.bodies().keys().map(BodyId::as_str);
    let groups = || state.groups().keys().map(GroupId::as_str);
    let with = |key: &'static str| {
        state.bodies().iter().filter(move |(_, body)| body.fields.get(key).is_some())
    };
    let mut aimed = command.clone();
    let mut set = |key: &str, id: Option<&str>| {
        if let Some(id) = id {
            aimed[key] = id.into();
        }
    };
    match command["type"].as_str().unwrap_or_default() {
        "updateStar" | "removeStar" => set("id", nth(bodies(), number)),
        "attachStar" => {
            set("childId", nth(bodies(), number));
            set("parentId", nth(bodies(), number / 7));
        }
        "detachStar" => {
            let attached = state.bodies().iter().filter(|(_, body)| body.parent.is_some());
            set("childId", nth(attached.map(|(id, _)| id.as_str()), number));
        }
        "updateRing" => set("planetId", nth(bodies(), number)),
        "removeRing" => set("planetId", nth(with("ring").map(|(id, _)| id.as_str()), number)),
        "updateGroup" | "removeGroup" => set("id", nth(groups(), number)),
        "addToGroup" => set("groupId", nth(groups(), number)),
        "moveToGroup" => set("targetGroupId", nth(groups(), number)),
        "removeFromGroup" => {
            let members = |(group, inside): (_, &Entity<Group>)| {
                let members: Vec<_> = inside.members.keys().cloned().collect();
                members.into_iter().map(move |member| (group, member))
            };
            let pairs: Vec<_> = state.groups().iter().flat_map(members).collect();
            if let Some((group, member)) = pairs.get(number % pairs.len().max(1)) {
                set("groupId", Some(GroupId::as_str(group)));
                set("childId", Some(member.id()));
            }
        }
        "updateSmallBodyField" | "removeSmallBodyField" => {
            set("id", nth(state.small_body_fields().keys().map(FieldId::as_str), number));
        }
        "updateProtoplanetaryDisk" | "removeProtoplanetaryDisk" => {
            set("id", nth(state.disks().keys().map(DiskId::as_str), number));
        }
        "updateNebula" | "removeNebula" => {
            set("id", nth(state.nebulae().keys().map(NebulaId::as_str), number));
        }
        _ => {}
    }
    aimed
}

fn nth<'a>(ids: impl Iterator<Item = &'a str>, number: usize) -> Option<&'a str> {
    let ids: Vec<_> = ids.collect();
    ids.get(number % ids.len().max(1)).copied()
}
