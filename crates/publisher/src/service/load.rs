//! Loading a package: what is in its folder, compiled.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use malloy::{Compiled, Connections, Failure, Issue, Workspace};
use malloy_model::{Description, Known, Notes, Options};
use malloy_syntax::{LineIndex, notebook::CellKind, parse_notebook};
use publisher_core::{connection::Connection, manifest::Manifest, name::is_name, schedule};
use serde_json::{Map, Value};

use super::{
    engines,
    model::{CodeCell, Model, ModelKind, Stale},
    package::{Database, Package, ScheduleInfo},
    registry::{MANIFEST, read_connections},
};
use crate::{Error, What};

/// What is to be loaded.
pub(super) struct Source {
    pub(super) project: String,
    pub(super) name: String,
    pub(super) folder: Result<PathBuf, String>,
    /// Whether it needs no manifest.
    pub(super) bare: bool,
    /// Connections of the project, and the databases behind them.
    pub(super) of_project: Result<Vec<Connection>, String>,
    pub(super) engines: Connections,
    pub(super) memory: Option<u64>,
    /// Bytes of files that may stay in memory.
    pub(super) files: u64,
    pub(super) generation: u64,
    pub(super) now: i64,
}

/// Files of a package beyond this many are left out, with a warning.
const MOST_FILES: usize = 20_000;
/// As are folders deeper than this.
const DEEPEST: usize = 32;

const DATA: &[&str] = &["parquet", "csv", "tsv", "json", "jsonl", "ndjson", "xlsx"];

/// Loads a package. `earlier` is what was served so far.
pub(super) fn load(source: Source, earlier: Option<&Package>) -> Result<Package, Error> {
    let begun = Instant::now();
    let Source { project, name, folder, generation, now, .. } = source;
    let folder = match folder {
        Ok(folder) => folder,
        Err(why) => return Ok(failed((project, name), generation, now, why)),
    };
    let text = match fs::read_to_string(folder.join(MANIFEST)) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && source.bare => {
            "{}".to_owned()
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let message = format!("Package '{name}' not found in project '{project}'");
            return Err(Error::new(What::Package, message)
                .hint("a package is a folder with `publisher.json`"));
        }
        Err(error) => {
            let why = format!("cannot read publisher.json: {}", error.kind());
            return Ok(failed((project, name), generation, now, why));
        }
    };
    let manifest = match Manifest::parse(&text) {
        Ok(manifest) => manifest,
        Err(why) => match earlier.filter(|earlier| earlier.error.is_none()) {
            Some(earlier) => return Ok(kept(earlier, generation, now, why)),
            None => return Ok(failed((project, name), generation, now, why)),
        },
    };
    let mut warnings = Vec::new();
    let mut told = |why: String| {
        warnings.push(why);
        Vec::new()
    };
    let connections = read_connections(&folder).unwrap_or_else(&mut told);
    let of_project = source.of_project.unwrap_or_else(&mut told);
    // The database stays open from load to load, unless it is another one.
    let same = |earlier: &&Package| {
        earlier.root == folder
            && earlier.connections == connections
            && earlier.of_project == of_project
    };
    let kept = earlier.filter(same).and_then(|earlier| earlier.workspace.clone());
    let opened = kept.or_else(|| {
        let bytes = (source.memory, source.files);
        let all = engines::of_package(&folder, &connections, &source.engines, bytes);
        Workspace::open_with(&folder, all).ok().map(Arc::new)
    });
    let Some(workspace) = opened else {
        let why = "the folder of the package cannot be read".to_owned();
        return Ok(failed((project, name), generation, now, why));
    };
    let files = Files::of(&folder, &mut warnings);
    let (mut models, mut broken) = (BTreeMap::new(), Vec::new());
    let mut tables = Known::default();
    for (path, kind) in files.models {
        let model = compile(&workspace, &path, kind, &mut tables);
        let before = earlier.and_then(|earlier| earlier.models.get(&path));
        let model = match (&model.compiled, before) {
            (Err(failure), Some(before)) if before.compiled.is_ok() => {
                broken.push(path.clone());
                let (message, issues) = (failure.to_string(), failure.issues.clone());
                let stale = Stale { message, issues, of_package: false, failed_at: now };
                Model { stale: Some(stale), ..Model::clone(before) }
            }
            _ => model,
        };
        models.insert(path, Arc::new(model));
    }
    let schedules = schedules(&models, &mut warnings);
    let stale = (!broken.is_empty()).then(|| Stale {
        message: format!("what was there before is served for {}", broken.join(", ")),
        issues: Vec::new(),
        of_package: false,
        failed_at: now,
    });
    Ok(Package {
        project,
        name,
        description: manifest.description.clone(),
        manifest,
        error: None,
        stale,
        warnings,
        models,
        databases: files.databases,
        schedules,
        generation,
        loaded_at: now,
        load_ms: millis(begun),
        connections,
        of_project,
        root: folder,
        workspace: Some(workspace),
    })
}

