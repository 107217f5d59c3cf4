//! Which universe is meant.

use anyhow::anyhow;
use kit_cli::{Client, Hint, client::Ask};
use kit_core::nearest;
use serde_json::Value;

/// The id of the one that `given` names: by its id, by the beginning of it, or by its name.
pub(super) async fn id(client: &Client, given: &str) -> anyhow::Result<String> {
    let all = client.ask(Ask::get("/universes?state=none")).await?;
    let all: Vec<(&str, &str)> = all.as_array().into_iter().flatten().map(names).collect();
    let chosen = match all.iter().find(|(id, _)| *id == given) {
        Some(exact) => vec![*exact],
        None => all
            .iter()
            .filter(|(id, name)| id.starts_with(given) || *name == given)
            .copied()
            .collect(),
    };
    match chosen.as_slice() {
        [(id, _)] => Ok((*id).to_owned()),
        [] => Err(anyhow!("no universe `{given}`")).hint(way_out(&all, given)),
        several => {
            let ids: Vec<_> = several.iter().map(|(id, name)| format!("`{id}` ({name})")).collect();
            Err(anyhow!("`{given}` can be {}", ids.join(" or "))).hint("give more of the id")
        }
    }
}

fn names(record: &Value) -> (&str, &str) {
    let text = |key: &str| record[key].as_str().unwrap_or_default();
    (text("id"), text("name"))
}

fn way_out(all: &[(&str, &str)], given: &str) -> String {
    if all.is_empty() {
        return "there is none yet: make one with `tandem universe create NAME`".to_owned();
    }
    match nearest(given, all.iter().map(|(_, name)| *name)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`tandem universe list` shows them".to_owned(),
    }
}
