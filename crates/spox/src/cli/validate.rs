//! `spox validate`: whether specs and changes are well formed.

use clap::ValueEnum;
use kit_cli::{Outcome, Ui};
use serde_json::{Value, json};

use super::{
    Desk,
    desk::Named,
    render::{
        github::github,
        junit::junit,
        report::{self, Item, Noun, Telling},
        sarif::sarif,
    },
    told::told,
    watch::{self, Drawn},
};
use crate::Checked;

/// Check that every spec and change is well formed
#[derive(Debug, clap::Args)]
pub struct ValidateArgs {
    /// A spec or a change (default: everything)
    id: Option<String>,

    #[command(flatten)]
    checking: Checking,
}

// Not a doc comment: clap would put it in the place of what the commands say of themselves.
#[derive(Debug, clap::Args)]
pub struct Checking {
    /// Warnings fail, too
    #[arg(long)]
    strict: bool,

    /// How to say it
    #[arg(long, value_enum, default_value_t, conflicts_with = "json")]
    format: Format,

    /// Check again whenever a file changes
    #[arg(long)]
    watch: bool,
}

/// What reads the answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// People
    #[default]
    Text,
    /// Code scanning, as SARIF 2.1.0
    Sarif,
    /// GitHub, as workflow commands
    Github,
    /// Continuous integration, in the XML of test runners
    Junit,
}

/// What to check.
#[derive(Debug, Clone, Copy)]
pub(super) enum What<'a> {
    Specs(Option<&'a str>),
    Changes(Option<&'a str>),
    Everything,
}

pub(super) fn validate(ui: &mut Ui, desk: &Desk, args: &ValidateArgs) -> anyhow::Result<Outcome> {
    match args.id.as_deref().map(|id| desk.find(id)).transpose()? {
        None => check(ui, desk, &What::Everything, &args.checking),
        Some(Named::Spec(id)) => check(ui, desk, &What::Specs(Some(&id)), &args.checking),
        Some(Named::Change(id)) => check(ui, desk, &What::Changes(Some(&id)), &args.checking),
    }
}

pub(super) fn check(
    ui: &mut Ui,
    desk: &Desk,
    what: &What<'_>,
    checking: &Checking,
) -> anyhow::Result<Outcome> {
    let telling = Telling { strict: checking.strict, fixes: ui.global().verbose > 0 };
    let (quiet, json) = (ui.global().quiet, ui.global().json);
    let outcome = watch::draw(ui, desk, checking.watch, || {
        let items = items(desk, what)?;
        let passes = items.iter().all(|item| item.passes(checking.strict));
        let text = match checking.format {
            // Who asks to hear only what is wrong hears nothing when nothing is.
            Format::Text if quiet && passes => String::new(),
            Format::Text => text(what, &items, telling),
            Format::Sarif => format!("{:#}\n", sarif(&items, env!("CARGO_PKG_VERSION"))),
            Format::Github => github(&items),
            Format::Junit => junit(&items, checking.strict),
        };
        let json = if json { answer(desk, what)? } else { Value::Null };
        let outcome = if passes { Outcome::Success } else { Outcome::Negative };
        Ok(Drawn { json, text, outcome })
    })?;
    if let What::Changes(id) = what
        && checking.format == Format::Text
    {
        remember(ui, desk, *id);
    }
    Ok(outcome)
}

fn text(what: &What<'_>, items: &[Item], telling: Telling) -> String {
    let of = |noun| items.iter().filter(|item| item.noun == noun).cloned().collect::<Vec<_>>();
    match what {
        What::Specs(Some(_)) | What::Changes(Some(_)) => {
            items.iter().map(|item| report::one(item, telling)).collect()
        }
        What::Specs(None) => report::all(Noun::Spec, items, telling),
        What::Changes(None) => report::all(Noun::Change, items, telling),
        What::Everything => format!(
            "{}\n{}",
            report::all(Noun::Spec, &of(Noun::Spec), telling),
            report::all(Noun::Change, &of(Noun::Change), telling)
        ),
    }
}

fn items(desk: &Desk, what: &What<'_>) -> anyhow::Result<Vec<Item>> {
    let service = desk.service();
    let (specs, changes) = match what {
        What::Specs(id) => (service.check_specs(*id).map_err(told)?, Vec::new()),
        What::Changes(id) => (Vec::new(), service.check_changes(*id).map_err(told)?),
        What::Everything => {
            let specs = service.check_specs(None).map_err(told)?;
            (specs, service.check_changes(None).map_err(told)?)
        }
    };
    let folder = desk.snapshot()?.project.config.paths.changes_folder.clone();
    let spec =
        |Checked { id, report }| Item { noun: Noun::Spec, id, folder: String::new(), report };
    let change = |Checked { id, report }| {
        let folder = format!("{folder}/{id}");
        Item { noun: Noun::Change, id, folder, report }
    };
    Ok(specs.into_iter().map(spec).chain(changes.into_iter().map(change)).collect())
}

/// The same as MCP gives it.
fn answer(desk: &Desk, what: &What<'_>) -> anyhow::Result<Value> {
    let service = desk.service();
    Ok(match what {
        What::Specs(id) => json!(service.validate_spec(*id).map_err(told)?),
        What::Changes(id) => json!(service.validate_change(*id).map_err(told)?),
        What::Everything => {
            let specs = service.validate_spec(None).map_err(told)?;
            let changes = service.validate_change(None).map_err(told)?;
            json!({"valid": specs.valid && changes.valid, "specs": specs, "changes": changes})
        }
    })
}

/// A change that its author looks at remembers what the specs say today, so that it can be told later that they moved on.
/// A look at everything, or by a machine, leaves nothing behind. Where nothing can be written, the answer is the same.
fn remember(ui: &mut Ui, desk: &Desk, id: Option<&str>) {
    if desk.service().snapshot().is_ok_and(|snapshot| snapshot.changes.is_empty()) {
        return;
    }
    if let Err(error) = desk.service().remember_base(id)
        && ui.global().verbose > 0
    {
        ui.warn(&format!("what the specs say today could not be remembered: {error}"));
    }
}
