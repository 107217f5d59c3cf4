//! `tandem campaign odds`

use std::fmt::Write;

use kit_cli::{Answer, Client, Outcome, Ui, client::Ask};
use serde_json::Value;

use super::{
    dice::Against,
    say::{outcome, signed, style, word},
};

/// The longest bar.
const WIDTH: f64 = 40.0;

/// Show how likely each outcome of a Duality roll is, exactly
#[derive(Debug, clap::Args)]
pub struct OddsArgs {
    #[command(flatten)]
    against: Against,

    /// With a d6 added (advantage) or taken away (disadvantage)
    #[arg(long, value_enum)]
    advantage: Option<Help>,
}

/// A d6 that helps or hinders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "lower")]
pub(super) enum Help {
    None,
    Advantage,
    Disadvantage,
}

impl Help {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::None => "NONE",
            Self::Advantage => "ADVANTAGE",
            Self::Disadvantage => "DISADVANTAGE",
        }
    }
}

pub(super) async fn odds(ui: &mut Ui, client: &Client, args: &OddsArgs) -> anyhow::Result<Outcome> {
    let mut body = args.against.body();
    body.entry("difficulty").or_insert_with(|| 0.into());
    if let Some(advantage) = args.advantage {
        body.insert("advantage".into(), advantage.name().into());
    }
    let heading = heading(&body.clone().into());
    let json = client.ask(Ask::post("/duality/probability", &body.into())).await?;
    let text = heading + &chart(&json);
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}

fn heading(body: &Value) -> String {
    let modifier = signed(&body["modifier"]);
    let dice = if modifier.is_empty() { "2d12".to_owned() } else { format!("2d12 {modifier}") };
    let help = match word(&body["advantage"]) {
        "ADVANTAGE" => " with advantage",
        "DISADVANTAGE" => " with disadvantage",
        _ => "",
    };
    format!("{dice}{help} against {}\n\n", body["difficulty"])
}

#[expect(clippy::cast_precision_loss, reason = "at most 864 outcomes")]
fn chart(json: &Value) -> String {
    let total = json["total_outcomes"].as_u64().unwrap_or(1).max(1) as f64;
    let share = |count: &Value| count.as_u64().unwrap_or(0) as f64 / total;
    let counts: Vec<&Value> = json["outcome_counts"].as_array().into_iter().flatten().collect();
    let largest = counts.iter().map(|entry| share(&entry["count"])).fold(0.0, f64::max);
    let mut text = String::new();
    for entry in counts {
        let (name, share) = (word(&entry["outcome"]), share(&entry["count"]));
        let style = style(name);
        let bar = bar(share / largest.max(f64::MIN_POSITIVE) * WIDTH);
        let label = outcome(name);
        // Colours have no width.
        let room = " ".repeat(18usize.saturating_sub(name.len()));
        let _ = writeln!(
            text,
            "{label}{room}  {:>3}  {:>5.1} %  {style}{bar}{style:#}",
            entry["count"].to_string(),
            share * 100.0
        );
    }
    let good = share(&json["crit_count"]) + share(&json["success_count"]);
    let _ = writeln!(
        text,
        "\nsucceeds {:.1} % of the time ({} of {})",
        good * 100.0,
        json["crit_count"].as_u64().unwrap_or(0) + json["success_count"].as_u64().unwrap_or(0),
        json["total_outcomes"]
    );
    text
}

/// A bar of so many characters, to an eighth.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "at most forty characters"
)]
fn bar(length: f64) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (length * 8.0).round() as usize;
    "█".repeat(eighths / 8) + PARTS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_chart_is_as_long_as_the_odds() {
        let json = json!({
            "total_outcomes": 144, "crit_count": 12, "success_count": 72, "failure_count": 60,
            "outcome_counts": [
                {"outcome": "CRITICAL_SUCCESS", "count": 12},
                {"outcome": "SUCCESS_WITH_HOPE", "count": 36},
                {"outcome": "FAILURE_WITH_FEAR", "count": 30},
                {"outcome": "SUCCESS_WITH_FEAR", "count": 0},
            ],
        });
        let text = anstream::adapter::strip_str(&chart(&json)).to_string();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], format!("critical success     12    8.3 %  {}▍", "█".repeat(13)));
        assert_eq!(lines[1], format!("success with hope    36   25.0 %  {}", "█".repeat(40)));
        assert_eq!(lines[3], "success with fear     0    0.0 %  ");
        assert_eq!(lines[5], "succeeds 58.3 % of the time (84 of 144)");
    }
}
