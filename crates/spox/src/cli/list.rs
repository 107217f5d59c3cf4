//! `spox list`: the ids of specs and changes.

use kit_cli::{Answer, Outcome, Ui};
use serde_json::json;

use super::{Desk, render::list, told::told};
use crate::wire::{ChangeList, SpecList};

/// List the specs and the active changes
#[derive(Debug, clap::Args)]
pub struct ListArgs {}

pub(super) fn both(ui: &mut Ui, desk: &Desk, _: &ListArgs) -> anyhow::Result<Outcome> {
    let specs = desk.service().list_specs().map_err(told)?;
    let changes = desk.service().list_changes().map_err(told)?;
    let text = format!("{}\n{}", of_specs(&specs), of_changes(&changes));
    let json = json!({"specs": specs.specs, "changes": changes.changes});
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}

pub(super) fn of_specs(all: &SpecList) -> String {
    let rows: Vec<_> = all.specs.iter().map(|spec| (&*spec.id, spec.requirement_count)).collect();
    list::specs(&rows)
}

pub(super) fn of_changes(all: &ChangeList) -> String {
    let row = |change: &'_ crate::wire::ChangeSummary| {
        let progress = change.task_progress;
        (change.id.clone(), progress.completed, progress.total)
    };
    let rows: Vec<_> = all.changes.iter().map(row).collect();
    let rows: Vec<_> = rows.iter().map(|(id, done, total)| (&**id, *done, *total)).collect();
    list::changes(&rows)
}
