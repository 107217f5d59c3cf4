//! `tandem universe watch`

use futures::StreamExt;
use kit_cli::{Client, Outcome, Ui, client::Ask, time};
use serde_json::Value;

use super::{find, text};

/// Print what happens in a universe as it happens, until Ctrl-C
#[derive(Debug, clap::Args)]
pub struct WatchArgs {
    /// Its id, the beginning of its id, or its name
    universe: String,

    /// Begin after this change instead of now
    #[arg(long, value_name = "NUMBER")]
    after: Option<u64>,
}

pub(super) async fn watch(
    ui: &mut Ui,
    client: &Client,
    args: &WatchArgs,
) -> anyhow::Result<Outcome> {
    let id = find::id(client, &args.universe).await?;
    let after = args.after.map(|after| format!("?after={after}")).unwrap_or_default();
    let path = format!("/universes/{id}/changes{after}");
    let mut events = client.events(Ask::get(&path)).await?;
    if !ui.global().json {
        ui.note("watching; Ctrl-C ends it");
    }
    while let Some(event) = events.next().await {
        let event = event?;
        let change: Value = serde_json::from_str(&event.data).unwrap_or_default();
        if ui.global().json {
            ui.event(&change)?;
        } else {
            ui.print(&line(&event.name, &change))?;
        }
        if change["kind"] == "deleted" {
            break;
        }
    }
    Ok(Outcome::Success)
}

/// One change as one line: when, which, who, what.
pub(super) fn line(name: &str, change: &Value) -> String {
    if name == "resync" {
        return format!("… too much happened since; going on from revision {}", change["revision"]);
    }
    let word = |key: &str| change[key].as_str().unwrap_or_default();
    let kind = word("kind");
    let what = match &change["command"] {
        _ if kind == "undone" => format!("undo of {}", change["of"]),
        _ if kind == "redone" => format!("redo of {}", change["of"]),
        Value::Null => kind.to_owned(),
        command => text::command(command),
    };
    let via = if word("via").is_empty() { String::new() } else { format!(" via {}", word("via")) };
    let revision = change["revision"].to_string();
    format!("{}  {revision:>6}  {what}  ({}{via})", time(&change["at"]), word("by"))
}
