//! `tandem universe show`

use std::fmt::Write;

use kit_cli::{Answer, Client, Outcome, Ui, client::Ask, time};
use serde_json::{Map, Value};

use super::{find, text::count};

/// A tree deeper or longer than this is cut, and says so.
const MOST_LINES: usize = 60;

/// Show what is in a universe
#[derive(Debug, clap::Args)]
pub struct ShowArgs {
    /// Its id, the beginning of its id, or its name
    universe: String,

    /// As it was after this change
    #[arg(long, value_name = "NUMBER")]
    revision: Option<u64>,
}

pub(super) async fn show(ui: &mut Ui, client: &Client, args: &ShowArgs) -> anyhow::Result<Outcome> {
    let id = find::id(client, &args.universe).await?;
    let json = client.ask(Ask::get(&record_path(&id, args.revision))).await?;
    let text = describe(&json);
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}

pub(super) fn record_path(id: &str, revision: Option<u64>) -> String {
    match revision {
        Some(revision) => format!("/universes/{id}?revision={revision}"),
        None => format!("/universes/{id}"),
    }
}

fn describe(record: &Value) -> String {
    let state = &record["state"];
    let mut text = format!(
        "{}\n{}\nmade {}, changed {}, revision {}, time {} s\n",
        record["name"].as_str().unwrap_or_default(),
        record["id"].as_str().unwrap_or_default(),
        time(&record["createdAt"]),
        time(&record["updatedAt"]),
        record["revision"],
        state["time"],
    );
    let _ = writeln!(text, "{}", counts(state));
    if let Some(bodies) = state["stars"].as_object().filter(|bodies| !bodies.is_empty()) {
        text.push('\n');
        text.push_str(&tree(bodies));
    }
    text
}

fn counts(state: &Value) -> String {
    let parts = [
        ("stars", "bodies"),
        ("groups", "groups"),
        ("smallBodyFields", "belts"),
        ("protoplanetaryDisks", "disks"),
        ("nebulae", "nebulae"),
    ];
    let number = |key: &str| state[key].as_object().map_or(0, Map::len) as u64;
    let parts: Vec<_> = parts.iter().map(|(key, name)| count(number(key), name)).collect();
    parts.join(", ")
}

/// Bodies below what they circle. Walks with a list of its own: depth is the user's to choose.
fn tree(bodies: &Map<String, Value>) -> String {
    let roots = bodies.iter().filter(|(_, body)| body["parentId"].is_null());
    let mut waiting: Vec<(&str, usize)> = roots.map(|(id, _)| (id.as_str(), 0)).collect();
    waiting.reverse();
    let (mut text, mut shown) = (String::new(), 0);
    while let Some((id, depth)) = waiting.pop() {
        let Some(body) = bodies.get(id) else { continue };
        if shown == MOST_LINES {
            let _ = writeln!(text, "… and {} more; `--json` has all", bodies.len() - shown);
            break;
        }
        shown += 1;
        let name = body["name"].as_str().unwrap_or(id);
        let named = if name == id { String::new() } else { format!("  {id}") };
        let _ = writeln!(
            text,
            "{:indent$}{name} ({}){named}",
            "",
            kind(body),
            indent = depth.min(20) * 2
        );
        let children = body["children"].as_array().into_iter().flatten().rev();
        waiting.extend(children.filter_map(|child| Some((child.as_str()?, depth + 1))));
    }
    text
}

fn kind(body: &Value) -> &str {
    body["bodyType"].as_str().unwrap_or(if body["parentId"].is_null() { "star" } else { "body" })
}
