//! Actors: who they are, who plays them, how they are doing.

use super::{Ask, actor_id, people};
use crate::{
    ActorController, ActorId, ActorKind, ControllerInput, Fact, Refusal, SheetInput, VitalsInput,
    fact::{ActorCreated, ControlSet, FearSet, SheetSet, StateSet, VitalsChange},
    ids::required,
    limits,
    sheet::FEAR_MAX,
};

pub(super) fn create(
    ask: Ask<'_>,
    name: &str,
    kind: &str,
    notes: &str,
    next_id: &mut dyn FnMut(&str) -> String,
) -> Result<Vec<Fact>, Refusal> {
    let name = limits::name(name, "name", "actor name is required")?;
    let kind = required(kind, "kind", "actor kind is required")?;
    let kind = ActorKind::read(kind, "kind")?;
    let notes = limits::long(notes.trim(), "notes")?;
    ask.may_lead("add actors")?;
    let actor_id = next_id(ActorId::PREFIX).into();
    let (name, notes) = (name.to_owned(), notes.to_owned());
    Ok(vec![ActorCreated { actor_id, name, kind, notes }.into()])
}

/// In an order of its own: the actor is found before its controller is read.
pub(super) fn set_control(
    ask: Ask<'_>,
    id: &str,
    controller: &ControllerInput,
) -> Result<Vec<Fact>, Refusal> {
    ask.may_lead("say who plays an actor")?;
    let actor = ask.actor(actor_id(id)?)?;
    let controller = read_controller(ask, controller)?;
    if actor.controller.as_ref() == Some(&controller) {
        return Ok(Vec::new());
    }
    let (actor_id, before) = (actor.id.clone(), actor.controller.clone());
    Ok(vec![ControlSet { actor_id, controller, before }.into()])
}

fn read_controller(ask: Ask<'_>, input: &ControllerInput) -> Result<ActorController, Refusal> {
    let refused = |message: &'static str| Err(Refusal::invalid(message).field("controller"));
    let id = match input {
        ControllerInput::Missing => return refused("controller is required"),
        ControllerInput::Neither => {
            return refused("actor controller must be exactly one of: gm or participant");
        }
        ControllerInput::Gm => return Ok(ActorController::Gm),
        ControllerInput::Text(text) => match text.trim() {
            "" => return refused("controller is required"),
            word if word.eq_ignore_ascii_case(ActorController::GM) => {
                return Ok(ActorController::Gm);
            }
            id => id,
        },
        ControllerInput::Participant(id) => match id.trim() {
            "" => {
                return refused(
                    "participant id is required when participant controller is specified",
                );
            }
            id => id,
        },
    };
    people::participant(ask, id).map(ActorController::Participant)
}

pub(super) fn set_sheet(ask: Ask<'_>, id: &str, input: &SheetInput) -> Result<Vec<Fact>, Refusal> {
    let id = actor_id(id)?;
    input.check()?;
    ask.may_lead("change sheets")?;
    let actor = ask.actor(id)?;
    let sheet = actor.sheet.with(input)?;
    if sheet == actor.sheet {
        return Ok(Vec::new());
    }
    let (before, after) = (actor.vitals, actor.vitals.clamped(&sheet));
    let vitals = (before != after).then_some(VitalsChange { after, before });
    let (actor_id, before) = (actor.id.clone(), actor.sheet.clone());
    Ok(vec![SheetSet { actor_id, sheet, before, vitals }.into()])
}

pub(super) fn set_state(ask: Ask<'_>, id: &str, input: VitalsInput) -> Result<Vec<Fact>, Refusal> {
    let id = actor_id(id)?;
    input.check()?;
    let what = "change how an actor is doing";
    ask.may_take_part(what)?;
    let actor = ask.actor(id)?;
    if ask.table.guarded() {
        ask.caller.may_play(ask.table, actor, what)?;
    }
    let vitals = actor.vitals.with(input, &actor.sheet)?;
    if vitals == actor.vitals {
        return Ok(Vec::new());
    }
    let (actor_id, before) = (actor.id.clone(), actor.vitals);
    Ok(vec![StateSet { actor_id, vitals, before }.into()])
}

pub(super) fn set_fear(ask: Ask<'_>, fear: i64) -> Result<Vec<Fact>, Refusal> {
    let fear = limits::within(fear, 0, FEAR_MAX, "fear")?;
    ask.may_lead("set the GM's Fear")?;
    let before = ask.table.gm_fear();
    if fear == before {
        return Ok(Vec::new());
    }
    Ok(vec![FearSet { fear, before }.into()])
}
