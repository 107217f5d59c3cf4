//! A folder with models and data. Start at [`Workspace::open`].

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use kit_core::{Fault as _, Kind};
use malloy_duckdb::{Cancel, Database, Limits, Settings};
use malloy_model::{
    Givens, Known, Model, Needs, Options, Outcome, Which,
    ir::{self, NumberKind, RecordField, Type},
};
use malloy_sql::DuckDb;

use crate::{Answer, Failure, Issue, answer, failure};

/// A folder whose models are compiled and whose data is asked.
///
/// Paths of models and tables are relative to the folder, and nothing outside of it is read. DuckDB is loaded when the
/// first table is met.
#[derive(Debug)]
pub struct Workspace {
    root: PathBuf,
    database: OnceLock<Result<Database, malloy_duckdb::Error>>,
}

/// A model, and what it was made of.
#[derive(Debug, Clone)]
pub struct Compiled {
    pub model: Arc<Model>,
    pub warnings: Vec<Issue>,
    known: Known,
}

impl Compiled {
    /// What was fetched for it: texts of imported files, columns of tables.
    pub fn known(&self) -> &Known {
        &self.known
    }
}

/// So many rounds of fetching are enough for any honest text: each follows an import or a select one deeper.
const ROUNDS: usize = 64;

impl Workspace {
    /// The folder `root`, which must be there.
    pub fn open(root: impl AsRef<Path>) -> Result<Self, Failure> {
        let root = root.as_ref();
        let found = root.canonicalize().map_err(|error| {
            Failure::plain(
                "no-folder",
                format!("cannot read {}: {error}", root.display()),
                Kind::NotFound,
            )
        })?;
        Ok(Self { root: found, database: OnceLock::new() })
    }

    /// Compiles a file of the folder.
    pub fn compile_file(&self, path: &str) -> Result<Compiled, Failure> {
        let text =
            self.read(path).map_err(|why| Failure::plain("import-error", why, Kind::NotFound))?;
        self.compile(None, path, &text)
    }

    /// Compiles a text on top of a model, or for itself. `url` says where it is, for what it imports.
    pub fn compile(
        &self,
        base: Option<&Compiled>,
        url: &str,
        text: &str,
    ) -> Result<Compiled, Failure> {
        self.compile_with(base, url, text, Options::default())
    }

    /// The same, with a say in what the text may do.
    pub fn compile_with(
        &self,
        base: Option<&Compiled>,
        url: &str,
        text: &str,
        options: Options,
    ) -> Result<Compiled, Failure> {
        self.compile_from(Known::default(), base, url, text, options)
    }

    /// The same, with what is known already: columns that another compile has fetched, texts in the place of files.
    pub fn compile_from(
        &self,
        known: Known,
        base: Option<&Compiled>,
        url: &str,
        text: &str,
        options: Options,
    ) -> Result<Compiled, Failure> {
        let mut known = base.map_or(known.clone(), |base| base.known.clone().and(known));
        for _ in 0..ROUNDS {
            let outcome = match base {
                Some(base) => malloy_model::extend(&base.model, url, text, &known, options),
                None => malloy_model::compile(url, text, &known, options),
            };
            match outcome {
                Outcome::Done(model) => {
                    let warnings = failure::issues(&model.warnings, (url, text), &known.texts);
                    return Ok(Compiled { model, warnings, known });
                }
                Outcome::Failed(problems) => {
                    return Err(Failure::problems(&problems, (url, text), &known.texts));
                }
                Outcome::Needs(needs) => self.fetch(&needs, &mut known)?,
            }
        }
        Err(Failure::plain(
            "import-error",
            "imports and selects follow each other without an end",
            Kind::Invalid,
        ))
    }

    /// Makes a query of a compiled text ready: what it reads, resolved.
    pub fn prepare(
        &self,
        compiled: &Compiled,
        which: Which<'_>,
        givens: &Givens,
        asked: (&str, &str),
    ) -> Result<ir::Query, Failure> {
        let prepared = compiled.model.prepare(which, givens);
        prepared.map_err(|problems| Failure::problems(&problems, asked, &compiled.known.texts))
    }

    /// The SQL of a query.
    pub fn sql(query: &ir::Query) -> Result<String, Failure> {
        malloy_sql::write(query, &DuckDb).map_err(|error| Failure::of("sql", &error))
    }

