//! Rounds, and the memory before and after them.

use bench_kit::{Loaded, Plan, Rounds};

use crate::subject::{Running, Subject};

/// Everything that the rounds showed of one subject.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) rounds: Rounds,
    /// Bytes before the first call and after the last.
    pub(crate) memory_idle: u64,
    pub(crate) memory_loaded: u64,
}

/// Measures all `subjects`, in the order given. All servers run the whole time; one is loaded at a time.
pub(crate) fn measure(subjects: &[Subject], plan: Plan) -> anyhow::Result<Vec<Measured>> {
    let mut all = Vec::with_capacity(subjects.len());
    let mut idle = Vec::with_capacity(subjects.len());
    for subject in subjects {
        let process = subject.launch.pinned().start()?;
        let running = Running::open(subject, process, plan.limits.in_flight)?;
        idle.push(running.process().memory()?);
        all.push(running);
    }
    let rounds = bench_kit::rounds(&mut all, plan)?;
    let ended = all.into_iter().zip(rounds).zip(idle).map(|((running, rounds), memory_idle)| {
        let memory_loaded = running.process().memory()?;
        running.end()?;
        Ok(Measured { rounds, memory_idle, memory_loaded })
    });
    ended.collect()
}
