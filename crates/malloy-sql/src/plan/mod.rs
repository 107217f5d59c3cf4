//! From a compiled query to selects. Start at [`write`]; then `stage` (one operation), `level` (one grouping), `nest`
//! (lists inside rows), `index`.

mod index;
mod level;
mod nest;
mod rows;
mod stage;

use std::collections::BTreeMap;

use malloy_model::ir::{
    Pipeline, Query, Relation, Source, SourceKind, SqlText, SqlTextPart, Stage, Type,
};

use crate::{
    Dialect, Error,
    expr::{LIMIT, Writer},
    names,
    select::{Body, Select, With},
};

/// The SQL of a query: one statement, whose columns are those of [`Query::schema`] by position.
pub fn write(query: &Query, dialect: &dyn Dialect) -> Result<String, Error> {
    let mut planner = Planner {
        writer: Writer { dialect },
        with: With::default(),
        sources: Vec::new(),
        count: 0,
    };
    for source in &query.sources {
        let input = planner.source(source)?;
        planner.sources.push(input);
    }
    let made = planner.pipeline(&query.pipeline)?;
    let sql = planner.with.print(dialect, &made.body);
    if sql.len() > LIMIT {
        return Err(Error::TooLarge { limit: LIMIT });
    }
    Ok(sql)
}

/// The text of a SQL source, with the queries in it written out, as the database is asked for its columns.
pub fn write_sql_text(text: &SqlText, dialect: &dyn Dialect) -> Result<String, Error> {
    let mut out = String::new();
    for part in &text.parts {
        match part {
            SqlTextPart::Text(text) => out.push_str(text),
            SqlTextPart::Query(query) => out.push_str(&write(query, dialect)?),
        }
    }
    Ok(out)
}

/// Something to read rows from.
#[derive(Debug, Clone, Default)]
pub(crate) struct Input {
    /// What stands after FROM.
    pub(crate) sql: String,
    /// The columns as Malloy names them and as the SQL does; empty where both are the same.
    pub(crate) names: Vec<String>,
    pub(crate) columns: Vec<String>,
    /// Their types, by the names of Malloy.
    pub(crate) types: BTreeMap<String, Type>,
}

/// What a stage has become.
pub(crate) struct Made {
    pub(crate) body: Body,
    /// Columns in front that tell which row of an outer query a row belongs to.
    pub(crate) keys: Vec<String>,
    /// The columns of the outputs, in their order.
    pub(crate) columns: Vec<String>,
    /// Their names in Malloy.
    pub(crate) names: Vec<String>,
    /// Their types, by these names.
    pub(crate) types: BTreeMap<String, Type>,
}

pub(crate) struct Planner<'a> {
    pub(crate) writer: Writer<'a>,
    pub(crate) with: With,
    sources: Vec<Input>,
    count: usize,
}

impl<'a> Planner<'a> {
    pub(crate) fn dialect(&self) -> &'a dyn Dialect {
        self.writer.dialect
    }

    /// Gives a select a name that others read it by.
    pub(crate) fn name(&mut self, what: &str, body: Body) -> String {
        let name = names::inner(what, self.count);
        self.count += 1;
        self.with.tables.push((name.clone(), body));
        name
    }

    fn source(&mut self, source: &Source) -> Result<Input, Error> {
        let types =
            source.columns.iter().map(|column| (column.name.clone(), column.ty.clone())).collect();
        match &source.kind {
            SourceKind::Table { path } => {
                Ok(Input { sql: self.dialect().table(path), types, ..Input::default() })
            }
            SourceKind::Sql(text) => {
                let text = write_sql_text(text, self.dialect())?;
                let name = self.name("sql", Body::Text(text));
                Ok(Input { sql: self.dialect().ident(&name), types, ..Input::default() })
            }
            SourceKind::Query(pipeline) => {
                let made = self.pipeline(pipeline)?;
                Ok(self.input("query", made))
            }
        }
    }

    /// What was made, as something to read from.
    pub(crate) fn input(&mut self, what: &str, made: Made) -> Input {
        let name = self.name(what, made.body);
        let sql = self.dialect().ident(&name);
        Input { sql, names: made.names, columns: made.columns, types: made.types }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) -> Result<Made, Error> {
        let base = pipeline.base.0 as usize;
        let broken = || Error::broken(format!("no source {base}"));
        let mut previous = self.sources.get(base).cloned().ok_or_else(broken)?;
        let Some((last, before)) = pipeline.stages.split_last() else {
            // Every column as it is; in the order of the text where that gives one.
            let text = format!("SELECT * FROM {}", previous.sql);
            let Input { names, columns, types, .. } = previous;
            return Ok(Made { body: Body::Text(text), keys: Vec::new(), columns, names, types });
        };
        for stage in before {
            let made = self.stage(stage, &previous, &[])?;
            previous = self.input("stage", made);
        }
        self.stage(last, &previous, &[])
    }

    /// What each join of a stage reads.
    pub(crate) fn inputs(&self, stage: &Stage, previous: &Input) -> Result<Vec<Input>, Error> {
        let input = |relation: &Relation| match relation {
            Relation::Source(id) => {
                let source = self.sources.get(id.0 as usize).cloned();
                source.ok_or_else(|| Error::broken(format!("no source {}", id.0)))
            }
            Relation::Previous => Ok(previous.clone()),
            Relation::Unnest { .. } => Ok(Input::default()),
        };
        stage.joins.iter().map(|join| input(&join.relation)).collect()
    }
}

/// A select that has all columns of a named one, and the name it is read by.
pub(crate) fn over(dialect: &dyn Dialect, table: &str, columns: &[String]) -> Select {
    Select::over(dialect, table, table, columns)
}
