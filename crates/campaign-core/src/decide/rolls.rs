//! Rolls that are written down, and what comes of them.

use std::collections::BTreeSet;

use super::{Ask, actor_id, sessions};
use crate::{
    Actor, Fact, Modifier, Refusal, Rng, Roll, RollInput, RollKind, Rolled, Session, Status, Trait,
    Vitals,
    duality::{self, Drawn, Outcome, Resolved},
    fact::{OutcomeApplied, RollResolved, VitalsDelta},
    ids::required,
    limits::{self, fits},
    sheet::FEAR_MAX,
};

pub(super) fn roll(
    ask: Ask<'_>,
    session_id: Option<&str>,
    roll: &RollInput,
) -> Result<Vec<Fact>, Refusal> {
    let session_id = sessions::given(session_id)?;
    let fact = match roll {
        RollInput::Duality { resolved, rng } => {
            in_session(ask, session_id)?;
            duality_roll(RollKind::Duality, *resolved, rng)
        }
        RollInput::Dice { rolled, modifier, rng } => {
            let fact = dice_roll(rolled, *modifier, rng)?;
            in_session(ask, session_id)?;
            fact
        }
        RollInput::Action { actor_id, trait_name, difficulty, modifiers, drawn, rng } => {
            let action = Action::read(actor_id, trait_name, *difficulty, modifiers)?;
            in_session(ask, session_id)?;
            action.resolve(ask, *drawn, rng)?
        }
    };
    Ok(vec![fact.into()])
}

/// A roll is written into the session that is being played, which is the one that is named, if one is.
fn in_session<'a>(ask: Ask<'a>, id: Option<&str>) -> Result<&'a Session, Refusal> {
    ask.may_take_part("roll at this table")?;
    let Some(id) = id else { return sessions::active(ask) };
    let session = sessions::session(ask, id)?;
    if session.status != Status::Active {
        let message = format!("session `{}` is not active", session.id);
        return Err(Refusal::precondition(message).field("session_id"));
    }
    Ok(session)
}

fn duality_roll(roll: RollKind, resolved: Resolved, rng: &Rng) -> RollResolved {
    RollResolved {
        roll,
        actor_id: None,
        with: None,
        modifiers: Vec::new(),
        modifier: resolved.modifier,
        difficulty: resolved.difficulty,
        advantage: resolved.advantage,
        hope: Some(resolved.hope),
        fear: Some(resolved.fear),
        advantage_die: resolved.advantage_die,
        total: resolved.total,
        outcome: Some(resolved.outcome),
        dice: None,
        rng: rng.clone(),
    }
}

fn dice_roll(rolled: &Rolled, modifier: i64, rng: &Rng) -> Result<RollResolved, Refusal> {
    let total = fits(rolled.total + fits(modifier, "modifier")?, "total")?;
    Ok(RollResolved {
        roll: RollKind::Dice,
        actor_id: None,
        with: None,
        modifiers: Vec::new(),
        modifier,
        difficulty: None,
        advantage: None,
        hope: None,
        fear: None,
        advantage_die: None,
        total,
        outcome: None,
        dice: Some(rolled.rolls.clone()),
        rng: rng.clone(),
    })
}

/// A roll for an actor, its fields read.
struct Action<'a> {
    actor_id: &'a str,
    with: Trait,
    difficulty: Option<i64>,
    modifiers: Vec<Modifier>,
}

impl<'a> Action<'a> {
    fn read(
        id: &'a str,
        trait_name: &str,
        difficulty: Option<i64>,
        modifiers: &[Modifier],
    ) -> Result<Self, Refusal> {
        let id = actor_id(id)?;
        let with = required(trait_name, "trait", "trait is required")?;
        let with = Trait::read(with, "trait")?;
        duality::check(0, difficulty)?;
        if modifiers.len() > limits::LIST {
            let message = format!(
                "`modifiers` must have at most {} entries, not {}",
                limits::LIST,
                modifiers.len()
            );
            return Err(Refusal::exhausted(message).field("modifiers"));
        }
        let read = |modifier: &Modifier| {
            let source = limits::short(&modifier.source, "modifiers")?.to_owned();
            Ok(Modifier { source, value: fits(modifier.value, "modifiers")? })
        };
        let modifiers = modifiers.iter().map(read).collect::<Result<_, Refusal>>()?;
        Ok(Self { actor_id: id, with, difficulty, modifiers })
    }

