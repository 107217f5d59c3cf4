//! `spox show [<id>]`: the project at a glance, or a spec or change by its id.

use kit_cli::{Outcome, Ui};
use serde_json::{Value, json};

use super::{
    Desk, changes,
    desk::Named,
    render::dashboard::{self, Project},
    specs,
    told::told,
    watch::{self, Drawn},
};
use crate::{
    init::{Disk, Standing, Tree as _, VersionLock, standing},
    project::Snapshot,
};

/// Show the project at a glance, or a spec or change
#[derive(Debug, clap::Args)]
pub struct ShowArgs {
    /// A spec or a change (default: the whole project)
    id: Option<String>,

    /// Show it again whenever a file changes
    #[arg(long)]
    watch: bool,
}

pub(super) fn show(ui: &mut Ui, desk: &Desk, args: &ShowArgs) -> anyhow::Result<Outcome> {
    watch::draw(ui, desk, args.watch, || match &args.id {
        None => overview(desk),
        Some(id) => match desk.find(id)? {
            Named::Spec(id) => specs::draw(desk, &id),
            Named::Change(id) => changes::draw(desk, &id, false),
        },
    })
}

fn overview(desk: &Desk) -> anyhow::Result<Drawn> {
    let snapshot = desk.snapshot()?;
    let (specs, changes) = (desk.service().list_specs(), desk.service().list_changes());
    let (specs, changes) = (specs.map_err(told)?, changes.map_err(told)?);
    let root = snapshot.project.root.to_string_lossy();
    let lock = Disk(snapshot.project.root.clone()).read(".spox/version.lock").ok().flatten();
    let lock = lock.as_deref().and_then(VersionLock::parse);
    let binary = env!("CARGO_PKG_VERSION");
    let config = &snapshot.project.config;
    let project = Project {
        root: &root,
        initialized: lock.as_ref().map(VersionLock::last),
        binary,
        outdated: lock
            .as_ref()
            .is_some_and(|lock| standing(binary, lock.last()) == Standing::Older),
        spec_folder: &config.paths.spec_folder,
        rules: config.rules.system.len() + config.rules.custom.len(),
    };
    let json = json!({
        "project": described(&project), "specs": specs.specs, "changes": changes.changes,
    });
    let text = format!("{}\n{}", dashboard::project(&project), glance(desk, &snapshot));
    Ok(Drawn { json, text, outcome: Outcome::Success })
}

fn described(project: &Project<'_>) -> Value {
    let status = match project.initialized {
        None => "unknown",
        Some(_) if project.outdated => "warning",
        Some(_) => "ok",
    };
    json!({
        "root": project.root, "initialized_version": project.initialized,
        "binary_version": project.binary, "status": status,
        "spec_folder": project.spec_folder, "rules": project.rules,
    })
}

fn glance(desk: &Desk, snapshot: &Snapshot) -> String {
    let specs = snapshot.specs.iter().map(|spec| (&*spec.file.id, spec.outline().requirements));
    let specs: Vec<_> = specs.collect();
    let changes = snapshot.changes.iter().map(|change| &change.parsed);
    dashboard::dashboard(&specs, changes, desk.canvas())
}
