//! Commands: decided on what is there, appended whole or not at all.

use kit_store::{Decision, Done, ExecuteError};
use tracing::instrument;
use universe_core::{
    Change, Entry, Refusal, Request, Seen, Universe, UniverseId, Way, decide, redo, set_clock, undo,
};

use super::{
    Record, Service, Stop, failed,
    order::{Ask, Asked, Caller, Order, placed},
};
use crate::{Error, store::Kept};

/// How often an undo is begun again because somebody else undid the same meanwhile.
const TRIES: usize = 64;

/// What came of an order.
#[derive(Debug)]
pub enum Outcome {
    /// It happened and is durable.
    Applied {
        steps: Vec<Step>,
        /// It had happened before, under the same key, and did not happen again.
        repeated: bool,
        record: Record,
    },
    /// A rule said no to one of the commands; nothing has changed and nobody was told.
    Refused { index: usize, refusal: Refusal, record: Record },
}

/// One command that happened.
#[derive(Debug)]
pub struct Step {
    pub revision: u64,
    pub change: Change,
}

/// What the judge found, beside what is to be appended.
enum Verdict {
    Applies,
    Repeats(u64),
    Refused(usize, Refusal),
}

impl Outcome {
    pub fn record(&self) -> &Record {
        match self {
            Self::Applied { record, .. } | Self::Refused { record, .. } => record,
        }
    }
}

impl Service {
    /// Carries an order out. Every surface enters here, so every rule holds everywhere.
    #[instrument(skip_all, fields(universe = %id))]
    pub async fn dispatch(
        &self,
        caller: &Caller,
        id: &UniverseId,
        order: Order,
    ) -> Result<Outcome, Error> {
        self.carry_out(caller, id, Asked::read(order)?).await
    }

    /// The same for an order that was read already.
    pub(super) async fn carry_out(
        &self,
        caller: &Caller,
        id: &UniverseId,
        asked: Asked,
    ) -> Result<Outcome, Error> {
        match asked.steps.first().map(|ask| &ask.request) {
            Some(Ok(Request::Undo { revision })) => {
                self.revise(caller, id, &asked, Way::Undo, *revision).await
            }
            Some(Ok(Request::Redo { revision })) => {
                self.revise(caller, id, &asked, Way::Redo, *revision).await
            }
            _ => {
                let outcome = self.judge(caller, id, &asked, step).await?;
                outcome.ok_or_else(|| Error::Busy { id: id.clone() })
            }
        }
    }

    /// Takes back, or brings back, one change. The states around it are read first, which takes a moment in
    /// which somebody else may do the same; then it is begun again.
    async fn revise(
        &self,
        caller: &Caller,
        id: &UniverseId,
        asked: &Asked,
        way: Way,
        revision: Option<u64>,
    ) -> Result<Outcome, Error> {
        for _ in 0..TRIES {
            let now = self.get(id).await?;
            let around = match now.universe().history.find(way, revision) {
                Ok(of) => {
                    let before = self.at(id, of - 1).await?;
                    Some((of, before, self.at(id, of).await?))
                }
                Err(_) => None,
            };
            let judge = |universe: &Universe, ask: &Ask, _| {
                let of = universe.history.find(way, revision)?;
                let Some((_, before, after)) = around.as_ref().filter(|around| around.0 == of)
                else {
                    return Err(Stop::Moved);
                };
                let (now, before) = (&universe.state, &before.universe().state);
                let (after, command) = (&after.universe().state, ask.command.clone());
                Ok(match way {
                    Way::Undo => {
                        let events = undo(now, before, after, of)?;
                        Change::Undone { of, command, events }
                    }
                    Way::Redo => {
                        let events = redo(now, before, after, of)?;
                        Change::Redone { of, command, events }
                    }
                })
            };
            if let Some(outcome) = self.judge(caller, id, asked, judge).await? {
                return Ok(outcome);
            }
        }
        Err(Error::Busy { id: id.clone() })
    }

