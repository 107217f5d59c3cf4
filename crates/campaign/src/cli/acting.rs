//! `tandem campaign act|apply`

use anyhow::Context;
use kit_cli::{Answer, Client, Outcome, Ui};
use serde_json::{Map, Value, json};

use super::{
    dice::{Against, seeded},
    find,
    odds::Help,
    say::{Names, judged, signed},
    seat::Seat,
};

/// Roll for an actor, in the active session
#[derive(Debug, clap::Args)]
pub struct ActArgs {
    /// The campaign: id, beginning of the id, or name
    campaign: String,

    /// The actor: id, beginning of the id, or name
    actor: String,

    /// agility, strength, finesse, instinct, presence or knowledge
    #[arg(value_name = "TRAIT")]
    with: String,

    #[command(flatten)]
    against: Against,

    /// What else counts, such as bless=1; may be repeated
    #[arg(long, value_name = "SOURCE=VALUE", allow_hyphen_values = true)]
    bonus: Vec<String>,

    /// With a d6 added (advantage) or taken away (disadvantage)
    #[arg(long, value_enum)]
    advantage: Option<Help>,

    /// Roll what this seed gives
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,

    /// Apply the outcome as well: Hope, Fear, Stress
    #[arg(long)]
    apply: bool,

    #[command(flatten)]
    seat: Seat,
}

/// Apply the outcome of a roll, once
#[derive(Debug, clap::Args)]
pub struct ApplyArgs {
    /// The campaign: id, beginning of the id, or name
    campaign: String,

    /// The roll's entry in the journal
    roll: u64,

    /// Whom it concerns (default: the actor that rolled); may be repeated
    #[arg(long = "to", value_name = "ACTOR")]
    targets: Vec<String>,

    #[command(flatten)]
    seat: Seat,
}

pub(super) async fn act(ui: &mut Ui, client: &Client, args: &ActArgs) -> anyhow::Result<Outcome> {
    let id = find::campaign(client, &args.campaign).await?;
    let actor = find::actor(client, &id, &args.actor).await?;
    let mut body = request(args)?;
    body.insert("actor_id".into(), actor.into());
    let path = format!("/campaigns/{id}/rolls");
    let mut json = args.seat.post(client, &id, &path, &body.into()).await?;
    let rolled = judged(&json, ["hope_die", "fear_die"]);
    let mut text = format!("{rolled}  (roll {})", json["roll_seq"]);
    if args.apply {
        let path = format!("/campaigns/{id}/rolls/{}/apply", json["roll_seq"]);
        let applied = args.seat.post(client, &id, &path, &json!({})).await?;
        text.push('\n');
        text.push_str(&changes(&Names::of(&find::table(client, &id).await?), &applied));
        json["applied"] = applied;
    }
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}

fn request(args: &ActArgs) -> anyhow::Result<Map<String, Value>> {
    let mut body = Map::from_iter([
        ("kind".to_owned(), "ACTION".into()),
        ("trait".to_owned(), args.with.as_str().into()),
    ]);
    let mut modifiers = args.bonus.iter().map(|text| bonus(text)).collect::<Result<Vec<_>, _>>()?;
    if args.against.modifier != 0 {
        modifiers.push(json!({"source": "modifier", "value": args.against.modifier}));
    }
    body.insert("modifiers".into(), modifiers.into());
    if let Some(difficulty) = args.against.difficulty {
        body.insert("difficulty".into(), difficulty.into());
    }
    if let Some(advantage) = args.advantage {
        body.insert("advantage".into(), advantage.name().into());
    }
    seeded(&mut body, args.seed);
    Ok(body)
}

fn bonus(text: &str) -> anyhow::Result<Value> {
    let wrong = || format!("`{text}` is not a source with a value, such as `bless=1`");
    let (source, value) = text.split_once('=').with_context(wrong)?;
    let value: i64 = value.trim().parse().with_context(wrong)?;
    Ok(json!({"source": source.trim(), "value": value}))
}

pub(super) async fn apply(
    ui: &mut Ui,
    client: &Client,
    args: &ApplyArgs,
) -> anyhow::Result<Outcome> {
    let id = find::campaign(client, &args.campaign).await?;
    let mut body = json!({});
    if !args.targets.is_empty() {
        let mut targets = Vec::new();
        for target in &args.targets {
            targets.push(find::actor(client, &id, target).await?);
        }
        body["targets"] = targets.into();
    }
    let path = format!("/campaigns/{id}/rolls/{}/apply", args.roll);
    let json = args.seat.post(client, &id, &path, &body).await?;
    let text = changes(&Names::of(&find::table(client, &id).await?), &json);
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}

fn changes(names: &Names, applied: &Value) -> String {
    let mut lines = Vec::new();
    for change in applied["changes"].as_array().into_iter().flatten() {
        for key in ["hope", "stress"] {
            let by = signed(&change[key]);
            if !by.is_empty() {
                let after = &change[format!("{key}_after")];
                lines.push(format!("{} {by} {key}, now {after}", names.get(&change["actor_id"])));
            }
        }
    }
    lines.push(format!("Fear is {}", applied["gm_fear"]));
    if applied["requires_complication"] == true {
        lines.push("the GM makes a move".to_owned());
    }
    lines.join("\n")
}
