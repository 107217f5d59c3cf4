//! `spox config show`

use std::fmt::Write as _;

use kit_cli::{Answer, Outcome, Ui};
use serde_json::json;
use spox_core::Config;

use super::Desk;

/// What is typed after `config`.
#[derive(Debug, clap::Subcommand)]
pub enum ConfigCommand {
    /// Show the settings in force
    Show {
        /// Only where things are
        #[arg(long)]
        paths: bool,
    },
}

pub(super) fn config(ui: &mut Ui, desk: &Desk, command: &ConfigCommand) -> anyhow::Result<Outcome> {
    let ConfigCommand::Show { paths } = command;
    let snapshot = desk.snapshot()?;
    let config = &snapshot.project.config;
    config.check_rules().map_err(kit_cli::fault)?;
    let (json, text) = if *paths {
        (json!({"paths": config.paths}), folders(config, ""))
    } else {
        (json!(config), whole(config))
    };
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}

fn folders(config: &Config, indent: &str) -> String {
    let paths = &config.paths;
    let rows = [
        ("spec_folder", &paths.spec_folder),
        ("changes_folder", &paths.changes_folder),
        ("archive_folder", &paths.archive_folder),
    ];
    let mut text = "[paths]\n".to_owned();
    for (key, value) in rows {
        let _ = writeln!(text, "{indent}{key} = {}", quoted(value));
    }
    text
}

fn whole(config: &Config) -> String {
    let list = |names: &[String]| {
        let names: Vec<_> = names.iter().map(|name| quoted(name)).collect();
        names.join(", ")
    };
    format!(
        "Spec Oxide Configuration\n\n{}\n[rules]\n  system = [{}]\n  custom = [{}]\n",
        folders(config, "  "),
        list(&config.rules.system),
        list(&config.rules.custom)
    )
}

/// A text as TOML has it.
fn quoted(text: &str) -> String {
    toml_edit::Value::from(text).to_string()
}
