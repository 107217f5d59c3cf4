//! `tandem campaign log`

use futures::StreamExt;
use kit_cli::{Answer, Client, Outcome, Ui, client::Ask};
use serde_json::Value;

use super::{find, say::Names};

/// Show a campaign's journal, the latest last
#[derive(Debug, clap::Args)]
pub struct LogArgs {
    /// The campaign: id, beginning of the id, or name
    campaign: String,

    /// Only this session: id, beginning of the id, or name
    #[arg(long)]
    session: Option<String>,

    /// This many entries
    #[arg(long, short = 'n', default_value_t = 20, value_name = "NUMBER")]
    limit: u32,

    /// Go on with what happens, until Ctrl-C
    #[arg(long, short)]
    follow: bool,
}

pub(super) async fn log(ui: &mut Ui, client: &Client, args: &LogArgs) -> anyhow::Result<Outcome> {
    let id = find::campaign(client, &args.campaign).await?;
    let session = match &args.session {
        Some(given) => Some(find::session(client, &id, Some(given)).await?),
        None => None,
    };
    let only = session.as_ref().map(|id| format!("&session={id}")).unwrap_or_default();
    let path = format!("/campaigns/{id}/events?limit={}{only}", args.limit);
    let json = client.ask(Ask::get(&path)).await?;
    let entries: Vec<Value> =
        json["events"].as_array().into_iter().flatten().rev().cloned().collect();
    let table = find::table(client, &id).await?;
    let names = Names::of(&table);
    if !args.follow {
        let text = entries.iter().map(|entry| names.line(entry) + "\n").collect();
        ui.result(&Answer { json, text })?;
        return Ok(Outcome::Success);
    }
    for entry in &entries {
        tell(ui, &names, entry)?;
    }
    let last = entries.last().or(Some(&table)).and_then(|last| last["seq"].as_u64());
    let mut follow = Follow { id: &id, session: session.as_deref(), names };
    follow.on(ui, client, last.unwrap_or(0)).await
}

/// The journal as it grows.
struct Follow<'a> {
    id: &'a str,
    session: Option<&'a str>,
    names: Names,
}

impl Follow<'_> {
    async fn on(&mut self, ui: &mut Ui, client: &Client, after: u64) -> anyhow::Result<Outcome> {
        let path = format!("/campaigns/{}/changes?after={after}", self.id);
        let mut events = client.events(Ask::get(&path)).await?;
        while let Some(event) = events.next().await {
            let event = event?;
            if event.name == "resync" {
                ui.warn("too much happened since; some entries are not shown");
                continue;
            }
            let entry: Value = serde_json::from_str(&event.data).unwrap_or_default();
            if matches!(entry["type"].as_str(), Some("participant.joined" | "actor.created")) {
                self.names = Names::of(&find::table(client, self.id).await?);
            }
            if self.session.is_none_or(|session| entry["session_id"] == session) {
                tell(ui, &self.names, &entry)?;
            }
        }
        Ok(Outcome::Success)
    }
}

fn tell(ui: &mut Ui, names: &Names, entry: &Value) -> anyhow::Result<()> {
    if ui.global().json { ui.event(entry) } else { ui.print(&names.line(entry)) }
}
