//! A model's schema as text that a language model reads well.

use std::fmt::Write;

use malloy_model::{FieldOutline, FieldOutlineKind, SourceOutline};
use publisher_core::{compiled::type_word, context};

use crate::Model;

/// So many fields of a joined source are named; its own entry has them all.
const MOST_JOINED: usize = 40;

/// Every source with its fields and types, joins, views and docs, then the named queries.
pub(super) fn of(model: &Model) -> String {
    let outline = &model.outline;
    let mut text = String::new();
    for given in &outline.givens {
        let _ = writeln!(text, "given: {}", given.name);
    }
    for source in &outline.sources {
        write_source(&mut text, source);
    }
    for query in &outline.queries {
        let doc = doc_of(&query.notes.all);
        let _ = writeln!(text, "query: {} (asks {}){doc}", query.name, query.source);
    }
    text
}

fn write_source(text: &mut String, source: &SourceOutline) {
    let _ = writeln!(text, "source: {}{}", source.name, doc_of(&source.notes.all));
    if let Some(key) = &source.primary_key {
        let _ = writeln!(text, "  primary key: {key}");
    }
    for field in source.fields.iter() {
        let (name, doc) = (&field.name, doc_of(&field.notes.all));
        let _ = match &field.kind {
            FieldOutlineKind::Dimension(ty) => {
                writeln!(text, "  dimension {name}: {}{doc}", type_word(ty))
            }
            FieldOutlineKind::Measure(ty) => {
                writeln!(text, "  measure {name}: {}{doc}", type_word(ty))
            }
            FieldOutlineKind::Join { relationship, fields } => {
                writeln!(
                    text,
                    "  join {name} ({}){doc}: {}",
                    relationship.name(),
                    joined(name, fields)
                )
            }
            FieldOutlineKind::View(output) => {
                let columns: Vec<_> =
                    output.fields.iter().map(|field| field.name.as_str()).collect();
                writeln!(text, "  view {name}{doc}: gives {}", columns.join(", "))
            }
        };
    }
}

fn joined(join: &str, fields: &[FieldOutline]) -> String {
    let names = fields.iter().filter(|field| {
        matches!(field.kind, FieldOutlineKind::Dimension(_) | FieldOutlineKind::Measure(_))
    });
    let names: Vec<_> = names.map(|field| format!("{join}.{}", field.name)).collect();
    let shown = names.len().min(MOST_JOINED);
    let more = match names.len() - shown {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", names[..shown].join(", "))
}

fn doc_of(notes: &[std::sync::Arc<str>]) -> String {
    let doc = context::doc(notes.iter().map(|note| &**note));
    if doc.is_empty() { doc } else { format!(" -- {doc}") }
}
