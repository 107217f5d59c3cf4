//! One level: grouping or projecting, what stands over the groups, windows, limit. Start at [`Planner::level`].
//!
//! A level is built in layers, each a select over the one before, and only those that are needed: groups; values over coarser
//! groups joined to them; calculations; the limit; and the nests, joined by the dimensions.

use malloy_model::ir::{
    DimensionRef, Direction, Expr, Level, LevelKind, Order, OutputKind, Ungrouped,
};

use super::{Planner, over, rows, stage};
use crate::{
    Error,
    dialect::ordered,
    names,
    scope::{Rows, Scope},
    select::{Body, From, Group, Named, Select},
    walk,
};

/// What a level reads.
#[derive(Clone)]
pub(crate) struct Base<'a> {
    pub(crate) rows: Rows<'a>,
    pub(crate) from: Vec<From>,
    /// Conditions on rows, of this level and of those around it.
    pub(crate) filters: Vec<String>,
    /// What the level is computed separately for: dimensions of the levels around it.
    pub(crate) keys: Vec<String>,
    /// The numbers of the levels around it and its own in the table of rows; none in a scan.
    pub(crate) levels: Vec<usize>,
    /// How many of the keys belong to an outer query; the others are dimensions of levels around this one.
    pub(crate) carried: usize,
}

/// What a level has become.
pub(crate) struct Leveled {
    pub(crate) select: Select,
    /// The names of the key columns, which are in front.
    pub(crate) keys: Vec<String>,
    /// The names of the output columns after them.
    pub(crate) columns: Vec<String>,
    /// The order of the rows, by position.
    pub(crate) order: Vec<String>,
}

impl Base<'_> {
    /// A dimension of this level or of one around it, in the table of rows.
    fn dimension(&self, planner: &Planner<'_>, reference: DimensionRef) -> Result<String, Error> {
        let at = self.levels.len().checked_sub(1 + reference.up as usize);
        let level = at.and_then(|at| self.levels.get(at));
        let level = level
            .ok_or_else(|| Error::broken("an ungrouped aggregate keeps what is not around it"))?;
        Ok(planner
            .dialect()
            .column(rows::ROWS, &rows::dimension(*level, reference.output as usize)))
    }
}

impl Planner<'_> {
    pub(crate) fn level(&mut self, level: &Level, base: &Base<'_>) -> Result<Leveled, Error> {
        let columns = stage::columns(level);
        let keys: Vec<String> =
            (0..base.keys.len()).map(|index| names::inner("k", index)).collect();
        let mut building = Building { planner: self, level, base, columns, keys };
        let mut layer = match &level.kind {
            LevelKind::Group => building.groups()?,
            LevelKind::Project => building.projection()?,
            LevelKind::Index(_) => return Err(Error::broken("an index in a nest")),
        };
        building.calculations(&mut layer)?;
        building.limit(&mut layer)?;
        building.nests(&mut layer)?;
        building.finish(layer)
    }

    /// A dimension of `level` as the level reads it.
    fn dimension(&self, base: &Base<'_>, output: usize, expr: &Expr) -> Result<String, Error> {
        if base.levels.is_empty() {
            return self.writer.write(expr, &Scope::of(base.rows));
        }
        base.dimension(
            self,
            DimensionRef { up: 0, output: u32::try_from(output).unwrap_or(u32::MAX) },
        )
    }
}

/// The select that is built last, and what is in it by now.
pub(super) struct Layer<'a> {
    pub(super) select: Select,
    /// Columns by output; empty where it is not in yet.
    pub(super) outputs: Vec<Option<String>>,
    /// Expressions that are in under a name of their own.
    pub(super) hidden: Vec<(&'a Expr, String)>,
}

pub(super) struct Building<'b, 'w> {
    pub(super) planner: &'b mut Planner<'w>,
    pub(super) level: &'b Level,
    pub(super) base: &'b Base<'b>,
    pub(super) columns: Vec<String>,
    pub(super) keys: Vec<String>,
}

