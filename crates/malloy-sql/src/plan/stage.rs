//! One operation of a pipeline. Start at [`Planner::stage`].

use std::collections::BTreeMap;

use malloy_model::ir::{Level, LevelKind, OutputKind, Stage, Type};

use super::{Input, Made, Planner, level::Base};
use crate::{
    Error,
    fields::Scan,
    names,
    scope::{Rows, Scope},
    select::Body,
    walk,
};

impl Planner<'_> {
    /// Plans a stage over what came before it. `carry` are columns of `previous` that tell which row of an outer query a row
    /// belongs to: the stage runs separately for each, and they come out in front.
    pub(crate) fn stage(
        &mut self,
        stage: &Stage,
        previous: &Input,
        carry: &[String],
    ) -> Result<Made, Error> {
        let mut inputs = self.inputs(stage, previous)?;
        if let LevelKind::Index(index) = &stage.level.kind
            && let Some(sample) = index.sample
            && let Some(root) = inputs.first_mut()
        {
            root.sql = self.dialect().sample(&root.sql, sample)?;
        }
        let scan = Scan::new(self.writer, stage, &inputs)?;
        let from = scan.from(&inputs)?;
        let mut keys = Vec::new();
        for column in carry {
            keys.push(scan.column(malloy_model::ir::JoinId::ROOT, column)?);
        }
        let scope = Scope::of(Rows::Scan(&scan));
        let mut filters = Vec::new();
        for filter in &stage.level.filters {
            filters.push(self.writer.operand(filter, &scope)?);
        }
        let base = Base {
            rows: Rows::Scan(&scan),
            from,
            filters,
            keys,
            levels: Vec::new(),
            carried: carry.len(),
        };
        if let LevelKind::Index(index) = &stage.level.kind {
            return self.index(stage, index, &scan, base);
        }
        let leveled = if is_flat(&stage.level) {
            self.level(&stage.level, &base)?
        } else {
            let (columns, table) = self.rows(stage, &scan, base)?;
            let base = Base {
                rows: Rows::Table(&columns),
                from: vec![table.from],
                filters: Vec::new(),
                keys: table.keys,
                levels: vec![0],
                carried: carry.len(),
            };
            self.level(&stage.level, &base)?
        };
        let mut select = leveled.select;
        // Rows that are collected again get their order there.
        if carry.is_empty() && select.order.is_empty() {
            select.order = leveled.order;
        }
        let names = stage.level.outputs.iter().map(|output| output.name.clone()).collect();
        let types = types(&stage.level);
        Ok(Made {
            body: Body::Select(select),
            keys: leveled.keys,
            columns: leveled.columns,
            names,
            types,
        })
    }
}

/// Whether one pass over the scan is enough: nothing inside, nothing over coarser groups.
fn is_flat(level: &Level) -> bool {
    let mut ungrouped = Vec::new();
    for output in &level.outputs {
        match &output.kind {
            OutputKind::Nest(_) => return false,
            OutputKind::Dimension(expr)
            | OutputKind::Aggregate(expr)
            | OutputKind::Calculation(expr) => {
                walk::ungrouped(expr, &mut ungrouped);
            }
        }
    }
    level.having.iter().for_each(|having| walk::ungrouped(having, &mut ungrouped));
    ungrouped.is_empty()
}

/// The types of the outputs of a level.
pub(crate) fn types(level: &Level) -> BTreeMap<String, Type> {
    level.outputs.iter().map(|output| (output.name.clone(), output.ty.clone())).collect()
}

/// The names of the outputs of a level in SQL.
pub(crate) fn columns(level: &Level) -> Vec<String> {
    names::unique(level.outputs.iter().map(|output| output.name.as_str()))
}
