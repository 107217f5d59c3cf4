//! What a resource says.

use kit_mcp::Call;
use malloy_model::{FieldOutline, FieldOutlineKind, Givens, Outline, SourceOutline};
use publisher_core::{
    about::{self, About},
    compiled, info,
    uri::{Part, Place},
};
use serde_json::{Value, json};

use super::{contents, shown};
use crate::{At, By, Error, Model, ModelKind, Package, Run, Service, Surface, What, wire};

/// The text of the resource at a place.
pub(super) async fn text(service: &Service, call: &Call, place: &Place) -> Result<String, Error> {
    let project = &place.project;
    Ok(match &place.part {
        Part::Project => {
            let project = service.project(project, false).await?;
            wrapped(&json!({"name": project.name}), about::PROJECT)
        }
        Part::Package { package } => {
            wrapped(&shown::package(&*service.package(project, package).await?), about::PACKAGE)
        }
        Part::Contents { package } => {
            let package = service.package(project, package).await?;
            Value::Array(contents::of(&package)).to_string()
        }
        Part::Notebook { package, path } => {
            let at = At::new(project, package, path);
            let by = By::new(call.principal(), Surface::Mcp);
            let notebook = service.notebook(&at, Run::All, &Givens::new(), &by).await?;
            wrapped(&wire::notebook(&notebook).into(), about::NOTEBOOK)
        }
        Part::Model { package, path } | Part::ModelFile { package, path } => {
            let (package, model) = compiled_model(service, project, package, path).await?;
            wrapped(&wire::model(&package, &model).into(), about::MODEL)
        }
        Part::Source { package, path, source } => {
            let (_, model) = compiled_model(service, project, package, path).await?;
            let outline = &model.outline;
            wrapped(&of_source(find_source(outline, source)?), about::SOURCE)
        }
        Part::View { package, path, source, view } => {
            let (_, model) = compiled_model(service, project, package, path).await?;
            let outline = &model.outline;
            let source = find_source(outline, source)?;
            wrapped(&of_view(source, find_view(source, view)?), about::VIEW)
        }
        Part::ViewOfModel { package, path, view } => {
            let (_, model) = compiled_model(service, project, package, path).await?;
            let outline = &model.outline;
            let (source, view) = view_of_any(outline, view)?;
            wrapped(&of_view(source, view), about::VIEW)
        }
        Part::Query { package, path, query } => {
            let (_, model) = compiled_model(service, project, package, path).await?;
            wrapped(&of_query(&model.outline, query)?, about::QUERY)
        }
    })
}

fn wrapped(definition: &Value, about: About) -> String {
    json!({"definition": definition, "metadata": about}).to_string()
}

async fn compiled_model(
    service: &Service,
    project: &str,
    package: &str,
    path: &str,
) -> Result<(std::sync::Arc<Package>, std::sync::Arc<Model>), Error> {
    let (package, model) = service.found(&At::new(project, package, path)).await?;
    if model.kind == ModelKind::Notebook {
        let why = format!("{path} is a notebook");
        return Err(Error::new(What::Model, why));
    }
    match &model.compiled {
        Ok(_) => Ok((package, model)),
        Err(failure) => Err(Error::failure(What::Compile, failure, Some(&model.path), &model.text)),
    }
}

fn find_source<'a>(outline: &'a Outline, name: &str) -> Result<&'a SourceOutline, Error> {
    let known = || outline.sources.iter().map(|source| source.name.as_str());
    outline
        .sources
        .iter()
        .find(|source| source.name == name)
        .ok_or_else(|| Error::missing(What::Source, format!("no source `{name}`"), name, known()))
}

fn views(source: &SourceOutline) -> impl Iterator<Item = &FieldOutline> {
    source.fields.iter().filter(|field| matches!(field.kind, FieldOutlineKind::View(_)))
}

fn find_view<'a>(source: &'a SourceOutline, name: &str) -> Result<&'a FieldOutline, Error> {
    let known = || views(source).map(|view| view.name.as_str());
    views(source)
        .find(|view| view.name == name)
        .ok_or_else(|| Error::missing(What::View, format!("no view `{name}`"), name, known()))
}

/// The view of the one source that has it.
fn view_of_any<'a>(
    outline: &'a Outline,
    name: &str,
) -> Result<(&'a SourceOutline, &'a FieldOutline), Error> {
    let with: Vec<_> = outline
        .sources
        .iter()
        .filter_map(|source| Some((source, views(source).find(|view| view.name == name)?)))
        .collect();
    match &*with {
        [one] => Ok(*one),
        [] => {
            let known = outline.sources.iter().flat_map(views).map(|view| view.name.as_str());
            Err(Error::missing(What::View, format!("no view `{name}`"), name, known))
        }
        several => {
            let mut error = Error::new(What::View, format!("several sources have `{name}`"));
            error.near =
                several.iter().map(|(source, _)| format!("{}/views/{name}", source.name)).collect();
            Err(error)
        }
    }
}

/// A source with its fields.
fn of_source(source: &SourceOutline) -> Value {
    let mut made = compiled::source(source);
    made["fields"] = info::source_info(source)["schema"]["fields"].take();
    if let Some(key) = &source.primary_key {
        made["primaryKey"] = json!(key);
    }
    made
}

/// A view with what it is and what comes out of it.
fn of_view(source: &SourceOutline, view: &FieldOutline) -> Value {
    let mut made = compiled::view(view);
    made["source"] = json!(source.name);
    if let Some(code) = &view.code {
        made["code"] = json!(code);
    }
    if let FieldOutlineKind::View(output) = &view.kind {
        made["fields"] = info::output_fields(&source.name, output).into();
    }
    made
}

fn of_query(outline: &Outline, name: &str) -> Result<Value, Error> {
    let known = || outline.queries.iter().map(|query| query.name.as_str());
    let query = outline.queries.iter().find(|query| query.name == name).ok_or_else(|| {
        Error::missing(What::NamedQuery, format!("no query `{name}`"), name, known())
    })?;
    let listed = compiled::queries(outline);
    let mut made = listed.into_iter().find(|one| one["name"] == name).unwrap_or_default();
    if let Some(code) = &query.code {
        made["code"] = json!(code);
    }
    made["fields"] = info::output_fields(&query.source, &query.output).into();
    Ok(made)
}
