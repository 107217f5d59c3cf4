//! An index: the values of fields with their weights.
//!
//! One small select for each field over the same rows. A row for each field and value, as the official form has it, would
//! multiply the rows by the number of fields before grouping them.

use malloy_model::ir::{Index, IndexField, Stage, Type};

use super::{Made, Planner, level::Base, over, rows, stage};
use crate::{
    Error,
    dialect::ordered,
    fields::Scan,
    names,
    scope::{Rows, Scope},
    select::{Body, Group, Named, Select},
};

impl Planner<'_> {
    pub(super) fn index(
        &mut self,
        stage: &Stage,
        index: &Index,
        scan: &Scan<'_>,
        base: Base<'_>,
    ) -> Result<Made, Error> {
        let (columns, table) = self.rows(stage, scan, base)?;
        let key_names: Vec<String> =
            (0..table.keys.len()).map(|key| names::inner("k", key)).collect();
        let weight = self.writer.write(&index.weight, &Scope::of(Rows::Table(&columns)))?;
        let mut selects = Vec::new();
        for (position, field) in index.fields.iter().enumerate() {
            let mut select = Select { from: vec![table.from.clone()], ..Select::default() };
            select.columns = table
                .keys
                .iter()
                .zip(&key_names)
                .map(|(sql, name)| Named::new(sql, name))
                .collect();
            self.index_field(&mut select, field, position, &weight)?;
            selects.push(select);
        }
        let names: Vec<String> =
            stage.level.outputs.iter().map(|output| output.name.clone()).collect();
        let columns = stage::columns(&stage.level);
        let all: Vec<String> = key_names.iter().chain(&columns).cloned().collect();
        let united = self.name("index", Body::Union(selects));
        let mut select = over(self.dialect(), &united, &all);
        if key_names.is_empty() {
            let order = stage.level.order.iter();
            select.order = order
                .map(|order| {
                    let down = order.direction == malloy_model::ir::Direction::Desc;
                    ordered(&(order.output + 1).to_string(), down)
                })
                .collect();
            select.limit = stage.level.limit;
        }
        let types = stage::types(&stage.level);
        Ok(Made { body: Body::Select(select), keys: key_names, columns, names, types })
    }

    fn index_field(
        &self,
        select: &mut Select,
        field: &IndexField,
        position: usize,
        weight: &str,
    ) -> Result<(), Error> {
        let dialect = self.dialect();
        let value = dialect.column(rows::ROWS, &rows::dimension(0, position));
        let text = dialect.type_name(&Type::String);
        let mut by: Vec<usize> = (0..select.columns.len()).collect();
        for (name, constant) in [
            ("fieldName", &*field.name),
            ("fieldPath", &*field.path),
            ("fieldType", type_word(&field.ty)),
        ] {
            by.push(select.columns.len());
            select.columns.push(Named::new(dialect.string(constant), name));
        }
        if field.ty == Type::String {
            by.push(select.columns.len());
            select.columns.push(Named::new(value, "fieldValue"));
        } else if field.ty == Type::Boolean {
            // A condition has neither values to search for nor a range.
            let nothing = dialect.cast("NULL", &text, false)?;
            select.columns.push(Named::new(nothing, "fieldValue"));
        } else {
            // Of a time the day is enough.
            let day = dialect.type_name(&Type::Date(None));
            let value = match field.ty {
                Type::Timestamp(_) | Type::Timestamptz(_) => dialect.cast(&value, &day, false)?,
                _ => value,
            };
            let least = dialect.cast(&format!("MIN({value})"), &text, false)?;
            let most = dialect.cast(&format!("MAX({value})"), &text, false)?;
            select.columns.push(Named::new(format!("{least} || ' to ' || {most}"), "fieldValue"));
        }
        select.columns.push(Named::new(weight, "weight"));
        select.group = Group::By(by);
        Ok(())
    }
}

fn type_word(ty: &Type) -> &'static str {
    match ty {
        Type::String => "string",
        Type::Number(_) => "number",
        Type::Boolean => "boolean",
        Type::Date(_) => "date",
        Type::Timestamp(_) => "timestamp",
        Type::Timestamptz(_) => "timestamptz",
        _ => "other",
    }
}
