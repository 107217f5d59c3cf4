//! How a roll came to what it came to, step by step.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{RULES_VERSION, Resolved, outcome};
use crate::Refusal;

/// A roll with the way to its outcome; prints as the tool answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    #[serde(flatten)]
    pub resolved: Resolved,
    pub rules_version: &'static str,
    pub intermediates: Intermediates,
    /// Always the same five, in their order.
    pub steps: [Step; 5],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "the specification's answer has these four")]
pub struct Intermediates {
    pub base_total: i64,
    pub total: i64,
    pub is_crit: bool,
    pub meets_difficulty: bool,
    pub hope_gt_fear: bool,
    pub fear_gt_hope: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    pub code: &'static str,
    pub message: &'static str,
    /// Integers, booleans and words, in a fixed order.
    pub data: Map<String, Value>,
}

/// Explains dice that are known. The same input gives the same bytes.
pub fn explain(
    hope: i64,
    fear: i64,
    modifier: i64,
    difficulty: Option<i64>,
) -> Result<Explanation, Refusal> {
    let resolved = outcome(hope, fear, modifier, difficulty)?;
    let Resolved { total, is_crit, meets_difficulty, .. } = resolved;
    let base_total = hope + fear;
    let mut comparison = vec![("total", total.into())];
    comparison.extend(difficulty.map(|difficulty| ("difficulty", difficulty.into())));
    comparison.push(("meets_difficulty", meets_difficulty.into()));
    if is_crit && difficulty.is_some() {
        comparison.push(("critical_override", true.into()));
    }
    let dice = [("hope", Value::from(hope)), ("fear", fear.into())];
    let steps = [
        step(
            "SUM_DICE",
            "Sum hope and fear dice",
            dice.clone().into_iter().chain([("base_total", base_total.into())]),
        ),
        step(
            "APPLY_MODIFIER",
            "Apply modifier to base total",
            [
                ("base_total", base_total.into()),
                ("modifier", modifier.into()),
                ("total", total.into()),
            ],
        ),
        step(
            "CHECK_CRIT",
            "Check for critical outcome",
            dice.into_iter().chain([("is_crit", is_crit.into())]),
        ),
        step("CHECK_DIFFICULTY", "Compare total against difficulty", comparison),
        step(
            "SELECT_OUTCOME",
            "Select final outcome based on roll",
            [("outcome", resolved.outcome.coarse().into())],
        ),
    ];
    let intermediates = Intermediates {
        base_total,
        total,
        is_crit,
        meets_difficulty,
        hope_gt_fear: hope > fear,
        fear_gt_hope: fear > hope,
    };
    Ok(Explanation { resolved, rules_version: RULES_VERSION, intermediates, steps })
}

fn step(
    code: &'static str,
    message: &'static str,
    data: impl IntoIterator<Item = (&'static str, Value)>,
) -> Step {
    let data = data.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    Step { code, message, data }
}
