//! What to try next when something was not found or did not compile.
//!
//! An [`Advice`] is the body of every failure that agents get: one message, whose form clients rely on, and suggestions, the
//! most specific first. What was not found is named by its [`context`].

use serde::Serialize;

use crate::uri::{Part, Place};

/// A failure in words, and ways out of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Advice {
    pub error: String,
    pub suggestions: Vec<String>,
}

/// What a place names that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    Project,
    Package,
    Model,
    Notebook,
    Source,
    View,
    Query,
}

/// What went on when Malloy failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    ReadModel,
    ReadNotebook,
    LoadModel,
    Execute,
}

impl Operation {
    pub fn name(self) -> &'static str {
        match self {
            Self::ReadModel => "GetResource (model)",
            Self::ReadNotebook => "GetResource (notebook compilation)",
            Self::LoadModel => "executeQuery (load model)",
            Self::Execute => "executeQuery",
        }
    }
}

/// What was not found, in the form that messages have it. `uri` is the address as it was asked for.
pub fn context(place: &Place, uri: &str, missing: Missing) -> String {
    let project = &place.project;
    let package = place.package().unwrap_or_default();
    let path = place.path().unwrap_or_default();
    // Of what is below a model, what is above it is named in passing.
    let inside = !matches!(
        place.part,
        Part::Project | Part::Notebook { .. } | Part::Model { .. } | Part::ModelFile { .. }
    );
    match missing {
        Missing::Project if place.part == Part::Project => format!("Project '{project}'"),
        Missing::Project => in_project(project),
        Missing::Package => match place.part {
            Part::Package { .. } => format!("Package resource matching URI '{uri}'"),
            Part::Contents { .. } => format!("Package for contents listing matching URI '{uri}'"),
            _ if inside => in_package(project, package),
            _ => capital(&in_package(project, package)),
        },
        Missing::Model if inside => in_model(project, package, path),
        Missing::Model => capital(&in_model(project, package, path)),
        Missing::Notebook => {
            format!("Notebook '{path}' in package '{package}' project '{project}'")
        }
        Missing::Source | Missing::View | Missing::Query => {
            let name = match &place.part {
                Part::Source { source, .. } => format!("Source '{source}'"),
                Part::View { source, .. } if missing == Missing::Source => {
                    format!("Source '{source}'")
                }
                Part::View { source, view, .. } => format!("View '{view}' in source '{source}'"),
                Part::Query { query, .. } => format!("Query '{query}'"),
                Part::ViewOfModel { view, .. } => format!("View '{view}'"),
                _ => String::new(),
            };
            let joint = if name.contains(" in ") { "" } else { " in" };
            format!("{name}{joint} model '{path}' package '{package}' project '{project}'")
        }
    }
}

/// A project, named in passing.
pub fn in_project(project: &str) -> String {
    format!("project '{project}'")
}

/// A package, named in passing.
pub fn in_package(project: &str, package: &str) -> String {
    format!("package '{package}' in project '{project}'")
}

/// A model, named in passing.
pub fn in_model(project: &str, package: &str, path: &str) -> String {
    format!("model '{path}' in package '{package}' for project '{project}'")
}

/// Something is not there. `near` are names that were perhaps meant.
pub fn not_found(context: &str, near: &[String]) -> Advice {
    let mut suggestions = vec![
        format!(
            "Verify the identifier or URI ({context}): check its spelling, its case, and that it still exists."
        ),
        "URIs have the form malloy://project/{projectName}/package/{packageName}/models/{modelPath}, followed by \
         /sources/{sourceName}, /sources/{sourceName}/views/{viewName} or /queries/{queryName}; each name is one segment, \
         percent-encoded, so that a model in a folder is models/folder%2Ffile.malloy."
            .to_owned(),
        "List the resources to see every package, and read malloy://project/{projectName}/package/{packageName}/contents to \
         see every model, source, view, query and notebook of one; the tool malloy_getContext finds them by words."
            .to_owned(),
    ];
    suggestions.extend(did_you_mean(near));
    Advice { error: format!("Resource not found: {context}"), suggestions }
}

