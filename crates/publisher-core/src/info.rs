//! Models and sources with their fields: `modelInfo` and `SourceInfo`.

use std::sync::Arc;

use malloy_model::{
    FieldOutline, FieldOutlineKind, Outline, OutputOutline, ParameterOutline, QueryOutline,
    SourceOutline, ValueType,
};
use malloy_syntax::tree::{Expr, ExprKind};
use serde_json::{Value, json};

use crate::result::facts::{self, Annotation};
use crate::result::stable::{annotate, columns, type_of};

/// So many fields are told of one source, joins included. A source that joins others which join others in turn can have more
/// fields than anybody can read; beyond this, joins are there without theirs, and say so.
const MOST_FIELDS: usize = 20_000;

/// `{"entries": […], "anonymous_queries": […]}`: what a model exports, and what its text runs. What it imports is told by
/// the model that has it.
pub fn model_info(outline: &Outline) -> Value {
    let sources = outline.sources.iter().filter(|source| source.exported).map(|source| {
        let mut entry = source_info(source);
        entry["kind"] = json!("source");
        entry
    });
    let queries = outline.queries.iter().filter(|query| query.exported).map(|query| {
        let mut entry = query_info(query);
        entry["kind"] = json!("query");
        entry["name"] = json!(query.name);
        entry
    });
    let entries: Vec<Value> = sources.chain(queries).collect();
    let runs: Vec<Value> = outline.runs.iter().map(query_info).collect();
    json!({"entries": entries, "anonymous_queries": runs})
}

/// A source: name, schema, parameters, annotations.
pub fn source_info(source: &SourceOutline) -> Value {
    let mut left = MOST_FIELDS;
    let mut made = json!({
        "name": source.name,
        "schema": {"fields": fields(&source.name, &source.fields, &mut left)},
        "annotations": Annotation::of(&source.notes.all),
    });
    if !source.parameters.is_empty() {
        made["parameters"] = source.parameters.iter().map(parameter).collect();
    }
    made
}

/// The givens of a model: name, type, default, annotations.
pub fn givens(outline: &Outline) -> Vec<Value> {
    let given = |given: &ParameterOutline| {
        let mut made = parameter(given);
        if let Some(default) = &given.default {
            made["default"] = json!(default);
        }
        annotate(&mut made, &Annotation::of(&given.notes));
        made
    };
    outline.givens.iter().map(given).collect()
}

/// The fields of a view or of a named query as they come out, with their annotations.
pub fn output_fields(source: &str, output: &OutputOutline) -> Vec<Value> {
    columns(source, None, &output.fields)
}

fn query_info(query: &QueryOutline) -> Value {
    json!({
        "schema": {"fields": output_fields(&query.source, &query.output)},
        "annotations": about(&query.notes.all, &query.output),
    })
}

fn fields(source: &str, fields: &[FieldOutline], left: &mut usize) -> Vec<Value> {
    fields
        .iter()
        .map(|field| {
            *left = left.saturating_sub(1);
            self::field(source, field, left)
        })
        .collect()
}

fn field(source: &str, field: &FieldOutline, left: &mut usize) -> Value {
    let mut made = json!({"kind": field.kind_name(), "name": field.name});
    match &field.kind {
        FieldOutlineKind::Dimension(ty) | FieldOutlineKind::Measure(ty) => {
            made["type"] = type_of(ty);
            annotate(&mut made, &Annotation::of(&field.notes.all));
        }
        FieldOutlineKind::Join { relationship, fields: inner } => {
            made["relationship"] = json!(relationship.name());
            if inner.len() <= *left {
                made["schema"] = json!({"fields": fields(&field.name, inner, left)});
            } else {
                made["schema"] = json!({"fields": []});
                made["truncated"] = json!(true);
            }
            annotate(&mut made, &Annotation::of(&field.notes.all));
        }
        FieldOutlineKind::View(output) => {
            made["schema"] = json!({"fields": output_fields(source, output)});
            annotate(&mut made, &about(&field.notes.all, output));
        }
    }
    made
}

fn about(notes: &[Arc<str>], output: &OutputOutline) -> Vec<Annotation> {
    facts::of_output(notes, &output.order, output.limit, output.stages == 1)
}

fn parameter(parameter: &ParameterOutline) -> Value {
    let ty = match &parameter.ty {
        ValueType::Value(ty) => type_of(ty),
        ValueType::Filter(ty) => {
            json!({"kind": "filter_expression_type", "filter_type": type_of(ty)})
        }
    };
    let mut made = json!({"name": parameter.name, "type": ty});
    if let Some(value) = parameter.default.as_deref().and_then(literal) {
        made["default_value"] = value;
    }
    made
}

/// A constant as written, as a literal of the wire. None for what is worked out.
fn literal(text: &str) -> Option<Value> {
    let parsed = malloy_syntax::parse_expression(text);
    parsed.is_ok().then(|| literal_of(text, &parsed.tree)).flatten()
}

fn literal_of(text: &str, expr: &Expr) -> Option<Value> {
    let written = || text.get(expr.span.start as usize..expr.span.end as usize);
    Some(match &expr.kind {
        ExprKind::Paren(inner) => literal_of(text, inner)?,
        ExprKind::String(value) => json!({"kind": "string_literal", "string_value": value}),
        ExprKind::Number(_) | ExprKind::Negate(_) => {
            let number: f64 = written()?.replace(char::is_whitespace, "").parse().ok()?;
            json!({"kind": "number_literal", "number_value": number})
        }
        ExprKind::Boolean(value) => json!({"kind": "boolean_literal", "boolean_value": value}),
        ExprKind::Null => json!({"kind": "null_literal"}),
        ExprKind::Filter(_) => {
            let (value, _) = malloy_syntax::lexer::unquote(written()?);
            json!({"kind": "filter_expression_literal", "filter_expression_value": value})
        }
        ExprKind::Time(_) => {
            let value = written()?.trim_start_matches('@');
            if value.contains(':') {
                json!({"kind": "timestamp_literal", "timestamp_value": value})
            } else {
                json!({"kind": "date_literal", "date_value": value})
            }
        }
        _ => return None,
    })
}
