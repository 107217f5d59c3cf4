//! `tandem campaign undo|fork|verify`

use kit_cli::{Answer, Client, Outcome, Ui, client::Ask};
use serde_json::json;

use super::{
    find,
    say::{Names, word},
    seat::Seat,
};

/// Take an entry of the journal back, by an entry that says so
#[derive(Debug, clap::Args)]
pub struct UndoArgs {
    /// The campaign: id, beginning of the id, or name
    campaign: String,

    /// The entry (default: the latest that can be undone)
    seq: Option<u64>,

    #[command(flatten)]
    seat: Seat,
}

/// Make a campaign of what another one is, or was
#[derive(Debug, clap::Args)]
pub struct ForkArgs {
    /// The campaign: id, beginning of the id, or name
    campaign: String,

    /// As it was after this entry of its journal
    #[arg(long, value_name = "SEQ")]
    at: Option<u64>,

    /// The new campaign's name
    #[arg(long)]
    name: Option<String>,
}

/// Walk the chain of a journal and check that nothing in it was changed
#[derive(Debug, clap::Args)]
pub struct VerifyArgs {
    /// The campaign: id, beginning of the id, or name
    campaign: String,
}

pub(super) async fn undo(ui: &mut Ui, client: &Client, args: &UndoArgs) -> anyhow::Result<Outcome> {
    let id = find::campaign(client, &args.campaign).await?;
    let mut body = json!({});
    if let Some(seq) = args.seq {
        body["seq"] = seq.into();
    }
    let json = args.seat.post(client, &id, &format!("/campaigns/{id}/undo"), &body).await?;
    let names = Names::of(&find::table(client, &id).await?);
    let text = names.line(&json["undone"]);
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}

pub(super) async fn fork(ui: &mut Ui, client: &Client, args: &ForkArgs) -> anyhow::Result<Outcome> {
    let id = find::campaign(client, &args.campaign).await?;
    let mut body = json!({});
    if let Some(seq) = args.at {
        body["seq"] = seq.into();
    }
    if let Some(name) = &args.name {
        body["name"] = name.as_str().into();
    }
    let json = client.ask(Ask::post(&format!("/campaigns/{id}/fork"), &body)).await?;
    let text = format!("{}  {}", word(&json["id"]), word(&json["name"]));
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}

pub(super) async fn verify(
    ui: &mut Ui,
    client: &Client,
    args: &VerifyArgs,
) -> anyhow::Result<Outcome> {
    let id = find::campaign(client, &args.campaign).await?;
    let json = client.ask(Ask::get(&format!("/campaigns/{id}/verify"))).await?;
    let whole = json["valid"] == true;
    let text = if whole {
        format!("whole: {} entries, head {}", json["events"], word(&json["head_hash"]))
    } else {
        format!("BROKEN at entry {}: {}", json["seq"], word(&json["why"]))
    };
    ui.result(&Answer { json, text })?;
    Ok(if whole { Outcome::Success } else { Outcome::Negative })
}
