//! Looking around, level by level, for hosts that never read resources.

use kit_mcp::rmcp::{self, handler::server::wrapper::Parameters, tool, tool_router};
use publisher_core::about;
use serde_json::{Value, json};

use super::{
    Tools,
    answer::{Failed, Text},
    input::{Nothing, OfModel, OfPackage, OfProject},
    shown,
};
use crate::{Model, ModelKind};

#[tool_router(router = discover, vis = "pub(super)")]
impl Tools {
    /// List the projects of this server.
    #[tool(
        name = "malloy_projectList",
        title = "List projects",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn project_list(&self, _: Parameters<Nothing>) -> Text {
        let projects = self.service.projects().await;
        let item = |project: &crate::ProjectInfo| {
            let own = first_line(&project.readme);
            let description = own.unwrap_or(about::PROJECT.description);
            json!({"name": project.name, "type": "project", "description": description})
        };
        Text::json(&projects.iter().map(item).collect::<Vec<_>>())
    }

    /// List the packages of a project with what they are about.
    #[tool(
        name = "malloy_packageList",
        title = "List packages",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn package_list(
        &self,
        Parameters(OfProject { project_name }): Parameters<OfProject>,
    ) -> Result<Text, Failed> {
        let packages = self.service.packages(&project_name).await;
        let packages = packages.map_err(|error| Failed::of(&project_name, "", &error))?;
        let item = |package: &std::sync::Arc<crate::Package>| {
            let mut item = json!({"name": package.name, "type": "package",
                "description": shown::description(package)});
            if let Some(error) = &package.error {
                item["error"] = json!(error);
            }
            item
        };
        Ok(Text::json(&packages.iter().map(item).collect::<Vec<_>>()))
    }

    /// List the models and notebooks of a package. `malloy_getContext` tells what is in them.
    #[tool(
        name = "malloy_packageGet",
        title = "List models",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn package_get(
        &self,
        Parameters(OfPackage { project_name, package_name }): Parameters<OfPackage>,
    ) -> Result<Text, Failed> {
        let package = self.service.package(&project_name, &package_name).await;
        let package = package.map_err(|error| Failed::of(&project_name, &package_name, &error))?;
        let items: Vec<Value> = package.models.values().map(|model| listed(model)).collect();
        Ok(Text::json(&items))
    }

    /// Read the Malloy text of a model: its sources, fields and views as they were written.
    #[tool(
        name = "malloy_modelGetText",
        title = "Read a model's text",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn model_get_text(&self, Parameters(model): Parameters<OfModel>) -> Result<Text, Failed> {
        let at = model.at();
        let found = self.service.found(&at).await;
        let (_, model) = found.map_err(|error| Failed::at(&at, &error))?;
        Ok(Text(model.text.to_string()))
    }
}

fn listed(model: &Model) -> Value {
    let kind = match model.kind {
        ModelKind::Model => "model",
        ModelKind::Notebook => "notebook",
    };
    let mut item = json!({"name": model.path, "type": kind});
    if let Err(failure) = &model.compiled {
        item["error"] = json!(failure.to_string());
    }
    item
}

/// What a readme says first, its title apart.
fn first_line(readme: &str) -> Option<&str> {
    readme.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'))
}
