//! `tandem config`

use std::fmt;

use kit_cli::{Outcome, Ui};
use serde::Serialize;

use crate::{
    args::{Flags, Serving},
    config::Setting,
};

/// Print every value in force and where it came from
#[derive(Debug, clap::Args)]
pub(crate) struct ConfigArgs {
    #[command(flatten)]
    flags: Serving,
}

pub(crate) fn config(ui: &mut Ui, args: &ConfigArgs) -> anyhow::Result<Outcome> {
    let (_, settings) = args.flags.load(None)?;
    ui.result(&InForce(settings))?;
    Ok(Outcome::Success)
}

/// Reads as a `tandem.toml` that says the same, the origins being its comments.
#[derive(Serialize)]
#[serde(transparent)]
struct InForce(Vec<Setting>);

impl fmt::Display for InForce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<_> = self.0.iter().map(line).collect();
        let width = lines.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(0);
        let mut section = "";
        for ((part, text), setting) in lines.iter().zip(&self.0) {
            if *part != section {
                writeln!(f, "\n[{part}]")?;
                section = part;
            }
            writeln!(f, "{text:width$}  # {}", setting.origin)?;
        }
        Ok(())
    }
}

fn line(setting: &Setting) -> (&str, String) {
    let (part, name) = setting.key.rsplit_once('.').unwrap_or(("", &setting.key));
    let text = match &setting.value {
        serde_json::Value::Null => format!("# {name} is not set"),
        // TOML writes these values as JSON does.
        value => format!("{name} = {value}"),
    };
    (part, text)
}
