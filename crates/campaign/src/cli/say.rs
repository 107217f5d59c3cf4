//! What the journal and the dice say, in words for people.

use std::collections::HashMap;

use anstyle::{AnsiColor, Style};
use serde_json::Value;

/// Hope is gold, Fear is violet, here as on the page.
pub(super) const HOPE: Style = AnsiColor::Yellow.on_default().bold();
pub(super) const FEAR: Style = AnsiColor::Magenta.on_default().bold();
pub(super) const CRITICAL: Style = AnsiColor::Green.on_default().bold();
const FAINT: Style = Style::new().dimmed();

pub(super) fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The first letters of an id after what kind it is, enough to type.
pub(super) fn short(id: &Value) -> String {
    let id = word(id);
    id.split_once('_').map_or(id, |(_, bare)| bare).chars().take(8).collect()
}

/// `●●●○○○`
pub(super) fn pips(number: &Value, most: usize) -> String {
    let full = number.as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or(0);
    let full = full.min(most);
    "●".repeat(full) + &"○".repeat(most - full)
}

/// `SUCCESS_WITH_HOPE` as it is said and coloured.
pub(super) fn outcome(name: &str) -> String {
    let style = style(name);
    let words = name.to_lowercase().replace('_', " ");
    format!("{style}{words}{style:#}")
}

pub(super) fn style(outcome: &str) -> Style {
    match outcome {
        "CRITICAL_SUCCESS" => CRITICAL,
        name if name.ends_with("HOPE") => HOPE,
        _ => FEAR,
    }
}

/// `+2`, `−1`, or nothing for none.
pub(super) fn signed(number: &Value) -> String {
    match number.as_i64().unwrap_or(0) {
        0 => String::new(),
        number if number > 0 => format!("+{number}"),
        number => format!("−{}", number.unsigned_abs()),
    }
}

/// The names of those at a table, by id: entries have ids alone.
#[derive(Debug, Default)]
pub(super) struct Names(HashMap<String, String>);

impl Names {
    pub(super) fn of(table: &Value) -> Self {
        let list = |key: &str, name: &'static str| {
            let records = table[key].as_array().cloned().unwrap_or_default();
            records
                .into_iter()
                .map(move |record| (word(&record["id"]).to_owned(), word(&record[name]).to_owned()))
        };
        Self(list("participants", "display_name").chain(list("actors", "name")).collect())
    }

    pub(super) fn get<'a>(&'a self, id: &'a Value) -> &'a str {
        match word(id) {
            "" => "somebody",
            "GM" => "the GM",
            id => self.0.get(id).map_or(id, String::as_str),
        }
    }

    /// One entry of the journal as one line: when, which, who, what.
    pub(super) fn line(&self, entry: &Value) -> String {
        let seq = entry["seq"].to_string();
        let what = self.sentence(entry);
        let undone = entry["undone"] == true;
        let what = if undone { format!("{FAINT}(undone) {what}{FAINT:#}") } else { what };
        let who = match &entry["actor"]["name"] {
            Value::String(name) => format!("  ({name})"),
            _ => String::new(),
        };
        format!("{}  {seq:>5}  {what}{who}", kit_cli::time(&entry["ts"]))
    }

    fn sentence(&self, entry: &Value) -> String {
        let payload = &entry["payload"];
        let text = |key: &str| word(&payload[key]);
        let actor = self.get(&payload["actor_id"]);
        match word(&entry["type"]) {
            "campaign.created" => format!("campaign “{}” was made", text("name")),
            "campaign.forked" => format!("was forked from {} at {}", text("from"), payload["seq"]),
            "participant.joined" => {
                let role = if payload["role"] == "GM" { "GM" } else { "player" };
                format!("{} joined as {role}", text("display_name"))
            }
            "participant.token_issued" => {
                format!("{} got a token", self.get(&payload["participant_id"]))
            }
            "actor.created" => format!("{} ({}) came into play", text("name"), text("kind")),
            "actor.control_set" => {
                format!("{actor} is now played by {}", self.get(&payload["controller"]))
            }
            "actor.sheet_set" => format!("{actor} has another sheet"),
            "actor.state_set" => format!("{actor} has {}", vitals(&payload["vitals"])),
            "gm.fear_set" => format!("Fear is {}", payload["fear"]),
            "session.started" => format!("session “{}” began", text("name")),
            "session.ended" => "the session ended".to_owned(),
            "note.added" => text("text").to_owned(),
            "roll.resolved" if payload["roll"] == "ACTION" => format!("{actor} {}", roll(payload)),
            "roll.resolved" => roll(payload),
            "outcome.applied" => self.applied(payload),
            "event.undone" => format!("entry {} was undone", payload["seq"]),
            other => other.to_owned(),
        }
    }

    fn applied(&self, payload: &Value) -> String {
        let mut parts: Vec<String> = Vec::new();
        for change in payload["changes"].as_array().into_iter().flatten() {
            let who = self.get(&change["actor_id"]);
            for key in ["hope", "stress"] {
                let by = signed(&change[key]);
                if !by.is_empty() {
                    parts.push(format!("{who} {by} {key}"));
                }
            }
        }
        let fear = signed(&payload["gm_fear"]);
        if !fear.is_empty() {
            parts.push(format!("{fear} Fear"));
        }
        let what = if parts.is_empty() { "nothing changed".to_owned() } else { parts.join(", ") };
        format!("outcome of roll {}: {what}", payload["roll_seq"])
    }
}

