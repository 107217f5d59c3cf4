//! Who asks, and what they may.

use crate::{Actor, By, ByKind, Participant, ParticipantId, Refusal, Role, Table};

/// Who asks. A caller speaks as nobody, that is for the table itself, or as a participant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caller {
    pub participant: Option<ParticipantId>,
    /// Whether the participant's token was shown, see [`Table::is_token_of`].
    pub proven: bool,
}

impl Caller {
    pub fn nobody() -> Self {
        Self::default()
    }

    pub fn participant(id: ParticipantId, proven: bool) -> Self {
        Self { participant: Some(id), proven }
    }

    /// As the journal names it.
    pub fn by(&self, table: &Table) -> By {
        let Some(participant) = self.participant.as_ref().and_then(|id| table.participant(id))
        else {
            return By::system();
        };
        let kind = match participant.role {
            Role::Gm => ByKind::Gm,
            Role::Player => ByKind::Participant,
        };
        By { kind, id: participant.id.as_str().into() }
    }

    /// Whether it is a GM of this table who asks.
    pub fn is_gm(&self, table: &Table) -> bool {
        self.by(table).kind == ByKind::Gm
    }

    /// The participant who asks, who must be one and must have shown the token, if there is one.
    pub(crate) fn seat<'a>(&self, table: &'a Table) -> Result<Option<&'a Participant>, Refusal> {
        let Some(id) = &self.participant else { return Ok(None) };
        let participant = table
            .participant(id)
            .ok_or_else(|| Refusal::not_found("participant not found").field("participant_id"))?;
        if table.has_token(id) && !self.proven {
            let message = format!("participant `{id}` must show its token");
            return Err(Refusal::denied(message)
                .field("participant_token")
                .hint("give the token that was issued for it; a GM can issue another"));
        }
        Ok(Some(participant))
    }

    /// What only a GM may do once the table is guarded.
    pub(crate) fn may_lead(&self, table: &Table, what: &str) -> Result<(), Refusal> {
        match self.seat(table)? {
            Some(Participant { role: Role::Gm, .. }) => Ok(()),
            _ if !table.guarded() => Ok(()),
            _ => Err(only_the_gm(what)),
        }
    }

    /// What every participant may do, and everybody as long as the table is not guarded.
    pub(crate) fn may_take_part(&self, table: &Table, what: &str) -> Result<(), Refusal> {
        match self.seat(table)? {
            Some(_) => Ok(()),
            None if !table.guarded() => Ok(()),
            None => Err(only_the_gm(what)),
        }
    }

    /// What is done for an actor: by a GM, or by the player who controls it.
    pub(crate) fn may_play(&self, table: &Table, actor: &Actor, what: &str) -> Result<(), Refusal> {
        self.may_take_part(table, what)?;
        match self.seat(table)? {
            Some(Participant { id, role: Role::Player, .. }) if !controls(id, actor) => {
                let message = format!("participant `{id}` does not control actor `{}`", actor.id);
                Err(Refusal::denied(message).field("actor_id").hint("a GM says who plays an actor"))
            }
            _ => Ok(()),
        }
    }
}

fn controls(id: &ParticipantId, actor: &Actor) -> bool {
    actor.controller.as_ref().and_then(|controller| controller.participant()) == Some(id)
}

fn only_the_gm(what: &str) -> Refusal {
    Refusal::denied(format!("only the GM may {what}"))
        .hint("speak as a participant who may, with the participant's token")
}
