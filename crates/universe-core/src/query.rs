//! Questions about a state.

use std::collections::HashSet;

use crate::{BodyId, GroupId, Member, State, references::References, snapshot};

impl State {
    /// Whether `body` is `centre` or circles it, directly or through others.
    pub fn circles(&self, body: &BodyId, centre: &BodyId) -> bool {
        let mut at = Some(body);
        // A forest is never deeper than it has bodies; the bound holds even for a state that is not one.
        for _ in 0..=self.bodies().len() {
            let Some(id) = at else { return false };
            if id == centre {
                return true;
            }
            at = self.bodies().get(id).and_then(|body| body.parent.as_ref());
        }
        false
    }

    /// Whether `group` is `outer` or inside it, directly or through others.
    pub fn is_inside(&self, group: &GroupId, outer: &GroupId) -> bool {
        let mut at = Some(group);
        for _ in 0..=self.groups().len() {
            let Some(id) = at else { return false };
            if id == outer {
                return true;
            }
            at = self.groups().get(id).and_then(|group| group.parent.as_ref());
        }
        false
    }

    /// Whether there is such a body or group.
    pub fn has(&self, member: &Member) -> bool {
        match member {
            Member::System(body) => self.bodies().contains(body),
            Member::Group(group) => self.groups().contains(group),
        }
    }

    /// `root` and its descendants in pre-order. Walks with a list of its own: a chain of a million moons must
    /// not end the process.
    pub fn descent(&self, root: &BodyId) -> Vec<BodyId> {
        let mut found = Vec::new();
        let mut waiting = vec![root.clone()];
        while let Some(id) = waiting.pop() {
            if let Some(body) = self.bodies().get(&id) {
                let mut children: Vec<_> = body.children.keys().cloned().collect();
                children.reverse();
                waiting.append(&mut children);
                found.push(id);
            }
        }
        found
    }
}

/// What is wrong with a state, in words; empty for every state that commands can lead to.
pub fn violations(state: &State) -> Vec<String> {
    let mut found = Vec::new();
    bodies(state, &mut found);
    groups(state, &mut found);
    if !state.time().is_finite() {
        found.push("time is not finite".to_owned());
    }
    if state.references != References::of(state) {
        found.push("the index of references is out of date".to_owned());
    }
    found
}

fn bodies(state: &State, found: &mut Vec<String>) {
    for (id, body) in state.bodies().iter() {
        let rooted = state.roots().contains(id);
        let listed =
            |parent| state.bodies().get(parent).is_some_and(|parent| parent.children.contains(id));
        match &body.parent {
            None if !rooted && !body.is_rogue() => found.push(format!("root `{id}` is not listed")),
            Some(_) if rooted => found.push(format!("`{id}` has a parent and is listed as a root")),
            Some(parent) if !listed(parent) => {
                found.push(format!("`{id}` is not a child of its parent `{parent}`"));
            }
            _ => {}
        }
        for child in body.children.keys() {
            if state.bodies().get(child).is_none_or(|child| child.parent.as_ref() != Some(id)) {
                found.push(format!("`{child}` is a child of `{id}` and has another parent"));
            }
        }
    }
    let parent_of = |id: &BodyId| state.bodies().get(id)?.parent.as_ref();
    if let Some(id) = snapshot::find_loop(state.bodies().keys(), parent_of) {
        found.push(format!("`{id}` circles itself"));
    }
    for id in state.roots().keys().filter(|id| !state.bodies().contains(id)) {
        found.push(format!("root `{id}` is not there"));
    }
}

fn groups(state: &State, found: &mut Vec<String>) {
    let mut members = HashSet::new();
    for (id, group) in state.groups().iter() {
        if group.parent.is_none() != state.root_groups().contains(id) {
            found.push(format!("group `{id}` is a root and not listed, or the reverse"));
        }
        for member in group.members.keys() {
            if !members.insert(member.clone()) {
                found.push(format!("{member:?} is in two groups"));
            }
            let fits = match member {
                Member::System(body) => state.bodies().contains(body),
                Member::Group(child) => {
                    state.groups().get(child).is_some_and(|child| child.parent.as_ref() == Some(id))
                }
            };
            if !fits {
                found.push(format!("{member:?} does not belong in group `{id}`"));
            }
        }
        if let Some(parent) = &group.parent {
            let listed = state
                .groups()
                .get(parent)
                .is_some_and(|parent| parent.members.contains(&Member::Group(id.clone())));
            if !listed {
                found.push(format!("group `{id}` is not a member of its parent `{parent}`"));
            }
        }
    }
    let parent_of = |id: &GroupId| state.groups().get(id)?.parent.as_ref();
    if let Some(id) = snapshot::find_loop(state.groups().keys(), parent_of) {
        found.push(format!("group `{id}` is inside itself"));
    }
    for id in state.root_groups().keys().filter(|id| !state.groups().contains(id)) {
        found.push(format!("root group `{id}` is not there"));
    }
}
