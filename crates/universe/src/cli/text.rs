//! Small pieces of text that several commands show.

use serde_json::Value;

/// The first letters of an id, enough to type.
pub(super) fn short(id: &Value) -> String {
    id.as_str().unwrap_or_default().chars().take(8).collect()
}

/// A number of things, named as the wire names them: `1 body`, `3 lagrange points`.
pub(super) fn count(number: u64, things: &str) -> String {
    let mut words = String::new();
    for letter in things.chars() {
        if letter.is_uppercase() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    let one = match words.as_str() {
        "bodies" => "body",
        "nebulae" => "nebula",
        others => others.strip_suffix('s').unwrap_or(others),
    };
    format!("{number} {}", if number == 1 { one } else { &words })
}

/// One command in a few words: `addStar earth`, `tick 5`.
pub(super) fn command(command: &Value) -> String {
    let keys =
        ["id", "childId", "planetId", "groupId", "dt", "revision", "parentId", "targetGroupId"];
    let word = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let told = keys.iter().filter_map(|key| command.get(key)).map(word);
    let kind = command["type"].as_str().unwrap_or("?").to_owned();
    std::iter::once(kind).chain(told).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_thing_is_not_several() {
        assert_eq!(count(1, "asteroidBelts"), "1 asteroid belt");
        assert_eq!(
            (count(1, "bodies"), count(0, "nebulae")),
            ("1 body".into(), "0 nebulae".into())
        );
    }

    #[test]
    fn a_command_in_a_few_words() {
        assert_eq!(command(&json!({"type": "tick", "dt": 5})), "tick 5");
        assert_eq!(
            command(&json!({"type": "attachStar", "childId": "moon", "parentId": "earth"})),
            "attachStar moon earth"
        );
    }
}
