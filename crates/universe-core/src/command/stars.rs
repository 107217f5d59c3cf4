//! Commands about bodies, their rings, and everything at once.

use serde_json::Value;

use super::{Command, Input, Named};
use crate::{
    Fields, State,
    shape::{self, Presence},
};

impl Input<'_> {
    pub(super) fn add_star(&mut self) -> Command {
        let id: crate::BodyId = self.id("id", "a body");
        let (mut fields, parent) = self.star(true);
        for field in shape::BODY.iter().filter(|field| field.presence == Presence::Required) {
            if fields.get(field.name).is_none_or(Value::is_null) {
                fields.set(field.name, shape::default_of(field, id.as_str()));
            }
        }
        let parent = match parent {
            Named::In(parent) => Some(parent),
            Named::Root | Named::Not => None,
        };
        Command::AddStar { id, parent, fields }
    }

    pub(super) fn update_star(&mut self) -> Command {
        let id = self.id("id", "a body");
        let (fields, parent) = self.star(false);
        Command::UpdateStar { id, fields, parent }
    }

    /// The payload of a body without the keys that only the tree may set.
    fn star(&mut self, new: bool) -> (Fields, Named<crate::BodyId>) {
        let wanted = "an object with the body's fields";
        let mut payload = self.fields("payload", wanted, shape::BODY, new);
        payload.shift_remove("children");
        let parent = self.parent(&mut payload, "parentId", "the id of a body or null");
        (Fields::from(payload), parent)
    }

    pub(super) fn update_ring(&mut self) -> Command {
        let planet = self.id("planetId", "a body");
        let wanted = "an object with fields of the ring";
        // Rings have no `id`; if one is sent, it is a key that we do not know.
        let patch = self.object("patch", wanted);
        shape::check(shape::RING, &patch, "patch", false, &mut self.problems);
        Command::UpdateRing { planet, patch: Fields::from(patch) }
    }

    pub(super) fn replace_snapshot(&mut self) -> Command {
        let mut parts = self.object("snapshot", "an object with `stars` and `rootIds`");
        for (part, wanted) in
            [("stars", "an object with ids as keys"), ("rootIds", "a list of ids")]
        {
            if self.problems.is_empty() && parts.get(part).is_none_or(Value::is_null) {
                self.wrong(&format!("snapshot.{part}"), wanted, &Value::Null);
            }
        }
        // The universe keeps its own, whatever this one says.
        parts.shift_remove("time");
        let state = State::from_json(Value::Object(parts), 0.0, "snapshot");
        let state = state.unwrap_or_else(|mut invalid| {
            self.problems.append(&mut invalid.problems);
            State::default()
        });
        Command::ReplaceSnapshot { state: Box::new(state) }
    }
}
