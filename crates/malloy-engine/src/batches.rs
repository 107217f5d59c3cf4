//! The rows of a statement as Arrow keeps them, counted against limits and written as JSON.

use arrow::array::{Array as _, StructArray};
use malloy_model::ir::Column;
use serde_json::{Map, Value};

use crate::{Cut, Error, Limits, Meter, Rows, cell};

/// Batches of rows.
#[derive(Debug)]
pub struct Batches {
    /// How many columns there are.
    width: usize,
    parts: Vec<StructArray>,
    meter: Meter,
}

impl Batches {
    /// None yet, of so many columns.
    pub fn new(width: usize, limits: &Limits) -> Self {
        Self { width, parts: Vec::new(), meter: Meter::new(limits) }
    }

    /// Takes a batch, as far as the limits allow. False when the rest need not be read.
    pub fn push(&mut self, batch: StructArray) -> Result<bool, Error> {
        let keep = self.meter.take(batch.len(), batch.get_array_memory_size())?;
        self.parts.push(if keep < batch.len() { batch.slice(0, keep) } else { batch });
        Ok(self.meter.cut().is_none())
    }

    pub fn len(&self) -> usize {
        self.meter.rows()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many columns there are.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The limit that was met, if one was.
    pub fn cut(&self) -> Option<Cut> {
        self.meter.cut()
    }

    /// Every row as an object. Columns are taken by position and named as `columns` names them; their types say what is
    /// written, whatever the engine sent.
    pub fn to_json(&self, columns: &[Column]) -> Result<Rows, Error> {
        if columns.len() != self.width {
            let (wanted, got) = (columns.len(), self.width);
            return Err(Error::query(format!(
                "the query was to give {wanted} columns and gave {got}"
            )));
        }
        let mut rows = Vec::with_capacity(self.len());
        for batch in &self.parts {
            for row in 0..batch.len() {
                let mut object = Map::with_capacity(columns.len());
                for (index, column) in columns.iter().enumerate() {
                    let value = cell::json(batch.column(index), row, &column.ty);
                    object.insert(column.name.clone(), value);
                }
                rows.push(Value::Object(object));
            }
        }
        Ok(Rows { rows, cut: self.cut() })
    }
}
