//! `tandem campaign participant|actor|control|token`

use http::Method;
use kit_cli::{Answer, Client, Outcome, Ui};
use serde_json::{Value, json};

use super::{find, say::word, seat::Seat};

/// Add a participant to a campaign
#[derive(Debug, clap::Args)]
pub struct ParticipantArgs {
    /// The campaign: id, beginning of the id, or name
    campaign: String,

    /// The participant's name
    name: String,

    /// gm or player
    #[arg(long, default_value = "player")]
    role: String,

    /// Who is behind it: human or ai
    #[arg(long, default_value = "human")]
    controller: String,

    #[command(flatten)]
    seat: Seat,
}

/// Add an actor to a campaign
#[derive(Debug, clap::Args)]
pub struct ActorArgs {
    /// The campaign: id, beginning of the id, or name
    campaign: String,

    /// The actor's name
    name: String,

    /// pc or npc
    #[arg(long, default_value = "pc")]
    kind: String,

    /// What there is to know
    #[arg(long, value_name = "TEXT")]
    notes: Option<String>,

    #[command(flatten)]
    seat: Seat,
}

/// Say who plays an actor
#[derive(Debug, clap::Args)]
pub struct ControlArgs {
    /// The campaign: id, beginning of the id, or name
    campaign: String,

    /// The actor: id, beginning of the id, or name
    actor: String,

    /// `gm`, or a participant: id, beginning of the id, or name
    controller: String,

    #[command(flatten)]
    seat: Seat,
}

/// Issue a token for a participant, shown once
///
/// Whoever speaks as a participant who has one must show it. Once a GM has a token, players change only what is theirs.
#[derive(Debug, clap::Args)]
pub struct TokenArgs {
    /// The campaign: id, beginning of the id, or name
    campaign: String,

    /// The participant: id, beginning of the id, or name
    participant: String,

    #[command(flatten)]
    seat: Seat,
}

pub(super) async fn participant(
    ui: &mut Ui,
    client: &Client,
    args: &ParticipantArgs,
) -> anyhow::Result<Outcome> {
    let body = json!({
        "display_name": args.name, "role": args.role, "controller": args.controller,
    });
    let id = find::campaign(client, &args.campaign).await?;
    let path = format!("/campaigns/{id}/participants");
    let json = args.seat.post(client, &id, &path, &body).await?;
    added(ui, "display_name", json)
}

pub(super) async fn actor(
    ui: &mut Ui,
    client: &Client,
    args: &ActorArgs,
) -> anyhow::Result<Outcome> {
    let mut body = json!({"name": args.name, "kind": args.kind});
    if let Some(notes) = &args.notes {
        body["notes"] = notes.as_str().into();
    }
    let id = find::campaign(client, &args.campaign).await?;
    let path = format!("/campaigns/{id}/actors");
    let json = args.seat.post(client, &id, &path, &body).await?;
    added(ui, "name", json)
}

fn added(ui: &mut Ui, name: &str, json: Value) -> anyhow::Result<Outcome> {
    let text = format!("{}  {}", word(&json["id"]), word(&json[name]));
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}

pub(super) async fn control(
    ui: &mut Ui,
    client: &Client,
    args: &ControlArgs,
) -> anyhow::Result<Outcome> {
    let id = find::campaign(client, &args.campaign).await?;
    let actor = find::actor(client, &id, &args.actor).await?;
    let controller = if args.controller.eq_ignore_ascii_case("gm") {
        "GM".to_owned()
    } else {
        find::participant(client, &id, &args.controller).await?
    };
    let path = format!("/campaigns/{id}/actors/{actor}/controller");
    let body = json!({"controller": controller});
    let json = args.seat.ask(client, &id, Method::PUT, &path, Some(&body)).await?;
    let text = format!("{} is played by {}", args.actor, args.controller);
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}

pub(super) async fn token(
    ui: &mut Ui,
    client: &Client,
    args: &TokenArgs,
) -> anyhow::Result<Outcome> {
    let id = find::campaign(client, &args.campaign).await?;
    let participant = find::participant(client, &id, &args.participant).await?;
    let path = format!("/campaigns/{id}/participants/{participant}/token");
    let json = args.seat.post(client, &id, &path, &json!({})).await?;
    ui.note("the token is shown this once; give it to the participant and to nobody else");
    let text = word(&json["token"]).to_owned();
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}