    /// Runs a query.
    pub fn run(
        &self,
        query: &ir::Query,
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<Answer, Failure> {
        let sql = Self::sql(query)?;
        let failed = |error: malloy_duckdb::Error| Failure::of(run_code(&error), &error);
        let rows = self.database()?.run(&sql, limits, cancel).map_err(failed)?;
        let columns: Vec<_> = query
            .schema
            .iter()
            .map(|field| (field.name.clone(), answer::shape(&field.ty)))
            .collect();
        let rows = rows.to_json(&columns).map_err(failed)?;
        Ok(Answer { schema: answer::schema(&query.schema), rows, sql })
    }

    /// The text of a file of the folder.
    pub fn read(&self, path: &str) -> Result<String, String> {
        // What is said names the path that was asked for, never where the folder lies.
        let place = self.root.join(path).canonicalize().map_err(|_| format!("no file `{path}`"))?;
        if !place.starts_with(&self.root) {
            return Err(format!("`{path}` is outside of the folder"));
        }
        fs::read_to_string(&place)
            .map_err(|error| format!("cannot read `{path}`: {}", error.kind()))
    }

    /// Fetches what the compiler asks for. Only a database that cannot be opened at all is a failure; anything else is
    /// told to the compiler, which knows the place to blame.
    fn fetch(&self, needs: &Needs, known: &mut Known) -> Result<(), Failure> {
        for url in &needs.texts {
            known.texts.insert(url.clone(), self.read(url).map(Arc::from));
        }
        for (connection, path) in &needs.tables {
            let columns = self
                .database()?
                .table_schema(path)
                .map(columns)
                .map_err(|error| first_line(&error));
            known.tables.insert((connection.clone(), path.clone()), columns);
        }
        for (key, text) in &needs.selects {
            let columns = match malloy_sql::write_sql_text(text, &DuckDb) {
                Ok(sql) => self
                    .database()?
                    .sql_schema(&sql)
                    .map(columns)
                    .map_err(|error| first_line(&error)),
                Err(error) => Err(error.to_string()),
            };
            known.selects.insert(key.clone(), columns);
        }
        Ok(())
    }

    fn database(&self) -> Result<&Database, Failure> {
        let opened = self.database.get_or_init(|| Database::open(&Settings::below(&self.root)));
        opened.as_ref().map_err(|error| {
            let mut failure = Failure::plain("no-database", error.to_string(), error.kind());
            failure.issues[0].help = error.hint();
            failure
        })
    }
}

/// What a query that gave no rows is told apart by.
fn run_code(error: &malloy_duckdb::Error) -> &'static str {
    match error {
        malloy_duckdb::Error::TooManyRows { .. } => "too-many-rows",
        malloy_duckdb::Error::TooManyBytes { .. } => "too-many-bytes",
        malloy_duckdb::Error::Cancelled => "cancelled",
        _ => "query-failed",
    }
}

/// The engine adds the statement and a caret, which mean nothing to the reader of a model.
fn first_line(error: &malloy_duckdb::Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

fn columns(columns: Vec<malloy_duckdb::Column>) -> Vec<ir::Column> {
    columns
        .into_iter()
        .map(|column| ir::Column { name: column.name, ty: malloy_type(column.ty) })
        .collect()
}

fn malloy_type(ty: malloy_duckdb::Type) -> Type {
    match ty {
        malloy_duckdb::Type::String => Type::String,
        malloy_duckdb::Type::Boolean => Type::Boolean,
        malloy_duckdb::Type::Integer => Type::Number(NumberKind::Integer),
        malloy_duckdb::Type::Bigint => Type::Number(NumberKind::Bigint),
        malloy_duckdb::Type::Float => Type::Number(NumberKind::Float),
        malloy_duckdb::Type::Date => Type::Date(None),
        malloy_duckdb::Type::Timestamp => Type::Timestamp(None),
        malloy_duckdb::Type::Timestamptz => Type::Timestamptz(None),
        malloy_duckdb::Type::Json => Type::Json,
        malloy_duckdb::Type::Array(element) => Type::Array(Box::new(malloy_type(*element))),
        malloy_duckdb::Type::Record(fields) => Type::Record(
            fields
                .into_iter()
                .map(|field| RecordField { name: field.name, ty: malloy_type(field.ty) })
                .collect(),
        ),
        malloy_duckdb::Type::Other(name) => Type::Sql(name),
    }
}

/// Values of givens from `NAME=JSON`; what is not JSON is taken as text.
pub(crate) fn givens(pairs: &[String]) -> Result<Givens, String> {
    let mut givens: Givens = BTreeMap::new();
    for pair in pairs {
        let (name, value) =
            pair.split_once('=').ok_or_else(|| format!("`{pair}` is not NAME=JSON"))?;
        let value = serde_json::from_str(value).unwrap_or_else(|_| serde_json::Value::from(value));
        givens.insert(name.trim().to_owned(), value);
    }
    Ok(givens)
}
