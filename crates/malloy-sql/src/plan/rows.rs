//! The rows of a scan as a table that several levels read. Start at [`Planner::rows`].
//!
//! It holds what the levels use and nothing else: dimensions computed already, fields and columns that aggregates need, and the
//! keys of joins whose rows repeat.

use malloy_model::ir::{Aggregate, Expr, Level, LevelKind, OutputKind, Stage};

use super::{Planner, level::Base};
use crate::{
    Error,
    fields::Scan,
    names,
    scope::{Columns, Rows, Scope},
    select::{Body, From, Named, Select},
    walk,
};

/// Where the rows are and what tells them apart.
pub(crate) struct Table {
    pub(crate) from: From,
    pub(crate) keys: Vec<String>,
}

/// The alias of the table of rows.
pub(crate) const ROWS: &str = "rows";

/// The column of a dimension in the table of rows.
pub(crate) fn dimension(level: usize, output: usize) -> String {
    format!("__d{level}_{output}")
}

impl Planner<'_> {
    /// Scans once and keeps what the levels of the stage need.
    pub(crate) fn rows(
        &mut self,
        stage: &Stage,
        scan: &Scan<'_>,
        base: Base<'_>,
    ) -> Result<(Columns, Table), Error> {
        let mut rows =
            Gathering { planner: self, scan, selected: Vec::new(), columns: Columns::default() };
        let mut keys = Vec::new();
        for (index, key) in base.keys.iter().enumerate() {
            keys.push(rows.select(key.clone(), names::inner("k", index)));
        }
        let mut count = 0;
        rows.level(&stage.level, &mut count, true)?;
        let Gathering { mut selected, columns, .. } = rows;
        if selected.is_empty() {
            selected.push(Named::new("1", "__one"));
        }
        let select = Select {
            columns: selected,
            from: base.from,
            filters: base.filters,
            ..Select::default()
        };
        let name = self.name("rows", Body::Select(select));
        let from = From::Rows { sql: self.dialect().ident(&name), alias: ROWS.to_owned() };
        Ok((columns, Table { from, keys }))
    }
}

struct Gathering<'p, 'w, 's> {
    planner: &'p Planner<'w>,
    scan: &'s Scan<'s>,
    selected: Vec<Named>,
    columns: Columns,
}

impl Gathering<'_, '_, '_> {
    /// Keeps a value and tells how it is read.
    fn select(&mut self, sql: String, name: String) -> String {
        let read = self.planner.dialect().column(ROWS, &name);
        self.selected.push(Named::new(sql, name));
        read
    }

    fn level(&mut self, level: &Level, count: &mut usize, outermost: bool) -> Result<(), Error> {
        let number = *count;
        *count += 1;
        // The filters of the outermost level are those of the scan.
        if !outermost {
            level.filters.iter().try_for_each(|filter| self.row_level(filter))?;
        }
        level.having.iter().try_for_each(|having| self.aggregates(having))?;
        if let LevelKind::Index(index) = &level.kind {
            for (position, field) in index.fields.iter().enumerate() {
                self.dimension(&field.expr, number, position)?;
            }
            self.aggregates(&index.weight)?;
            return Ok(());
        }
        for (position, output) in level.outputs.iter().enumerate() {
            match &output.kind {
                OutputKind::Dimension(expr) => self.dimension(expr, number, position)?,
                OutputKind::Aggregate(expr) | OutputKind::Calculation(expr) => {
                    self.aggregates(expr)?;
                }
                OutputKind::Nest(nest) => self.level(&nest.level, count, false)?,
            }
        }
        Ok(())
    }

    fn dimension(&mut self, expr: &Expr, level: usize, output: usize) -> Result<(), Error> {
        let sql = self.planner.writer.write(expr, &Scope::of(Rows::Scan(self.scan)))?;
        self.select(sql, dimension(level, output));
        Ok(())
    }

    /// Keeps what the aggregates in `expr` need.
    fn aggregates(&mut self, expr: &Expr) -> Result<(), Error> {
        let mut found: Vec<&Aggregate> = Vec::new();
        walk::deep(expr, &mut |expr| {
            if let Expr::Aggregate(aggregate) = expr {
                found.push(aggregate);
                return false;
            }
            true
        });
        for aggregate in found {
            for part in aggregate.args.iter().chain(&aggregate.filter) {
                self.row_level(part)?;
            }
            aggregate.order.iter().try_for_each(|order| self.row_level(&order.expr))?;
            if aggregate.by_key && !self.columns.keys.contains_key(&aggregate.at) {
                let key = self.scan.key(aggregate.at)?;
                let read = self.select(key, format!("__j{}", aggregate.at.0));
                self.columns.keys.insert(aggregate.at, read);
                if self.scan.may_lack(aggregate.at) {
                    self.columns.optional.insert(aggregate.at);
                }
            }
        }
        Ok(())
    }

    /// Keeps the columns and fields that `expr` names.
    fn row_level(&mut self, expr: &Expr) -> Result<(), Error> {
        let mut named = Vec::new();
        walk::deep(expr, &mut |expr| {
            if matches!(expr, Expr::Column { .. } | Expr::Field(_)) {
                named.push(expr);
            }
            true
        });
        for expr in named {
            match expr {
                Expr::Column { join, name } => {
                    let place = (*join, name.clone());
                    if !self.columns.named.contains_key(&place) {
                        let sql = self.scan.column(*join, name)?;
                        let read = self.select(sql, format!("__c{}", self.columns.named.len()));
                        if let Some(ty) = self.scan.known_type(expr) {
                            self.columns.types.insert(place.clone(), ty);
                        }
                        self.columns.named.insert(place, read);
                    }
                }
                Expr::Field(id) if !self.columns.fields.contains_key(id) => {
                    let sql = self.scan.field(*id)?;
                    let read = self.select(sql, format!("__f{}", id.0));
                    if let Some(ty) = self.scan.known_type(expr) {
                        self.columns.field_types.insert(*id, ty);
                    }
                    self.columns.fields.insert(*id, read);
                }
                _ => {}
            }
        }
        Ok(())
    }
}
