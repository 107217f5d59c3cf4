//! Queries: what may be asked, how much of it, and what comes back.
//!
//! A query is compiled on top of its model and run under limits on rows, bytes, time and on how many run at once. When the
//! caller's future is dropped, the query is stopped in the database. Every cut is stated in the [`Answer`].

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use kit_core::Principal;
use malloy::{Failure, Workspace};
use malloy_engine::{Beyond, Cancel, Cut, Limits};
use malloy_model::{
    FieldDescription, Givens, Options, Which,
    ir::{self, LevelKind},
};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{
    At, By, Change, Service, blocking,
    cache::{Cache, Key, Stamps},
    history::Run,
    model::Model,
    package::Package,
};
use crate::{Config, Error, What};

/// A question.
#[derive(Debug, Clone)]
pub struct Ask {
    pub at: At,
    pub what: Asked,
    /// Values for the givens of the model.
    pub givens: Givens,
    /// At most so many rows, if the query does not say it itself.
    pub row_limit: Option<u64>,
    pub by: By,
}

/// What is to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// Malloy text with a `run:` in it; the last one counts.
    Text(String),
    /// A view of a source, or a query of the model. Names, not code.
    Named { source: Option<String>, query: String },
}

/// The rows of a query, and what is known of them.
#[derive(Debug, Clone)]
pub struct Answer {
    pub query: Arc<ir::Query>,
    /// Objects by column. Whole numbers beyond 2^53 are texts, times are ISO 8601.
    pub rows: Arc<Vec<Value>>,
    pub sql: String,
    /// The text that was run.
    pub malloy_text: String,
    pub connection: String,
    pub row_limit: u64,
    pub limit_source: LimitSource,
    /// Whether there are more rows than `rows` has.
    pub limit_hit: bool,
    /// How long it took, of this answer.
    pub elapsed: Duration,
    /// How old the rows are, if they were kept from an earlier question.
    pub cached_age: Option<Duration>,
    pub model: Arc<Model>,
    pub package: Arc<Package>,
    /// What is worth a word about the text.
    pub warnings: Vec<malloy::Issue>,
}

/// Who said how many rows there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitSource {
    /// The query itself.
    Query,
    /// The request beside it.
    Request,
    ServerDefault,
}

/// How long a query waits for its turn.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) struct Queries {
    turns: Arc<Semaphore>,
}

impl Queries {
    pub(super) fn new(config: &Config) -> Self {
        Self { turns: Arc::new(Semaphore::new(config.concurrent_queries.max(1))) }
    }

    /// Whether whoever asks now has to wait.
    pub(super) fn is_full(&self) -> bool {
        self.turns.available_permits() == 0
    }

    /// Waits for a turn, first come first served, and not for long.
    pub(super) async fn turn(&self) -> Result<OwnedSemaphorePermit, Error> {
        let waited = tokio::time::timeout(PATIENCE, self.turns.clone().acquire_owned()).await;
        match waited {
            Ok(Ok(turn)) => Ok(turn),
            Ok(Err(_)) => Err(Error::new(What::Cancelled, "the server is stopping")),
            Err(_) => Err(Error::new(What::Busy, "the server runs as many queries as it may")
                .hint("repeat the query in a moment, or raise `publisher.concurrent_queries`")),
        }
    }
}

impl Service {
    /// Runs a query.
    pub async fn query(&self, ask: Ask) -> Result<Arc<Answer>, Error> {
        let begun = Instant::now();
        let done = self.answer(&ask, begun).await;
        self.remember(&ask, None, begun, &done);
        done
    }

    async fn answer(&self, ask: &Ask, begun: Instant) -> Result<Arc<Answer>, Error> {
        let (package, model) = self.found(&ask.at).await?;
        if let Err(failure) = &model.compiled {
            return Err(Error::failure(What::Compile, failure, Some(&model.path), &model.text));
        }
        let restricted = !self.0.config.allow_sql;
        let question = Question {
            subject: ask.what.clone().into(),
            givens: self.givens_of(&ask.by.caller, &model, &ask.givens)?,
            row_limit: ask.row_limit,
            restricted,
            fresh: ask.by.fresh,
        };
        self.run(package, model, question, begun).await
    }

