//! A universe in a few lines, however large it is: where an agent begins to look.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use universe_core::{Body, State, json::encode};

use super::{
    cut::Part,
    reply::{beside, clock_of},
    timestamp,
};
use crate::service::Record;

/// How many systems and groups are named.
const NAMED: usize = 25;

/// Prints how many of what there is, and the first systems and groups by name.
pub async fn summary(record: Record) -> String {
    let bodies = record.universe().state.bodies().len();
    beside(bodies, move || encode(&body(&record))).await
}

fn body(record: &Record) -> Value {
    let (universe, state) = (record.universe(), &record.universe().state);
    json!({
        "id": record.id,
        "name": universe.name,
        "revision": record.revision(),
        "createdAt": timestamp(universe.created_at),
        "updatedAt": timestamp(universe.updated_at),
        "time": record.time(),
        "clock": clock_of(record),
        "counts": counts(state),
        "bodyTypes": kinds(state),
        "systems": systems(state),
        "groups": groups(state),
    })
}

fn counts(state: &State) -> Value {
    let count = |part| match part {
        Part::Stars => state.bodies().len(),
        Part::Groups => state.groups().len(),
        Part::Belts => state.belts().len(),
        Part::SmallBodyFields => state.small_body_fields().len(),
        Part::ProtoplanetaryDisks => state.disks().len(),
        Part::Nebulae => state.nebulae().len(),
    };
    let mut counts = json!({"systems": state.roots().len()});
    for part in Part::ALL {
        counts[part.name()] = count(part).into();
    }
    counts
}

fn kinds(state: &State) -> BTreeMap<&str, usize> {
    let mut kinds = BTreeMap::new();
    for (_, body) in state.bodies().iter() {
        *kinds.entry(kind(body)).or_default() += 1;
    }
    kinds
}

/// A root without a type is a star, as viewers see it.
fn kind(body: &Body) -> &str {
    let unnamed = if body.parent.is_none() { "star" } else { "unspecified" };
    body.fields.text("bodyType").unwrap_or(unnamed)
}

fn systems(state: &State) -> Vec<Value> {
    let roots = state.roots().keys().take(NAMED).filter_map(|id| state.bodies().get(id));
    let system = |root: &Body| {
        let bodies = state.descent(&root.id).len();
        json!({"id": root.id, "name": root.fields.text("name"), "type": kind(root), "bodies": bodies})
    };
    roots.map(|root| system(root)).collect()
}

fn groups(state: &State) -> Vec<Value> {
    let groups = state.groups().iter().take(NAMED);
    let group = |group: &universe_core::Group| {
        json!({"id": group.id, "name": group.fields.text("name"), "members": group.members.len(),
            "parentGroupId": group.parent})
    };
    groups.map(|(_, found)| group(found)).collect()
}
