//! `tandem universe send`

use std::io::Read;

use anyhow::Context;
use http::Method;
use kit_cli::{Answer, Client, Hint, Outcome, Ui, client::Ask};
use serde_json::{Map, Value, json};

use super::{find, text};

/// Send a command to a universe
///
/// As words, `tandem universe send sol addStar id=earth payload.orbitalDistance=10`, or as JSON, `tandem universe
/// send sol '{"type":"tick","dt":5}'`. `-` reads JSON from standard input; a list of commands is applied as one,
/// all or nothing. `undo` and `redo` take back and bring back.
#[derive(Debug, clap::Args)]
pub struct SendArgs {
    /// Its id, the beginning of its id, or its name
    universe: String,

    /// The command's type followed by `key=value`, or JSON, or `-`
    #[arg(required = true, value_name = "COMMAND")]
    words: Vec<String>,

    /// Sent again with the same key, it is not applied twice
    #[arg(long, value_name = "TEXT")]
    key: Option<String>,

    /// Answer with the whole new state, too
    #[arg(long)]
    state: bool,
}

pub(super) async fn send(ui: &mut Ui, client: &Client, args: &SendArgs) -> anyhow::Result<Outcome> {
    let command = read(&args.words)?;
    let id = find::id(client, &args.universe).await?;
    let detail = if args.state { "full" } else { "none" };
    let (path, body) = match &command {
        Value::Array(commands) => ("batches", json!({"commands": commands})),
        _ => ("commands", command.clone()),
    };
    let key = args.key.as_deref().map(|key| ("idempotency-key", key));
    let headers: Vec<_> = key.into_iter().collect();
    let path = format!("/universes/{id}/{path}?state={detail}");
    let ask = Ask { method: Method::POST, path: &path, headers: &headers, body: Some(&body) };
    let json = client.ask(ask).await?;
    let applied = json["applied"] == true;
    ui.result(&Answer { text: told(&command, &json), json })?;
    Ok(if applied { Outcome::Success } else { Outcome::Negative })
}

/// What came of it, in a line or two.
fn told(command: &Value, answer: &Value) -> String {
    let what = match command {
        Value::Array(commands) => format!("{} commands", commands.len()),
        command => text::command(command),
    };
    if answer["applied"] == true {
        let again = if answer["repeated"] == true { " (was applied before)" } else { "" };
        return format!("{what}: revision {}{again}", answer["revision"]);
    }
    let why = answer["hint"].as_str().map_or_else(|| answer["events"].to_string(), str::to_owned);
    format!("{what}: refused, nothing changed\n  {why}")
}

fn read(words: &[String]) -> anyhow::Result<Value> {
    let [first, rest @ ..] = words else { return Ok(Value::Null) };
    let json = match first.as_str() {
        "-" => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
            text
        }
        text if text.trim_start().starts_with(['{', '[']) => text.to_owned(),
        kind => return worded(kind, rest),
    };
    serde_json::from_str(&json)
        .context("the command is not JSON")
        .hint("as words it is `TYPE key=value …`, as in `tick dt=5`")
}

/// `addStar id=earth payload.radius=2`: a value that is JSON is meant so, anything else is text.
fn worded(kind: &str, pairs: &[String]) -> anyhow::Result<Value> {
    let mut command = Map::from_iter([("type".to_owned(), Value::from(kind))]);
    for pair in pairs {
        let (path, text) = pair
            .split_once('=')
            .with_context(|| format!("`{pair}` has no `=` between key and value"))?;
        let value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
        let (parents, key) =
            path.rsplit_once('.').map_or((None, path), |(way, key)| (Some(way), key));
        let mut place = &mut command;
        for step in parents.into_iter().flat_map(|way| way.split('.')) {
            let inner = place.entry(step).or_insert_with(|| Value::Object(Map::new()));
            place =
                inner.as_object_mut().with_context(|| format!("`{path}`: `{step}` is a value"))?;
        }
        place.insert(key.to_owned(), value);
    }
    Ok(Value::Object(command))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> anyhow::Result<Value> {
        read(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn words_and_json_say_the_same() {
        let typed =
            words(&["addStar", "id=earth", "payload.radius=2", "payload.name=Earth"]).unwrap();
        let json =
            words(&[r#"{"type":"addStar","id":"earth","payload":{"radius":2,"name":"Earth"}}"#]);
        assert_eq!(typed, json.unwrap());
    }

    #[test]
    fn a_word_without_a_value_is_named() {
        let error = words(&["tick", "dt"]).unwrap_err();
        assert_eq!(error.to_string(), "`dt` has no `=` between key and value");
    }

    #[test]
    fn a_value_has_nothing_below_it() {
        let error = words(&["addStar", "payload=1", "payload.radius=2"]).unwrap_err();
        assert_eq!(error.to_string(), "`payload.radius`: `payload` is a value");
    }
}