fn millis(begun: Instant) -> u64 {
    u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// A package that is listed with its error.
fn failed((project, name): (String, String), generation: u64, now: i64, why: String) -> Package {
    let root = PathBuf::new();
    Package {
        project,
        name,
        description: Some(format!("Unable to load package: {why}")),
        manifest: Manifest::default(),
        error: Some(why),
        stale: None,
        warnings: Vec::new(),
        models: BTreeMap::new(),
        databases: Vec::new(),
        schedules: Vec::new(),
        generation,
        loaded_at: now,
        load_ms: 0,
        connections: Vec::new(),
        of_project: Vec::new(),
        workspace: None,
        root,
    }
}

/// What was there before, since what is there now cannot be read.
fn kept(earlier: &Package, generation: u64, now: i64, why: String) -> Package {
    Package {
        project: earlier.project.clone(),
        name: earlier.name.clone(),
        description: earlier.description.clone(),
        manifest: earlier.manifest.clone(),
        error: None,
        stale: Some(Stale { message: why, issues: Vec::new(), of_package: true, failed_at: now }),
        warnings: earlier.warnings.clone(),
        models: earlier.models.clone(),
        databases: earlier.databases.clone(),
        schedules: earlier.schedules.clone(),
        generation,
        loaded_at: now,
        load_ms: 0,
        connections: earlier.connections.clone(),
        of_project: earlier.of_project.clone(),
        root: earlier.root.clone(),
        workspace: earlier.workspace.clone(),
    }
}

/// What a folder has, in the order of paths.
#[derive(Default)]
struct Files {
    models: Vec<(String, ModelKind)>,
    databases: Vec<Database>,
    seen: usize,
}

impl Files {
    fn of(folder: &Path, warnings: &mut Vec<String>) -> Self {
        let mut files = Self::default();
        files.walk(folder, "", 0, warnings);
        files.models.sort_by(|a, b| a.0.cmp(&b.0));
        files.databases.sort_by(|a, b| a.path.cmp(&b.path));
        files
    }

    fn walk(&mut self, folder: &Path, prefix: &str, depth: usize, warnings: &mut Vec<String>) {
        let Ok(entries) = fs::read_dir(folder) else {
            warnings.push(format!("cannot read the folder `{prefix}`"));
            return;
        };
        for entry in entries.filter_map(Result::ok) {
            // A name that is not text cannot be addressed; one with a dot in front is hidden.
            let Some(name) = entry.file_name().into_string().ok().filter(|name| is_name(name))
            else {
                continue;
            };
            // Of the entry itself, so that a link leads nowhere.
            let Ok(kind) = entry.file_type() else { continue };
            let path = format!("{prefix}{name}");
            if kind.is_dir() {
                if depth < DEEPEST {
                    self.walk(&entry.path(), &format!("{path}/"), depth + 1, warnings);
                } else {
                    warnings.push(format!("`{path}` is too deep and was left out"));
                }
                continue;
            }
            self.seen += 1;
            if self.seen > MOST_FILES {
                if self.seen == MOST_FILES + 1 {
                    warnings.push(format!("the package has more than {MOST_FILES} files"));
                }
                return;
            }
            let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
            match ending {
                "malloy" if kind.is_file() => self.models.push((path, ModelKind::Model)),
                "malloynb" if kind.is_file() => self.models.push((path, ModelKind::Notebook)),
                ending if kind.is_file() && DATA.contains(&ending) => {
                    let about = entry.metadata().ok();
                    let size = about.as_ref().map_or(0, fs::Metadata::len);
                    let modified = about.and_then(|about| about.modified().ok());
                    if path != MANIFEST && !name.starts_with("publisher.") {
                        self.databases.push(Database { path, size, modified });
                    }
                }
                _ => {}
            }
        }
    }
}

/// Compiles a file. `tables` are the columns that were looked at so far: one look at a table is enough for all models.
fn compile(workspace: &Workspace, path: &str, kind: ModelKind, tables: &mut Known) -> Model {
    let text = workspace.read(path);
    let (text, unreadable) = match text {
        Ok(text) => (Arc::from(text), None),
        Err(why) => (Arc::from(""), Some(Failure::plain("no-file", why, kit_core::Kind::NotFound))),
    };
    let mut cells = Vec::new();
    let compiled = match (unreadable, kind) {
        (Some(failure), _) => Err(failure),
        (None, ModelKind::Model) => {
            workspace.compile_from(tables.clone(), None, path, &text, Options::default())
        }
        (None, ModelKind::Notebook) => {
            cells = notebook_cells(workspace, path, &text, tables);
            let last = cells.iter().rev().find_map(|cell| cell.compiled.clone()?.ok());
            last.map_or_else(|| workspace.compile(None, path, ""), Ok)
        }
    };
    if let Ok(compiled) = &compiled {
        let Known { tables: found, selects, .. } = compiled.known().clone();
        *tables = std::mem::take(tables).and(Known { tables: found, selects, ..Known::default() });
    }
    let outline = compiled
        .as_ref()
        .map(|compiled| malloy_model::outline(&compiled.model))
        .unwrap_or_default();
    let description = Description::from(&outline);
    let data_styles = data_styles(workspace, path, &text);
    let path = path.to_owned();
    Model { path, kind, text, compiled, outline, description, data_styles, cells, stale: None }
}

/// The cells of a notebook, each compiled on top of those before it. One that fails leaves the model as it was.
fn notebook_cells(workspace: &Workspace, path: &str, text: &str, tables: &Known) -> Vec<CodeCell> {
    let notebook = parse_notebook(text);
    let lines = LineIndex::new(text);
    let last = notebook.cells.len().saturating_sub(1);
    let mut model: Option<Compiled> = None;
    let mut known: Vec<String> = Vec::new();
    let mut cells = Vec::new();
    for (index, cell) in notebook.cells.iter().enumerate() {
        // Only the last cell keeps the line break at its end, which is the file's.
        let own = if index == last { &text[cell.span.start as usize..] } else { cell.text };
        let mut new_sources = Vec::new();
        let compiled = match cell.kind {
            CellKind::Markdown => None,
            CellKind::Sql => continue,
            CellKind::Malloy => {
                let compiled = workspace.compile_from(
                    tables.clone(),
                    model.as_ref(),
                    path,
                    own,
                    Options::default(),
                );
                if let Ok(compiled) = &compiled {
                    new_sources = malloy_model::outline(&compiled.model).sources;
                    new_sources.retain(|source| !known.contains(&source.name));
                    known.extend(new_sources.iter().map(|source| source.name.clone()));
                    model = Some(compiled.clone());
                }
                Some(compiled)
            }
        };
        cells.push(CodeCell {
            markdown: cell.kind == CellKind::Markdown,
            text: Arc::from(own),
            line: lines.position(text, cell.span.start).line,
            compiled,
            new_sources,
        });
    }
    cells
}

/// The objects of files that lines `--! styles <file>` name, one over the other.
fn data_styles(workspace: &Workspace, path: &str, text: &str) -> Map<String, Value> {
    let mut styles = Map::new();
    for line in text.lines() {
        let Some(rest) = line.trim().strip_prefix("--!") else { continue };
        let Some(file) = rest.trim().strip_prefix("styles") else { continue };
        let beside = malloy_model::join_url(path, file.trim());
        let read = workspace.read(&beside).ok().and_then(|text| serde_json::from_str(&text).ok());
        if let Some(Value::Object(found)) = read {
            styles.extend(found);
        }
    }
    styles
}

fn schedules(
    models: &BTreeMap<String, Arc<Model>>,
    warnings: &mut Vec<String>,
) -> Vec<ScheduleInfo> {
    let mut found = Vec::new();
    // What was written with the thing itself: a schedule that is inherited would run twice.
    let mut read = |resource: String, notes: &Notes| {
        for tag in notes.here() {
            match schedule::parse(tag) {
                None => {}
                Some(Err(why)) => warnings.push(format!("{resource}: {why}")),
                Some(Ok(schedule)) => found.push(ScheduleInfo {
                    resource: resource.clone(),
                    schedule: schedule.schedule,
                    action: schedule.action,
                    connection: schedule.connection,
                    last_run_time: 0,
                    last_run_status: "unknown",
                }),
            }
        }
    };
    for model in models.values() {
        for source in &model.outline.sources {
            for field in source.fields.iter().filter(|field| field.kind_name() == "view") {
                read(format!("{}  > {} > {}", model.path, source.name, field.name), &field.notes);
            }
        }
        for query in &model.outline.queries {
            read(format!("{}  > {}", model.path, query.name), &query.notes);
        }
    }
    found
}

impl Package {
    /// What is wrong now, model by model.
    pub fn problems(&self) -> Vec<(String, Vec<Issue>)> {
        let wrong = |model: &Arc<Model>| {
            let mut issues = match (&model.stale, &model.compiled) {
                (Some(stale), _) => stale.issues.clone(),
                (None, Err(failure)) => failure.issues.clone(),
                (None, Ok(_)) => Vec::new(),
            };
            for cell in &model.cells {
                if let Some(Err(failure)) = &cell.compiled {
                    issues.extend(failure.issues.iter().cloned());
                }
            }
            (!issues.is_empty()).then(|| (model.path.clone(), issues))
        };
        self.models.values().filter_map(wrong).collect()
    }
}
