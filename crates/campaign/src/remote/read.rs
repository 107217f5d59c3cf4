//! What the other side answered, read back.

use std::{collections::BTreeMap, sync::Arc};

use campaign_core::{
    ActorController, Code, Moment, Rng, Sheet, Trait, Vitals,
    dice::{self, Rolled},
    duality::{Advantage, Resolved},
};
use campaign_proto::{campaign::v1 as campaign, duality::v1 as duality, session::v1 as session};
use prost_types::Timestamp;
use serde_json::value::RawValue;

use crate::{
    Change, Error,
    grpc::word::{Word, of_number},
    wire::{self, ActionRolled, Applied, DiceRolled, DualityRolled, Flavor, Shift},
};

/// A part that every answer has.
pub(super) fn needed<T>(part: Option<T>, name: &str) -> Result<T, Error> {
    part.ok_or_else(|| {
        let message = format!("the campaign server's answer lacks a `{name}` that is known here");
        Error::new(Code::Internal, message)
    })
}

/// The other side may be newer and have words that are not known here.
fn word<W: Word>(number: i32, name: &str) -> Result<W, Error> {
    needed(of_number(number), name)
}

fn moment(time: Option<Timestamp>, name: &str) -> Result<Moment, Error> {
    let time = needed(time, name)?;
    Ok(Moment(time.seconds * 1000 + i64::from(time.nanos) / 1_000_000))
}

fn count(number: i32) -> usize {
    usize::try_from(number).unwrap_or_default()
}

pub(super) fn all<T, P>(parts: Vec<P>) -> Result<Vec<T>, Error>
where
    T: TryFrom<P, Error = Error>,
{
    parts.into_iter().map(TryInto::try_into).collect()
}

impl TryFrom<campaign::Campaign> for wire::Campaign {
    type Error = Error;

    fn try_from(it: campaign::Campaign) -> Result<Self, Error> {
        Ok(Self {
            id: it.id.into(),
            name: it.name,
            gm_mode: word(it.gm_mode, "gm_mode")?,
            participant_count: count(it.participant_count),
            actor_count: count(it.actor_count),
            theme_prompt: it.theme_prompt,
            created_at: moment(it.created_at, "created_at")?,
            updated_at: moment(it.updated_at, "updated_at")?,
        })
    }
}

impl TryFrom<campaign::Participant> for wire::Participant {
    type Error = Error;

    fn try_from(it: campaign::Participant) -> Result<Self, Error> {
        Ok(Self {
            id: it.id.into(),
            campaign_id: it.campaign_id.into(),
            display_name: it.display_name,
            role: word(it.role, "role")?,
            controller: word(it.controller, "controller")?,
            created_at: moment(it.created_at, "created_at")?,
            updated_at: moment(it.updated_at, "updated_at")?,
        })
    }
}

impl TryFrom<campaign::Actor> for wire::Actor {
    type Error = Error;

    fn try_from(it: campaign::Actor) -> Result<Self, Error> {
        Ok(Self {
            id: it.id.into(),
            campaign_id: it.campaign_id.into(),
            name: it.name,
            kind: word(it.kind, "kind")?,
            notes: it.notes,
            controller: it.controller.map(controller).transpose()?,
            sheet: sheet(&needed(it.sheet, "sheet")?),
            state: vitals(needed(it.state, "state")?),
            created_at: moment(it.created_at, "created_at")?,
            updated_at: moment(it.updated_at, "updated_at")?,
        })
    }
}

fn controller(it: campaign::ActorController) -> Result<ActorController, Error> {
    use campaign::actor_controller::Controller;

    Ok(match needed(it.controller, "controller")? {
        Controller::Gm(_) => ActorController::Gm,
        Controller::Participant(who) => ActorController::Participant(who.participant_id.into()),
    })
}

fn sheet(it: &campaign::Sheet) -> Sheet {
    let traits = [
        (Trait::Agility, it.agility),
        (Trait::Strength, it.strength),
        (Trait::Finesse, it.finesse),
        (Trait::Instinct, it.instinct),
        (Trait::Presence, it.presence),
        (Trait::Knowledge, it.knowledge),
    ];
    Sheet {
        traits: traits
            .map(|(name, value)| (name, value.into()))
            .into_iter()
            .collect::<BTreeMap<_, _>>(),
        hp_max: it.hp_max.into(),
        stress_max: it.stress_max.into(),
        evasion: it.evasion.into(),
        major_threshold: it.major_threshold.into(),
        severe_threshold: it.severe_threshold.into(),
    }
}

fn vitals(it: campaign::Vitals) -> Vitals {
    Vitals { hope: it.hope.into(), stress: it.stress.into(), hp: it.hp.into() }
}

impl TryFrom<session::Session> for wire::Session {
    type Error = Error;

    fn try_from(it: session::Session) -> Result<Self, Error> {
        Ok(Self {
            id: it.id.into(),
            campaign_id: it.campaign_id.into(),
            name: it.name,
            status: word(it.status, "status")?,
            started_at: moment(it.started_at, "started_at")?,
            updated_at: moment(it.updated_at, "updated_at")?,
            ended_at: it.ended_at.map(|at| moment(Some(at), "ended_at")).transpose()?,
        })
    }
}

impl TryFrom<campaign::Table> for wire::Table {
    type Error = Error;

    fn try_from(it: campaign::Table) -> Result<Self, Error> {
        Ok(Self {
            campaign: needed(it.campaign, "campaign")?.try_into()?,
            participants: all(it.participants)?,
            actors: all(it.actors)?,
            sessions: all(it.sessions)?,
            active_session: it.active_session_id.map(Into::into),
            gm_fear: it.gm_fear.into(),
            guarded: it.guarded,
            seq: it.seq,
            head_hash: it.head_hash,
        })
    }
}