fn vitals(vitals: &Value) -> String {
    ["hope", "stress", "hp"].map(|key| format!("{key} {}", vitals[key])).join(", ")
}

fn roll(payload: &Value) -> String {
    if payload["roll"] == "DICE" {
        return format!("rolled {} for {}", dice(&payload["dice"]), payload["total"]);
    }
    let mut text = format!("rolled {}", payload["total"]);
    if let Some(name) = payload["trait"].as_str() {
        text = format!("rolled {} with {}", payload["total"], name.to_lowercase());
    }
    if !payload["difficulty"].is_null() {
        text = format!("{text} against {}", payload["difficulty"]);
    }
    let modifier = signed(&payload["modifier"]);
    let modifier = if modifier.is_empty() { modifier } else { format!(", {modifier}") };
    let pair = format!("hope {}, fear {}", payload["hope"], payload["fear"]);
    format!("{text}: {} ({pair}{modifier})", outcome(word(&payload["outcome"])))
}

/// `hope 8, fear 5, +2: 15 against 14, success with hope`; `keys` are what the two dice are called in the answer.
pub(super) fn judged(roll: &Value, keys: [&str; 2]) -> String {
    let [hope, fear] = keys.map(|key| &roll[key]);
    let mut dice = vec![format!("{HOPE}hope {hope}{HOPE:#}"), format!("{FEAR}fear {fear}{FEAR:#}")];
    if !roll["advantage_die"].is_null() {
        dice.push(format!("d6 {}", roll["advantage_die"]));
    }
    let modifier = signed(&roll["modifier"]);
    if !modifier.is_empty() {
        dice.push(modifier);
    }
    let against = match &roll["difficulty"] {
        Value::Null => String::new(),
        difficulty => format!(" against {difficulty}"),
    };
    let outcome = outcome(word(&roll["outcome"]));
    format!("{}: {}{against}, {outcome}", dice.join(", "), roll["total"])
}

/// `2d20 [3, 17] + 1d6 [4]`
pub(super) fn dice(rolls: &Value) -> String {
    let one = |roll: &Value| {
        let results: Vec<_> =
            roll["results"].as_array().into_iter().flatten().map(ToString::to_string).collect();
        format!("{}d{} [{}]", results.len(), roll["sides"], results.join(", "))
    };
    let all: Vec<_> = rolls.as_array().into_iter().flatten().map(one).collect();
    all.join(" + ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_roll_is_a_sentence() {
        let entry = json!({
            "seq": 12, "ts": "2025-01-15T10:30:00.000Z", "type": "roll.resolved",
            "actor": {"kind": "PARTICIPANT", "id": "part_a", "name": "Mira"},
            "payload": {"roll": "ACTION", "actor_id": "actor_t", "trait": "AGILITY", "total": 15, "difficulty": 14, "hope": 8, "fear": 5,
                "modifier": 2, "outcome": "SUCCESS_WITH_HOPE"},
        });
        let table = json!({"actors": [{"id": "actor_t", "name": "Thorin"}], "participants": []});
        let line = Names::of(&table).line(&entry);
        let line = anstream::adapter::strip_str(&line).to_string();
        assert_eq!(
            line,
            "2025-01-15 10:30:00     12  Thorin rolled 15 with agility against 14: success with hope (hope 8, fear 5, +2)  (Mira)"
        );
    }

    #[test]
    fn pips_are_as_many_as_there_can_be() {
        assert_eq!(pips(&json!(2), 6), "●●○○○○");
        assert_eq!(pips(&json!(99), 6), "●●●●●●");
        assert_eq!(pips(&json!(null), 3), "○○○");
    }
}
