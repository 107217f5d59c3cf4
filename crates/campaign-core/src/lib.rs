//! Campaigns, the domain: tables, their journals and Duality dice; values in, values out.
//!
//! A [`Command`] is what anyone may ask, [`decide`] says what follows from it, a [`Fact`] is what happened, [`seal`] makes
//! an [`Entry`] of it that is chained to the one before, and [`Table::apply`] folds it in. Nothing here knows a clock, a
//! file, a socket or a source of randomness, so a journal replayed on any machine gives the same table. Start at
//! [`decide`], then [`Table`]; the dice are in [`duality`] and [`dice`].
//!
//! What a service does with it:
//!
//! ```
//! use campaign_core::*;
//!
//! # let mut random = 0;
//! # let mut next_id = |prefix: &str| { random += 1; ids::make(prefix, [random; 16]) };
//! let id = CampaignId::from(next_id(CampaignId::PREFIX)); // or `CampaignId::required(text)?`, always first
//! let mut table = Table::default(); // or a snapshot and the entries after it
//! let caller = Caller::nobody();
//! let command = Command::CreateCampaign {
//!     name: "The Lost Expedition".into(),
//!     gm_mode: "human".into(),
//!     theme_prompt: String::new(),
//! };
//! let facts = decide(&table, &command, &caller, &mut next_id)?;
//! let envelope = Envelope {
//!     campaign: id.clone(),
//!     at: Moment(1_736_937_000_000),
//!     request_id: "r1".into(),
//!     invocation_id: "".into(),
//!     by: caller.by(&table),
//! };
//! let entries = seal(&table, &envelope, facts); // append these as JSON; none: there is nothing to do
//! entries.iter().for_each(|entry| table.apply(entry));
//! assert_eq!(table.campaign().map(|campaign| campaign.gm_mode), Some(GmMode::Human));
//! assert_eq!(verify(&id, &entries)?.head_hash.as_ref(), table.last_hash());
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! A further command is an addition in four places: a variant of [`Command`], an arm of [`decide`], a [`Fact`], and an arm
//! of [`Table::apply`] and of its reverse. The property tests then hold it to replay, undo and fork without being told.

#![deny(clippy::disallowed_methods)]

mod caller;
mod chain;
mod command;
mod decide;
pub mod dice;
pub mod duality;
mod error;
mod event;
mod export;
pub mod fact;
mod fork;
pub mod ids;
pub mod limits;
mod model;
mod notation;
mod rng;
pub mod sheet;
mod table;
mod time;
pub mod token;
mod undo;
mod words;

pub use caller::Caller;
pub use chain::{Broken, Verified, Walker, verify};
pub use command::{Command, ControllerInput, RollInput};
pub use decide::decide;
pub use dice::{DiceRoll, DiceSpec, Rolled, Roller};
pub use error::{Code, Refusal};
pub use event::{By, ByKind, Entity, EntityKind, Entry, Envelope, seal, seal_onto};
pub use export::markdown;
pub use fact::{Fact, Modifier, RollKind, Unreadable};
pub use fork::{Fork, fork};
pub use ids::{ActorId, CampaignId, ParticipantId, SessionId};
pub use model::{
    Actor, ActorController, ActorKind, Campaign, Controller, GmMode, Participant, Role, Session,
    Status,
};
pub use notation::parse_notation;
pub use rng::{Rng, RngInput, RollMode, SEED_MAX, SeedSource};
pub use sheet::{Sheet, SheetInput, Trait, Vitals, VitalsInput};
pub use table::{Roll, Table};
pub use time::Moment;
pub use undo::can_undo;