    /// What a caller passes, with what is fixed for them.
    pub(super) fn givens_of(
        &self,
        caller: &Principal,
        model: &Model,
        passed: &Givens,
    ) -> Result<Givens, Error> {
        let mut givens = passed.clone();
        let Some(fixed) = self.0.config.identities.get(caller.as_str()) else { return Ok(givens) };
        let Ok(compiled) = &model.compiled else { return Ok(givens) };
        for given in compiled.model.givens() {
            let Some(value) = fixed.get(&*given.name) else { continue };
            match givens.insert(given.name.to_string(), value.clone()) {
                Some(other) if other != *value => {
                    let message = format!("the given `{}` is fixed for `{caller}`", given.name);
                    return Err(Error::new(What::Forbidden, message).hint("leave it out"));
                }
                _ => {}
            }
        }
        Ok(givens)
    }

    /// Runs a question on a model that compiles.
    pub(super) async fn run(
        &self,
        package: Arc<Package>,
        model: Arc<Model>,
        question: Question,
        begun: Instant,
    ) -> Result<Arc<Answer>, Error> {
        let turn = self.0.queries.turn().await?;
        let config = self.0.config.clone();
        let cache = self.0.cache.clone();
        let cancel = Cancel::new();
        // Dropped with this future, when the caller leaves.
        let leaving = StopOnDrop(cancel.clone());
        let stop = cancel.clone();
        let work = blocking(move || {
            let _turn = turn;
            let Ready { query, malloy_text, warnings } = ready(&package, &model, &question)?;
            let done = execute(&package, &query, (&config, &cache), &question, &stop)?;
            Ok(Arc::new(Answer {
                query: Arc::new(query),
                rows: done.rows,
                sql: done.sql,
                malloy_text,
                connection: done.connection,
                row_limit: done.row_limit,
                limit_source: done.limit_source,
                limit_hit: done.limit_hit,
                elapsed: begun.elapsed(),
                cached_age: done.age,
                model,
                package,
                warnings,
            }))
        });
        let most = Duration::from_millis(self.0.config.query_timeout_ms);
        let done = tokio::time::timeout(most, work).await;
        drop(leaving);
        done.unwrap_or_else(|_| Err(timed_out(most)))
    }

    /// Writes down what was asked; `cell` is the one of a notebook.
    pub(super) fn remember(
        &self,
        ask: &Ask,
        cell: Option<usize>,
        begun: Instant,
        done: &Result<Arc<Answer>, Error>,
    ) {
        let malloy = match (&ask.what, done) {
            (_, Ok(answer)) => answer.malloy_text.clone(),
            (Asked::Text(text), Err(_)) => text.clone(),
            (Asked::Named { source, query }, Err(_)) => named_text(source.as_deref(), query),
        };
        let run = self.0.history.add(Run {
            id: 0,
            at: self.0.clock.now_ms(),
            caller: ask.by.caller.clone(),
            surface: ask.by.surface,
            by: ask.by.surface.who(),
            cell,
            project: ask.at.project.clone(),
            package: ask.at.package.clone(),
            model_path: ask.at.path.clone(),
            malloy: malloy.chars().take(LONGEST_KEPT).collect(),
            rows: done.as_ref().map_or(0, |answer| answer.rows.len()),
            elapsed_ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
            cached: done.as_ref().is_ok_and(|answer| answer.cached_age.is_some()),
            error: done.as_ref().err().map(|error| error.message.clone()),
        });
        self.tell(Change::Query(run));
    }
}

/// Of a text in the history.
const LONGEST_KEPT: usize = 10_000;

/// What is asked of a model that is at hand.
#[derive(Debug, Clone)]
pub(super) struct Question {
    pub(super) subject: Subject,
    pub(super) givens: Givens,
    pub(super) row_limit: Option<u64>,
    /// Whether the text is from outside.
    pub(super) restricted: bool,
    /// Whether the database is to be asked, whatever was kept.
    pub(super) fresh: bool,
}

