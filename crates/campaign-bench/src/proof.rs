//! Whether answers are right: a fast server that rolls wrongly is not measured.

use std::collections::BTreeSet;

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use crate::{
    client::Client,
    task::{DIFFICULTY, MODIFIER, PLAYER, Task},
};

/// So many rolls show every face of both dice; that fair dice do not happens once in ten thousand million runs.
const ROLLS: usize = 300;

/// Fails unless the server does the task as it should.
pub(crate) fn prove(client: &mut dyn Client, task: Task, campaign: &str) -> anyhow::Result<()> {
    match task {
        Task::Roll => rolls(client, campaign),
        Task::Join => join(client, campaign),
    }
}

fn rolls(client: &mut dyn Client, campaign: &str) -> anyhow::Result<()> {
    let mut seen = BTreeSet::new();
    for _ in 0..ROLLS {
        let answer = client.call(Task::Roll, campaign)?;
        let die = |name: &str| answer[name].as_i64().context("a roll without dice");
        let (hope, fear) = (die("hope")?, die("fear")?);
        ensure!(answer == expected(hope, fear), "not what these dice mean: {answer}");
        seen.extend([("hope", hope), ("fear", fear)]);
    }
    let faces = (1..=12).flat_map(|face| [("hope", face), ("fear", face)]);
    ensure!(seen == faces.collect(), "{ROLLS} rolls showed only {seen:?}");
    Ok(())
}

/// What the rules make of two dice.
fn expected(hope: i64, fear: i64) -> Value {
    let total = hope + fear + i64::from(MODIFIER);
    let crit = hope == fear;
    let meets = crit || total >= i64::from(DIFFICULTY);
    let outcome = match (crit, meets, hope > fear) {
        (true, ..) => "CRITICAL_SUCCESS",
        (_, true, true) => "SUCCESS_WITH_HOPE",
        (_, true, false) => "SUCCESS_WITH_FEAR",
        (_, false, true) => "FAILURE_WITH_HOPE",
        (_, false, false) => "FAILURE_WITH_FEAR",
    };
    json!({
        "hope": hope, "fear": fear, "modifier": MODIFIER, "difficulty": DIFFICULTY, "total": total,
        "is_crit": crit, "meets_difficulty": meets, "outcome": outcome,
    })
}

fn join(client: &mut dyn Client, campaign: &str) -> anyhow::Result<()> {
    let before = client.participants(campaign)?;
    let made = client.call(Task::Join, campaign)?;
    let right = made["campaign_id"] == campaign
        && made["display_name"] == PLAYER
        && made["role"] == "PLAYER"
        && made["controller"] == "HUMAN"
        && made["id"].as_str().is_some_and(|id| !id.is_empty());
    ensure!(right, "not the participant that was to join: {made}");
    ensure!(client.participants(campaign)? == before + 1, "the campaign did not count the join");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_dice_are_a_critical_success_and_the_higher_die_tells_the_rest() {
        let outcome = |hope, fear| expected(hope, fear)["outcome"].clone();
        assert_eq!(outcome(1, 1), "CRITICAL_SUCCESS");
        assert_eq!(outcome(12, 1), "SUCCESS_WITH_HOPE");
        assert_eq!(outcome(1, 12), "SUCCESS_WITH_FEAR");
        assert_eq!(outcome(7, 5), "FAILURE_WITH_HOPE");
        assert_eq!(outcome(5, 7), "FAILURE_WITH_FEAR");
    }
}
