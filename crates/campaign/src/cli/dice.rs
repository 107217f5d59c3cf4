//! `tandem campaign roll|duality|explain|rules`

use anyhow::Context;
use campaign_core::parse_notation;
use kit_cli::{Answer, Client, Outcome, Ui, client::Ask};
use serde_json::{Map, Value, json};

use super::{
    find,
    odds::Help,
    say::{dice, judged, signed, word},
    seat::Seat,
};

/// Roll dice, written as 2d20+1d6
#[derive(Debug, clap::Args)]
pub struct RollArgs {
    /// Which dice; a number beside them is added to the sum
    #[arg(value_name = "DICE")]
    notation: String,

    /// Roll what this seed gives
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,

    /// In the active session of this campaign, where everybody sees it
    #[arg(long = "in", value_name = "CAMPAIGN")]
    pub(super) campaign: Option<String>,

    #[command(flatten)]
    seat: Seat,
}

/// Roll the Duality dice
#[derive(Debug, clap::Args)]
pub struct DualityArgs {
    #[command(flatten)]
    against: Against,

    /// With a d6 added (advantage) or taken away (disadvantage)
    #[arg(long, value_enum)]
    advantage: Option<Help>,

    /// Roll what this seed gives
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,

    /// In the active session of this campaign, where everybody sees it
    #[arg(long = "in", value_name = "CAMPAIGN")]
    pub(super) campaign: Option<String>,

    #[command(flatten)]
    seat: Seat,
}

/// Say step by step what a pair of Duality dice means
#[derive(Debug, clap::Args)]
pub struct ExplainArgs {
    /// The hope die, 1 to 12
    #[arg(allow_negative_numbers = true)]
    hope: i64,

    /// The fear die, 1 to 12
    #[arg(allow_negative_numbers = true)]
    fear: i64,

    #[command(flatten)]
    against: Against,
}

/// Show the rules that rolls are judged by
#[derive(Debug, clap::Args)]
pub struct RulesArgs {}

/// What is added to a roll, and what it must reach.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Against {
    /// Added to the dice
    #[arg(long, short, default_value_t = 0, allow_negative_numbers = true, value_name = "NUMBER")]
    pub(super) modifier: i64,

    /// What the total must reach
    #[arg(long, short, allow_negative_numbers = true, value_name = "NUMBER")]
    pub(super) difficulty: Option<i64>,
}

impl Against {
    pub(super) fn body(&self) -> Map<String, Value> {
        let mut body = Map::new();
        body.insert("modifier".into(), self.modifier.into());
        if let Some(difficulty) = self.difficulty {
            body.insert("difficulty".into(), difficulty.into());
        }
        body
    }
}

/// Asks for a roll: alone, or in a campaign's session.
async fn rolled(
    client: &Client,
    alone: &str,
    kind: &str,
    (campaign, seat): (Option<&str>, &Seat),
    mut body: Map<String, Value>,
) -> anyhow::Result<Value> {
    let Some(campaign) = campaign else {
        return client.ask(Ask::post(alone, &body.into())).await;
    };
    let id = find::campaign(client, campaign).await?;
    body.insert("kind".into(), kind.into());
    seat.post(client, &id, &format!("/campaigns/{id}/rolls"), &body.into()).await
}

pub(super) fn seeded(body: &mut Map<String, Value>, seed: Option<u64>) {
    if let Some(seed) = seed {
        body.insert("rng".into(), json!({"seed": seed, "roll_mode": "REPLAY"}));
    }
}

pub(super) async fn roll(ui: &mut Ui, client: &Client, args: &RollArgs) -> anyhow::Result<Outcome> {
    let (specs, plus) = parse_notation(&args.notation).map_err(kit_cli::fault)?;
    let specs: Vec<_> =
        specs.iter().map(|spec| json!({"sides": spec.sides, "count": spec.count})).collect();
    let mut body = Map::from_iter([("dice".to_owned(), Value::from(specs))]);
    seeded(&mut body, args.seed);
    let place = (args.campaign.as_deref(), &args.seat);
    let mut json = rolled(client, "/dice", "DICE", place, body).await?;
    let total = json["total"].as_i64().context("the answer has no total")?;
    let mut text = dice(&json["rolls"]);
    if plus != 0 {
        let sum = total + i64::from(plus);
        json["modifier"] = plus.into();
        json["sum"] = sum.into();
        text = format!("{text} {} = {sum}", signed(&plus.into()));
    } else {
        text = format!("{text} = {total}");
    }
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}

pub(super) async fn duality(
    ui: &mut Ui,
    client: &Client,
    args: &DualityArgs,
) -> anyhow::Result<Outcome> {
    let mut body = args.against.body();
    if let Some(advantage) = args.advantage {
        body.insert("advantage".into(), advantage.name().into());
    }
    seeded(&mut body, args.seed);
    let place = (args.campaign.as_deref(), &args.seat);
    let json = rolled(client, "/duality/roll", "DUALITY", place, body).await?;
    let text = judged(&json, ["hope", "fear"]);
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}

pub(super) async fn explain(
    ui: &mut Ui,
    client: &Client,
    args: &ExplainArgs,
) -> anyhow::Result<Outcome> {
    let mut body = args.against.body();
    body.insert("hope".into(), args.hope.into());
    body.insert("fear".into(), args.fear.into());
    let json = client.ask(Ask::post("/duality/explain", &body.into())).await?;
    let step = |step: &Value| {
        let data = step["data"].as_object().into_iter().flatten();
        let data: Vec<_> = data.map(|(key, value)| format!("{key} {value}")).collect();
        vec![word(&step["message"]).to_owned(), data.join(", ")]
    };
    let steps: Vec<_> = json["steps"].as_array().into_iter().flatten().map(step).collect();
    let text = format!("{}\n\n{}", judged(&json, ["hope", "fear"]), kit_cli::table(&steps));
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}

pub(super) async fn rules(ui: &mut Ui, client: &Client, _: &RulesArgs) -> anyhow::Result<Outcome> {
    let json = client.ask(Ask::get("/duality/rules")).await?;
    let lines = json.as_object().into_iter().flatten().map(|(key, value)| {
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Array(names) => names.iter().map(word).collect::<Vec<_>>().join(", "),
            other => other.to_string(),
        };
        vec![key.replace('_', " "), value]
    });
    let text = kit_cli::table(&lines.collect::<Vec<_>>());
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}
