//! `tandem campaign sheet|state|fear`

use anyhow::Context;
use http::Method;
use kit_cli::{Answer, Client, Outcome, Ui};
use serde_json::{Map, Value, json};

use super::{
    find,
    say::{pips, word},
    seat::Seat,
};

/// Set an actor's sheet; what is not named stays
#[derive(Debug, clap::Args)]
pub struct SheetArgs {
    /// The campaign: id, beginning of the id, or name
    campaign: String,

    /// The actor: id, beginning of the id, or name
    actor: String,

    /// A trait and its value, such as agility=2; may be repeated
    #[arg(long = "trait", value_name = "TRAIT=VALUE")]
    traits: Vec<String>,

    /// Most hit points
    #[arg(long, value_name = "NUMBER")]
    hp_max: Option<i64>,

    /// Most stress
    #[arg(long, value_name = "NUMBER")]
    stress_max: Option<i64>,

    /// How hard it is to hit
    #[arg(long, value_name = "NUMBER")]
    evasion: Option<i64>,

    /// Damage from here on is major
    #[arg(long, value_name = "NUMBER")]
    major_threshold: Option<i64>,

    /// Damage from here on is severe
    #[arg(long, value_name = "NUMBER")]
    severe_threshold: Option<i64>,

    #[command(flatten)]
    seat: Seat,
}

/// Set an actor's hope, stress or hit points
#[derive(Debug, clap::Args)]
pub struct StateArgs {
    /// The campaign: id, beginning of the id, or name
    campaign: String,

    /// The actor: id, beginning of the id, or name
    actor: String,

    /// Hope, 0 to 6
    #[arg(long, value_name = "NUMBER")]
    hope: Option<i64>,

    /// Stress, up to the sheet's
    #[arg(long, value_name = "NUMBER")]
    stress: Option<i64>,

    /// Hit points, up to the sheet's
    #[arg(long, value_name = "NUMBER")]
    hp: Option<i64>,

    #[command(flatten)]
    seat: Seat,
}

/// Set the GM's Fear
#[derive(Debug, clap::Args)]
pub struct FearArgs {
    /// The campaign: id, beginning of the id, or name
    campaign: String,

    /// 0 to 12
    #[arg(allow_negative_numbers = true)]
    fear: i64,

    #[command(flatten)]
    seat: Seat,
}

pub(super) async fn sheet(
    ui: &mut Ui,
    client: &Client,
    args: &SheetArgs,
) -> anyhow::Result<Outcome> {
    let id = find::campaign(client, &args.campaign).await?;
    let actor = find::actor(client, &id, &args.actor).await?;
    let mut body = given(&[
        ("hp_max", args.hp_max),
        ("stress_max", args.stress_max),
        ("evasion", args.evasion),
        ("major_threshold", args.major_threshold),
        ("severe_threshold", args.severe_threshold),
    ]);
    if !args.traits.is_empty() {
        let traits =
            args.traits.iter().map(|text| trait_of(text)).collect::<anyhow::Result<_>>()?;
        body.insert("traits".into(), Value::Object(traits));
    }
    let path = format!("/campaigns/{id}/actors/{actor}/sheet");
    let json = args.seat.ask(client, &id, Method::PUT, &path, Some(&body.into())).await?;
    show(ui, json)
}

fn trait_of(text: &str) -> anyhow::Result<(String, Value)> {
    let wrong = || format!("`{text}` is not a trait with a value, such as `agility=2`");
    let (name, value) = text.split_once('=').with_context(wrong)?;
    let value: i64 = value.trim().parse().with_context(wrong)?;
    Ok((name.trim().to_uppercase(), value.into()))
}

pub(super) async fn state(
    ui: &mut Ui,
    client: &Client,
    args: &StateArgs,
) -> anyhow::Result<Outcome> {
    let id = find::campaign(client, &args.campaign).await?;
    let actor = find::actor(client, &id, &args.actor).await?;
    let body = given(&[("hope", args.hope), ("stress", args.stress), ("hp", args.hp)]);
    let path = format!("/campaigns/{id}/actors/{actor}/state");
    let json = args.seat.ask(client, &id, Method::PATCH, &path, Some(&body.into())).await?;
    show(ui, json)
}

pub(super) async fn fear(ui: &mut Ui, client: &Client, args: &FearArgs) -> anyhow::Result<Outcome> {
    let id = find::campaign(client, &args.campaign).await?;
    let body = json!({"fear": args.fear});
    let path = format!("/campaigns/{id}/fear");
    let json = args.seat.ask(client, &id, Method::PUT, &path, Some(&body)).await?;
    let text = format!("Fear  {}", pips(&json["gm_fear"], 12));
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}

fn given(values: &[(&str, Option<i64>)]) -> Map<String, Value> {
    let given =
        values.iter().filter_map(|(name, value)| Some(((*name).to_owned(), (*value)?.into())));
    given.collect()
}

fn show(ui: &mut Ui, json: Value) -> anyhow::Result<Outcome> {
    let (sheet, state) = (&json["sheet"], &json["state"]);
    let traits = sheet["traits"].as_object().into_iter().flatten();
    let traits: Vec<_> =
        traits.map(|(name, value)| format!("{} {value}", name.to_lowercase())).collect();
    let text = format!(
        "{}\nhope {}  hp {}/{}  stress {}/{}  evasion {}  thresholds {}/{}\n{}",
        word(&json["name"]),
        pips(&state["hope"], 6),
        state["hp"],
        sheet["hp_max"],
        state["stress"],
        sheet["stress_max"],
        sheet["evasion"],
        sheet["major_threshold"],
        sheet["severe_threshold"],
        traits.join("  "),
    );
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}
