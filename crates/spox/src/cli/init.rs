//! `spox init`

use std::{fmt::Write as _, path::PathBuf};

use anyhow::Context;
use kit_cli::{Answer, Outcome, Ui};
use serde_json::json;
use spox_core::config::CONFIG_PATH;

use super::{Desk, render::layout::Color};
use crate::{
    Place,
    init::{self, Disk, Options, Plan, Step},
};

/// Set a project up, or bring what the tool wrote up to date
#[derive(Debug, clap::Args)]
pub struct InitArgs {
    /// The root of the project (default: here)
    #[arg(long, value_name = "DIR")]
    path: Option<PathBuf>,

    /// Also keep the rules in AGENTS.md, for agents other than Claude Code
    #[arg(long)]
    agents_md: bool,

    /// Also enter the MCP server into .mcp.json
    #[arg(long)]
    mcp_json: bool,
}

pub(super) fn init(ui: &mut Ui, desk: &Desk, args: &InitArgs) -> anyhow::Result<Outcome> {
    let folder = args.path.clone().unwrap_or_else(|| desk.folder());
    let root = std::path::absolute(folder).context("cannot tell where that is")?;
    if let Some(above) = root.parent()
        && let Ok(above) = Place::From(above.to_owned()).find()
        && !root.join(CONFIG_PATH).exists()
    {
        ui.warn(&format!("this makes a project inside another: {}", above.display()));
    }
    let options = Options {
        version: env!("CARGO_PKG_VERSION"),
        agents_md: args.agents_md,
        mcp_json: args.mcp_json,
    };
    let plan = init::plan(&Disk(root.clone()), &options).map_err(kit_cli::fault)?;
    init::write(&root, &plan).map_err(kit_cli::fault)?;
    for warning in &plan.warnings {
        ui.warn(warning);
    }
    let of = |step: Step| -> Vec<&str> {
        let writes = plan.writes.iter().filter(|write| write.step == step);
        writes.map(|write| &*write.path).collect()
    };
    let root = root.to_string_lossy();
    let (created, updated) = (of(Step::Created), of(Step::Updated));
    let json = json!({
        "root": root, "created": created, "updated": updated, "unchanged": of(Step::Unchanged),
        "warnings": plan.warnings,
    });
    let text = match (created.is_empty(), updated.is_empty()) {
        (true, true) => format!("Everything is up to date in {root}\n"),
        _ => done(&root, &plan),
    };
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}

fn done(root: &str, plan: &Plan) -> String {
    let config = plan.writes.iter().find(|write| write.path == CONFIG_PATH);
    let is_new = config.is_some_and(|write| write.step == Step::Created);
    let mut text = format!("{} {root}\n\n", if is_new { "Initialized" } else { "Updated" });
    for write in &plan.writes {
        let word = match write.step {
            Step::Created => Color::Green.paint("created"),
            Step::Updated => Color::Yellow.paint("updated"),
            Step::Unchanged => continue,
        };
        let _ = writeln!(text, "  {word}  {}", write.path);
    }
    if is_new {
        let _ = write!(
            text,
            "\nNext steps:\n  \
             1. Say what the project is about in {}\n  \
             2. Connect your agent: run .spox/setup.sh, which adds the MCP server to .mcp.json\n  \
             3. Ask it to propose a change: /spox:propose <what should change>\n  \
             4. Build the search index when there are specs: spox index\n",
            plan.mission
        );
    }
    text
}