/// What is to be run.
#[derive(Debug, Clone)]
pub(super) enum Subject {
    /// A text on top of the model.
    Text(String),
    /// A view or query of the model.
    Named { source: Option<String>, query: String },
    /// A cell of the notebook, which is compiled already.
    Cell(usize),
}

impl From<Asked> for Subject {
    fn from(asked: Asked) -> Self {
        match asked {
            Asked::Text(text) => Self::Text(text),
            Asked::Named { source, query } => Self::Named { source, query },
        }
    }
}

/// Stops a query when whoever waits for it is gone.
pub(super) struct StopOnDrop(pub(super) Cancel);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

fn timed_out(most: Duration) -> Error {
    let message = format!("the query took longer than {} ms and was stopped", most.as_millis());
    Error::new(What::TimedOut, message).hint("ask for less, or raise `publisher.query_timeout_ms`")
}

/// A query that is ready to be run.
struct Ready {
    query: ir::Query,
    malloy_text: String,
    warnings: Vec<malloy::Issue>,
}

/// Compiles what was asked.
fn ready(package: &Package, model: &Model, question: &Question) -> Result<Ready, Error> {
    let text = match &question.subject {
        Subject::Text(text) => text.clone(),
        Subject::Named { source: Some(source), query } => {
            known_view(model, source, query)?;
            named_text(Some(source), query)
        }
        Subject::Named { source: None, query } => {
            known_query(model, query)?;
            named_text(None, query)
        }
        Subject::Cell(index) => return ready_cell(package, model, *index, &question.givens),
    };
    let (warnings, query) = prepare_text(
        package,
        model,
        &Question { subject: Subject::Text(text.clone()), ..question.clone() },
    )?;
    match query {
        Some(query) => Ok(Ready { query, malloy_text: text, warnings }),
        None => Err(Error::new(What::Query, "the text has no queries: nothing to run")
            .hint("end it with `run: <source> -> <view>` or `run: <query>`")),
    }
}

fn ready_cell(
    package: &Package,
    model: &Model,
    index: usize,
    givens: &Givens,
) -> Result<Ready, Error> {
    let cell = model.cells.get(index).and_then(|cell| Some((cell, cell.compiled.as_ref()?)));
    let Some((cell, compiled)) = cell else {
        return Err(Error::new(
            What::Request,
            format!("{} has no cell {index} to run", model.path),
        ));
    };
    let wrong = |failure: &Failure| Error::failure(What::Query, failure, None, &cell.text);
    let compiled = compiled.as_ref().map_err(wrong)?;
    let query = package
        .workspace()?
        .prepare(compiled, Which::LastRun, givens, (&model.path, &cell.text))
        .map_err(|failure| wrong(&failure))?;
    Ok(Ready { query, malloy_text: cell.text.to_string(), warnings: compiled.warnings.clone() })
}

/// Compiles a text on top of a model: what is worth a word, and its last query if it has one.
pub(super) fn prepare_text(
    package: &Package,
    model: &Model,
    question: &Question,
) -> Result<(Vec<malloy::Issue>, Option<ir::Query>), Error> {
    let Subject::Text(text) = &question.subject else { return Ok((Vec::new(), None)) };
    let workspace = package.workspace()?;
    let base = model.compiled.as_ref().map_err(|failure| {
        Error::failure(What::Compile, failure, Some(&model.path), &model.text)
    })?;
    if text.len() > LONGEST_TEXT {
        return Err(Error::new(What::TooLarge, "the text of the query is longer than a megabyte"));
    }
    let wrong =
        |failure: Failure| Error::failure(What::Query, &own(failure, &model.path), None, text);
    let options = Options { restricted: question.restricted };
    let compiled = workspace.compile_with(Some(base), &model.path, text, options).map_err(wrong)?;
    if compiled.model.runs() == 0 {
        return Ok((compiled.warnings, None));
    }
    let query = workspace
        .prepare(&compiled, Which::LastRun, &question.givens, (&model.path, text))
        .map_err(wrong)?;
    Ok((compiled.warnings, Some(query)))
}

