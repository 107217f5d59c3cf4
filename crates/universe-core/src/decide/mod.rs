//! What follows from a command.

mod around;
mod groups;
mod stars;

use crate::{Command, Event, Refusal, Rejection, State};
use around::{known, missing};

/// Decides what follows from `command`. Reads the state, changes nothing. What is decided always applies.
pub fn decide(state: &State, command: Command) -> Result<Vec<Event>, Rejection> {
    let decided = match command {
        Command::Tick { dt } => return stars::tick(state, dt),
        Command::AddStar { id, parent, fields } => {
            return stars::add_star(state, id, parent, fields);
        }
        Command::UpdateStar { id, fields, parent } => {
            return stars::update_star(state, id, fields, parent);
        }
        Command::RemoveStar { id } => return stars::remove_star(state, id),
        Command::AttachStar { child, parent } => stars::attach(state, child, parent),
        Command::DetachStar { child } => stars::detach_star(state, child),
        Command::AddGroup { id, parent, fields, members } => {
            groups::add(state, id, parent, fields, members)
        }
        Command::UpdateGroup { id, fields, parent, members } => {
            groups::update(state, id, fields, parent, members)
        }
        Command::RemoveGroup { id } => groups::remove(state, id),
        Command::AddToGroup { group, member, extra } => {
            groups::add_member(state, group, member, extra)
        }
        Command::RemoveFromGroup { group, child } => groups::remove_member(state, group, child),
        Command::MoveToGroup { member, target } => groups::move_member(state, member, target),
        Command::SetSmallBodyFields { all } => {
            Ok(Event::SmallBodyFieldsSet { removed: missing(state, &all), all })
        }
        Command::UpdateSmallBodyField { id, fields } => known(
            state,
            id,
            |id| Event::SmallBodyFieldUpdated { id, fields },
            |id| Refusal::FieldNotFound { id },
        ),
        Command::RemoveSmallBodyField { id } => known(
            state,
            id,
            |id| Event::SmallBodyFieldRemoved { id },
            |id| Refusal::FieldGone { id },
        ),
        Command::SetProtoplanetaryDisks { all } => {
            Ok(Event::ProtoplanetaryDisksSet { removed: missing(state, &all), all })
        }
        Command::AddProtoplanetaryDisk { id, fields } => {
            Ok(Event::ProtoplanetaryDiskAdded { id, fields })
        }
        Command::UpdateProtoplanetaryDisk { id, fields } => known(
            state,
            id,
            |id| Event::ProtoplanetaryDiskUpdated { id, fields },
            |id| Refusal::DiskNotFound { id },
        ),
        Command::RemoveProtoplanetaryDisk { id } => known(
            state,
            id,
            |id| Event::ProtoplanetaryDiskRemoved { id },
            |id| Refusal::DiskGone { id },
        ),
        Command::SetNebulae { all } => Ok(Event::NebulaeSet { removed: missing(state, &all), all }),
        Command::UpdateNebula { id, fields } => known(
            state,
            id,
            |id| Event::NebulaUpdated { id, fields },
            |id| Refusal::NebulaNotFound { id },
        ),
        Command::RemoveNebula { id } => {
            known(state, id, |id| Event::NebulaRemoved { id }, |id| Refusal::NebulaGone { id })
        }
        Command::UpdateRing { planet, patch } => stars::update_ring(state, planet, &patch),
        Command::RemoveRing { planet } => stars::remove_ring(state, planet),
        Command::ReplaceSnapshot { state } => Ok(Event::SnapshotReplaced { state }),
        Command::Unknown { name, command } => Err(Refusal::UnknownCommand { name, command }),
    };
    Ok(vec![decided?])
}
