//! `tandem universe list`

use kit_cli::{Answer, Client, Outcome, Ui, client::Ask, table, time};
use serde_json::Value;

use super::text::short;

/// List the universes, the newest first
#[derive(Debug, clap::Args)]
pub struct ListArgs {}

pub(super) async fn list(ui: &mut Ui, client: &Client, _: &ListArgs) -> anyhow::Result<Outcome> {
    let json = client.ask(Ask::get("/universes?state=none")).await?;
    let rows: Vec<_> = json.as_array().into_iter().flatten().map(row).collect();
    let text = if rows.is_empty() {
        "no universe yet: make one with `tandem universe create NAME` or `tandem universe generate`"
            .to_owned()
    } else {
        let head = ["id", "changed", "changes", "name"].map(str::to_owned).to_vec();
        table(&[vec![head], rows].concat())
    };
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}

fn row(record: &Value) -> Vec<String> {
    let name = record["name"].as_str().unwrap_or_default().to_owned();
    vec![short(&record["id"]), time(&record["updatedAt"]), record["revision"].to_string(), name]
}