impl<'b> Building<'b, '_> {
    fn key_columns(&self) -> Vec<Named> {
        self.base.keys.iter().zip(&self.keys).map(|(sql, name)| Named::new(sql, name)).collect()
    }

    fn dimensions(&self) -> impl Iterator<Item = (usize, &'b Expr)> + use<'b> {
        self.level.outputs.iter().enumerate().filter_map(|(index, output)| match &output.kind {
            OutputKind::Dimension(expr) => Some((index, expr)),
            _ => None,
        })
    }

    fn calculated(&self) -> impl Iterator<Item = (usize, &'b Expr)> + use<'b> {
        self.level.outputs.iter().enumerate().filter_map(|(index, output)| match &output.kind {
            OutputKind::Calculation(expr) => Some((index, expr)),
            _ => None,
        })
    }

    fn projection(&mut self) -> Result<Layer<'b>, Error> {
        let mut select = Select {
            columns: self.key_columns(),
            from: self.base.from.clone(),
            filters: self.base.filters.clone(),
            ..Select::default()
        };
        let mut outputs = vec![None; self.columns.len()];
        for (index, expr) in self.dimensions() {
            let sql = self.planner.dimension(self.base, index, expr)?;
            select.columns.push(Named::new(sql, &self.columns[index]));
            outputs[index] = Some(self.columns[index].clone());
        }
        // A calculation may name a row-level expression that is no output.
        let mut hidden = Vec::new();
        for (_, expr) in self.calculated() {
            self.hide_rows(expr, &mut select, &mut hidden)?;
        }
        Ok(Layer { select, outputs, hidden })
    }

    /// Puts columns and fields that a calculation of a projection names into its select.
    fn hide_rows(
        &mut self,
        expr: &'b Expr,
        select: &mut Select,
        hidden: &mut Vec<(&'b Expr, String)>,
    ) -> Result<(), Error> {
        let mut named = Vec::new();
        walk::deep(expr, &mut |expr| {
            if matches!(expr, Expr::Column { .. } | Expr::Field(_)) && !named.contains(&expr) {
                named.push(expr);
            }
            true
        });
        for expr in named {
            if hidden.iter().any(|(known, _)| *known == expr) {
                continue;
            }
            let name = names::inner("h", hidden.len());
            let sql = self.planner.writer.write(expr, &Scope::of(self.base.rows))?;
            select.columns.push(Named::new(sql, &name));
            hidden.push((expr, name));
        }
        Ok(())
    }

    fn groups(&mut self) -> Result<Layer<'b>, Error> {
        let mut ungrouped = Vec::new();
        for output in &self.level.outputs {
            if let OutputKind::Aggregate(expr) | OutputKind::Calculation(expr) = &output.kind {
                walk::ungrouped(expr, &mut ungrouped);
            }
        }
        self.level.having.iter().for_each(|having| walk::ungrouped(having, &mut ungrouped));
        if ungrouped.is_empty() { self.plain_groups() } else { self.compared_groups(&ungrouped) }
    }

    /// Dimensions in the place where they are written; the columns to group by.
    fn grouped(&mut self, only_dimensions: bool) -> Result<(Layer<'b>, Vec<usize>), Error> {
        let mut select = Select {
            columns: self.key_columns(),
            from: self.base.from.clone(),
            filters: self.base.filters.clone(),
            ..Select::default()
        };
        let mut by: Vec<usize> = (0..select.columns.len()).collect();
        let mut outputs = vec![None; self.columns.len()];
        let known = self.known_dimensions()?;
        let scope = Scope { known: &known, ..Scope::of(self.base.rows) };
        for (index, output) in self.level.outputs.iter().enumerate() {
            let sql = match &output.kind {
                OutputKind::Dimension(expr) => {
                    by.push(select.columns.len());
                    self.planner.dimension(self.base, index, expr)?
                }
                OutputKind::Aggregate(expr) if !only_dimensions => {
                    self.planner.writer.write(expr, &scope)?
                }
                _ => continue,
            };
            select.columns.push(Named::new(sql, &self.columns[index]));
            outputs[index] = Some(self.columns[index].clone());
        }
        Ok((Layer { select, outputs, hidden: Vec::new() }, by))
    }

    /// Dimensions as they are written in a grouped select, for aggregates and conditions that name them.
    fn known_dimensions(&self) -> Result<Vec<(&'b Expr, String)>, Error> {
        if self.base.levels.is_empty() {
            // In the scan itself they are written out again, and the database sees that it is the same.
            return Ok(Vec::new());
        }
        let dimension = |(index, expr)| Ok((expr, self.planner.dimension(self.base, index, expr)?));
        self.dimensions().map(dimension).collect()
    }

    fn plain_groups(&mut self) -> Result<Layer<'b>, Error> {
        let (mut layer, by) = self.grouped(false)?;
        let known = self.known_dimensions()?;
        let scope = Scope { known: &known, ..Scope::of(self.base.rows) };
        let mut aggregates = Vec::new();
        self.calculated().for_each(|(_, expr)| walk::aggregates(expr, &mut aggregates));
        for expr in aggregates {
            let name = names::inner("a", layer.hidden.len());
            layer.select.columns.push(Named::new(self.planner.writer.write(expr, &scope)?, &name));
            layer.hidden.push((expr, name));
        }
        for having in &self.level.having {
            layer.select.having.push(self.planner.writer.operand(having, &scope)?);
        }
        self.close_groups(&mut layer.select, by);
        Ok(layer)
    }

    /// Says how the select groups; a select without columns gets one, since it has one row.
    fn close_groups(&self, select: &mut Select, by: Vec<usize>) {
        let aggregates = |expr: &Expr| walk::any(expr, &|expr| matches!(expr, Expr::Aggregate(_)));
        let any = self.level.outputs.iter().any(|output| match &output.kind {
            OutputKind::Aggregate(expr) | OutputKind::Calculation(expr) => aggregates(expr),
            _ => false,
        });
        if select.columns.is_empty() {
            select.columns.push(Named::new("1", "__one"));
        }
        select.group = match by {
            by if !by.is_empty() => Group::By(by),
            _ if any || self.level.having.iter().any(aggregates) => Group::None,
            _ => Group::Whole,
        };
    }

    /// Groups, joined with what is computed over coarser ones.
    fn compared_groups(
        &mut self,
        ungrouped: &[(&'b Expr, &'b Ungrouped)],
    ) -> Result<Layer<'b>, Error> {
        let (mut layer, by) = self.grouped(true)?;
        let known = self.known_dimensions()?;
        let scope = Scope { known: &known, ..Scope::of(self.base.rows) };
        let mut aggregates = Vec::new();
        for output in &self.level.outputs {
            if let OutputKind::Aggregate(expr) | OutputKind::Calculation(expr) = &output.kind {
                walk::aggregates(expr, &mut aggregates);
            }
        }
        self.level.having.iter().for_each(|having| walk::aggregates(having, &mut aggregates));
        for expr in aggregates {
            let name = names::inner("a", layer.hidden.len());
            layer.select.columns.push(Named::new(self.planner.writer.write(expr, &scope)?, &name));
            layer.hidden.push((expr, name));
        }
        self.close_groups(&mut layer.select, by);
        let groups = self.planner.name("groups", Body::Select(layer.select));
        self.compare(&groups, &layer.outputs, &layer.hidden, ungrouped)
    }

    /// The select over groups and coarser groups that has all outputs but calculations.
    fn compare(
        &mut self,
        groups: &str,
        dimensions: &[Option<String>],
        aggregates: &[(&'b Expr, String)],
        ungrouped: &[(&'b Expr, &'b Ungrouped)],
    ) -> Result<Layer<'b>, Error> {
        let dialect = self.planner.dialect();
        let mut select = over(dialect, groups, &self.keys);
        let mut known: Vec<(&Expr, String)> =
            aggregates.iter().map(|(expr, name)| (*expr, dialect.column(groups, name))).collect();
        for (index, expr) in self.dimensions() {
            known.push((expr, dialect.column(groups, &self.columns[index])));
        }
        let mut keeps: Vec<&[DimensionRef]> = Vec::new();
        for (_, ungrouped) in ungrouped {
            if !keeps.contains(&&*ungrouped.keep) {
                keeps.push(&ungrouped.keep);
            }
        }
        for keep in keeps {
            let of_keep: Vec<_> =
                ungrouped.iter().filter(|(_, ungrouped)| ungrouped.keep == keep).collect();
            let table = self.coarser(keep, &of_keep)?;
            let mut on = Vec::new();
            for key in &self.keys {
                on.push(dialect.same(&dialect.column(&table, key), &dialect.column(groups, key)));
            }
            for (position, reference) in
                keep.iter().enumerate().filter(|(_, reference)| reference.up == 0)
            {
                let column = &self.columns[reference.output as usize];
                let kept = dialect.column(&table, &names::inner("d", position));
                on.push(dialect.same(&kept, &dialect.column(groups, column)));
            }
            let on = (!on.is_empty()).then(|| on.join(" AND "));
            select.from.push(From::Join {
                kind: "INNER",
                sql: dialect.ident(&table),
                alias: table.clone(),
                on,
            });
            for (position, (expr, _)) in of_keep.iter().enumerate() {
                known.push((*expr, dialect.column(&table, &names::inner("u", position))));
            }
        }
        let scope = Scope { known: &known, ..Scope::of(Rows::None) };
        let mut outputs = dimensions.to_vec();
        for (index, output) in self.level.outputs.iter().enumerate() {
            let sql = match &output.kind {
                OutputKind::Dimension(_) => dialect.column(groups, &self.columns[index]),
                OutputKind::Aggregate(expr) => self.planner.writer.write(expr, &scope)?,
                _ => continue,
            };
            select.columns.push(Named::new(sql, &self.columns[index]));
            outputs[index] = Some(self.columns[index].clone());
        }
        for having in &self.level.having {
            select.filters.push(self.planner.writer.operand(having, &scope)?);
        }
        let hidden = self.hide(&known, &mut select);
        Ok(Layer { select, outputs, hidden })
    }

    /// Hands on what calculations need of the select that is built.
    fn hide(&self, known: &[(&'b Expr, String)], select: &mut Select) -> Vec<(&'b Expr, String)> {
        let mut needed = Vec::new();
        for (_, expr) in self.calculated() {
            walk::deep(expr, &mut |expr| {
                let wanted = matches!(expr, Expr::Aggregate(_) | Expr::Ungrouped(_));
                if wanted && !needed.contains(&expr) {
                    needed.push(expr);
                }
                !wanted
            });
        }
        let mut hidden = Vec::new();
        for expr in needed {
            if let Some((_, sql)) = known.iter().find(|(known, _)| *known == expr) {
                let name = names::inner("h", hidden.len());
                select.columns.push(Named::new(sql, &name));
                hidden.push((expr, name));
            }
        }
        hidden
    }

    /// A table of aggregates over coarser groups: the keys, the dimensions that are kept, the values.
    fn coarser(
        &mut self,
        keep: &[DimensionRef],
        of_keep: &[&(&'b Expr, &'b Ungrouped)],
    ) -> Result<String, Error> {
        let mut select = Select {
            columns: self.key_columns(),
            from: self.base.from.clone(),
            filters: self.base.filters.clone(),
            ..Select::default()
        };
        // Dimensions of the levels around are among the keys; the value belongs to all rows that share what is kept.
        let carried = self.base.carried;
        let around: Vec<String> = keep
            .iter()
            .filter(|reference| reference.up > 0)
            .map(|reference| self.base.dimension(self.planner, *reference))
            .collect::<Result<_, _>>()?;
        let drops_keys = self.base.keys.iter().skip(carried).any(|key| !around.contains(key));
        if drops_keys {
            return self.coarser_than_parents(keep, of_keep, &around, carried);
        }
        for (position, reference) in
            keep.iter().enumerate().filter(|(_, reference)| reference.up == 0)
        {
            let sql = self.base.dimension(self.planner, *reference)?;
            select.columns.push(Named::new(sql, names::inner("d", position)));
        }
        self.values(&mut select, of_keep)?;
        Ok(self.planner.name("all", Body::Select(select)))
    }

    fn values(
        &mut self,
        select: &mut Select,
        of_keep: &[&(&'b Expr, &'b Ungrouped)],
    ) -> Result<(), Error> {
        let by: Vec<usize> = (0..select.columns.len()).collect();
        for (position, (_, ungrouped)) in of_keep.iter().enumerate() {
            let sql = self.planner.writer.write(&ungrouped.expr, &Scope::of(self.base.rows))?;
            select.columns.push(Named::new(sql, names::inner("u", position)));
        }
        if !by.is_empty() {
            select.group = Group::By(by);
        }
        Ok(())
    }

    /// `exclude` of a dimension of an outer level: computed over what is kept, then spread over the groups of all keys.
    fn coarser_than_parents(
        &mut self,
        keep: &[DimensionRef],
        of_keep: &[&(&'b Expr, &'b Ungrouped)],
        around: &[String],
        carried: usize,
    ) -> Result<String, Error> {
        let dialect = self.planner.dialect();
        let kept = |index: usize, key: &String| index < carried || around.contains(key);
        let shared: Vec<usize> = (self.base.keys.iter().enumerate())
            .filter(|(index, key)| kept(*index, key))
            .map(|(index, _)| index)
            .collect();
        let own: Vec<(usize, DimensionRef)> =
            keep.iter().copied().enumerate().filter(|(_, reference)| reference.up == 0).collect();
        let mut values = Select {
            from: self.base.from.clone(),
            filters: self.base.filters.clone(),
            ..Select::default()
        };
        let mut groups = values.clone();
        for (index, (key, name)) in self.base.keys.iter().zip(&self.keys).enumerate() {
            groups.columns.push(Named::new(key, name));
            if shared.contains(&index) {
                values.columns.push(Named::new(key, name));
            }
        }
        for (position, reference) in &own {
            let column = Named::new(
                self.base.dimension(self.planner, *reference)?,
                names::inner("d", *position),
            );
            groups.columns.push(column.clone());
            values.columns.push(column);
        }
        groups.group = Group::By((0..groups.columns.len()).collect());
        self.values(&mut values, of_keep)?;
        let values = self.planner.name("all", Body::Select(values));
        let groups_columns: Vec<String> =
            groups.columns.iter().map(|column| column.name.clone()).collect();
        let groups = self.planner.name("keys", Body::Select(groups));
        let mut select = over(dialect, &groups, &groups_columns);
        let shared_names = shared.iter().map(|index| self.keys[*index].clone());
        let own_names = own.iter().map(|(position, _)| names::inner("d", *position));
        let on: Vec<_> = shared_names
            .chain(own_names)
            .map(|name| {
                dialect.same(&dialect.column(&values, &name), &dialect.column(&groups, &name))
            })
            .collect();
        let on = (!on.is_empty()).then(|| on.join(" AND "));
        select.from.push(From::Join {
            kind: "INNER",
            sql: dialect.ident(&values),
            alias: values.clone(),
            on,
        });
        for position in 0..of_keep.len() {
            let name = names::inner("u", position);
            select.columns.push(Named::new(dialect.column(&values, &name), name));
        }
        Ok(self.planner.name("all", Body::Select(select)))
    }

    /// Gives the select a name and goes on with one over it.
    pub(super) fn push(&mut self, layer: &mut Layer<'b>) -> String {
        let columns: Vec<String> =
            layer.select.columns.iter().map(|column| column.name.clone()).collect();
        let table = self.planner.name("level", Body::Select(std::mem::take(&mut layer.select)));
        layer.select = over(self.planner.dialect(), &table, &columns);
        table
    }

    fn calculations(&mut self, layer: &mut Layer<'b>) -> Result<(), Error> {
        let calculated: Vec<_> = self.calculated().collect();
        if calculated.is_empty() {
            return Ok(());
        }
        let mut table = self.push(layer);
        for (index, expr) in calculated {
            let names_later = walk::any(expr, &|expr| match expr {
                Expr::Output(output) => {
                    let column = self.columns.get(*output as usize);
                    column.is_some_and(|name| {
                        layer
                            .select
                            .columns
                            .iter()
                            .any(|c| c.name == *name && c.sql.contains(" OVER "))
                    })
                }
                _ => false,
            });
            if names_later {
                table = self.push(layer);
            }
            let dialect = self.planner.dialect();
            let outputs: Vec<String> =
                self.columns.iter().map(|name| dialect.column(&table, name)).collect();
            let partition: Vec<String> =
                self.keys.iter().map(|key| dialect.column(&table, key)).collect();
            let order: Vec<String> =
                self.level.window_order.iter().map(|order| by_name(&outputs, *order)).collect();
            let mut known: Vec<_> = layer
                .hidden
                .iter()
                .map(|(expr, name)| (*expr, dialect.column(&table, name)))
                .collect();
            for (index, expr) in self.dimensions() {
                known.push((expr, outputs[index].clone()));
            }
            let scope = Scope {
                rows: Rows::None,
                known: &known,
                outputs: &outputs,
                partition: &partition,
                order: &order,
            };
            let sql = self.planner.writer.write(expr, &scope)?;
            layer.select.columns.push(Named::new(sql, &self.columns[index]));
            layer.outputs[index] = Some(self.columns[index].clone());
        }
        Ok(())
    }

    fn limit(&mut self, layer: &mut Layer<'b>) -> Result<(), Error> {
        let Some(limit) = self.level.limit else { return Ok(()) };
        if self.keys.is_empty() {
            layer.select.order = self.positions(&layer.select)?;
            layer.select.limit = Some(limit);
            return Ok(());
        }
        let table = self.push(layer);
        let dialect = self.planner.dialect();
        let outputs: Vec<String> =
            self.columns.iter().map(|name| dialect.column(&table, name)).collect();
        let order: Vec<String> =
            self.level.order.iter().map(|order| by_name(&outputs, *order)).collect();
        let partition: Vec<String> =
            self.keys.iter().map(|key| dialect.column(&table, key)).collect();
        let order = if order.is_empty() {
            String::new()
        } else {
            format!(" ORDER BY {}", order.join(", "))
        };
        let number = format!("ROW_NUMBER() OVER (PARTITION BY {}{order})", partition.join(", "));
        layer.select.columns.push(Named::new(number, "__n"));
        let table = self.push(layer);
        let number = self.planner.dialect().column(&table, "__n");
        layer.select.filters.push(format!("{number} <= {limit}"));
        Ok(())
    }

    /// The order of the level by positions in `select`.
    fn positions(&self, select: &Select) -> Result<Vec<String>, Error> {
        let position = |order: &Order| {
            let name = self.columns.get(order.output as usize);
            let at = select.columns.iter().position(|column| Some(&column.name) == name);
            let at = at.ok_or_else(|| Error::broken("an order by what does not come out"))?;
            Ok(ordered(&(at + 1).to_string(), order.direction == Direction::Desc))
        };
        self.level.order.iter().map(position).collect()
    }

    /// Puts the columns into their order: keys, outputs, nothing else.
    fn finish(mut self, mut layer: Layer<'b>) -> Result<Leveled, Error> {
        let wanted: Vec<String> = self.keys.iter().chain(&self.columns).cloned().collect();
        let has: Vec<&String> = layer.select.columns.iter().map(|column| &column.name).collect();
        if !wanted.iter().eq(has) {
            let fits = layer.select.group == Group::None
                && layer.select.limit.is_none()
                && layer.select.order.is_empty();
            if !fits {
                let order = std::mem::take(&mut layer.select.order);
                if layer.select.limit.is_some() {
                    layer.select.order = order;
                }
                self.push(&mut layer);
            }
            let columns = std::mem::take(&mut layer.select.columns);
            for name in &wanted {
                let column = columns.iter().find(|column| column.name == *name);
                let column =
                    column.ok_or_else(|| Error::broken(format!("column `{name}` was not made")))?;
                layer.select.columns.push(column.clone());
            }
        }
        let order = self.positions(&layer.select)?;
        Ok(Leveled { select: layer.select, keys: self.keys, columns: self.columns, order })
    }
}

/// `column DESC NULLS LAST`
pub(super) fn by_name(columns: &[String], order: Order) -> String {
    let column = columns.get(order.output as usize).map_or("1", String::as_str);
    ordered(column, order.direction == Direction::Desc)
}
