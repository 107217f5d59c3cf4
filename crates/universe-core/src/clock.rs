//! The shared clock: everyone who looks at a universe sees the same sky.
//!
//! A playing clock changes nothing by itself. The state holds the simulation time at one moment, the clock says since
//! when and how fast it has run, and [`Universe::time_at`] is a function of the two and of now. So a universe that
//! plays for a year writes no line of log.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Invalid, Universe, error::Problem, shape};

/// The largest rate, either way.
const FASTEST: f64 = 1000.0;

/// How simulation time follows wall time. Paused at rate 1 unless told otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Clock {
    pub playing: bool,
    /// Seconds of simulation per second; negative goes back.
    pub rate: f64,
    /// The moment, in milliseconds since 1970, at which the time was the one in the state.
    pub since_ms: i64,
}

impl Default for Clock {
    fn default() -> Self {
        Self { playing: false, rate: 1.0, since_ms: 0 }
    }
}

/// What a `setClock` asks for; what is absent stays.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SetClock {
    pub playing: Option<bool>,
    pub rate: Option<f64>,
    pub time: Option<f64>,
}

impl SetClock {
    /// Reads the keys of a `setClock` command, or of the body of a request that sets the clock.
    pub fn parse(input: &Value) -> Result<Self, Invalid> {
        let mut problems = Vec::new();
        if !input.is_object() {
            let wanted = "an object with `playing`, `rate` or `time`";
            problems.push(shape::mismatch("clock".into(), wanted, input));
        }
        let playing = input.get("playing").and_then(|value| {
            let flag = value.as_bool();
            if flag.is_none() {
                problems.push(shape::mismatch("playing".into(), "true or false", value));
            }
            flag
        });
        let rate = number(input, "rate", "a number from -1000 to 1000", &mut problems);
        let time = number(input, "time", "a finite number", &mut problems);
        if let Some(rate) = rate.filter(|rate| rate.abs() > FASTEST) {
            let message = format!("must be a number from -1000 to 1000, not {rate}");
            problems.push(Problem { field: "rate".into(), message });
        }
        if problems.is_empty() {
            Ok(Self { playing, rate, time })
        } else {
            Err(Invalid { problems })
        }
    }
}

fn number(input: &Value, key: &str, wanted: &str, problems: &mut Vec<Problem>) -> Option<f64> {
    let value = input.get(key)?;
    let number = value.as_f64().filter(|number| number.is_finite());
    if number.is_none() {
        problems.push(shape::mismatch(key.into(), wanted, value));
    }
    number
}

/// The clock after `asked`, and the simulation time at `now_ms`, from where it goes on.
pub fn set_clock(universe: &Universe, asked: SetClock, now_ms: i64) -> (Clock, f64) {
    let clock = Clock {
        playing: asked.playing.unwrap_or(universe.clock.playing),
        rate: asked.rate.unwrap_or(universe.clock.rate),
        since_ms: now_ms,
    };
    (clock, asked.time.unwrap_or_else(|| universe.time_at(now_ms)))
}

impl Universe {
    /// The simulation time at a moment of wall time. Always finite: what a clock can add in all the milliseconds
    /// there are is lost in the rounding long before a double overflows.
    pub fn time_at(&self, now_ms: i64) -> f64 {
        if !self.clock.playing {
            return self.state.time();
        }
        #[expect(clippy::cast_precision_loss, reason = "exact for 285 000 years")]
        let passed = now_ms.saturating_sub(self.clock.since_ms) as f64 / 1000.0;
        self.state.time() + self.clock.rate * passed
    }
}