    /// Lets `step` decide on each command in turn, each on what the one before it left, and appends all that
    /// follows, or nothing. `None` if what was prepared no longer fits.
    async fn judge(
        &self,
        caller: &Caller,
        id: &UniverseId,
        asked: &Asked,
        step: impl Fn(&Universe, &Ask, i64) -> Result<Change, Stop>,
    ) -> Result<Option<Outcome>, Error> {
        let mut verdict = Verdict::Applies;
        let at = self.now();
        let judge = |universe: &Universe| {
            verdict = Verdict::Applies;
            match asked.key.as_ref().and_then(|key| universe.keys.seen(key)) {
                Some(Seen::Same(revision)) => {
                    verdict = Verdict::Repeats(revision);
                    return Ok(Decision::new(Vec::new()));
                }
                Some(Seen::Other(revision)) => return Err(Stop::KeyTaken(revision)),
                None => {}
            }
            let mut entries: Vec<Entry> = Vec::with_capacity(asked.steps.len());
            // What the commands so far lead to; the first decides on what is there.
            let mut ahead = None::<Universe>;
            for (index, ask) in asked.steps.iter().enumerate() {
                if let Some(last) = entries.last() {
                    ahead.get_or_insert_with(|| universe.clone()).apply(last);
                }
                match step(ahead.as_ref().unwrap_or(universe), ask, at) {
                    Ok(change) => {
                        let key = asked.key.clone().filter(|_| index == 0);
                        entries.push(Entry { at, via: Some(caller.via.clone()), key, change });
                    }
                    // Nothing happens, and the caller is told why and on which state.
                    Err(Stop::Refused(refusal)) => {
                        verdict = Verdict::Refused(index, refusal);
                        return Ok(Decision::new(Vec::new()));
                    }
                    Err(Stop::Invalid(wrong)) if asked.together && ask.request.is_ok() => {
                        return Err(Stop::Invalid(placed(wrong, index)));
                    }
                    Err(other) => return Err(other),
                }
            }
            Ok(Decision::new(entries))
        };
        match self.change(caller, id, at, None, judge).await {
            Ok(done) => self.outcome(id, done, verdict, asked.steps.len()).await.map(Some),
            Err(ExecuteError::Rejected(Stop::Moved)) => Ok(None),
            Err(error) => Err(failed(id, error)),
        }
    }

    async fn outcome(
        &self,
        id: &UniverseId,
        done: Done<Kept>,
        verdict: Verdict,
        count: usize,
    ) -> Result<Outcome, Error> {
        let (steps, repeated) = match verdict {
            Verdict::Refused(index, refusal) => {
                return Ok(Outcome::Refused {
                    index,
                    refusal,
                    record: self.record(id, done.state),
                });
            }
            Verdict::Repeats(first) => (self.lines(id, first - 1, count).await?, true),
            Verdict::Applies => {
                let first = done.version.0 + 1 - done.events.len() as u64;
                let step =
                    |(revision, entry): (u64, Entry)| Step { revision, change: entry.change };
                ((first..).zip(done.events).map(step).collect(), false)
            }
        };
        Ok(Outcome::Applied { steps, repeated, record: self.record(id, done.state) })
    }

    /// What the log says happened after a revision.
    async fn lines(&self, id: &UniverseId, after: u64, count: usize) -> Result<Vec<Step>, Error> {
        let lines = self.read_log(id, after, count).await?;
        let step = |line: &kit_store::Recorded| {
            let entry: Entry = serde_json::from_str(line.data.get())
                .map_err(|source| Error::unreadable(id, line, source))?;
            Ok(Step { revision: line.version.0, change: entry.change })
        };
        lines.iter().map(step).collect()
    }
}

/// What one command leads to.
fn step(universe: &Universe, ask: &Ask, at: i64) -> Result<Change, Stop> {
    let command = ask.command.clone();
    match ask.request.clone()? {
        Request::Command(asked) => {
            let events = decide(&universe.state, asked)?;
            Ok(Change::Command { command, events })
        }
        Request::SetClock(asked) => {
            let (clock, time) = set_clock(universe, asked, at);
            Ok(Change::Clock { command: Some(command), clock, time })
        }
        // Alone they are carried out by `revise`; beside others they were refused when they were read.
        Request::Undo { .. } | Request::Redo { .. } => Err(Stop::Moved),
    }
}
