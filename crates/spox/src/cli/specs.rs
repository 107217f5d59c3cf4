//! `spox spec list|show|validate`

use kit_cli::{Answer, Outcome, Ui};
use serde_json::json;

use super::{
    Desk, list,
    render::spec,
    told::{Told, told},
    validate::{self, Checking, What},
    watch::Drawn,
};

/// What is typed after `spec`.
#[derive(Debug, clap::Subcommand)]
pub enum SpecCommand {
    /// List the specs, with how many requirements they have
    List,
    /// Show a spec
    Show {
        /// Its id
        id: Option<String>,
    },
    /// Check that specs are well formed
    Validate {
        /// One spec (default: all of them)
        id: Option<String>,

        #[command(flatten)]
        checking: Checking,
    },
}

pub(super) fn spec(ui: &mut Ui, desk: &Desk, command: &SpecCommand) -> anyhow::Result<Outcome> {
    match command {
        SpecCommand::List => {
            let specs = desk.service().list_specs().map_err(told)?;
            let text = list::of_specs(&specs);
            ui.result(&Answer { json: json!(specs), text })?;
            Ok(Outcome::Success)
        }
        SpecCommand::Show { id } => {
            let missing =
                || Told::new("Spec ID required. Use 'spox spec list' to see available specs.");
            let Drawn { json, text, outcome } = draw(desk, id.as_ref().ok_or_else(missing)?)?;
            ui.result(&Answer { json, text })?;
            Ok(outcome)
        }
        SpecCommand::Validate { id, checking } => {
            validate::check(ui, desk, &What::Specs(id.as_deref()), checking)
        }
    }
}

pub(super) fn draw(desk: &Desk, id: &str) -> anyhow::Result<Drawn> {
    let mut json = desk.service().spec_for_people(id).map_err(told)?;
    let snapshot = desk.snapshot()?;
    let found = snapshot.named_spec(id).map_err(told)?;
    // With the names that `get_spec_requirements` has for them.
    json["spec_id"] = json["id"].clone();
    for requirement in json["requirements"].as_array_mut().into_iter().flatten() {
        requirement["scenario_count"] =
            requirement["scenarios"].as_array().map_or(0, Vec::len).into();
    }
    let text = spec::spec(found.parsed(), desk.canvas());
    Ok(Drawn { json, text, outcome: Outcome::Success })
}
