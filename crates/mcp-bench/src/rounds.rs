//! Rounds: every subject in turn, again and again, so that whatever else the machine does hits all alike.

use std::time::Duration;

use crate::{
    load::Limits,
    subject::{Running, Subject},
};

/// What one round showed of one subject.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Round {
    pub(crate) calls_per_second: f64,
    pub(crate) p50: Duration,
    pub(crate) p99: Duration,
    /// The server's own use of the processor, in seconds.
    pub(crate) cpu_per_call: f64,
}

/// Everything that the rounds showed of one subject.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) rounds: Vec<Round>,
    /// Bytes before the first call and after the last.
    pub(crate) memory_idle: u64,
    pub(crate) memory_loaded: u64,
}

/// How the rounds go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) rounds: usize,
    pub(crate) limits: Limits,
}

/// Measures all `subjects`, in the order given. All servers run the whole time; one is loaded at a time.
pub(crate) fn measure(subjects: &[Subject], plan: Plan) -> anyhow::Result<Vec<Measured>> {
    let mut all = Vec::with_capacity(subjects.len());
    for subject in subjects {
        let process = subject.launch.pinned().start()?;
        let running = Running::open(subject, process, plan.limits.in_flight)?;
        let memory_idle = running.process.memory()?;
        all.push((running, Measured { rounds: Vec::new(), memory_idle, memory_loaded: 0 }));
    }
    // The first round warms caches, allocators and node's compiler up, and does not count.
    for number in 0..=plan.rounds {
        for (running, measured) in &mut all {
            let round = round(running, plan.limits)?;
            if number > 0 {
                measured.rounds.push(round);
            }
        }
    }
    let ended = all.into_iter().map(|(running, mut measured)| {
        measured.memory_loaded = running.process.memory()?;
        running.end()?;
        Ok(measured)
    });
    ended.collect()
}

fn round(running: &mut Running, limits: Limits) -> anyhow::Result<Round> {
    let before = running.process.cpu()?;
    let mut sample = running.run(limits)?;
    let cpu = running.process.cpu()?.saturating_sub(before);
    sample.latencies.sort_unstable();
    #[expect(clippy::cast_precision_loss, reason = "a count of calls is far below 2^52")]
    let calls = sample.latencies.len() as f64;
    Ok(Round {
        calls_per_second: calls / sample.elapsed.as_secs_f64(),
        p50: at(&sample.latencies, 50),
        p99: at(&sample.latencies, 99),
        cpu_per_call: cpu.as_secs_f64() / calls,
    })
}

/// The value below which `percent` of the sorted `latencies` are.
fn at(latencies: &[Duration], percent: usize) -> Duration {
    let place = latencies.len() * percent / 100;
    latencies.get(place.min(latencies.len().saturating_sub(1))).copied().unwrap_or_default()
}

impl Measured {
    /// The median over the rounds of `figure`.
    pub(crate) fn median(&self, figure: impl Fn(&Round) -> f64) -> f64 {
        median(self.rounds.iter().map(figure).collect())
    }

    /// The median over the rounds of this subject's `figure` by that of `other` in the same round:
    /// what disturbed both cancels out.
    pub(crate) fn ratio(&self, other: &Self, figure: impl Fn(&Round) -> f64) -> f64 {
        let pairs = self.rounds.iter().zip(&other.rounds);
        median(pairs.map(|(mine, others)| figure(mine) / figure(others)).collect())
    }
}

pub(crate) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_unstable_by(f64::total_cmp);
    let middle = figures.len() / 2;
    match figures.len() {
        0 => f64::NAN,
        even if even % 2 == 0 => f64::midpoint(figures[middle - 1], figures[middle]),
        _ => figures[middle],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
        assert!((median(vec![4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < f64::EPSILON);
    }

    #[test]
    fn the_99th_percentile_of_a_hundred_is_the_last() {
        let latencies: Vec<_> = (1..=100).map(Duration::from_millis).collect();
        assert_eq!(at(&latencies, 99), Duration::from_millis(100));
        assert_eq!(at(&latencies, 50), Duration::from_millis(51));
    }
}
