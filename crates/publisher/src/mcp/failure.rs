//! Failures in the words that clients know.

use kit_mcp::{
    Members,
    rmcp::model::{CallToolResult, ContentBlock, ResourceContents},
};
use publisher_core::{
    advice::{self, Advice, Missing, Operation, Why, in_model, in_package, in_project},
    uri::{Part, Place},
};

use crate::{At, Error, What};

pub(super) const JSON: &str = "application/json";

/// A text in JSON under an address, as both generations of clients look for its type.
pub(super) fn json_contents(text: impl Into<String>, uri: impl Into<String>) -> ResourceContents {
    ResourceContents::text(text, uri).with_mime_type(JSON).with_member("type", JSON)
}

/// Why a resource cannot be read. `uri` is the address as it was asked for.
pub(super) fn of_resource(place: &Place, uri: &str, error: &Error) -> Advice {
    let missing = match error.what {
        What::Project => Missing::Project,
        What::Package => Missing::Package,
        What::Model | What::Notebook if matches!(place.part, Part::Notebook { .. }) => {
            Missing::Notebook
        }
        What::Model | What::Notebook => Missing::Model,
        What::Source => Missing::Source,
        What::View => Missing::View,
        What::NamedQuery => Missing::Query,
        What::Internal => return advice::internal("GetResource", &error.message),
        _ => {
            let operation = match place.part {
                Part::Notebook { .. } => Operation::ReadNotebook,
                _ => Operation::ReadModel,
            };
            let package = place.package().unwrap_or_default();
            let path = place.path().unwrap_or_default();
            return malloy(operation, &format!("{}/{package}/{path}", place.project), error);
        }
    };
    advice::not_found(&advice::context(place, uri, missing), &error.near)
}

/// Why a query was not run: the part of the work that failed, and what it was.
pub(super) fn of_query(at: &At, error: &Error) -> (&'static str, Advice) {
    const ACCESS: &str = "error://executeQuery/modelAccess";
    const EXECUTION: &str = "error://executeQuery/queryExecution";
    let resource = format!("{}/{}/{}", at.project, at.package, at.path);
    match error.what {
        What::Project | What::Package | What::Model | What::Notebook => {
            (ACCESS, of_address(at, error))
        }
        What::Compile => (ACCESS, malloy(Operation::LoadModel, &resource, error)),
        What::Internal => (EXECUTION, advice::internal("executeQuery", &error.message)),
        _ => (EXECUTION, malloy(Operation::Execute, &resource, error)),
    }
}

/// Something that a tool's arguments name is not there, or is of no use.
pub(super) fn of_address(at: &At, error: &Error) -> Advice {
    let At { project, package, path } = at;
    let context = match error.what {
        What::Project => in_project(project),
        What::Package => in_package(project, package),
        What::Model | What::Notebook => in_model(project, package, path),
        _ => {
            let mut suggestions: Vec<String> = error.hint.clone().into_iter().collect();
            suggestions.extend(error.near.iter().map(|name| format!("Did you mean '{name}'?")));
            if suggestions.is_empty() {
                suggestions.push("Call malloy_getContext to see what there is.".to_owned());
            }
            return Advice { error: shown(error), suggestions };
        }
    };
    advice::not_found(&context, &error.near)
}

fn malloy(operation: Operation, resource: &str, error: &Error) -> Advice {
    let code = error.issues.iter().find(|issue| issue.is_error).map_or("", |issue| &*issue.code);
    let why = Why { text: &shown(error), code, hint: error.hint.as_deref(), near: &error.near };
    advice::malloy(operation, resource, &why)
}

/// The message with the line that it is about.
fn shown(error: &Error) -> String {
    match &error.place {
        Some(place) if !place.text.trim().is_empty() => {
            format!("{}\n{}", error.message, place.shown())
        }
        _ => error.message.clone(),
    }
}

/// The failed call of a tool: `{error, suggestions}` as a resource where clients look for one, and as text, which is all
/// that many hosts show.
pub(super) fn result(uri: Option<&str>, advice: &Advice) -> CallToolResult {
    let text = serde_json::to_string(advice).unwrap_or_default();
    let mut content = Vec::new();
    if let Some(uri) = uri {
        content.push(ContentBlock::resource(json_contents(text.clone(), uri)));
    }
    content.push(ContentBlock::text(text));
    CallToolResult::error(content)
}
