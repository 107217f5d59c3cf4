//! Finding what a question is about, and tables that nobody has modelled yet.

use std::sync::Arc;

use kit_mcp::rmcp::{self, handler::server::wrapper::Parameters, tool, tool_router};
use malloy_model::{FieldOutline, FieldOutlineKind, SourceOutline};
use publisher_core::{
    compiled::type_word,
    context::{self, Entity, Kind, rank},
};
use serde_json::{Value, json};

use super::{
    Tools,
    answer::{Failed, Object},
    input::{Context, Tables},
    resources, shown,
};
use crate::{ColumnInfo, Error, ModelKind, Package, Reach, What};

const USUAL: u64 = 20;
const MOST: u64 = 100;

#[tool_router(router = find, vis = "pub(super)")]
impl Tools {
    /// Find what to ask. With `query`, a question in plain words, ranks the sources, views, saved queries, measures and
    /// dimensions that fit it, each with the `modelPath` to run it on. Without it, lists what there is: projects, then the
    /// packages of one, then the sources of a package, then what a source has.
    #[tool(
        name = "malloy_getContext",
        title = "Find what to ask",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn get_context(
        &self,
        Parameters(input): Parameters<Context>,
    ) -> Result<Object<Value>, Failed> {
        let failed = |error: Error| Failed::of(&input.project_name, &input.package_name, &error);
        let packages = self.packages(&input).await.map_err(failed)?;
        let items = if !input.query.trim().is_empty() {
            ranked(&packages, &input)
        } else if !input.package_name.is_empty() || !input.source_name.is_empty() {
            within(&packages, &input).map_err(failed)?
        } else if !input.project_name.is_empty() || self.service.projects().await.len() == 1 {
            packages.iter().map(|package| of_package(package)).collect()
        } else {
            let projects = self.service.projects().await;
            let item =
                |project: crate::ProjectInfo| json!({"kind": "environment", "name": project.name});
            projects.into_iter().map(item).collect()
        };
        Ok(Object(cut(items, &input)))
    }

    /// Find tables and data files of the connections, modelled or not, with their columns and a `source:` line to begin a
    /// model with. Use it when no source has what you need.
    #[tool(
        name = "malloy_searchDatabaseSchema",
        title = "Search tables",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn search_database_schema(
        &self,
        Parameters(input): Parameters<Tables>,
    ) -> Result<Object<Value>, Failed> {
        let failed = |error: Error| Failed::of(&input.project_name, &input.package_name, &error);
        let (tables, unreached) = self.tables(&input).await.map_err(failed)?;
        let words = input.search_query.to_lowercase();
        let fits = |table: &Table| {
            let named = table.path.to_lowercase().contains(&words);
            let has = || table.columns.iter().any(|one| one.name.to_lowercase().contains(&words));
            (input.table_name.is_empty() || table.is_called(&input.table_name))
                && (words.is_empty() || named || has())
        };
        let found: Vec<Table> = tables.into_iter().filter(fits).collect();
        let total = found.len();
        let offset = usize::try_from(input.offset).unwrap_or(usize::MAX);
        let most = usize::try_from(input.limit.unwrap_or(USUAL).min(MOST)).unwrap_or_default();
        let shown: Vec<Value> = found.iter().skip(offset).take(most).map(Table::shown).collect();
        let mut answer = json!({"tables": shown, "total": total});
        if offset.saturating_add(most) < total {
            answer["nextOffset"] = json!(offset + most);
        }
        if !unreached.is_empty() {
            answer["unreached"] = unreached.into();
        }
        Ok(Object(answer))
    }
}

impl Tools {
    /// The packages that a question may be about.
    async fn packages(&self, input: &Context) -> Result<Vec<Arc<Package>>, Error> {
        match (&*input.project_name, &*input.package_name) {
            ("", "") => Ok(resources::packages(&self.service).await),
            ("", name) => {
                let all = resources::packages(&self.service).await;
                let with: Vec<_> = all.iter().filter(|one| one.name == name).cloned().collect();
                if with.is_empty() {
                    let known = all.iter().map(|package| package.name.as_str());
                    let message = format!("no package `{name}`");
                    return Err(Error::missing(What::Package, message, name, known));
                }
                Ok(with)
            }
            (project, "") => self.service.packages(project).await,
            (project, package) => Ok(vec![self.service.package(project, package).await?]),
        }
    }

