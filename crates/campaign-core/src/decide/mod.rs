//! What follows from a command.
//!
//! Checks come in the order that callers rely on: the fields of the input, then the campaign, then who asks, then
//! whatever else is named. (That the id of a campaign is not empty is checked before, by
//! [`CampaignId::required`](crate::CampaignId::required).) Everything is looked up within the campaign.

mod actors;
mod people;
mod rolls;
mod sessions;

use crate::{Actor, ActorId, Caller, Campaign, Command, Fact, Refusal, Table, ids::required, undo};

/// Decides what follows from `command`. Reads the table, changes nothing.
///
/// No facts: the table is already as it was asked to be. `next_id` makes an id with a prefix; it is called for what is
/// created, and may be called again when the command is decided again.
pub fn decide(
    table: &Table,
    command: &Command,
    caller: &Caller,
    next_id: &mut dyn FnMut(&str) -> String,
) -> Result<Vec<Fact>, Refusal> {
    let ask = Ask { table, caller };
    match command {
        Command::CreateCampaign { name, gm_mode, theme_prompt } => {
            people::create_campaign(table, name, gm_mode, theme_prompt)
        }
        Command::CreateParticipant { display_name, role, controller } => {
            people::join(ask, display_name, role, controller, next_id)
        }
        Command::IssueToken { participant_id, token_hash } => {
            people::issue_token(ask, participant_id, token_hash)
        }
        Command::CreateActor { name, kind, notes } => {
            actors::create(ask, name, kind, notes, next_id)
        }
        Command::SetControl { actor_id, controller } => {
            actors::set_control(ask, actor_id, controller)
        }
        Command::SetSheet { actor_id, sheet } => actors::set_sheet(ask, actor_id, sheet),
        Command::SetState { actor_id, vitals } => actors::set_state(ask, actor_id, *vitals),
        Command::SetFear { fear } => actors::set_fear(ask, *fear),
        Command::StartSession { name } => sessions::start(ask, name, next_id),
        Command::EndSession { session_id } => sessions::end(ask, session_id.as_deref()),
        Command::AddNote { text, session_id } => {
            sessions::add_note(ask, text, session_id.as_deref())
        }
        Command::Roll { session_id, roll } => rolls::roll(ask, session_id.as_deref(), roll),
        Command::ApplyOutcome { roll_seq, targets } => rolls::apply(ask, *roll_seq, targets),
        Command::Undo { seq, entry } => undo::undo(ask, *seq, entry.as_deref()),
    }
}

/// Who asks what table.
#[derive(Clone, Copy)]
pub(crate) struct Ask<'a> {
    pub(crate) table: &'a Table,
    pub(crate) caller: &'a Caller,
}

impl<'a> Ask<'a> {
    pub(crate) fn campaign(self) -> Result<&'a Campaign, Refusal> {
        let campaign = self.table.campaign();
        campaign.ok_or_else(|| Refusal::not_found("campaign not found").field("campaign_id"))
    }

    /// The campaign is there, and the caller may do what only a GM may once it is guarded.
    pub(crate) fn may_lead(self, what: &str) -> Result<(), Refusal> {
        self.campaign()?;
        self.caller.may_lead(self.table, what)
    }

    /// The campaign is there, and the caller may do what every participant may.
    fn may_take_part(self, what: &str) -> Result<(), Refusal> {
        self.campaign()?;
        self.caller.may_take_part(self.table, what)
    }

    fn actor(self, id: &str) -> Result<&'a Actor, Refusal> {
        let actor = self.table.actor(&ActorId::from(id));
        actor.ok_or_else(|| Refusal::not_found("actor not found").field("actor_id"))
    }
}

fn actor_id(text: &str) -> Result<&str, Refusal> {
    required(text, "actor_id", "actor id is required")
}
