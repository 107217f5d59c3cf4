//! Lists inside rows: inner levels, collected and joined to the level they stand in.

use malloy_model::ir::{Direction, Level, Nest, OutputKind, Type};

use super::{
    Input, Planner,
    level::{Base, Building, Layer},
    over, rows,
    stage::types,
};
use crate::{
    Error, names,
    scope::Scope,
    select::{Body, From, Group, Named},
};

/// The column that holds a nest's value.
const VALUE: &str = "__value";

impl<'b> Building<'b, '_> {
    /// Joins each nest to the rows of the level, by the keys and the dimensions.
    pub(super) fn nests(&mut self, layer: &mut Layer<'b>) -> Result<(), Error> {
        let nests: Vec<(usize, &'b Nest)> = (self.level.outputs.iter().enumerate())
            .filter_map(|(index, output)| match &output.kind {
                OutputKind::Nest(nest) => Some((index, &**nest)),
                _ => None,
            })
            .collect();
        if nests.is_empty() {
            return Ok(());
        }
        let table = self.push(layer);
        let mut number = self.base.levels.last().copied().unwrap_or(0);
        let dimensions: Vec<usize> = (self.level.outputs.iter().enumerate())
            .filter(|(_, output)| matches!(output.kind, OutputKind::Dimension(_)))
            .map(|(index, _)| index)
            .collect();
        for (index, output) in self.level.outputs.iter().enumerate() {
            let OutputKind::Nest(nest) = &output.kind else { continue };
            number += 1;
            let inner = self.inner_base(&nest.level, number, &dimensions)?;
            number += inner_levels(&nest.level);
            let collected = self.planner.collected(nest, &inner)?;
            let dialect = self.planner.dialect();
            let own = dimensions.iter().map(|dimension| &self.columns[*dimension]);
            let on: Vec<String> = (self.keys.iter().chain(own).enumerate())
                .map(|(position, column)| {
                    let key = dialect.column(&collected, &names::inner("k", position));
                    dialect.same(&key, &dialect.column(&table, column))
                })
                .collect();
            let on = (!on.is_empty()).then(|| on.join(" AND "));
            let sql = dialect.ident(&collected);
            layer.select.from.push(From::Join { kind: "LEFT", sql, alias: collected.clone(), on });
            let value = dialect.column(&collected, VALUE);
            let value = self.planner.or_nothing(&value, nest, &output.ty);
            layer.select.columns.push(Named::new(value, &self.columns[index]));
            layer.outputs[index] = Some(self.columns[index].clone());
        }
        Ok(())
    }

    /// What a nest reads: the same rows, its filters added, separately for each row of this level.
    fn inner_base(
        &self,
        level: &Level,
        number: usize,
        dimensions: &[usize],
    ) -> Result<Base<'b>, Error> {
        let mut base = self.base.clone();
        let own =
            *self.base.levels.last().ok_or_else(|| Error::broken("a nest over a bare scan"))?;
        let dialect = self.planner.dialect();
        for dimension in dimensions {
            base.keys.push(dialect.column(rows::ROWS, &rows::dimension(own, *dimension)));
        }
        for filter in &level.filters {
            base.filters.push(self.planner.writer.operand(filter, &Scope::of(base.rows))?);
        }
        base.levels.push(number);
        Ok(base)
    }
}

/// How many levels are inside a level, at any depth; they are numbered in the order in which they are written.
fn inner_levels(level: &Level) -> usize {
    let inner = level.outputs.iter().map(|output| match &output.kind {
        OutputKind::Nest(nest) => 1 + inner_levels(&nest.level),
        _ => 0,
    });
    inner.sum()
}

impl Planner<'_> {
    /// A table of the keys and the value of a nest for each.
    fn collected(&mut self, nest: &Nest, base: &Base<'_>) -> Result<String, Error> {
        let leveled = self.level(&nest.level, base)?;
        let (mut keys, mut columns, mut level) = (leveled.keys, leveled.columns, &nest.level);
        let mut table = self.name("nest", Body::Select(leveled.select));
        for stage in &nest.then {
            let mut names: Vec<String> =
                level.outputs.iter().map(|output| output.name.clone()).collect();
            // The keys are read by their own names.
            names.extend(keys.iter().cloned());
            columns.extend(keys.iter().cloned());
            let input =
                Input { sql: self.dialect().ident(&table), names, columns, types: types(level) };
            let made = self.stage(stage, &input, &keys)?;
            (keys, columns, level) = (made.keys, made.columns, &stage.level);
            table = self.name("nest", made.body);
        }
        let dialect = self.dialect();
        let mut select = over(dialect, &table, &keys);
        let fields: Vec<_> = level
            .outputs
            .iter()
            .zip(&columns)
            .map(|(output, column)| (output.name.clone(), dialect.column(&table, column)))
            .collect();
        let record = dialect.record(&fields);
        if nest.one_record {
            select.columns.push(Named::new(record, VALUE));
        } else {
            let order: Vec<(String, bool)> = (level.order.iter())
                .filter_map(|order| {
                    let (_, column) = fields.get(order.output as usize)?;
                    Some((column.clone(), order.direction == Direction::Desc))
                })
                .collect();
            select.columns.push(Named::new(dialect.collect(&record, &order), VALUE));
            if !keys.is_empty() {
                select.group = Group::By((0..keys.len()).collect());
            }
        }
        Ok(self.name("list", Body::Select(select)))
    }

    /// The value of a nest, or what stands for it where the outer row has no rows inside.
    fn or_nothing(&self, value: &str, nest: &Nest, ty: &Type) -> String {
        let nothing = if nest.one_record {
            let fields: Vec<_> = match ty {
                Type::Record(fields) => {
                    fields.iter().map(|field| (field.name.clone(), "NULL".to_owned())).collect()
                }
                _ => return value.to_owned(),
            };
            self.dialect().record(&fields)
        } else {
            self.dialect().empty_list(ty)
        };
        format!("COALESCE({value}, {nothing})")
    }
}
