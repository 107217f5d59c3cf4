//! The rows of a query, as Arrow keeps them, and written as JSON.

use duckdb::arrow::{
    array::{Array as _, StructArray},
    datatypes::SchemaRef,
};
use serde_json::{Map, Value};

use crate::{Error, Shape, cell};

/// What a query gave.
#[derive(Debug, Clone)]
pub struct Rows {
    schema: SchemaRef,
    batches: Vec<StructArray>,
    length: usize,
    bytes: usize,
}

impl Rows {
    pub(crate) fn new(schema: SchemaRef) -> Self {
        Self { schema, batches: Vec::new(), length: 0, bytes: 0 }
    }

    pub(crate) fn push(&mut self, batch: StructArray) {
        self.length += batch.len();
        self.bytes += batch.get_array_memory_size();
        self.batches.push(batch);
    }

    pub fn len(&self) -> usize {
        self.length
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// What the rows take in memory.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The names of the columns, as the engine has them.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.schema.fields().iter().map(|field| field.name().as_str())
    }

    /// Every row as an object. Columns are taken by position and named as `columns` names them; the shapes
    /// say what is written, whatever the engine sent.
    pub fn to_json(&self, columns: &[(String, Shape)]) -> Result<Vec<Value>, Error> {
        if columns.len() != self.schema.fields().len() {
            let (wanted, got) = (columns.len(), self.schema.fields().len());
            let message = format!("the query was to give {wanted} columns and gave {got}");
            return Err(Error::Query { message });
        }
        let mut rows = Vec::with_capacity(self.length);
        for batch in &self.batches {
            for row in 0..batch.len() {
                let mut object = Map::with_capacity(columns.len());
                for (index, (name, shape)) in columns.iter().enumerate() {
                    object.insert(name.clone(), cell::json(batch.column(index), row, shape));
                }
                rows.push(Value::Object(object));
            }
        }
        Ok(rows)
    }
}
