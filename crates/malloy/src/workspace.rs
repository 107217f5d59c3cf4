//! A folder with models and data. Start at [`Workspace::open`].

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use kit_core::Kind;
use malloy_duckdb::{DuckDb, Settings};
use malloy_engine::{Cancel, Engine, Error, Limits};
use malloy_model::{
    Givens, Known, Model, Needs, Options, Outcome, Which,
    ir::{self, Column},
};

use crate::{Answer, Connections, DEFAULT, Failure, Issue, answer, failure};

/// A folder whose models are compiled and whose data is asked.
///
/// Paths of models and tables are relative to the folder, and nothing outside of it is read. DuckDB is loaded when the
/// first table is met. Tables of other connections are asked of the engines that are there under their names.
#[derive(Debug)]
pub struct Workspace {
    root: PathBuf,
    connections: Connections,
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
    /// The folder `root`, which must be there, with DuckDB over its files as the connection `duckdb`.
    pub fn open(root: impl AsRef<Path>) -> Result<Self, Failure> {
        Self::open_with(root, Connections::new())
    }

    /// The same with further connections. One that is called `duckdb` stands in the place of that over the folder.
    pub fn open_with(root: impl AsRef<Path>, others: Connections) -> Result<Self, Failure> {
        let root = root.as_ref();
        let found = root.canonicalize().map_err(|error| {
            Failure::plain(
                "no-folder",
                format!("cannot read {}: {error}", root.display()),
                Kind::NotFound,
            )
        })?;
        let mut connections = Connections::new();
        connections.insert(DEFAULT, Arc::new(DuckDb::new(Settings::below(&found))));
        connections.insert_all(others);
        Ok(Self { root: found, connections })
    }

    pub fn connections(&self) -> &Connections {
        &self.connections
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

    /// The SQL of a query, in the dialect of its connection.
    pub fn sql(&self, query: &ir::Query) -> Result<String, Failure> {
        malloy_sql::write(query, self.engine(query)?.dialect())
            .map_err(|error| Failure::of("sql", &error))
    }

    /// Runs a query on the engine of its connection.
    pub fn run(
        &self,
        query: &ir::Query,
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<Answer, Failure> {
        let sql = self.sql(query)?;
        let columns: Vec<_> = query
            .schema
            .iter()
            .map(|field| Column { name: field.name.clone(), ty: field.ty.clone() })
            .collect();
        let rows = self.engine(query)?.run(&sql, &columns, limits, cancel);
        let rows = rows.map_err(|error| engine_failed(&query.connection, &error))?;
        let schema = answer::schema(&query.schema);
        Ok(Answer { schema, rows: rows.rows, sql, cut: rows.cut })
    }

    /// The engine that a query runs on.
    pub fn engine(&self, query: &ir::Query) -> Result<&Arc<dyn Engine>, Failure> {
        self.connections
            .get(&query.connection)
            .map_err(|error| Failure::plain("no-connection", error.to_string(), Kind::NotFound))
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
            let columns =
                self.connections.get(connection).and_then(|engine| engine.table_schema(path));
            known.tables.insert((connection.clone(), path.clone()), told(connection, columns)?);
        }
        for (key, text) in &needs.selects {
            let columns = self.connections.get(&key.0).and_then(|engine| {
                let sql = malloy_sql::write_sql_text(text, engine.dialect())
                    .map_err(|error| Error::query(error.to_string()))?;
                engine.select_schema(&sql)
            });
            known.selects.insert(key.clone(), told(&key.0, columns)?);
        }
        Ok(())
    }
}

/// What to tell the compiler about columns. The engine adds the statement and a caret, which mean nothing to the reader of a
/// model.
fn told(
    connection: &str,
    columns: Result<Vec<Column>, Error>,
) -> Result<Result<Vec<Column>, String>, Failure> {
    match columns {
        Err(error) if error.is_about_the_database() => Err(engine_failed(connection, &error)),
        Err(error) => Ok(Err(error.to_string().lines().next().unwrap_or_default().to_owned())),
        Ok(columns) => Ok(Ok(columns)),
    }
}

/// What a query that gave no rows is told apart by.
fn run_code(error: &Error) -> &'static str {
    match error {
        Error::TooManyRows { .. } => "too-many-rows",
        Error::TooManyBytes { .. } => "too-many-bytes",
        Error::TimedOut { .. } => "timed-out",
        Error::Cancelled => "cancelled",
        _ => "query-failed",
    }
}

fn engine_failed(connection: &str, error: &Error) -> Failure {
    if !error.is_about_the_database() {
        return Failure::of(run_code(error), error);
    }
    let mut failure = Failure::of("no-database", error);
    if !matches!(connection, "" | DEFAULT) {
        let issue = &mut failure.issues[0];
        issue.message = format!("connection `{connection}`: {}", issue.message);
    }
    failure
}

/// Values of givens from `NAME=JSON`; what is not JSON is taken as text.
pub fn givens(pairs: &[String]) -> Result<Givens, String> {
    let mut givens: Givens = BTreeMap::new();
    for pair in pairs {
        let (name, value) =
            pair.split_once('=').ok_or_else(|| format!("`{pair}` is not NAME=JSON"))?;
        let value = serde_json::from_str(value).unwrap_or_else(|_| serde_json::Value::from(value));
        givens.insert(name.trim().to_owned(), value);
    }
    Ok(givens)
}
