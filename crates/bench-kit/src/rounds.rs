//! Rounds: every server in turn, again and again, so that whatever else the machine does hits all alike.

use std::time::Duration;

use crate::{
    flight::{Limits, Sample},
    process::Process,
};

/// A server that runs, and the load on it.
pub trait Loaded {
    fn process(&self) -> &Process;
    fn run(&mut self, limits: Limits) -> anyhow::Result<Sample>;
}

/// What one round showed of one subject.
#[derive(Debug, Clone, Copy)]
pub struct Round {
    pub calls_per_second: f64,
    pub p50: Duration,
    pub p99: Duration,
    /// The server's own use of the processor, in seconds.
    pub cpu_per_call: f64,
}

/// What the rounds showed of one server.
#[derive(Debug, Default)]
pub struct Rounds(pub Vec<Round>);

/// How the rounds go.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    pub rounds: usize,
    pub limits: Limits,
}

/// Loads one server at a time, in the order given; all of them run the whole time.
pub fn rounds(all: &mut [impl Loaded], plan: Plan) -> anyhow::Result<Vec<Rounds>> {
    let mut shown: Vec<_> = all.iter().map(|_| Rounds::default()).collect();
    // The first round warms caches, allocators and compilers up, and does not count.
    for number in 0..=plan.rounds {
        for (loaded, rounds) in all.iter_mut().zip(&mut shown) {
            let round = round(loaded, plan.limits)?;
            if number > 0 {
                rounds.0.push(round);
            }
        }
    }
    Ok(shown)
}

fn round(loaded: &mut impl Loaded, limits: Limits) -> anyhow::Result<Round> {
    let before = loaded.process().cpu()?;
    let sample = loaded.run(limits)?;
    let cpu = loaded.process().cpu()?.saturating_sub(before);
    Ok(Round::new(sample, cpu))
}

impl Round {
    /// What `sample` says, `cpu` being what the server used meanwhile.
    pub fn new(mut sample: Sample, cpu: Duration) -> Self {
        sample.latencies.sort_unstable();
        #[expect(clippy::cast_precision_loss, reason = "a count of calls is far below 2^52")]
        let calls = sample.latencies.len() as f64;
        Self {
            calls_per_second: calls / sample.elapsed.as_secs_f64(),
            p50: at(&sample.latencies, 50),
            p99: at(&sample.latencies, 99),
            cpu_per_call: cpu.as_secs_f64() / calls,
        }
    }
}

/// The value below which `percent` of the sorted `latencies` are.
fn at(latencies: &[Duration], percent: usize) -> Duration {
    let place = latencies.len() * percent / 100;
    latencies.get(place.min(latencies.len().saturating_sub(1))).copied().unwrap_or_default()
}

impl Rounds {
    /// The median over the rounds of `figure`.
    pub fn median(&self, figure: impl Fn(&Round) -> f64) -> f64 {
        median(self.0.iter().map(figure).collect())
    }

    /// The median over the rounds of this server's `figure` by that of `other` in the same round:
    /// what disturbed both cancels out.
    pub fn ratio(&self, other: &Self, figure: impl Fn(&Round) -> f64) -> f64 {
        let pairs = self.0.iter().zip(&other.0);
        median(pairs.map(|(mine, others)| figure(mine) / figure(others)).collect())
    }
}

pub fn median(mut figures: Vec<f64>) -> f64 {
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
