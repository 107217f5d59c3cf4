//! Bodies and their rings.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::{
    BodyId, Event, Fields, Invalid, Membership, Refusal, Rejection, Removal, State, command::Named,
    references::Referrer,
};

pub(super) fn tick(state: &State, dt: f64) -> Result<Vec<Event>, Rejection> {
    let time = state.time() + dt;
    if !time.is_finite() {
        let message = format!("must keep time finite; it is {:e} now", state.time());
        return Err(Invalid::new("dt", message).into());
    }
    Ok(vec![Event::Ticked { time }])
}

pub(super) fn add_star(
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

pub(super) fn update_star(
    state: &State,
    id: BodyId,
    fields: Fields,
    parent: Named<BodyId>,
) -> Result<Vec<Event>, Rejection> {
    let Some(body) = state.bodies().get(&id) else {
        return Err(Refusal::StarNotFound { id }.into());
    };
    let moved = match parent {
        Named::In(parent) if body.parent.as_ref() != Some(&parent) => {
            Some(attach(state, id.clone(), parent)?)
        }
        Named::Root if body.parent.is_some() => Some(detach(id.clone(), &fields)),
        _ => None,
    };
    Ok([Event::StarUpdated { id, fields }].into_iter().chain(moved).collect())
}

pub(super) fn attach(state: &State, child: BodyId, parent: BodyId) -> Result<Event, Refusal> {
    if !state.bodies().contains(&parent) || !state.bodies().contains(&child) {
        return Err(Refusal::AttachNotFound { child, parent });
    }
    if state.circles(&parent, &child) {
        return Err(Refusal::AttachCycle { child, parent });
    }
    Ok(Event::StarAttached { child, parent })
}

pub(super) fn detach_star(state: &State, child: BodyId) -> Result<Event, Refusal> {
    match state.bodies().get(&child) {
        Some(body) if body.parent.is_some() => Ok(detach(child, &Fields::default())),
        _ => Err(Refusal::NotAttached { child }),
    }
}

/// A body without a parent sits at its container's origin, unless the same command says otherwise.
fn detach(child: BodyId, fields: &Fields) -> Event {
    let named = fields.get("orbitalDistance").and_then(Value::as_f64);
    Event::StarDetached { child, orbital_distance: named.unwrap_or(0.0) }
}

/// Takes the body, its descendants, and whatever makes no sense without them: markers of a pair that lost a
/// body (with their own descendants), belts and disks around one, memberships.
pub(super) fn remove_star(state: &State, id: BodyId) -> Result<Vec<Event>, Rejection> {
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
            }
        }
        if let Some(group) = state.references.home(&body) {
            removal.memberships.push(Membership { group_id: group.clone(), system_id: body });
        }
    }
    removal.unhosted.retain(|companion| !gone.contains(companion));
    drop_repeated(&mut removal.unhosted);
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

/// The ring it has, or a usual one of its size and colour, with the changes made.
pub(super) fn update_ring(state: &State, planet: BodyId, patch: &Fields) -> Result<Event, Refusal> {
    let Some(body) = state.bodies().get(&planet) else {
        return Err(Refusal::StarNotFound { id: planet });
    };
    let mut ring = match body.fields.get("ring") {
        Some(Value::Object(ring)) => Fields::from(ring.clone()),
        _ => usual_ring(&body.fields),
    };
    ring.merge(patch);
    Ok(Event::RingUpdated { planet, ring })
}

fn usual_ring(planet: &Fields) -> Fields {
    let radius = planet.get("radius").and_then(Value::as_f64).unwrap_or(1.0);
    let mut ring = Fields::default();
    for (key, value) in [
        ("innerRadiusMultiplier", json!(1.5)),
        ("outerRadiusMultiplier", json!(3)),
        ("thickness", json!(radius * 0.1)),
        ("opacity", json!(0.6)),
        ("albedo", json!(0.8)),
        ("color", json!(planet.text("color").unwrap_or("#FFFFFF"))),
        ("density", json!(0.6)),
    ] {
        ring.set(key, value);
    }
    ring
}

pub(super) fn remove_ring(state: &State, planet: BodyId) -> Result<Event, Refusal> {
    let ring = state.bodies().get(&planet).and_then(|body| body.fields.get("ring"));
    match ring {
        None | Some(Value::Null) => Err(Refusal::RingNotFound { planet }),
        Some(_) => Ok(Event::RingRemoved { planet }),
    }
}
