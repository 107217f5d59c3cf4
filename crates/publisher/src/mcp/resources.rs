//! What agents list, read and complete.

use std::collections::BTreeSet;

use async_trait::async_trait;
use kit_mcp::{
    Call, Members, ResourceError, Resources,
    rmcp::model::{Resource, ResourceContents, ResourceTemplate},
};
use malloy_model::FieldDescription;
use publisher_core::{
    about::{self, About},
    uri::{Place, TEMPLATES},
};
use serde_json::json;

use super::{
    failure::{self, JSON, json_contents},
    read, shown,
};
use crate::{Model, ModelKind, Package, Service};

/// The packages as resources.
pub(super) struct Library {
    pub(super) service: Service,
}

#[async_trait]
impl Resources for Library {
    async fn list(&self, _: &Call) -> Result<Vec<Resource>, ResourceError> {
        let packages = packages(&self.service).await;
        Ok(packages.iter().map(|package| listed(package)).collect())
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        let template = |(name, uri): (&str, &str)| {
            ResourceTemplate::new(uri, name)
                .with_title(format!("A {}", name.replace('-', "'s ")))
                .with_description(of_template(name).description)
                .with_mime_type(JSON)
        };
        TEMPLATES.into_iter().map(template).collect()
    }

    async fn read(&self, call: &Call, uri: &str) -> Result<Vec<ResourceContents>, ResourceError> {
        let Some(place) = Place::parse(uri) else {
            return Err(ResourceError::unknown_as(format!("Resource {uri} not found")));
        };
        match read::text(&self.service, call, &place).await {
            Ok(text) => Ok(vec![json_contents(text, uri)]),
            Err(error) => {
                let advice = failure::of_resource(&place, uri, &error);
                let text = serde_json::to_string(&advice).unwrap_or_default();
                Err(ResourceError::in_contents(vec![json_contents(text, uri)]))
            }
        }
    }

    async fn complete(&self, _: &str, variable: &str, typed: &str) -> Vec<String> {
        self.begins(variable, typed).await
    }

    async fn complete_prompt(&self, _: &str, argument: &str, typed: &str) -> Vec<String> {
        match argument {
            "model_context_uri" | "target_model_uri" | "model_uri" => {
                self.begins("modelUri", typed).await
            }
            _ => Vec::new(),
        }
    }
}

impl Library {
    /// The values that a variable of a template can have, as far as they begin as typed.
    async fn begins(&self, variable: &str, typed: &str) -> Vec<String> {
        let mut values = BTreeSet::new();
        if variable == "projectName" {
            values.extend(self.service.projects().await.into_iter().map(|project| project.name));
        } else {
            for package in packages(&self.service).await {
                let named = Some(package.name.clone()).filter(|_| variable == "packageName");
                values.extend(named);
                for model in package.models.values() {
                    values.extend(of_variable(&package, model, variable));
                }
            }
        }
        values.into_iter().filter(|value| value.starts_with(typed)).collect()
    }
}

fn of_variable(package: &Package, model: &Model, variable: &str) -> Vec<String> {
    let is_model = model.kind == ModelKind::Model;
    let sources = &model.description.sources;
    match variable {
        "notebookName" if !is_model => vec![model.path.clone()],
        "modelPath" if is_model => vec![model.path.clone()],
        "modelUri" if is_model => {
            vec![Place::of_model(&package.project, &package.name, &model.path).uri()]
        }
        "sourceName" => sources.iter().map(|source| source.name.clone()).collect(),
        "queryName" => model.description.queries.iter().map(|query| query.name.clone()).collect(),
        "viewName" => sources
            .iter()
            .flat_map(|source| &source.fields)
            .filter_map(|field| match field {
                FieldDescription::View { name, .. } => Some(name.clone()),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// All packages of all projects. A project that cannot be listed has none.
pub(super) async fn packages(service: &Service) -> Vec<std::sync::Arc<Package>> {
    let mut all = Vec::new();
    for project in service.projects().await {
        match service.packages(&project.name).await {
            Ok(packages) => all.extend(packages),
            Err(error) => {
                tracing::warn!(project = project.name, %error, "a project cannot be listed");
            }
        }
    }
    all
}

fn listed(package: &Package) -> Resource {
    let uri = Place::of_package(&package.project, &package.name).uri();
    let own = Some(shown::description(package)).filter(|text| !text.trim().is_empty());
    Resource::new(uri, &package.name)
        .with_description(own.unwrap_or_else(|| about::PACKAGE.description.to_owned()))
        .with_mime_type(JSON)
        .with_member("type", "package")
        .with_member("metadata", json!(about::PACKAGE))
}

fn of_template(name: &str) -> About {
    match name {
        "project" => about::PROJECT,
        "notebook" => about::NOTEBOOK,
        "source" => about::SOURCE,
        "query" => about::QUERY,
        "view" => about::VIEW,
        "model" => about::MODEL,
        "package-contents" => CONTENTS,
        _ => about::PACKAGE,
    }
}

const CONTENTS: About = About {
    description: "What is in a package: the address of every model, source, view, query and notebook, each with what it is \
        and how it is used.",
    usage: "Read it first, then read the addresses that it lists.",
};