/// The compiler or the database refused.
pub fn malloy(operation: Operation, resource: &str, why: &Why<'_>) -> Advice {
    let error =
        format!("Error during {} for resource '{resource}': {}", operation.name(), why.text);
    let mut suggestions: Vec<String> = did_you_mean(why.near).into_iter().collect();
    suggestions.extend(why.hint.map(str::to_owned));
    suggestions.extend(specific(why).map(str::to_owned));
    suggestions.extend(
        [
            "Check the Malloy syntax: a query is `run: source -> { group_by: … aggregate: … }`, and several operations are \
             joined with `->`.",
            "Check that every source, view, query and field that is named exists: read the model's resource, or call \
             malloy_getContext.",
            "If a table or file cannot be read, check the connection and the path in the model.",
            "The language is documented at https://docs.malloydata.dev/documentation/; malloy_searchDocs finds a passage.",
        ]
        .map(str::to_owned),
    );
    Advice { error, suggestions }
}

/// Why Malloy failed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Why<'a> {
    /// What the compiler or the database said.
    pub text: &'a str,
    /// The compiler's code of the first problem.
    pub code: &'a str,
    pub hint: Option<&'a str>,
    pub near: &'a [String],
}

/// Our mistake.
pub fn internal(operation: &str, text: &str) -> Advice {
    Advice {
        error: format!("An unexpected internal error occurred during {operation}.: {text}"),
        suggestions: vec![
            "Try again in a moment.".to_owned(),
            "If it happens again, the server's log has the details; malloy_getStatus tells what could not be loaded."
                .to_owned(),
        ],
    }
}

fn did_you_mean(near: &[String]) -> Option<String> {
    let names: Vec<_> = near.iter().map(|name| format!("'{name}'")).collect();
    (!names.is_empty()).then(|| format!("Did you mean {}?", names.join(" or ")))
}

