//! What may be asked of a campaign.

use std::sync::Arc;

use crate::{
    Entry, Modifier, Rng, Rolled, SheetInput, VitalsInput,
    duality::{Drawn, Resolved},
};

/// What anyone (agent, browser, terminal) may ask. Texts and numbers are as the caller gave them:
/// [`decide`](crate::decide) reads and judges them, in the order of the fields.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Begin a campaign, on a table where there is none.
    CreateCampaign {
        name: String,
        gm_mode: String,
        theme_prompt: String,
    },
    /// Let somebody join. An empty controller is a human.
    CreateParticipant {
        display_name: String,
        role: String,
        controller: String,
    },
    CreateActor {
        name: String,
        kind: String,
        notes: String,
    },
    /// Say who plays an actor.
    SetControl {
        actor_id: String,
        controller: ControllerInput,
    },
    SetSheet {
        actor_id: String,
        sheet: SheetInput,
    },
    SetState {
        actor_id: String,
        vitals: VitalsInput,
    },
    SetFear {
        fear: i64,
    },
    StartSession {
        name: String,
    },
    /// End a session: the one that is being played, unless one is named.
    EndSession {
        session_id: Option<String>,
    },
    /// Write into the journal: into the session that is being played, if there is one, unless one is named.
    AddNote {
        text: String,
        session_id: Option<String>,
    },
    /// Write a roll into the journal of the session that is being played, which must be the one that is named, if one is.
    Roll {
        session_id: Option<String>,
        roll: RollInput,
    },
    /// Let a roll's outcome come true, for the actor that rolled unless others are named.
    ApplyOutcome {
        roll_seq: u64,
        targets: Vec<String>,
    },
    /// Give a participant a token, which replaces the one it had; `token_hash` is from [`token::hash`](crate::token::hash).
    IssueToken {
        participant_id: String,
        token_hash: String,
    },
    /// Take back what an entry did. `entry` is what the journal has at `seq`, or, if none is named, the latest that
    /// [`can_undo`](crate::can_undo).
    Undo {
        seq: Option<u64>,
        entry: Option<Arc<Entry>>,
    },
}

/// Who is to play an actor, as the surfaces can say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ControllerInput {
    /// `GM`, in any case, or the id of a participant.
    Text(String),
    Gm,
    Participant(String),
    /// A message of gRPC that says neither.
    Neither,
    /// Nothing was said.
    Missing,
}

/// A roll with its dice, which lie on the table already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RollInput {
    /// Two dice of twelve for nobody in particular.
    Duality { resolved: Resolved, rng: Rng },
    /// Any dice, and a number that is added to them.
    Dice { rolled: Rolled, modifier: i64, rng: Rng },
    /// Two dice of twelve for an actor, who brings a trait.
    Action {
        actor_id: String,
        trait_name: String,
        difficulty: Option<i64>,
        modifiers: Vec<Modifier>,
        drawn: Drawn,
        rng: Rng,
    },
}
