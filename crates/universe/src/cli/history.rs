//! `tandem universe history`

use kit_cli::{Answer, Client, Outcome, Ui, client::Ask};

use super::{find, watch};

/// Show who did what, the latest last
#[derive(Debug, clap::Args)]
pub struct HistoryArgs {
    /// Its id, the beginning of its id, or its name
    universe: String,

    /// This many changes
    #[arg(long, short = 'n', default_value_t = 20, value_name = "NUMBER")]
    limit: u32,

    /// Only changes before this one
    #[arg(long, value_name = "NUMBER")]
    before: Option<u64>,
}

pub(super) async fn history(
    ui: &mut Ui,
    client: &Client,
    args: &HistoryArgs,
) -> anyhow::Result<Outcome> {
    let id = find::id(client, &args.universe).await?;
    let before = args.before.map(|before| format!("&before={before}")).unwrap_or_default();
    let path = format!("/universes/{id}/history?limit={}{before}", args.limit);
    let json = client.ask(Ask::get(&path)).await?;
    let entries = json["entries"].as_array().into_iter().flatten().rev();
    let text = entries.map(|entry| watch::line("change", entry) + "\n").collect();
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}
