//! Dice. They are drawn here, from a seed, and judged by the core; in a session they are written down.

use campaign_core::{
    self as core, CampaignId, Command, DiceSpec, Fact, Refusal, Rng, RngInput, RollInput, Rolled,
    SessionId, Table, dice,
    duality::{self, Advantage, Outcome, Resolved},
    fact::RollResolved,
};

use super::{Changed, Service, failed};
use crate::{
    Caller, Error,
    backend::Place,
    wire::{self, Flavor, input},
};

impl Service {
    pub(super) async fn duality(
        &self,
        caller: &Caller,
        place: Option<Place>,
        roll: input::DualityRoll,
    ) -> Result<wire::DualityRolled, Error> {
        let advantage = advantage(roll.advantage.as_deref())?;
        duality::check(roll.modifier, roll.difficulty)?;
        let draw = |rng: &Rng| {
            let drawn = dice::duality(rng.seed_used, advantage);
            duality::resolve(drawn, roll.modifier, roll.difficulty)
        };
        let write = |resolved: &Resolved, rng: &Rng| RollInput::Duality {
            resolved: *resolved,
            rng: rng.clone(),
        };
        let (resolved, rng, roll_seq) = self.roll(caller, place, roll.rng, draw, write).await?;
        Ok(wire::DualityRolled { resolved, rng, roll_seq })
    }

    pub(super) async fn dice(
        &self,
        caller: &Caller,
        place: Option<Place>,
        roll: input::DiceRoll,
    ) -> Result<wire::DiceRolled, Error> {
        let specs: Vec<DiceSpec> = roll.dice.into_iter().map(Into::into).collect();
        dice::check(&specs)?;
        let draw = |rng: &Rng| dice::roll(&rng.rng_algo, rng.seed_used, &specs);
        let write = |rolled: &Rolled, rng: &Rng| RollInput::Dice {
            rolled: rolled.clone(),
            modifier: 0,
            rng: rng.clone(),
        };
        let (rolled, rng, roll_seq) = self.roll(caller, place, roll.rng, draw, write).await?;
        Ok(wire::DiceRolled { rolled, rng, roll_seq })
    }

    /// Draws dice, and writes them down if the place has an active session. The seed is told if somebody asked for it or
    /// it stands in the journal.
    async fn roll<T>(
        &self,
        caller: &Caller,
        place: Option<Place>,
        rng: Option<input::Rng>,
        draw: impl Fn(&Rng) -> Result<T, Refusal>,
        write: impl Fn(&T, &Rng) -> RollInput,
    ) -> Result<(T, Option<Rng>, Option<u64>), Error> {
        let told = rng.is_some();
        let rng: RngInput = rng.unwrap_or_default().into();
        let fresh = self.random.seed();
        let Some(place) = place else {
            let rng = Rng::resolve(&rng, false, fresh)?;
            return Ok((draw(&rng)?, told.then_some(rng), None));
        };
        let id = CampaignId::required(&place.campaign_id)?;
        let mut drawn = None;
        let judge = |table: &Table, who: &core::Caller| {
            let rng = Rng::resolve(&rng, leads(table, who), fresh)?;
            let result = draw(&rng)?;
            let roll = write(&result, &rng);
            drawn = Some((result, rng));
            if is_quiet(table, place.session_id.as_deref()) {
                return Ok(Vec::new());
            }
            let command = Command::Roll { session_id: place.session_id.clone(), roll };
            self.decide(table, &command, who)
        };
        let changed = self.change(caller, &id, judge).await.map_err(failed)?;
        let seq = changed.entries.first().map(|entry| entry.seq);
        let (result, rng) = drawn.ok_or_else(super::no_campaign)?;
        Ok((result, (told || seq.is_some()).then_some(rng), seq))
    }

