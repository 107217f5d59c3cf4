//! The values that go over the wire, the same on every surface.
//!
//! [`crate::Backend`] answers with these; printed as JSON they are what REST, MCP and `--json` show. Their comments are
//! the tools' schemas.

pub mod input;
mod record;
mod roll;
pub mod schema;
mod table;

use campaign_core::Moment;
use serde::Serializer;

pub use self::{
    record::{Actor, Campaign, Participant, Session},
    roll::{ActionRolled, Applied, DiceRolled, DualityRolled, Flavor, Shift},
    table::{Entity, Event, Events, Said, Table, Token, Undone, Verdict},
};

/// Whole seconds are enough for records.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
pub(crate) fn seconds<S: Serializer>(moment: &Moment, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&moment.rfc3339_seconds())
}

#[expect(clippy::ref_option, reason = "serde asks for a reference to the field")]
pub(crate) fn seconds_if_any<S: Serializer>(
    moment: &Option<Moment>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match moment {
        Some(moment) => seconds(moment, serializer),
        None => serializer.serialize_none(),
    }
}
