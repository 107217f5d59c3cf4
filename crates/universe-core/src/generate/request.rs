//! What is asked for: read from JSON, with every mistake named at once.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    Parameters, Preset, Topology,
    choices::{self, Choice},
    random::{Random, fnv1a},
};
use crate::{Invalid, Problem, shape};

/// The keys of a request. `name` belongs to the universe that is made of it.
const KEYS: [&str; 5] = ["name", "preset", "seed", "topology", "parameters"];

/// Longer text is no seed but a mistake.
const LONGEST_SEED: usize = 200;

/// Where every choice of the generator comes from. 0 and empty text are seeds like any other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Seed {
    Text(String),
    Number(u32),
}

impl Seed {
    pub(super) fn random(&self) -> Random {
        match self {
            Self::Text(text) => Random::new(fnv1a(text)),
            Self::Number(number) => Random::new(*number),
        }
    }

    fn read(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) if text.chars().count() <= LONGEST_SEED => {
                Some(Self::Text(text.clone()))
            }
            Value::Number(number) => {
                let number = number.as_f64().filter(|number| {
                    number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(number)
                })?;
                Some(Self::Number(super::random::floor(number)))
            }
            _ => None,
        }
    }
}

/// One universe to generate. The same request gives the same universe, ids included.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    pub seed: Seed,
    pub preset: Preset,
    /// `None` is [`Topology::Classic`].
    pub topology: Option<Topology>,
    /// The values of the preset with those of the request over them.
    pub parameters: Parameters,
}

impl Request {
    /// What a preset gives with this seed.
    pub fn new(preset: Preset, seed: Seed) -> Self {
        Self { seed, preset, topology: None, parameters: preset.parameters() }
    }

    /// Reads `{preset?, seed?, topology?, parameters?}`. Without a seed it is `fallback_seed`.
    pub fn from_json(value: &Value, fallback_seed: u32) -> Result<Self, Invalid> {
        let mut problems = Vec::new();
        let Value::Object(map) = value else {
            let problem = shape::mismatch("request".into(), "an object", value);
            return Err(Invalid { problems: vec![problem] });
        };
        for key in map.keys().filter(|key| !KEYS.contains(&key.as_str())) {
            problems.push(unknown(key.clone(), key, "part of a request", &KEYS));
        }
        let preset = choice(map, "preset", &mut problems).unwrap_or_default();
        let mut request = Self::new(preset, Seed::Number(fallback_seed));
        request.topology = choice(map, "topology", &mut problems);
        if let Some(value) = given(map, "seed") {
            match Seed::read(value) {
                Some(seed) => request.seed = seed,
                None => problems.push(wrong_seed(value)),
            }
        }
        match given(map, "parameters") {
            None => {}
            Some(Value::Object(values)) => request.override_with(values, &mut problems),
            Some(other) => {
                problems.push(shape::mismatch("parameters".into(), "an object", other));
            }
        }
        if problems.is_empty() { Ok(request) } else { Err(Invalid { problems }) }
    }

    fn override_with(&mut self, values: &Map<String, Value>, problems: &mut Vec<Problem>) {
        for (key, value) in values.iter().filter(|(_, value)| !value.is_null()) {
            let field = format!("parameters.{key}");
            match self.parameters.set(key, value) {
                Some(Ok(())) => {}
                Some(Err(mismatch)) => problems.push(mismatch.problem(field, value)),
                None => problems.push(unknown(field, key, "a parameter", Parameters::NAMES)),
            }
        }
        let Parameters { rogue_curvature_min: min, rogue_curvature_max: max, .. } = self.parameters;
        if min > max {
            problems.push(Problem {
                field: "parameters.rogueCurvatureMin".into(),
                message: format!("must not be above `rogueCurvatureMax`, which is {max}"),
            });
        }
    }
}

fn given<'a>(map: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    map.get(key).filter(|value| !value.is_null())
}

fn choice<C: Choice>(
    map: &Map<String, Value>,
    key: &str,
    problems: &mut Vec<Problem>,
) -> Option<C> {
    let value = given(map, key)?;
    choices::read(value)
        .map_err(|mismatch| problems.push(mismatch.problem(key.to_owned(), value)))
        .ok()
}

fn unknown(field: String, key: &str, what: &str, known: &'static [&'static str]) -> Problem {
    let way_out = match kit_core::nearest(key, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.len() > 10 => {
            format!("the description of the generator lists the {} there are", known.len())
        }
        None => format!("there are `{}`", known.join("`, `")),
    };
    Problem { field, message: format!("is not {what}; {way_out}") }
}

fn wrong_seed(value: &Value) -> Problem {
    let wanted = format!(
        "text of at most {LONGEST_SEED} characters or a whole number from 0 to {}",
        u32::MAX
    );
    shape::mismatch("seed".into(), &wanted, value)
}
