//! A loaded package.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::SystemTime};

use malloy::{Issue, Workspace};
use publisher_core::{connection::Connection, manifest::Manifest};
use serde::Serialize;

use super::{
    Service, blocking,
    model::{Model, Stale},
};
use crate::{Error, What};

/// A package as it was when it was last loaded. Never changes; a reload makes another.
#[derive(Debug)]
pub struct Package {
    pub project: String,
    /// Its address: the name it is registered under.
    pub name: String,
    pub description: Option<String>,
    pub manifest: Manifest,
    /// Why it could not be loaded at all.
    pub error: Option<String>,
    /// What an edit broke, while what was there before keeps serving.
    pub stale: Option<Stale>,
    /// What is worth a word: bad schedules, files that were left out.
    pub warnings: Vec<String>,
    /// Models and notebooks by path.
    pub models: BTreeMap<String, Arc<Model>>,
    pub databases: Vec<Database>,
    pub schedules: Vec<ScheduleInfo>,
    /// Counts loads, over all packages.
    pub generation: u64,
    /// Milliseconds since 1970.
    pub loaded_at: i64,
    pub load_ms: u64,
    /// Its own, which go before those of the project.
    pub(super) connections: Vec<Connection>,
    pub(super) of_project: Vec<Connection>,
    pub(super) root: PathBuf,
    /// Absent where it could not be loaded.
    pub(super) workspace: Option<Arc<Workspace>>,
}

/// A data file of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Database {
    /// Relative to the package.
    pub path: String,
    pub size: u64,
    pub(super) modified: Option<SystemTime>,
}

/// What is in a data file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DataInfo {
    pub name: String,
    pub row_count: u64,
    pub columns: Vec<super::ColumnInfo>,
}

/// When a view or query is to be run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScheduleInfo {
    pub resource: String,
    pub schedule: String,
    pub action: String,
    pub connection: String,
    /// Milliseconds since 1970; 0: never.
    pub last_run_time: i64,
    pub last_run_status: &'static str,
}

/// What came of a reload.
#[derive(Debug, Clone)]
pub struct Reloaded {
    pub package: Arc<Package>,
    /// What is wrong now, model by model.
    pub problems: Vec<(String, Vec<Issue>)>,
}

/// More of a README than anybody reads on a page.
const MOST_README: u64 = 1_000_000;

impl Package {
    /// The text of its README.md, where it has one of a readable size.
    pub async fn readme(&self) -> Option<String> {
        let file = self.root.join("README.md");
        let read = move || {
            let fits = std::fs::metadata(&file).is_ok_and(|about| about.len() <= MOST_README);
            Ok(if fits { std::fs::read_to_string(&file).ok() } else { None })
        };
        blocking(read).await.ok().flatten()
    }

    /// What the SQL of a connection is written in, as results call it.
    pub fn dialect(&self, connection: &str) -> &'static str {
        let engine =
            self.workspace.as_ref().map(|workspace| workspace.connections().get(connection));
        let name = engine.and_then(Result::ok).map_or("DuckDB", |engine| engine.dialect().name());
        match name {
            "DuckDB" => "duckdb",
            "PostgreSQL" => "postgres",
            "Spark" => "spark",
            other => other,
        }
    }

    /// Models and notebooks that do not compile as they are now, with what is wrong.
    pub fn broken(&self) -> impl Iterator<Item = (&str, String)> {
        self.models.values().filter_map(|model| {
            let why = match (&model.stale, &model.compiled) {
                (Some(stale), _) => stale.message.clone(),
                (None, Err(failure)) => failure.to_string(),
                (None, Ok(_)) => return None,
            };
            Some((model.path.as_str(), why))
        })
    }
}

impl Service {
    /// The data files of a package with what is in them. Rows are counted now.
    pub async fn databases(
        &self,
        project: &str,
        package: &str,
    ) -> Result<Vec<(Database, Result<DataInfo, String>)>, Error> {
        let package = self.package(project, package).await?;
        blocking(move || {
            let info = |database: &Database| (database.clone(), package.data_info(&database.path));
            Ok(package.databases.iter().map(info).collect())
        })
        .await
    }

    /// What the annotations of a package want done when.
    pub async fn schedules(
        &self,
        project: &str,
        package: &str,
    ) -> Result<Vec<ScheduleInfo>, Error> {
        let package = self.package(project, package).await?;
        match &package.error {
            Some(error) => Err(Error::new(What::Compile, error.clone())),
            None => Ok(package.schedules.clone()),
        }
    }
}

impl Package {
    fn data_info(&self, path: &str) -> Result<DataInfo, String> {
        use malloy_engine::{Cancel, Limits};
        use malloy_model::{Givens, Which};
        let name = path.rsplit('/').next().unwrap_or(path).to_owned();
        // A path in a Malloy text: quotes and backslashes are escaped.
        let escaped = path.replace('\\', "\\\\").replace('\'', "\\'");
        let text = format!("run: duckdb.table('{escaped}') -> {{ aggregate: n is count() }}");
        let workspace = self.workspace().map_err(|error| error.message)?;
        let asked = || {
            let compiled = workspace.compile(None, "", &text)?;
            let query =
                workspace.prepare(&compiled, Which::LastRun, &Givens::new(), ("", &text))?;
            let answer = workspace.run(&query, &Limits::default(), &Cancel::new())?;
            Ok::<_, malloy::Failure>((compiled, answer))
        };
        let (compiled, answer) = asked().map_err(|failure| failure.to_string())?;
        let columns = compiled
            .known()
            .tables
            .values()
            .filter_map(|table| table.as_ref().ok())
            .flatten()
            .map(super::ColumnInfo::of)
            .collect();
        let row_count = answer.rows.first().and_then(|row| row["n"].as_u64()).unwrap_or(0);
        Ok(DataInfo { name, row_count, columns })
    }
}