    /// The tables of all connections that are meant, and the connections that could not be asked.
    async fn tables(&self, input: &Tables) -> Result<(Vec<Table>, Vec<Value>), Error> {
        let first = self.service.projects().await.into_iter().next();
        let project = match &*input.project_name {
            "" => first.map(|project| project.name).unwrap_or_default(),
            name => name.to_owned(),
        };
        let packages = match &*input.package_name {
            "" => self.service.packages(&project).await?,
            name => vec![self.service.package(&project, name).await?],
        };
        let mut tables = Vec::new();
        if ["", "duckdb"].contains(&&*input.connection_name) && input.schema_name.is_empty() {
            for package in &packages {
                tables.extend(self.files(package).await?);
            }
        }
        let package = Some(&*input.package_name).filter(|name| !name.is_empty());
        let mut unreached = Vec::new();
        for connection in self.service.connections(&project, package).await? {
            let meant =
                input.connection_name.is_empty() || input.connection_name == connection.name;
            if !meant || connection.name == "duckdb" {
                continue;
            }
            let reach = Reach {
                project: project.clone(),
                package: package.map(str::to_owned),
                connection: connection.name.clone(),
            };
            match self.of_connection(&reach, input).await {
                Ok(found) => tables.extend(found),
                Err(error) => {
                    unreached.push(json!({"connection": connection.name, "error": error.message}));
                }
            }
        }
        Ok((tables, unreached))
    }

    /// The data files of a package.
    async fn files(&self, package: &Package) -> Result<Vec<Table>, Error> {
        let databases = self.service.databases(&package.project, &package.name).await?;
        let table = |(database, info): (crate::Database, Result<crate::DataInfo, String>)| {
            let (columns, rows) = match info {
                Ok(info) => (info.columns, Some(info.row_count)),
                Err(_) => (Vec::new(), None),
            };
            Table {
                connection: "duckdb".to_owned(),
                package: Some(package.name.clone()),
                path: database.path,
                columns,
                rows,
            }
        };
        Ok(databases.into_iter().map(table).collect())
    }

    async fn of_connection(&self, reach: &Reach, input: &Tables) -> Result<Vec<Table>, Error> {
        let mut tables = Vec::new();
        for schema in self.service.schemas(reach).await? {
            let meant = input.schema_name.is_empty() && !schema.is_hidden
                || input.schema_name == schema.name;
            if !meant {
                continue;
            }
            for name in self.service.tables(reach, &schema.name).await? {
                let path =
                    if name.contains('.') { name } else { format!("{}.{name}", schema.name) };
                let mut table = Table {
                    connection: reach.connection.clone(),
                    package: reach.package.clone(),
                    path,
                    columns: Vec::new(),
                    rows: None,
                };
                // Asking for the columns of every table of a large database would take minutes.
                if !input.table_name.is_empty() && table.is_called(&input.table_name) {
                    table.columns = self.service.table_source(reach, &table.path).await?;
                }
                tables.push(table);
            }
        }
        Ok(tables)
    }
}

/// A table or a data file.
struct Table {
    connection: String,
    package: Option<String>,
    path: String,
    columns: Vec<ColumnInfo>,
    rows: Option<u64>,
}

impl Table {
    /// Whether this is its name or path.
    fn is_called(&self, name: &str) -> bool {
        let last = self.path.rsplit(['/', '.']).next().unwrap_or_default();
        self.path == name || last == name || self.stem() == name
    }

    /// The name of the file or table alone.
    fn stem(&self) -> &str {
        let file = self.path.rsplit('/').next().unwrap_or_default();
        match (self.path.contains('/') || self.connection == "duckdb", file.rsplit_once('.')) {
            (true, Some((stem, _))) => stem,
            (false, Some((_, table))) => table,
            (_, None) => file,
        }
    }

    fn shown(&self) -> Value {
        let name: String =
            self.stem().chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let name = malloy_model::quoted(&name);
        let path = self.path.replace('\\', "\\\\").replace('\'', "\\'");
        let mut made = json!({"connection": self.connection, "table": self.path,
            "source": format!("source: {name} is {}.table('{path}')", self.connection)});
        if let Some(package) = &self.package {
            made["package"] = json!(package);
        }
        if let Some(rows) = self.rows {
            made["rowCount"] = json!(rows);
        }
        if !self.columns.is_empty() {
            made["columns"] = json!(self.columns);
        }
        made
    }
}

fn of_package(package: &Package) -> Value {
    let mut made = json!({"kind": "package", "name": package.name, "environment": package.project});
    let description = shown::description(package);
    if !description.is_empty() {
        made["doc"] = json!(description);
    }
    if let Some(error) = &package.error {
        made["error"] = json!(error);
    }
    made
}

