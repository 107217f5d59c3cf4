//! `tandem campaign list|create|show`

use std::fmt::Write;

use kit_cli::{Answer, Client, Outcome, Ui, client::Ask, table, time};
use serde_json::{Value, json};

use super::{
    find,
    say::{pips, short, word},
};

/// List the campaigns, the oldest first
#[derive(Debug, clap::Args)]
pub struct ListArgs {}

/// Make a campaign
#[derive(Debug, clap::Args)]
pub struct CreateArgs {
    /// Its name
    name: String,

    /// Who leads it: human, ai or hybrid
    #[arg(long, value_name = "MODE", default_value = "human")]
    gm_mode: String,

    /// What it is about, for a GM that is a model
    #[arg(long, value_name = "TEXT")]
    theme: Option<String>,
}

/// Show a campaign: who plays, whom, and how they are
#[derive(Debug, clap::Args)]
pub struct ShowArgs {
    /// Its id, the beginning of its id, or its name
    campaign: String,

    /// As it was after this entry of its journal
    #[arg(long, value_name = "SEQ")]
    at: Option<u64>,
}

pub(super) async fn list(ui: &mut Ui, client: &Client, _: &ListArgs) -> anyhow::Result<Outcome> {
    let campaigns = find::all(client).await?;
    let text = if campaigns.is_empty() {
        "no campaign yet: make one with `tandem campaign create NAME`".to_owned()
    } else {
        let head = ["id", "changed", "GM", "people", "actors", "name"].map(str::to_owned).to_vec();
        table(&[vec![head], campaigns.iter().map(row).collect()].concat())
    };
    ui.result(&Answer { json: json!({"campaigns": campaigns}), text })?;
    Ok(Outcome::Success)
}

fn row(campaign: &Value) -> Vec<String> {
    vec![
        short(&campaign["id"]),
        time(&campaign["updated_at"]),
        word(&campaign["gm_mode"]).to_lowercase(),
        campaign["participant_count"].to_string(),
        campaign["actor_count"].to_string(),
        word(&campaign["name"]).to_owned(),
    ]
}

pub(super) async fn create(
    ui: &mut Ui,
    client: &Client,
    args: &CreateArgs,
) -> anyhow::Result<Outcome> {
    let mut body = json!({"name": args.name, "gm_mode": args.gm_mode});
    if let Some(theme) = &args.theme {
        body["theme_prompt"] = theme.as_str().into();
    }
    let json = client.ask(Ask::post("/campaigns", &body)).await?;
    let text = format!("{}  {}", word(&json["id"]), word(&json["name"]));
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}

pub(super) async fn show(ui: &mut Ui, client: &Client, args: &ShowArgs) -> anyhow::Result<Outcome> {
    let id = find::campaign(client, &args.campaign).await?;
    let at = args.at.map(|seq| format!("?seq={seq}")).unwrap_or_default();
    let json = client.ask(Ask::get(&format!("/campaigns/{id}{at}"))).await?;
    let text = describe(&json);
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}

fn describe(table: &Value) -> String {
    let campaign = &table["campaign"];
    let mut text = format!(
        "{}\n{}\nGM: {}, made {}, {} entries in its journal\nFear  {}\n",
        word(&campaign["name"]),
        word(&campaign["id"]),
        word(&campaign["gm_mode"]).to_lowercase(),
        time(&campaign["created_at"]),
        table["seq"],
        pips(&table["gm_fear"], 12),
    );
    if !word(&campaign["theme_prompt"]).is_empty() {
        let _ = writeln!(text, "\n{}", word(&campaign["theme_prompt"]));
    }
    section(&mut text, "participants", &people(table));
    section(&mut text, "actors", &actors(table));
    section(&mut text, "sessions", &sessions(table));
    text
}

fn section(text: &mut String, title: &str, rows: &[Vec<String>]) {
    if !rows.is_empty() {
        let _ = write!(text, "\n{title}\n{}", table(rows));
    }
}

fn people(table: &Value) -> Vec<Vec<String>> {
    let row = |person: &Value| {
        let role = if person["role"] == "GM" { "GM" } else { "player" };
        let by = if person["controller"] == "AI" { "AI" } else { "human" };
        let id = short(&person["id"]);
        vec![format!("  {id}"), role.into(), by.into(), word(&person["display_name"]).into()]
    };
    table["participants"].as_array().into_iter().flatten().map(row).collect()
}

fn actors(table: &Value) -> Vec<Vec<String>> {
    let row = |actor: &Value| {
        let (sheet, state) = (&actor["sheet"], &actor["state"]);
        vec![
            format!("  {}", short(&actor["id"])),
            word(&actor["kind"]).to_owned(),
            format!("hope {}", pips(&state["hope"], 6)),
            format!("hp {}/{}", state["hp"], sheet["hp_max"]),
            format!("stress {}/{}", state["stress"], sheet["stress_max"]),
            word(&actor["name"]).to_owned(),
            player(table, &actor["controller"]),
        ]
    };
    table["actors"].as_array().into_iter().flatten().map(row).collect()
}

/// Who plays an actor, by name.
fn player(table: &Value, controller: &Value) -> String {
    let people = || table["participants"].as_array().into_iter().flatten();
    match controller.as_str() {
        None => String::new(),
        Some("GM") => "(the GM)".to_owned(),
        Some(id) => {
            let name = people().find(|person| person["id"] == id).map(|p| word(&p["display_name"]));
            format!("({})", name.unwrap_or(id))
        }
    }
}

fn sessions(table: &Value) -> Vec<Vec<String>> {
    let row = |session: &Value| {
        let name = word(&session["name"]);
        vec![
            format!("  {}", short(&session["id"])),
            word(&session["status"]).to_lowercase(),
            time(&session["started_at"]),
            if name.is_empty() { "(no name)" } else { name }.to_owned(),
        ]
    };
    table["sessions"].as_array().into_iter().flatten().map(row).collect()
}