/// Of a query.
const LONGEST_TEXT: usize = 1 << 20;

/// The text that was sent has the model's address, so that it may import beside it; in messages it is just the text.
fn own(mut failure: Failure, path: &str) -> Failure {
    for issue in &mut failure.issues {
        issue.file = issue.file.take().filter(|file| file != path);
    }
    failure
}

pub(super) struct Done {
    pub(super) rows: Arc<Vec<Value>>,
    /// How old they are, if they were kept.
    pub(super) age: Option<Duration>,
    pub(super) sql: String,
    pub(super) connection: String,
    pub(super) row_limit: u64,
    pub(super) limit_source: LimitSource,
    pub(super) limit_hit: bool,
}

/// Runs a query under limits.
pub(super) fn execute(
    package: &Package,
    query: &ir::Query,
    (config, cache): (&Config, &Cache),
    question: &Question,
    cancel: &Cancel,
) -> Result<Done, Error> {
    let (row_limit, limit_source) = row_limit(query, question.row_limit, config);
    let cut = with_limit(query, row_limit);
    // What a query says itself is what it wants: less would not be it.
    let beyond = match limit_source {
        LimitSource::Query => Beyond::Refuse,
        LimitSource::Request | LimitSource::ServerDefault => Beyond::Cut,
    };
    let limits = Limits {
        rows: usize::try_from(row_limit.min(config.max_rows)).unwrap_or(usize::MAX),
        bytes: config.max_bytes,
        time: Some(Duration::from_millis(config.query_timeout_ms)),
        beyond,
    };
    let workspace = package.workspace()?;
    let connection = query.connection.clone();
    let sql = workspace.sql(&cut).map_err(|failure| run_failed(&failure, config))?;
    let key = Key::of(package, &cut, &sql);
    let known = key.as_ref().filter(|_| !question.fresh);
    if let Some(kept) = known.and_then(|key| cache.get(key)) {
        let (rows, limit_hit, age) = (kept.rows.clone(), kept.limit_hit, Some(kept.age()));
        return Ok(Done { rows, age, sql, connection, row_limit, limit_source, limit_hit });
    }
    // Before the rows are read, so that a file written meanwhile is seen as newer.
    let stamps = key.as_ref().map(|_| Stamps::of(package, &cut));
    let answer =
        workspace.run(&cut, &limits, cancel).map_err(|failure| run_failed(&failure, config))?;
    if answer.cut == Some(Cut::Bytes) {
        return Err(too_many_bytes(config));
    }
    let (rows, limit_hit) = (Arc::new(answer.rows), answer.cut.is_some());
    if let (Some(key), Some(stamps)) = (key, stamps) {
        cache.keep(key, rows.clone(), limit_hit, stamps);
    }
    Ok(Done { rows, age: None, sql, connection, row_limit, limit_source, limit_hit })
}

/// How many rows there may be, and who says so. What the query says holds, up to what the server allows.
fn row_limit(query: &ir::Query, asked: Option<u64>, config: &Config) -> (u64, LimitSource) {
    let own = query.pipeline.stages.last().and_then(|stage| stage.level.limit);
    match (own, asked) {
        (Some(own), Some(asked)) if asked < own => (asked, LimitSource::Request),
        (Some(own), _) => (own, LimitSource::Query),
        (None, Some(asked)) => (asked.min(config.max_rows), LimitSource::Request),
        (None, None) => (config.default_rows.min(config.max_rows), LimitSource::ServerDefault),
    }
}

/// The query with one row more than `limit`, said in its SQL so that the database does not do more than is wanted.
fn with_limit(query: &ir::Query, limit: u64) -> ir::Query {
    let mut query = query.clone();
    if let Some(stage) = query.pipeline.stages.last_mut() {
        let own = stage.level.limit;
        // The limit of an index is one of its values, not of rows that come out.
        if !matches!(stage.level.kind, LevelKind::Index(_)) {
            stage.level.limit = Some(own.map_or(limit + 1, |own| own.min(limit + 1)));
        }
    }
    query
}

