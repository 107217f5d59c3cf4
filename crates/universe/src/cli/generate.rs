//! `tandem universe generate`

use anyhow::{Context, bail};
use futures::StreamExt;
use http::Method;
use kit_cli::{Answer, Client, Outcome, Ui, client::Ask};
use serde_json::{Map, Value};

use super::{find, text::count};

/// Make a universe by a seed
#[derive(Debug, clap::Args)]
pub struct GenerateArgs {
    /// How much of everything: `sparse`, `solarLike`, `crowded` or `superDenseExperimental`
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    /// The same seed makes the same universe (default: a random one, which is told)
    #[arg(long)]
    seed: Option<String>,

    /// How systems are built: `classic`, `compact`, `multiStarHeavy`, `moonRich`, `sparseOutpost`, `deepHierarchy`
    #[arg(long, value_name = "NAME")]
    topology: Option<String>,

    /// Set one parameter, such as `maxSystems=20`; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    parameter: Vec<String>,

    /// Its name
    #[arg(long)]
    name: Option<String>,

    /// Replace what is in this universe instead of making one
    #[arg(long, value_name = "UNIVERSE", conflicts_with = "name")]
    into: Option<String>,
}

pub(super) async fn generate(
    ui: &mut Ui,
    client: &Client,
    args: &GenerateArgs,
) -> anyhow::Result<Outcome> {
    let body = body(args)?;
    let path = match &args.into {
        Some(given) => format!("/universes/{}/generate?state=none", find::id(client, given).await?),
        None => "/universes/generate?state=none".to_owned(),
    };
    let headers = [("accept", "text/event-stream")];
    let ask = Ask { method: Method::POST, path: &path, headers: &headers, body: Some(&body) };
    let mut events = client.events(ask).await?;
    let mut progress = None;
    while let Some(event) = events.next().await {
        let event = event?;
        let told: Value = serde_json::from_str(&event.data).context("the answer is not JSON")?;
        match event.name.as_str() {
            "progress" => {
                let number = |key: &str| told[key].as_u64().unwrap_or(0);
                let bar = progress.get_or_insert_with(|| ui.progress(number("of"), "generating"));
                bar.advance(number("done").saturating_sub(bar.done()));
            }
            "failed" => bail!("{}", told["error"].as_str().unwrap_or("it failed")),
            _ => {
                drop(progress);
                let text = describe(&told);
                ui.result(&Answer { json: told, text })?;
                return Ok(Outcome::Success);
            }
        }
    }
    bail!("the server went away before it was done")
}

fn body(args: &GenerateArgs) -> anyhow::Result<Value> {
    let mut body = Map::new();
    let texts = [
        ("preset", &args.preset),
        ("seed", &args.seed),
        ("topology", &args.topology),
        ("name", &args.name),
    ];
    for (key, value) in texts {
        if let Some(value) = value {
            body.insert(key.into(), value.clone().into());
        }
    }
    let mut parameters = Map::new();
    for pair in &args.parameter {
        let (key, text) = pair
            .split_once('=')
            .with_context(|| format!("`--parameter {pair}` has no `=` between key and value"))?;
        let value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
        parameters.insert(key.to_owned(), value);
    }
    body.insert("parameters".into(), Value::Object(parameters));
    Ok(Value::Object(body))
}

fn describe(record: &Value) -> String {
    let totals = record["generated"]["totals"].as_object().into_iter().flatten();
    let numbers = totals.filter_map(|(name, number)| Some((name, number.as_u64()?)));
    let there = numbers.filter(|(_, number)| *number > 0);
    let totals: Vec<_> = there.map(|(name, number)| count(number, name)).collect();
    let seed = &record["generated"]["seed"];
    let seed = seed.as_str().map_or_else(|| seed.to_string(), str::to_owned);
    let word = |key: &str| record[key].as_str().unwrap_or_default();
    format!("{}  {}\nseed {seed}: {}", word("id"), word("name"), totals.join(", "))
}
