//! `tandem campaign start|end|note|export`

use std::path::PathBuf;

use anyhow::Context;
use kit_cli::{Answer, Client, Outcome, Ui, client::Ask};
use serde_json::{Value, json};

use super::{find, say::word, seat::Seat};

/// Start a session
#[derive(Debug, clap::Args)]
pub struct StartArgs {
    /// The campaign: id, beginning of the id, or name
    campaign: String,

    /// The session's name
    #[arg(default_value = "")]
    name: String,

    #[command(flatten)]
    seat: Seat,
}

/// End a session
#[derive(Debug, clap::Args)]
pub struct EndArgs {
    /// The campaign: id, beginning of the id, or name
    campaign: String,

    /// Its id, the beginning of its id, or its name (default: the active one)
    session: Option<String>,

    #[command(flatten)]
    seat: Seat,
}

/// Write something into the journal
#[derive(Debug, clap::Args)]
pub struct NoteArgs {
    /// The campaign: id, beginning of the id, or name
    campaign: String,

    /// What to write
    text: String,

    #[command(flatten)]
    seat: Seat,
}

/// Write a session as Markdown
#[derive(Debug, clap::Args)]
pub struct ExportArgs {
    /// The campaign: id, beginning of the id, or name
    campaign: String,

    /// Its id, the beginning of its id, or its name (default: the active one, else the latest)
    session: Option<String>,

    /// Into this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) async fn start(
    ui: &mut Ui,
    client: &Client,
    args: &StartArgs,
) -> anyhow::Result<Outcome> {
    let id = find::campaign(client, &args.campaign).await?;
    let path = format!("/campaigns/{id}/sessions");
    let json = args.seat.post(client, &id, &path, &json!({"name": args.name})).await?;
    told(ui, json)
}

pub(super) async fn end(ui: &mut Ui, client: &Client, args: &EndArgs) -> anyhow::Result<Outcome> {
    let id = find::campaign(client, &args.campaign).await?;
    let session = find::session(client, &id, args.session.as_deref()).await?;
    let path = format!("/campaigns/{id}/sessions/{session}/end");
    let json = args.seat.post(client, &id, &path, &json!({})).await?;
    told(ui, json)
}

fn told(ui: &mut Ui, json: Value) -> anyhow::Result<Outcome> {
    let text = format!(
        "{}  {}  {}",
        word(&json["id"]),
        word(&json["status"]).to_lowercase(),
        word(&json["name"])
    );
    ui.result(&Answer { json, text: text.trim_end().to_owned() })?;
    Ok(Outcome::Success)
}

pub(super) async fn note(ui: &mut Ui, client: &Client, args: &NoteArgs) -> anyhow::Result<Outcome> {
    let id = find::campaign(client, &args.campaign).await?;
    let path = format!("/campaigns/{id}/notes");
    let json = args.seat.post(client, &id, &path, &json!({"text": args.text})).await?;
    let text = format!("noted as entry {}", json["seq"]);
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}

pub(super) async fn export(
    ui: &mut Ui,
    client: &Client,
    args: &ExportArgs,
) -> anyhow::Result<Outcome> {
    let id = find::campaign(client, &args.campaign).await?;
    let session = find::session(client, &id, args.session.as_deref()).await?;
    let text = client.text(Ask::get(&format!("/sessions/{session}/export"))).await?;
    match &args.output {
        None if ui.global().json => {
            let json = json!({"session_id": session, "markdown": text});
            ui.result(&Answer { json, text })?;
        }
        None => ui.print(&text)?,
        Some(file) => {
            let write = std::fs::write(file, &text);
            write.with_context(|| format!("cannot write `{}`", file.display()))?;
            let json = json!({"session_id": session, "written": file});
            ui.result(&Answer { json, text: format!("wrote {}", file.display()) })?;
        }
    }
    Ok(Outcome::Success)
}
