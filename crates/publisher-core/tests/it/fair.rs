//! The model of `tests/official`, compiled, and what was recorded of it.

use std::sync::Arc;

use malloy_model::ir::{Column, Query, Type};
use malloy_model::{Givens, Known, Model, Options, Outcome, Outline, Which};
use publisher_core::result::Rows;
use serde_json::{Map, Value, json};

pub(crate) struct Fair {
    pub(crate) model: Arc<Model>,
    pub(crate) outline: Outline,
    pub(crate) recorded: Value,
    known: Known,
}

/// A query of ours with the rows that were recorded for it.
pub(crate) struct Asked {
    pub(crate) query: Query,
    pub(crate) rows: Vec<Value>,
    pub(crate) notes: Vec<Arc<str>>,
    pub(crate) text: String,
}

impl Asked {
    pub(crate) fn rows(&self) -> Rows<'_> {
        Rows {
            query: &self.query,
            rows: &self.rows,
            sql: "SELECT 1",
            dialect: "duckdb",
            malloy: &self.text,
            model_notes: &self.notes,
            source_notes: &[],
            row_limit: 100,
            limit_hit: false,
        }
    }
}

impl Fair {
    pub(crate) fn new() -> Fair {
        let recorded: Value =
            serde_json::from_str(include_str!("../official/recorded.json")).unwrap();
        let mut known = Known::default();
        for (path, columns) in recorded["tables"].as_object().unwrap() {
            let columns: Vec<Column> = serde_json::from_value(columns.clone()).unwrap();
            known.tables.insert(("duckdb".to_owned(), path.clone()), Ok(columns));
        }
        let places = Arc::from(include_str!("../official/places.malloy"));
        known.texts.insert("places.malloy".to_owned(), Ok(places));
        let text = include_str!("../official/fair.malloy");
        let outcome = malloy_model::compile("fair.malloy", text, &known, Options::default());
        let Outcome::Done(model) = outcome else { panic!("{outcome:?}") };
        let outline = malloy_model::outline(&model);
        Fair { model, outline, recorded, known }
    }

    pub(crate) fn query(&self, text: &str) -> Query {
        let outcome =
            malloy_model::extend(&self.model, "query", text, &self.known, Options::default());
        let Outcome::Done(model) = outcome else { panic!("{text}: {outcome:?}") };
        model.prepare(Which::LastRun, &Givens::new()).unwrap()
    }

    pub(crate) fn asked(&self, case: &Value) -> Asked {
        let text = case["query"].as_str().unwrap();
        let query = self.query(text);
        let cells = case["stable"]["data"]["array_value"].as_array().unwrap();
        let columns: Vec<(&str, &Type)> =
            query.schema.iter().map(|field| (field.name.as_str(), &field.ty)).collect();
        let rows = cells.iter().map(|cell| record(&columns, cell)).collect();
        Asked { rows, notes: self.model.annotations().to_vec(), text: text.to_owned(), query }
    }
}

fn record(columns: &[(&str, &Type)], cell: &Value) -> Value {
    let cells = cell["record_value"].as_array().unwrap();
    let value =
        |((name, ty), cell): (&(&str, &Type), &Value)| ((*name).to_owned(), plain(ty, cell));
    Value::Object(columns.iter().zip(cells).map(value).collect::<Map<_, _>>())
}

/// A recorded cell as the value that our database gives.
fn plain(ty: &Type, cell: &Value) -> Value {
    match cell["kind"].as_str().unwrap() {
        "null_cell" => Value::Null,
        "date_cell" => json!(cell["date_value"].as_str().unwrap().split('T').next().unwrap()),
        "number_cell" => match cell["string_value"].as_str() {
            Some(text) if text.parse::<u64>().is_ok_and(|number| number > 1 << 53) => json!(text),
            _ => cell["number_value"].clone(),
        },
        "array_cell" => {
            let Type::Array(element) = ty else { panic!("{ty:?}") };
            cell["array_value"]
                .as_array()
                .unwrap()
                .iter()
                .map(|cell| plain(element, cell))
                .collect()
        }
        "record_cell" => {
            let Type::Record(fields) = ty else { panic!("{ty:?}") };
            let columns: Vec<(&str, &Type)> =
                fields.iter().map(|field| (field.name.as_str(), &field.ty)).collect();
            record(&columns, cell)
        }
        kind => cell[kind.replace("_cell", "_value")].clone(),
    }
}

/// What is ours alone taken out of annotations: references, what to drill by, and the order of a nest.
pub(crate) fn comparable(mut value: Value) -> Value {
    strip(&mut value);
    value
}

fn strip(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(strip),
        Value::Object(members) => {
            let nest = members.get("type").is_some_and(|ty| {
                matches!(ty["kind"].as_str(), Some("array_type" | "record_type"))
            });
            if let Some(Value::Array(notes)) = members.get_mut("annotations") {
                let mut texts: Vec<String> =
                    notes.iter().filter_map(|note| fact(note["value"].as_str()?, nest)).collect();
                // Facts stand before or after what was written, depending on the place.
                texts.sort();
                *notes = texts.into_iter().map(Value::from).collect();
                if notes.is_empty() {
                    members.remove("annotations");
                }
            }
            members.values_mut().for_each(strip);
        }
        Value::Number(number) => *value = json!(number.as_f64()),
        _ => {}
    }
}

fn fact(text: &str, nest: bool) -> Option<String> {
    let Some(about) = text.strip_prefix("#(malloy) ") else { return Some(text.to_owned()) };
    let mut about = about.trim_end().to_owned();
    for (start, end) in [("reference_id = \"", "\""), ("drill_expression.code = \"", "\"")] {
        if let Some(at) = about.find(start) {
            let after = at + start.len();
            let end = about[after..].find(end).map_or(about.len(), |length| after + length + 1);
            about.replace_range(at..end, "");
        }
    }
    if let Some(at) = about.find("drill_expression.code = ") {
        about.truncate(at);
    }
    let about = about.replace("drillable", "");
    let about = about.split_whitespace().collect::<Vec<_>>().join(" ");
    (!about.is_empty() && !nest).then(|| format!("#(malloy) {about}"))
}
