//! What the backend answers, as protobuf.

use campaign_core::{ActorController, Moment, Sheet, Trait, Vitals};
use campaign_proto::{campaign::v1 as campaign, session::v1 as session};
use prost_types::Timestamp;

use super::word::number;
use crate::wire;

/// Every number that leaves the core fits; see `campaign_core::limits`.
pub(super) fn int(number: impl TryInto<i32>) -> i32 {
    number.try_into().unwrap_or(i32::MAX)
}

pub(super) fn time(moment: Moment) -> Timestamp {
    let nanos = moment.0.rem_euclid(1000) * 1_000_000;
    Timestamp { seconds: moment.0.div_euclid(1000), nanos: int(nanos) }
}

impl From<wire::Campaign> for campaign::Campaign {
    fn from(it: wire::Campaign) -> Self {
        Self {
            id: it.id.to_string(),
            name: it.name,
            gm_mode: number(it.gm_mode),
            participant_count: int(it.participant_count),
            actor_count: int(it.actor_count),
            theme_prompt: it.theme_prompt,
            created_at: Some(time(it.created_at)),
            updated_at: Some(time(it.updated_at)),
        }
    }
}

impl From<wire::Participant> for campaign::Participant {
    fn from(it: wire::Participant) -> Self {
        Self {
            id: it.id.to_string(),
            campaign_id: it.campaign_id.to_string(),
            display_name: it.display_name,
            role: number(it.role),
            controller: number(it.controller),
            created_at: Some(time(it.created_at)),
            updated_at: Some(time(it.updated_at)),
        }
    }
}

impl From<wire::Actor> for campaign::Actor {
    fn from(it: wire::Actor) -> Self {
        Self {
            id: it.id.to_string(),
            campaign_id: it.campaign_id.to_string(),
            name: it.name,
            kind: number(it.kind),
            notes: it.notes,
            created_at: Some(time(it.created_at)),
            updated_at: Some(time(it.updated_at)),
            controller: it.controller.as_ref().map(controller),
            sheet: Some(sheet(&it.sheet)),
            state: Some(vitals(it.state)),
        }
    }
}

pub(super) fn controller(who: &ActorController) -> campaign::ActorController {
    use campaign::actor_controller::Controller;

    let controller = match who {
        ActorController::Gm => Controller::Gm(campaign::GmController {}),
        ActorController::Participant(id) => {
            Controller::Participant(campaign::ParticipantController {
                participant_id: id.to_string(),
            })
        }
    };
    campaign::ActorController { controller: Some(controller) }
}

fn sheet(sheet: &Sheet) -> campaign::Sheet {
    let value = |of| int(sheet.value(of));
    campaign::Sheet {
        agility: value(Trait::Agility),
        strength: value(Trait::Strength),
        finesse: value(Trait::Finesse),
        instinct: value(Trait::Instinct),
        presence: value(Trait::Presence),
        knowledge: value(Trait::Knowledge),
        hp_max: int(sheet.hp_max),
        stress_max: int(sheet.stress_max),
        evasion: int(sheet.evasion),
        major_threshold: int(sheet.major_threshold),
        severe_threshold: int(sheet.severe_threshold),
    }
}

fn vitals(vitals: Vitals) -> campaign::Vitals {
    campaign::Vitals { hope: int(vitals.hope), stress: int(vitals.stress), hp: int(vitals.hp) }
}

impl From<wire::Session> for session::Session {
    fn from(it: wire::Session) -> Self {
        Self {
            id: it.id.to_string(),
            campaign_id: it.campaign_id.to_string(),
            name: it.name,
            status: number(it.status),
            started_at: Some(time(it.started_at)),
            updated_at: Some(time(it.updated_at)),
            ended_at: it.ended_at.map(time),
            version: if it.ended_at.is_some() { 2 } else { 1 },
        }
    }
}

impl From<wire::Table> for campaign::Table {
    fn from(it: wire::Table) -> Self {
        Self {
            campaign: Some(it.campaign.into()),
            participants: it.participants.into_iter().map(Into::into).collect(),
            actors: it.actors.into_iter().map(Into::into).collect(),
            sessions: it.sessions.into_iter().map(Into::into).collect(),
            active_session_id: it.active_session.map(|id| id.to_string()),
            gm_fear: int(it.gm_fear),
            guarded: it.guarded,
            seq: it.seq,
            head_hash: it.head_hash,
        }
    }
}

impl From<wire::Event> for campaign::Event {
    fn from(it: wire::Event) -> Self {
        let wire::Said { kind, id, name } = it.actor;
        let wire::Entity { kind: entity_kind, id: entity_id } = it.entity;
        Self {
            campaign_id: it.campaign_id.to_string(),
            seq: it.seq,
            ts: Some(time(it.ts)),
            r#type: it.kind,
            request_id: it.request_id,
            invocation_id: it.invocation_id,
            actor: Some(campaign::EventActor { kind, id, name }),
            session_id: it.session_id.map(|id| id.to_string()),
            entity: Some(campaign::EventEntity { kind: entity_kind, id: entity_id }),
            payload_json: it.payload.get().to_owned(),
            undone: it.undone,
            event_hash: it.event_hash,
            prev_hash: it.prev_hash,
        }
    }
}

impl From<wire::Verdict> for campaign::VerifyResponse {
    fn from(it: wire::Verdict) -> Self {
        let wire::Verdict { valid, events, head_hash, seq, why } = it;
        Self { valid, events, head_hash, seq, why }
    }
}