/// The sources of packages, or what one source has.
fn within(packages: &[Arc<Package>], input: &Context) -> Result<Vec<Value>, Error> {
    let mut items = Vec::new();
    let mut sources = Vec::new();
    for package in packages {
        for entity in entities(package) {
            let own = entity.kind == Kind::Source || entity.source.is_none();
            if entity.kind == Kind::Source {
                sources.push(entity.name.clone());
            }
            let meant = match &*input.source_name {
                "" => own || entity.kind == Kind::Query,
                name => entity.name == name && own || entity.source.as_deref() == Some(name),
            };
            if meant {
                items.push(item(package, &entity, None));
            }
        }
    }
    if items.is_empty() && !input.source_name.is_empty() {
        let message = format!("no source `{}`", input.source_name);
        let known = sources.iter().map(String::as_str);
        return Err(Error::missing(What::Source, message, &input.source_name, known));
    }
    Ok(items)
}

fn ranked(packages: &[Arc<Package>], input: &Context) -> Vec<Value> {
    let mut owners = Vec::new();
    let mut all = Vec::new();
    for (owner, package) in packages.iter().enumerate() {
        let meant = |entity: &Entity| {
            input.source_name.is_empty()
                || entity.name == input.source_name
                || entity.source.as_ref() == Some(&input.source_name)
        };
        for entity in entities(package).into_iter().filter(meant) {
            owners.push(owner);
            all.push(entity);
        }
    }
    rank(&all, &input.query)
        .into_iter()
        .map(|(place, score)| item(&packages[owners[place]], &all[place], Some(score)))
        .collect()
}

fn item(package: &Package, entity: &Entity, score: Option<f64>) -> Value {
    let mut made = serde_json::to_value(entity).unwrap_or_default();
    made["environment"] = json!(package.project);
    made["package"] = json!(package.name);
    if let Some(score) = score {
        made["score"] = json!(score);
    }
    made
}

/// As many as were asked for, and what to do about the rest.
fn cut(mut items: Vec<Value>, input: &Context) -> Value {
    let most = usize::try_from(input.limit.unwrap_or(USUAL).min(MOST)).unwrap_or_default();
    let total = items.len();
    items.truncate(most);
    let mut answer = json!({"items": items, "total": total});
    if total > most {
        answer["hint"] = json!("there are more: ask in more words, or raise `limit`");
    } else if total == 0 && !input.query.is_empty() {
        answer["hint"] =
            json!("nothing has these words: try others, or leave `query` out to see what there is");
    }
    answer
}

/// What a package has that a question may be about.
fn entities(package: &Package) -> Vec<Entity> {
    let mut all = Vec::new();
    for model in package.models.values().filter(|model| model.kind == ModelKind::Model) {
        let outline = &model.outline;
        // What a model imports is found where it is defined.
        for source in outline.sources.iter().filter(|source| source.own) {
            all.push(of_source(&model.path, source));
            all.extend(
                source.fields.iter().filter_map(|field| of_field(&model.path, source, field)),
            );
        }
        for query in outline.queries.iter().filter(|query| query.own) {
            let fields = query.output.fields.iter().map(|field| field.name.clone()).collect();
            let made = entity(Kind::Query, &query.name, &model.path, &query.notes.all, fields);
            all.push(Entity { source: Some(query.source.clone()), ..made });
        }
    }
    all
}

fn of_source(path: &str, source: &SourceOutline) -> Entity {
    let fields = source.fields.iter().map(|field| field.name.clone()).collect();
    entity(Kind::Source, &source.name, path, &source.notes.all, fields)
}

fn of_field(path: &str, source: &SourceOutline, field: &FieldOutline) -> Option<Entity> {
    let (kind, ty, fields) = match &field.kind {
        FieldOutlineKind::Dimension(ty) => (Kind::Dimension, Some(ty), Vec::new()),
        FieldOutlineKind::Measure(ty) => (Kind::Measure, Some(ty), Vec::new()),
        FieldOutlineKind::View(output) => {
            let fields = output.fields.iter().map(|field| field.name.clone()).collect();
            (Kind::View, None, fields)
        }
        FieldOutlineKind::Join { .. } => return None,
    };
    let made = entity(kind, &field.name, path, &field.notes.all, fields);
    let r#type = ty.map(|ty| type_word(ty).to_owned());
    Some(Entity { source: Some(source.name.clone()), r#type, ..made })
}

fn entity(kind: Kind, name: &str, path: &str, notes: &[Arc<str>], fields: Vec<String>) -> Entity {
    let is_doc = |note: &&Arc<str>| context::doc_line(note.trim()).is_some();
    let others: Vec<&str> = notes.iter().filter(|note| !is_doc(note)).map(|note| &**note).collect();
    Entity {
        kind,
        name: name.to_owned(),
        source: None,
        model_path: path.to_owned(),
        doc: context::doc(notes.iter().map(|note| &**note)),
        r#type: None,
        annotations: others.join(" "),
        fields,
    }
}
