//! Campaigns, and who takes part in them.

use super::Ask;
use crate::{
    Controller, Fact, GmMode, ParticipantId, Refusal, Role, Table,
    fact::{CampaignCreated, ParticipantJoined, TokenIssued},
    ids::required,
    limits,
};

pub(super) fn create_campaign(
    table: &Table,
    name: &str,
    gm_mode: &str,
    theme_prompt: &str,
) -> Result<Vec<Fact>, Refusal> {
    let name = limits::name(name, "name", "campaign name is required")?;
    let gm_mode = required(gm_mode, "gm_mode", "gm mode is required")?;
    let gm_mode = GmMode::read(gm_mode, "gm_mode")?;
    let theme_prompt = limits::long(theme_prompt, "theme_prompt")?;
    if table.exists() {
        return Err(Refusal::precondition("campaign exists").field("campaign_id"));
    }
    let (name, theme_prompt) = (name.to_owned(), theme_prompt.to_owned());
    Ok(vec![CampaignCreated { name, gm_mode, theme_prompt }.into()])
}

pub(super) fn join(
    ask: Ask<'_>,
    display_name: &str,
    role: &str,
    controller: &str,
    next_id: &mut dyn FnMut(&str) -> String,
) -> Result<Vec<Fact>, Refusal> {
    let display_name = limits::name(display_name, "display_name", "display name is required")?;
    let role = required(role, "role", "participant role is required")?;
    let role = Role::read(role, "role")?;
    let controller = match controller.trim() {
        "" => Controller::Human,
        word => Controller::read(word, "controller")?,
    };
    ask.may_lead("add participants")?;
    let participant_id = next_id(ParticipantId::PREFIX).into();
    let display_name = display_name.to_owned();
    Ok(vec![ParticipantJoined { participant_id, display_name, role, controller }.into()])
}

pub(super) fn issue_token(
    ask: Ask<'_>,
    participant_id: &str,
    token_hash: &str,
) -> Result<Vec<Fact>, Refusal> {
    let id = required(participant_id, "participant_id", "participant id is required")?;
    ask.may_lead("issue tokens")?;
    let participant_id = participant(ask, id)?;
    Ok(vec![TokenIssued { participant_id, token_hash: token_hash.to_owned() }.into()])
}

/// The id of somebody who takes part.
pub(super) fn participant(ask: Ask<'_>, id: &str) -> Result<ParticipantId, Refusal> {
    let participant = ask.table.participant(&id.into());
    let found = participant.map(|participant| participant.id.clone());
    found.ok_or_else(|| Refusal::not_found("participant not found").field("participant_id"))
}
