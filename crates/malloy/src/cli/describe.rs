//! Describe a model.

use std::fmt::Write as _;

use kit_cli::{Outcome, Ui};
use malloy_model::{Description, FieldDescription, TypeName};
use serde_json::Value;

use super::{Root, refused};
use crate::Workspace;

/// Show the sources of a model with their fields, joins and views
#[derive(Debug, clap::Args)]
pub struct DescribeArgs {
    #[command(flatten)]
    root: Root,

    /// The model, below the folder
    #[arg(value_name = "FILE")]
    model: String,
}

pub(super) fn describe(ui: &mut Ui, args: &DescribeArgs) -> anyhow::Result<Outcome> {
    let compiled =
        Workspace::open(&args.root.root).and_then(|workspace| workspace.compile_file(&args.model));
    match compiled {
        Err(failure) => refused(ui, &failure),
        Ok(compiled) => {
            let description = malloy_model::describe(&compiled.model);
            if ui.global().json {
                ui.print(&serde_json::to_string_pretty(&description)?)?;
            } else {
                ui.print(&self::description(&description))?;
            }
            Ok(Outcome::Success)
        }
    }
}

/// A model in a few lines: its sources with their fields, its queries.
pub fn description(description: &Description) -> String {
    let mut out = String::new();
    for source in &description.sources {
        let _infallible = writeln!(out, "source {}", source.name);
        for field in &source.fields {
            let _infallible = match field {
                FieldDescription::Dimension { name, ty, .. } => {
                    writeln!(out, "  dimension {name} :: {}", word(ty))
                }
                FieldDescription::Measure { name, ty, .. } => {
                    writeln!(out, "  measure   {name} :: {}", word(ty))
                }
                FieldDescription::Join { name, relationship, .. } => {
                    writeln!(out, "  join_{relationship:<4} {name}")
                }
                FieldDescription::View { name, output, .. } => {
                    let columns: Vec<&str> =
                        output.iter().map(|column| column.name.as_str()).collect();
                    writeln!(out, "  view      {name} -> {}", columns.join(", "))
                }
            };
        }
    }
    for query in &description.queries {
        let columns: Vec<&str> = query.output.iter().map(|column| column.name.as_str()).collect();
        let _infallible = writeln!(out, "query {} -> {}", query.name, columns.join(", "));
    }
    out
}

/// A type in one word or two.
fn word(ty: &TypeName) -> String {
    match serde_json::to_value(ty) {
        Ok(Value::String(text)) => text,
        Ok(other) => other.to_string(),
        Err(_) => String::new(),
    }
}
