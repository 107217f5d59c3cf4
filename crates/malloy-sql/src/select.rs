//! The small relational tree: selects, what they read, and how they print.
//!
//! Expressions are text that was written by the dialect already; the tree is about who reads whom.

use std::fmt::Write as _;

use crate::Dialect;

/// One `SELECT`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Select {
    /// What comes out, with its name.
    pub(crate) columns: Vec<Named>,
    pub(crate) from: Vec<From>,
    pub(crate) filters: Vec<String>,
    pub(crate) group: Group,
    pub(crate) having: Vec<String>,
    pub(crate) order: Vec<String>,
    pub(crate) limit: Option<u64>,
}

/// An expression under a name.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    pub(crate) sql: String,
    pub(crate) name: String,
}

impl Named {
    pub(crate) fn new(sql: impl Into<String>, name: impl Into<String>) -> Self {
        Self { sql: sql.into(), name: name.into() }
    }
}

/// How rows are put together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Group {
    /// Not at all, or by the aggregates alone.
    #[default]
    None,
    /// By the columns at these positions, from 0. By position, not by expression: a dimension may be a page long.
    By(Vec<usize>),
    /// All into one, where no aggregate would say so.
    Whole,
}

/// A part of FROM, in the order in which they are joined.
#[derive(Debug, Clone)]
pub(crate) enum From {
    /// The first: a table, a name or a select in parentheses.
    Rows { sql: String, alias: String },
    /// A join; without a condition all pairs.
    Join { kind: &'static str, sql: String, alias: String, on: Option<String> },
    /// Whatever the dialect writes for the elements of a list or a computed value.
    Text(String),
}

/// Selects that have names, and the one that answers.
#[derive(Debug, Default)]
pub(crate) struct With {
    pub(crate) tables: Vec<(String, Body)>,
}

/// What a name stands for.
#[derive(Debug)]
pub(crate) enum Body {
    Select(Select),
    Union(Vec<Select>),
    /// SQL as somebody wrote it.
    Text(String),
}

impl With {
    /// Prints everything, `last` being the answer.
    pub(crate) fn print(&self, dialect: &dyn Dialect, last: &Body) -> String {
        let mut out = String::new();
        for (index, (name, body)) in self.tables.iter().enumerate() {
            out.push_str(if index == 0 { "WITH " } else { ",\n" });
            out.push_str(&dialect.ident(name));
            out.push_str(" AS (\n");
            body.print(dialect, &mut out, "  ");
            out.push_str("\n)");
        }
        if !self.tables.is_empty() {
            out.push('\n');
        }
        last.print(dialect, &mut out, "");
        out
    }
}

impl Body {
    fn print(&self, dialect: &dyn Dialect, out: &mut String, indent: &str) {
        match self {
            Body::Select(select) => select.print(dialect, out, indent),
            Body::Union(selects) => {
                for (index, select) in selects.iter().enumerate() {
                    if index > 0 {
                        let _infallible = write!(out, "\n{indent}UNION ALL\n");
                    }
                    select.print(dialect, out, indent);
                }
            }
            // Not indented: its own lines may be inside strings.
            Body::Text(text) => out.push_str(text),
        }
    }
}

impl Select {
    /// All columns of `table` under their names, to build on.
    pub(crate) fn over(dialect: &dyn Dialect, table: &str, alias: &str, names: &[String]) -> Self {
        let column = |name: &String| Named::new(dialect.column(alias, name), name.clone());
        Self {
            columns: names.iter().map(column).collect(),
            from: vec![From::Rows { sql: dialect.ident(table), alias: alias.to_owned() }],
            ..Self::default()
        }
    }

    pub(crate) fn print(&self, dialect: &dyn Dialect, out: &mut String, indent: &str) {
        let _infallible = write!(out, "{indent}SELECT");
        for (index, column) in self.columns.iter().enumerate() {
            out.push_str(if index == 0 { "\n" } else { ",\n" });
            let _infallible =
                write!(out, "{indent}  {} AS {}", column.sql, dialect.ident(&column.name));
        }
        for from in &self.from {
            let _infallible = match from {
                From::Rows { sql, alias } => {
                    write!(out, "\n{indent}FROM {sql} AS {}", dialect.ident(alias))
                }
                From::Join { kind, sql, alias, on } => {
                    let on = on.as_deref().unwrap_or("true");
                    write!(out, "\n{indent}{kind} JOIN {sql} AS {} ON {on}", dialect.ident(alias))
                }
                From::Text(text) => write!(out, "\n{indent}{text}"),
            };
        }
        list(out, indent, "WHERE", " AND ", &self.filters);
        match &self.group {
            Group::None => {}
            Group::By(columns) => {
                let positions: Vec<_> =
                    columns.iter().map(|column| (column + 1).to_string()).collect();
                list(out, indent, "GROUP BY", ", ", &positions);
            }
            // `GROUP BY ()` says the same, and Sail does not know it.
            Group::Whole => list(out, indent, "GROUP BY", ", ", &["GROUPING SETS (())".to_owned()]),
        }
        list(out, indent, "HAVING", " AND ", &self.having);
        list(out, indent, "ORDER BY", ", ", &self.order);
        if let Some(limit) = self.limit {
            let _infallible = write!(out, "\n{indent}LIMIT {limit}");
        }
    }
}

fn list(out: &mut String, indent: &str, keyword: &str, between: &str, items: &[String]) {
    if !items.is_empty() {
        let _infallible = write!(out, "\n{indent}{keyword} {}", items.join(between));
    }
}