impl TryFrom<campaign::Event> for wire::Event {
    type Error = Error;

    fn try_from(it: campaign::Event) -> Result<Self, Error> {
        let campaign::EventActor { kind, id, name } = needed(it.actor, "actor")?;
        let entity = needed(it.entity, "entity")?;
        let payload = RawValue::from_string(it.payload_json).ok();
        Ok(Self {
            campaign_id: it.campaign_id.into(),
            seq: it.seq,
            ts: moment(it.ts, "ts")?,
            kind: it.r#type,
            request_id: it.request_id,
            invocation_id: it.invocation_id,
            actor: wire::Said { kind, id, name },
            session_id: it.session_id.map(Into::into),
            entity: wire::Entity { kind: entity.kind, id: entity.id },
            payload: Arc::from(needed(payload, "payload_json")?),
            undone: it.undone,
            event_hash: it.event_hash,
            prev_hash: it.prev_hash,
        })
    }
}

impl TryFrom<campaign::WatchCampaignsResponse> for Change {
    type Error = Error;

    fn try_from(it: campaign::WatchCampaignsResponse) -> Result<Self, Error> {
        Ok(match it.event {
            Some(event) => Self::Entry(Box::new(event.try_into()?)),
            None => Self::Missed { campaign_id: it.campaign_id.into() },
        })
    }
}

impl TryFrom<campaign::ListEventsResponse> for wire::Events {
    type Error = Error;

    fn try_from(it: campaign::ListEventsResponse) -> Result<Self, Error> {
        Ok(Self { events: all(it.events)?, next: it.next })
    }
}

impl TryFrom<campaign::UndoResponse> for wire::Undone {
    type Error = Error;

    fn try_from(it: campaign::UndoResponse) -> Result<Self, Error> {
        Ok(Self {
            undone: needed(it.undone, "undone")?.try_into()?,
            entry: needed(it.entry, "entry")?.try_into()?,
        })
    }
}

impl From<campaign::VerifyResponse> for wire::Verdict {
    fn from(it: campaign::VerifyResponse) -> Self {
        let campaign::VerifyResponse { valid, events, head_hash, seq, why } = it;
        Self { valid, events, head_hash, seq, why }
    }
}

fn rng(it: duality::RngUsed) -> Result<Rng, Error> {
    Ok(Rng {
        seed_used: it.seed_used,
        rng_algo: it.rng_algo,
        seed_source: word(it.seed_source, "seed_source")?,
        roll_mode: word(it.roll_mode, "roll_mode")?,
    })
}

impl TryFrom<duality::ActionRollResponse> for DualityRolled {
    type Error = Error;

    fn try_from(it: duality::ActionRollResponse) -> Result<Self, Error> {
        let resolved = Resolved {
            hope: it.hope.into(),
            fear: it.fear.into(),
            modifier: it.modifier.into(),
            difficulty: it.difficulty.map(Into::into),
            total: it.total.into(),
            is_crit: it.is_crit,
            meets_difficulty: it.meets_difficulty,
            outcome: word(it.outcome, "outcome")?,
            advantage: of_number::<Advantage>(it.advantage),
            advantage_die: it.advantage_die.map(Into::into),
        };
        Ok(Self { resolved, rng: it.rng.map(rng).transpose()?, roll_seq: it.roll_seq })
    }
}

impl TryFrom<duality::RollDiceResponse> for DiceRolled {
    type Error = Error;

    fn try_from(it: duality::RollDiceResponse) -> Result<Self, Error> {
        let rolls = it.rolls.into_iter().map(|roll| dice::DiceRoll {
            sides: roll.sides.into(),
            results: roll.results.into_iter().map(Into::into).collect(),
            total: roll.total.into(),
        });
        let rolled = Rolled { rolls: rolls.collect(), total: it.total.into() };
        Ok(Self { rolled, rng: it.rng.map(rng).transpose()?, roll_seq: it.roll_seq })
    }
}

impl TryFrom<session::ActionRollResponse> for ActionRolled {
    type Error = Error;

    fn try_from(it: session::ActionRollResponse) -> Result<Self, Error> {
        let flavor = match it.flavor() {
            session::Flavor::Unspecified => None,
            session::Flavor::Hope => Some(Flavor::Hope),
            session::Flavor::Fear => Some(Flavor::Fear),
        };
        Ok(Self {
            roll_seq: it.roll_seq,
            hope_die: it.hope_die.into(),
            fear_die: it.fear_die.into(),
            advantage_die: it.advantage_die.map(Into::into),
            modifier: it.modifier.into(),
            total: it.total.into(),
            difficulty: it.difficulty.map(Into::into),
            success: it.success,
            flavor: needed(flavor, "flavor")?,
            crit: it.crit,
            outcome: word(it.outcome, "outcome")?,
            rng: rng(needed(it.rng, "rng")?)?,
        })
    }
}

impl From<session::ApplyRollOutcomeResponse> for Applied {
    fn from(it: session::ApplyRollOutcomeResponse) -> Self {
        let changes = it.changes.into_iter().map(|change| Shift {
            actor_id: change.actor_id.into(),
            hope: change.hope.into(),
            stress: change.stress.into(),
            hope_after: change.hope_after.into(),
            stress_after: change.stress_after.into(),
        });
        Self {
            roll_seq: it.roll_seq,
            changes: changes.collect(),
            gm_fear: it.gm_fear.into(),
            requires_complication: it.requires_complication,
        }
    }
}
