//! `spox change apply|archive|rebase|diff`: bringing a change and the specs together.

use kit_cli::{Answer, Outcome, Ui};
use serde_json::json;
use spox_core::Resolve;

use super::{Desk, render::applied, render::diff as lines, told::told};
use crate::ArchiveOptions;

/// Write what a change says into the specs; the change stays
#[derive(Debug, clap::Args)]
pub struct ApplyArgs {
    /// The change
    id: String,

    #[command(flatten)]
    wish: Wish,
}

/// Write what a change says into the specs, and put the change into the archive
#[derive(Debug, clap::Args)]
pub struct ArchiveArgs {
    /// The change
    id: String,

    #[command(flatten)]
    wish: Wish,
}

// Not a doc comment: clap would put it in the place of what the commands say of themselves.
#[derive(Debug, clap::Args)]
struct Wish {
    /// Though tasks are open or the specs have moved on
    #[arg(long)]
    force: bool,

    /// Say what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

/// Merge what happened to the specs since a change was written into the change
#[derive(Debug, clap::Args)]
pub struct RebaseArgs {
    /// The change
    id: String,

    /// Where both sides changed something, take what the change says
    #[arg(long, conflicts_with = "main")]
    mine: bool,

    /// Where both sides changed something, take what the specs say
    #[arg(long)]
    main: bool,
}

/// Show what archiving a change would do to the specs, line by line
#[derive(Debug, clap::Args)]
pub struct DiffArgs {
    /// The change
    id: String,
}

impl Wish {
    fn options(&self) -> ArchiveOptions {
        ArchiveOptions { force: self.force, dry_run: self.dry_run }
    }
}

pub(super) fn apply(ui: &mut Ui, desk: &Desk, args: &ApplyArgs) -> anyhow::Result<Outcome> {
    let done = desk.service().apply_change(&args.id, &args.wish.options()).map_err(told)?;
    let text = applied::applied(&done, None);
    ui.result(&Answer { json: json!(done), text })?;
    Ok(Outcome::Success)
}

pub(super) fn archive(ui: &mut Ui, desk: &Desk, args: &ArchiveArgs) -> anyhow::Result<Outcome> {
    let done = desk.service().archive_change(&args.id, &args.wish.options()).map_err(told)?;
    let text = applied::applied(&done.applied, Some(&done.archived_to));
    ui.result(&Answer { json: json!(done), text })?;
    Ok(Outcome::Success)
}

pub(super) fn rebase(ui: &mut Ui, desk: &Desk, args: &RebaseArgs) -> anyhow::Result<Outcome> {
    let resolve = match (args.mine, args.main) {
        (true, _) => Resolve::Mine,
        (_, true) => Resolve::Main,
        _ => Resolve::Refuse,
    };
    let done = desk.service().rebase_change(&args.id, resolve).map_err(told)?;
    let text = applied::rebased(&done);
    ui.result(&Answer { json: json!(done), text })?;
    Ok(Outcome::Success)
}

pub(super) fn diff(ui: &mut Ui, desk: &Desk, args: &DiffArgs) -> anyhow::Result<Outcome> {
    let diff = desk.service().diff_change(&args.id).map_err(told)?;
    let text = lines::diff(&diff);
    ui.result(&Answer { json: json!(diff), text })?;
    Ok(Outcome::Success)
}