    fn resolve(self, ask: Ask<'_>, drawn: Drawn, rng: &Rng) -> Result<RollResolved, Refusal> {
        let actor = ask.actor(self.actor_id)?;
        ask.caller.may_play(ask.table, actor, "roll for an actor")?;
        let given: i64 = self.modifiers.iter().map(|modifier| modifier.value).sum();
        let modifier = actor.sheet.value(self.with) + given;
        let resolved = duality::resolve(drawn, modifier, self.difficulty)?;
        Ok(RollResolved {
            actor_id: Some(actor.id.clone()),
            with: Some(self.with),
            modifiers: self.modifiers,
            ..duality_roll(RollKind::Action, resolved, rng)
        })
    }
}

/// Applies an outcome, once.
pub(super) fn apply(ask: Ask<'_>, seq: u64, targets: &[String]) -> Result<Vec<Fact>, Refusal> {
    if targets.len() > limits::LIST {
        let message =
            format!("`targets` must have at most {} entries, not {}", limits::LIST, targets.len());
        return Err(Refusal::exhausted(message).field("targets"));
    }
    let named = targets
        .iter()
        .map(|id| required(id, "targets", "actor id is required"))
        .collect::<Result<Vec<_>, _>>()?;
    let what = "apply outcomes";
    ask.may_take_part(what)?;
    let roll = unapplied(ask, seq)?;
    let rolled_by = roll.actor_id.as_ref().and_then(|id| ask.table.actor(id));
    let targets = find_targets(ask, seq, roll, rolled_by, &named)?;
    for actor in rolled_by.into_iter().chain(targets.iter().copied()) {
        ask.caller.may_play(ask.table, actor, what)?;
    }
    Ok(vec![effect(ask, seq, roll.outcome, &targets).into()])
}

fn unapplied(ask: Ask<'_>, seq: u64) -> Result<&Roll, Refusal> {
    let field = "roll_seq";
    match ask.table.roll(seq) {
        Some(roll @ Roll { applied_by: None, .. }) => Ok(roll),
        Some(Roll { applied_by: Some(by), .. }) => {
            let message = format!("outcome of roll {seq} is already applied");
            Err(Refusal::precondition(message)
                .field(field)
                .hint(format!("undo event {by} to apply it otherwise")))
        }
        None if ask.table.is_undone(seq) => {
            Err(Refusal::precondition(format!("event {seq} was undone")).field(field))
        }
        None if ask.table.has_forgotten(seq) => {
            let message = format!("roll {seq} is too long ago");
            let hint = format!("outcomes of the latest {} rolls can be applied", limits::ROLLS);
            Err(Refusal::precondition(message).field(field).hint(hint))
        }
        None => Err(Refusal::not_found(format!("roll {seq} not found")).field(field).hint(
            "only a roll of Duality dice in a session can be applied, by the number of its entry",
        )),
    }
}

/// Those who are named, each once; otherwise whoever rolled.
fn find_targets<'a>(
    ask: Ask<'a>,
    seq: u64,
    roll: &Roll,
    rolled_by: Option<&'a Actor>,
    named: &[&str],
) -> Result<Vec<&'a Actor>, Refusal> {
    if named.is_empty() {
        if rolled_by.is_none() && roll.outcome.with_hope() {
            let message = format!("`targets` is required: nobody in particular made roll {seq}");
            return Err(Refusal::invalid(message).field("targets"));
        }
        return Ok(rolled_by.into_iter().collect());
    }
    let mut seen = BTreeSet::new();
    let once = named.iter().filter(|id| seen.insert(**id));
    once.map(|id| ask.actor(id)).collect()
}

/// With Hope, each target gains Hope; a critical success also relieves it; with Fear, the GM gains Fear.
fn effect(ask: Ask<'_>, roll_seq: u64, outcome: Outcome, targets: &[&Actor]) -> OutcomeApplied {
    let relief = i64::from(outcome == Outcome::CriticalSuccess);
    let change = |actor: &&Actor| {
        let Vitals { hope, stress, .. } = actor.vitals;
        let after = Vitals { hope: hope + 1, stress: stress - relief, ..actor.vitals };
        let after = after.clamped(&actor.sheet);
        let actor_id = actor.id.clone();
        VitalsDelta { actor_id, hope: after.hope - hope, stress: after.stress - stress }
    };
    let changes = if outcome.with_hope() { targets } else { &[] };
    let fear = ask.table.gm_fear();
    let fear_after = (fear + i64::from(outcome.with_fear())).min(FEAR_MAX);
    OutcomeApplied {
        roll_seq,
        changes: changes.iter().map(change).collect(),
        gm_fear: fear_after - fear,
        requires_complication: outcome.with_fear(),
    }
}