fn too_many_rows(config: &Config) -> Error {
    let message = format!("the result has more than {} rows, which is the most", config.max_rows);
    Error::new(What::TooLarge, message).hint("lower the query's `limit:`, or aggregate")
}

fn too_many_bytes(config: &Config) -> Error {
    let message = format!("the result has more than {} bytes, which is the most", config.max_bytes);
    Error::new(What::TooLarge, message).hint("add a `limit:`, or aggregate")
}

fn run_failed(failure: &Failure, config: &Config) -> Error {
    let code = failure.issues.first().map_or("", |issue| issue.code.as_str());
    match code {
        "too-many-rows" => too_many_rows(config),
        "too-many-bytes" => too_many_bytes(config),
        "timed-out" => timed_out(Duration::from_millis(config.query_timeout_ms)),
        "cancelled" => Error::new(What::Cancelled, "the query was stopped"),
        _ => Error::failure(What::Run, failure, None, ""),
    }
}

/// Malloy text that runs something by its name. A name in backticks can be any text, and nothing but a name.
pub(super) fn named_text(source: Option<&str>, query: &str) -> String {
    let quoted = |name: &str| {
        let escaped = name.replace('\\', "\\\\").replace('`', "\\`").replace(['\n', '\r'], " ");
        format!("`{escaped}`")
    };
    match source {
        Some(source) => format!("run: {} -> {}", quoted(source), quoted(query)),
        None => format!("run: {}", quoted(query)),
    }
}

fn views(model: &Model, source: &str) -> Option<Vec<String>> {
    let source = model.description.sources.iter().find(|known| known.name == source)?;
    let view = |field: &FieldDescription| match field {
        FieldDescription::View { name, .. } => Some(name.clone()),
        _ => None,
    };
    Some(source.fields.iter().filter_map(view).collect())
}

fn known_view(model: &Model, source: &str, view: &str) -> Result<(), Error> {
    let Some(views) = views(model, source) else {
        let known = model.description.sources.iter().map(|source| source.name.as_str());
        let message = format!("no source `{source}` in {}", model.path);
        return Err(Error {
            what: What::Query,
            ..Error::missing(What::Source, message, source, known)
        });
    };
    if views.iter().any(|known| known == view) {
        return Ok(());
    }
    let message = format!("no view `{view}` in source `{source}` of {}", model.path);
    let known = views.iter().map(String::as_str);
    Err(Error { what: What::Query, ..Error::missing(What::View, message, view, known) })
}

fn known_query(model: &Model, name: &str) -> Result<(), Error> {
    if model.description.queries.iter().any(|query| query.name == name) {
        return Ok(());
    }
    let known = model.description.queries.iter().map(|query| query.name.as_str());
    let message = format!("no query `{name}` in {}", model.path);
    let mut error =
        Error { what: What::Query, ..Error::missing(What::NamedQuery, message, name, known) };
    let has = |source: &&malloy_model::SourceDescription| {
        source
            .fields
            .iter()
            .any(|field| matches!(field, FieldDescription::View { name: view, .. } if view == name))
    };
    let with: Vec<_> =
        model.description.sources.iter().filter(has).map(|s| format!("`{}`", s.name)).collect();
    if !with.is_empty() {
        error.hint = Some(format!(
            "`{name}` is a view of {}: give the source's name with it",
            with.join(", ")
        ));
    }
    Err(error)
}

impl Package {
    /// What compiles and runs; absent for a package that could not be loaded.
    pub(super) fn workspace(&self) -> Result<&Workspace, Error> {
        self.workspace.as_deref().ok_or_else(|| {
            let why = self.error.clone().unwrap_or_default();
            Error::new(What::Compile, format!("Unable to load package: {why}"))
        })
    }
}