    pub(super) async fn action(
        &self,
        caller: &Caller,
        campaign_id: &str,
        roll: input::ActionRoll,
    ) -> Result<wire::ActionRolled, Error> {
        let id = CampaignId::required(campaign_id)?;
        let advantage = advantage(roll.advantage.as_deref())?;
        let rng: RngInput = roll.rng.unwrap_or_default().into();
        let fresh = self.random.seed();
        let modifiers = roll.modifiers.into_iter();
        let modifiers: Vec<_> = modifiers
            .map(|input::Modifier { source, value }| core::Modifier { source, value })
            .collect();
        let judge = |table: &Table, who: &core::Caller| {
            let rng = Rng::resolve(&rng, leads(table, who), fresh)?;
            let action = RollInput::Action {
                actor_id: roll.actor_id.clone(),
                trait_name: roll.trait_name.clone(),
                difficulty: roll.difficulty,
                modifiers: modifiers.clone(),
                drawn: dice::duality(rng.seed_used, advantage),
                rng,
            };
            let command = Command::Roll { session_id: roll.session_id.clone(), roll: action };
            self.decide(table, &command, who)
        };
        let Changed { entries, .. } = self.change(caller, &id, judge).await.map_err(failed)?;
        let rolled = entries.first().and_then(|entry| match entry.fact() {
            Fact::RollResolved(roll) => action_rolled(entry.seq, roll),
            _ => None,
        });
        rolled.ok_or_else(|| Error::new(core::Code::Internal, "the roll was not written down"))
    }

    pub(super) async fn outcome(
        &self,
        caller: &Caller,
        campaign_id: &str,
        roll_seq: u64,
        targets: Vec<String>,
    ) -> Result<wire::Applied, Error> {
        let command = Command::ApplyOutcome { roll_seq, targets };
        let Changed { entries, table, .. } = self.command(caller, campaign_id, command).await?;
        let applied = entries.first().and_then(|entry| match entry.fact() {
            Fact::OutcomeApplied(applied) => Some(applied),
            _ => None,
        });
        let changes = applied.into_iter().flat_map(|applied| &applied.changes);
        let changes = changes.filter_map(|change| {
            let vitals = table.actor(&change.actor_id)?.vitals;
            Some(wire::Shift {
                actor_id: change.actor_id.clone(),
                hope: change.hope,
                stress: change.stress,
                hope_after: vitals.hope,
                stress_after: vitals.stress,
            })
        });
        Ok(wire::Applied {
            roll_seq,
            changes: changes.collect(),
            gm_fear: table.gm_fear(),
            requires_complication: applied.is_some_and(|applied| applied.requires_complication),
        })
    }
}

fn advantage(text: Option<&str>) -> Result<Advantage, Refusal> {
    match text.map(str::trim).filter(|text| !text.is_empty()) {
        Some(text) => Advantage::read(text, "advantage"),
        None => Ok(Advantage::None),
    }
}

/// Whether a GM asks who may choose a seed: one who has a token has to show it.
fn leads(table: &Table, who: &core::Caller) -> bool {
    let open = who.participant.as_ref().is_some_and(|id| !table.has_token(id));
    who.is_gm(table) && (who.proven || open)
}

/// Whether the table is there, but nothing is played that a roll could be part of. Everything else, also a campaign or
/// session that does not exist, is for the core to judge.
fn is_quiet(table: &Table, session: Option<&str>) -> bool {
    let active = table.active_session().map(|session| &session.id);
    match session.map(|text| SessionId::from(text.trim())) {
        None => table.exists() && active.is_none(),
        Some(named) => table.session(&named).is_some() && active != Some(&named),
    }
}

fn action_rolled(roll_seq: u64, roll: &RollResolved) -> Option<wire::ActionRolled> {
    let outcome = roll.outcome?;
    let crit = outcome == Outcome::CriticalSuccess;
    let met = matches!(outcome, Outcome::SuccessWithHope | Outcome::SuccessWithFear);
    Some(wire::ActionRolled {
        roll_seq,
        hope_die: roll.hope?,
        fear_die: roll.fear?,
        advantage_die: roll.advantage_die,
        modifier: roll.modifier,
        total: roll.total,
        difficulty: roll.difficulty,
        success: crit || met,
        flavor: if outcome.with_fear() { Flavor::Fear } else { Flavor::Hope },
        crit,
        outcome,
        rng: roll.rng.clone(),
    })
}
