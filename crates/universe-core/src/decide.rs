//! What follows from a command.

use std::collections::HashSet;

use serde_json::Value;

use crate::{
    BodyId, Command, Event, Fields, Invalid, Membership, Refusal, Rejection, Removal, State,
    command::NewParent, references::Referrer,
};

/// Decides what follows from `command`. Reads the state, changes nothing. What is decided always applies.
pub fn decide(state: &State, command: Command) -> Result<Vec<Event>, Rejection> {
    match command {
        Command::Tick { dt } => tick(state, dt),
        Command::AddStar { id, parent, fields } => add_star(state, id, parent, fields),
        Command::UpdateStar { id, fields, parent } => update_star(state, id, fields, parent),
        Command::RemoveStar { id } => remove_star(state, id),
        Command::NotSupported { name, command } => {
            Err(Refusal::NotSupported { name, command }.into())
        }
        Command::Unknown { name, command } => Err(Refusal::UnknownCommand { name, command }.into()),
    }
}

fn tick(state: &State, dt: f64) -> Result<Vec<Event>, Rejection> {
    let time = state.time() + dt;
    if !time.is_finite() {
        let message = format!("must keep time finite; it is {:e} now", state.time());
        return Err(Invalid::new("dt", message).into());
    }
    Ok(vec![Event::Ticked { time }])
}

fn add_star(
    state: &State,
    id: BodyId,
    parent: Option<BodyId>,
    fields: Fields,
) -> Result<Vec<Event>, Rejection> {
    if state.bodies().contains(&id) {
        return Err(Refusal::DuplicateStar { id }.into());
    }
    match parent {
        Some(parent) if !state.bodies().contains(&parent) => {
            Err(Refusal::ParentNotFound { id, parent }.into())
        }
        parent => Ok(vec![Event::StarAdded { id, parent, fields }]),
    }
}

fn update_star(
    state: &State,
    id: BodyId,
    fields: Fields,
    parent: NewParent,
) -> Result<Vec<Event>, Rejection> {
    let Some(body) = state.bodies().get(&id) else {
        return Err(Refusal::StarNotFound { id }.into());
    };
    let moved = match parent {
        NewParent::Body(parent) if body.parent.as_ref() != Some(&parent) => {
            Some(attach(state, id.clone(), parent)?)
        }
        NewParent::Root if body.parent.is_some() => Some(detach(id.clone(), &fields)),
        _ => None,
    };
    Ok([Event::StarUpdated { id, fields }].into_iter().chain(moved).collect())
}

fn attach(state: &State, child: BodyId, parent: BodyId) -> Result<Event, Refusal> {
    if !state.bodies().contains(&parent) {
        return Err(Refusal::AttachNotFound { child, parent });
    }
    if state.circles(&parent, &child) {
        return Err(Refusal::AttachCycle { child, parent });
    }
    Ok(Event::StarAttached { child, parent })
}

/// A body without a parent sits at its container's origin, unless the same command says otherwise.
fn detach(child: BodyId, fields: &Fields) -> Event {
    let named = fields.get("orbitalDistance").and_then(Value::as_f64);
    Event::StarDetached { child, orbital_distance: named.unwrap_or(0.0) }
}

/// Takes the body, its descendants, and whatever makes no sense without them: markers of a pair that lost a
/// body (with their own descendants), belts and disks around one, memberships.
fn remove_star(state: &State, id: BodyId) -> Result<Vec<Event>, Rejection> {
    if !state.bodies().contains(&id) {
        return Err(Refusal::StarNotFound { id }.into());
    }
    let mut removal = Removal {
        bodies: Vec::new(),
        small_body_fields: Vec::new(),
        disks: Vec::new(),
        memberships: Vec::new(),
        unhosted: Vec::new(),
        id: id.clone(),
    };
    let mut gone = HashSet::new();
    take_tree(state, &id, &mut gone, &mut removal.bodies);
    // The list grows while markers are found, and markers of markers are found in turn.
    let mut next = 0;
    while let Some(body) = removal.bodies.get(next).cloned() {
        next += 1;
        for referrer in state.references.to(&body) {
            match referrer {
                Referrer::Marker(marker) => {
                    take_tree(state, marker, &mut gone, &mut removal.bodies);
                }
                Referrer::Companion(companion) => removal.unhosted.push(companion.clone()),
                Referrer::Field(field) => removal.small_body_fields.push(field.clone()),
                Referrer::Disk(disk) => removal.disks.push(disk.clone()),
                Referrer::Group(group) => removal
                    .memberships
                    .push(Membership { group_id: group.clone(), system_id: body.clone() }),
            }
        }
    }
    removal.unhosted.retain(|companion| !gone.contains(companion));
    drop_repeated(&mut removal.small_body_fields);
    drop_repeated(&mut removal.disks);
    Ok(vec![Event::StarRemoved(removal)])
}

/// Appends `root` and its descendants in pre-order, without those that are gone already.
fn take_tree(state: &State, root: &BodyId, gone: &mut HashSet<BodyId>, bodies: &mut Vec<BodyId>) {
    for id in state.descent(root) {
        if gone.insert(id.clone()) {
            bodies.push(id);
        }
    }
}

/// A belt may name one body twice, as its host and as its system.
fn drop_repeated<T: Clone + Eq + std::hash::Hash>(items: &mut Vec<T>) {
    let mut seen = HashSet::new();
    items.retain(|item| seen.insert(item.clone()));
}
