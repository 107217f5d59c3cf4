//! Where rows come from: tables, selects in SQL, and virtual sources with a type. What is not known of them is asked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use malloy_syntax::tree::{self, AccessLabel, Name};
use malloy_syntax::{Diagnostic, Span};

use crate::analyser::Analyser;
use crate::ir::{Column, SqlText, SqlTextPart};
use crate::known::select_key;
use crate::model::Entry;
use crate::source::{FieldKind, Names, Origin, Source};
use crate::typed::alike;

impl Analyser<'_> {
    pub(crate) fn table(
        &mut self,
        connection: &Name,
        path: &tree::StringLiteral,
        span: Span,
    ) -> Arc<Source> {
        let key = (connection.text.to_string(), path.value.to_string());
        if let Some(made) = self.tables.get(&key) {
            return Arc::clone(made);
        }
        match self.known.tables.get(&key) {
            None => {
                self.needs.tables.insert(key);
                Arc::new(Source::error())
            }
            Some(Err(why)) => {
                let message = format!("the columns of `{}` cannot be read: {why}", path.value);
                self.error("failed-to-fetch-table-schema", span, message);
                Arc::new(Source::error())
            }
            Some(Ok(columns)) => {
                let origin = Origin::Table { path: Arc::clone(&path.value) };
                let stem = path
                    .value
                    .rsplit('/')
                    .next()
                    .unwrap_or_default()
                    .split('.')
                    .next()
                    .unwrap_or_default();
                let made = Arc::new(self.source_of_columns(columns, origin, stem, connection));
                self.tables.insert(key, Arc::clone(&made));
                made
            }
        }
    }

    fn source_of_columns(
        &mut self,
        columns: &[Column],
        origin: Origin,
        name: &str,
        connection: &Name,
    ) -> Source {
        let mut names = Names::default();
        for column in columns {
            let name: Arc<str> = Arc::from(column.name.as_str());
            let def = self.new_def(&name, FieldKind::Column(column.ty.clone()), Vec::new());
            names.add(name, def, AccessLabel::Public);
        }
        let name = Arc::from(if name.is_empty() { "base" } else { name });
        Source {
            name,
            names,
            origin,
            connection: Arc::clone(&connection.text),
            arguments: BTreeMap::new(),
            ..Source::error()
        }
    }

    pub(crate) fn sql(
        &mut self,
        connection: &Name,
        sql: &tree::SqlText,
        span: Span,
    ) -> Arc<Source> {
        let mut parts = Vec::new();
        for part in &sql.parts {
            match part {
                tree::SqlPart::Text { text, .. } => parts.push(SqlTextPart::Text(text.to_string())),
                tree::SqlPart::Query { query, .. } => {
                    let Some(def) = self.query_expr(query, None, Vec::new()) else {
                        return Arc::new(Source::error());
                    };
                    if def.base.is_error() {
                        return Arc::new(Source::error());
                    }
                    let made = self.compiled(&def);
                    if !self.same_connection(&connection.text, &made.connection, span) {
                        return Arc::new(Source::error());
                    }
                    parts.push(SqlTextPart::Query(Box::new(made)));
                }
            }
        }
        let text = SqlText { parts };
        let key = (connection.text.to_string(), select_key(&text));
        // Paths and selects do not get into each other's way: a select has its own prefix.
        let memo = (key.0.clone(), format!("select {}", key.1));
        if let Some(made) = self.tables.get(&memo) {
            return Arc::clone(made);
        }
        match self.known.selects.get(&key) {
            None => {
                self.needs.selects.insert(key, text);
                Arc::new(Source::error())
            }
            Some(Err(why)) => {
                self.error(
                    "invalid-sql-source",
                    sql.span,
                    format!("the columns of this SQL cannot be read: {why}"),
                );
                Arc::new(Source::error())
            }
            Some(Ok(columns)) => {
                let origin = Origin::Sql { text: Arc::new(text) };
                let made = Arc::new(self.source_of_columns(columns, origin, "sql", connection));
                self.tables.insert(memo, Arc::clone(&made));
                made
            }
        }
    }

    /// Whether two things can be read in one query, which runs on one database. Reported if not.
    pub(crate) fn same_connection(&mut self, here: &str, there: &str, span: Span) -> bool {
        // Sources that could not be made have no connection, nor have queries that read nothing.
        let same = here == there || here.is_empty() || there.is_empty();
        if !same {
            let message = format!(
                "this is read over the connection `{there}`, and what it is brought together with over `{here}`"
            );
            self.report(
                Diagnostic::error("connection-mismatch", span, message)
                    .with_help("a query runs on one database; bring the data there first"),
            );
        }
        same
    }

    /// A virtual source takes its fields from types; another has to have them.
    pub(crate) fn typed_source(&mut self, mut source: Arc<Source>, names: &[Name]) -> Arc<Source> {
        for name in names {
            match self.lookup(&name.text).cloned() {
                Some(Entry::Type { fields, .. }) => {
                    if matches!(source.origin, Origin::Virtual { .. }) {
                        for field in fields.iter() {
                            let field_name: Arc<str> = Arc::from(field.name.as_str());
                            let def = self.new_def(
                                &field_name,
                                FieldKind::Column(field.ty.clone()),
                                Vec::new(),
                            );
                            Arc::make_mut(&mut source).names.add(
                                field_name,
                                def,
                                AccessLabel::Public,
                            );
                        }
                    } else {
                        self.check_shape(&source, &fields, name);
                    }
                }
                Some(Entry::Error) => {}
                _ => self.error(
                    "type-not-found",
                    name.span,
                    format!("there is no type `{}`", name.text),
                ),
            }
        }
        source
    }

    fn check_shape(&mut self, source: &Arc<Source>, fields: &[Column], name: &Name) {
        for field in fields {
            match source.names.current(&field.name).and_then(|entry| entry.def.value_type()) {
                None if source.is_error() => {}
                None => self.error(
                    "type-shape-mismatch",
                    name.span,
                    format!(
                        "the source has no field `{}`, which `{}` asks for",
                        field.name, name.text
                    ),
                ),
                Some(ty) if !alike(ty, &field.ty) => {
                    let message = format!(
                        "`{}` is a {}, and `{}` asks for a {}",
                        field.name,
                        crate::typed::type_name(ty),
                        name.text,
                        crate::typed::type_name(&field.ty)
                    );
                    self.error("type-shape-mismatch", name.span, message);
                }
                Some(_) => {}
            }
        }
    }
}