/// What helps with failures that come up again and again.
fn specific(why: &Why<'_>) -> Option<&'static str> {
    let text = why.text.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let is = |codes: &[&str]| codes.contains(&why.code);
    if is(&["restricted-construct-forbidden"]) {
        Some(
            "Ask through the model's own sources: text that is sent may not bring in tables, SQL or imports. A person can add \
             what is missing to the model file.",
        )
    } else if is(&["field-not-found", "field-not-accessible", "order-by-not-found-in-output"])
        || says(&["unknown field", "no field", "field not found"])
    {
        Some(
            "A field is not there: read the source's resource for its fields; those of a joined source are written \
             `join_name.field_name`.",
        )
    } else if says(&["no view", "unknown view", "view not found"]) {
        Some(
            "A view is not there: read the source's resource for its views, or write the query out.",
        )
    } else if is(&["query-not-found", "source-not-found", "source-or-query-not-found"])
        || says(&[
            "undefined object",
            "is not defined",
            "no source",
            "no query",
            "unknown source",
            "unknown query",
        ])
    {
        Some(
            "Something is named that is not defined: read the model's resource for the sources and queries that it has; a view \
             is run through its source.",
        )
    } else if is(&["unexpected-token", "missing-token"])
        || says(&["syntax", "unexpected", "expected", "missing", "extraneous", "mismatched"])
    {
        Some(
            "The text could not be read: look at the line and column that the message names, and at brackets, commas and \
             quotes just before them.",
        )
    } else if is(&["failed-to-fetch-table-schema"])
        || says(&["connect", "unreachable", "refused", "timed out", "network"])
    {
        Some(
            "The database could not be reached or does not have the table: check the connection, then try again.",
        )
    } else {
        None
    }
}

fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(uri: &str, missing: Missing) -> String {
        context(&Place::parse(uri).unwrap(), uri, missing)
    }

    // spec: publisher, 5.5: the table of contexts, word for word.
    #[test]
    fn what_is_missing_is_named_as_clients_know_it() {
        use Missing::{Model, Notebook, Package, Project, Query, Source, View};
        let package = "malloy://project/p/package/k";
        let model = format!("{package}/models/m.malloy");
        let source = format!("{model}/sources/s");
        for (uri, missing, words) in [
            ("malloy://project/p", Project, "Project 'p'".to_owned()),
            (package, Project, "project 'p'".to_owned()),
            (&format!("{package}/contents"), Project, "project 'p'".to_owned()),
            (&model, Project, "project 'p'".to_owned()),
            (&source, Project, "project 'p'".to_owned()),
            (package, Package, format!("Package resource matching URI '{package}'")),
            (
                &format!("{package}/contents"),
                Package,
                format!("Package for contents listing matching URI '{package}/contents'"),
            ),
            (&model, Package, "Package 'k' in project 'p'".to_owned()),
            (&format!("{package}/notebooks/n"), Package, "Package 'k' in project 'p'".to_owned()),
            (&source, Package, "package 'k' in project 'p'".to_owned()),
            (&format!("{model}/queries/q"), Package, "package 'k' in project 'p'".to_owned()),
            (&format!("{source}/views/v"), Package, "package 'k' in project 'p'".to_owned()),
            (&model, Model, "Model 'm.malloy' in package 'k' for project 'p'".to_owned()),
            (&source, Model, "model 'm.malloy' in package 'k' for project 'p'".to_owned()),
            (&source, Source, "Source 's' in model 'm.malloy' package 'k' project 'p'".to_owned()),
            (
                &format!("{source}/views/v"),
                Source,
                "Source 's' in model 'm.malloy' package 'k' project 'p'".to_owned(),
            ),
            (
                &format!("{source}/views/v"),
                View,
                "View 'v' in source 's' model 'm.malloy' package 'k' project 'p'".to_owned(),
            ),
            (
                &format!("{model}/queries/q"),
                Query,
                "Query 'q' in model 'm.malloy' package 'k' project 'p'".to_owned(),
            ),
            (
                &format!("{package}/notebooks/n.malloynb"),
                Notebook,
                "Notebook 'n.malloynb' in package 'k' project 'p'".to_owned(),
            ),
            (
                &format!("{model}/views/v"),
                View,
                "View 'v' in model 'm.malloy' package 'k' project 'p'".to_owned(),
            ),
        ] {
            assert_eq!(of(uri, missing), words, "{uri} {missing:?}");
        }
    }

    #[test]
    fn what_was_not_found_comes_with_ways_to_find_it() {
        let advice = not_found("Project 'hme'", &["home".to_owned()]);
        assert_eq!(advice.error, "Resource not found: Project 'hme'");
        let [verify, form, look, near] = &*advice.suggestions else { panic!("{advice:?}") };
        assert!(verify.starts_with("Verify the identifier or URI (Project 'hme')"), "{verify}");
        assert!(form.contains("malloy://project/"), "{form}");
        assert!(look.contains("/contents"), "{look}");
        assert_eq!(near, "Did you mean 'home'?");
    }

    #[test]
    fn known_failures_get_their_own_advice_first() {
        let first = |text: &str, code: &str| {
            let why = Why { text, code, ..Why::default() };
            malloy(Operation::Execute, "p/k/m.malloy", &why).suggestions.remove(0)
        };
        for (text, code, word) in [
            ("Reference to undefined object 'x'", "", "not defined"),
            ("no view `x` in source `s`", "", "A view is not there"),
            ("`nme` is not a field", "field-not-found", "A field is not there"),
            ("unexpected `}`", "", "could not be read"),
            ("cannot connect to the server", "", "could not be reached"),
            ("no SQL here", "restricted-construct-forbidden", "model's own sources"),
            ("something else", "", "Check the Malloy syntax"),
        ] {
            assert!(first(text, code).contains(word), "{text}: {}", first(text, code));
        }
    }

    #[test]
    fn messages_name_the_operation_and_the_model() {
        let why = Why { text: "line 1: no", ..Why::default() };
        for (operation, words) in [
            (Operation::ReadModel, "GetResource (model)"),
            (Operation::ReadNotebook, "GetResource (notebook compilation)"),
            (Operation::LoadModel, "executeQuery (load model)"),
            (Operation::Execute, "executeQuery"),
        ] {
            assert_eq!(
                malloy(operation, "p/k/m.malloy", &why).error,
                format!("Error during {words} for resource 'p/k/m.malloy': line 1: no")
            );
        }
        assert_eq!(
            internal("GetResource", "no").error,
            "An unexpected internal error occurred during GetResource.: no"
        );
    }
}
