//! Addresses of resources: `malloy://project/…`.
//!
//! [`Place::parse`] reads one, [`Place::uri`] writes it: whatever is written is read again. A name is one segment, encoded
//! as a URI component; a model in a folder may also be written with plain slashes. Two forms are old: servers listed
//! models as `…/sources/{path}` and views as `…/models/{path}/views/{view}`, which they could not read themselves.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

const SCHEME: &str = "malloy";

/// What stands for a project that was not named.
pub const HOME: &str = "home";

/// What `encodeURIComponent` leaves alone.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

/// The templates with their names, in the order in which they are listed.
pub const TEMPLATES: [(&str, &str); 8] = [
    ("project", "malloy://project/{projectName}"),
    ("package", "malloy://project/{projectName}/package/{packageName}"),
    ("package-contents", "malloy://project/{projectName}/package/{packageName}/contents"),
    ("notebook", "malloy://project/{projectName}/package/{packageName}/notebooks/{notebookName}"),
    (
        "source",
        "malloy://project/{projectName}/package/{packageName}/models/{modelPath}/sources/{sourceName}",
    ),
    (
        "query",
        "malloy://project/{projectName}/package/{packageName}/models/{modelPath}/queries/{queryName}",
    ),
    (
        "view",
        "malloy://project/{projectName}/package/{packageName}/models/{modelPath}/sources/{sourceName}/views/{viewName}",
    ),
    ("model", "malloy://project/{projectName}/package/{packageName}/models/{modelPath}"),
];

/// What an address names, decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub project: String,
    pub part: Part,
}

/// Where in a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    Project,
    Package {
        package: String,
    },
    Contents {
        package: String,
    },
    Notebook {
        package: String,
        path: String,
    },
    Model {
        package: String,
        path: String,
    },
    Source {
        package: String,
        path: String,
        source: String,
    },
    Query {
        package: String,
        path: String,
        query: String,
    },
    View {
        package: String,
        path: String,
        source: String,
        view: String,
    },
    /// A model, as old servers listed it.
    ModelFile {
        package: String,
        path: String,
    },
    /// A view of whichever source has it, as old servers listed it.
    ViewOfModel {
        package: String,
        path: String,
        view: String,
    },
}

impl Place {
    /// Reads an address. `None`: there is no resource of this form.
    pub fn parse(uri: &str) -> Option<Self> {
        let (scheme, rest) = uri.split_once("://")?;
        if !scheme.eq_ignore_ascii_case(SCHEME) {
            return None;
        }
        // The parts of an answer are addressed as fragments of its model.
        let rest = rest.split_once('#').map_or(rest, |(rest, _)| rest);
        if rest.contains('?') {
            return None;
        }
        let segments: Vec<String> = rest.split('/').map(decoded).collect::<Option<_>>()?;
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let ["project", project, below @ ..] = &*segments else { return None };
        Some(Self { project: (*project).to_owned(), part: Part::parse(below)? })
    }

    /// The package, where it names one.
    pub fn package(&self) -> Option<&str> {
        match &self.part {
            Part::Project => None,
            Part::Package { package }
            | Part::Contents { package }
            | Part::Notebook { package, .. }
            | Part::Model { package, .. }
            | Part::Source { package, .. }
            | Part::Query { package, .. }
            | Part::View { package, .. }
            | Part::ModelFile { package, .. }
            | Part::ViewOfModel { package, .. } => Some(package),
        }
    }

    /// The path of the model or notebook, where it names one.
    pub fn path(&self) -> Option<&str> {
        match &self.part {
            Part::Notebook { path, .. }
            | Part::Model { path, .. }
            | Part::Source { path, .. }
            | Part::Query { path, .. }
            | Part::View { path, .. }
            | Part::ModelFile { path, .. }
            | Part::ViewOfModel { path, .. } => Some(path),
            _ => None,
        }
    }

    /// Its address.
    pub fn uri(&self) -> String {
        let project = if self.project.is_empty() { HOME } else { &self.project };
        let mut uri = format!("{SCHEME}://project/{}", encoded(project));
        let mut add = |word: &str, name: &str| {
            uri.extend(["/", word]);
            if !name.is_empty() {
                uri.extend(["/", &encoded(name)]);
            }
        };
        if let Some(package) = self.package() {
            add("package", package);
        }
        match &self.part {
            Part::Project | Part::Package { .. } => {}
            Part::Contents { .. } => add("contents", ""),
            Part::Notebook { path, .. } => add("notebooks", path),
            Part::ModelFile { path, .. } => add("sources", path),
            Part::Model { path, .. } => add("models", path),
            Part::Source { path, source, .. } => {
                add("models", path);
                add("sources", source);
            }
            Part::Query { path, query, .. } => {
                add("models", path);
                add("queries", query);
            }
            Part::View { path, source, view, .. } => {
                add("models", path);
                add("sources", source);
                add("views", view);
            }
            Part::ViewOfModel { path, view, .. } => {
                add("models", path);
                add("views", view);
            }
        }
        uri
    }

    /// A package of a project.
    pub fn of_package(project: &str, package: &str) -> Self {
        Self { project: project.to_owned(), part: Part::Package { package: package.to_owned() } }
    }

    /// A model of a package.
    pub fn of_model(project: &str, package: &str, path: &str) -> Self {
        let (package, path) = (package.to_owned(), path.to_owned());
        Self { project: project.to_owned(), part: Part::Model { package, path } }
    }

    /// Another part of the same project.
    #[must_use]
    pub fn with(&self, part: Part) -> Self {
        Self { project: self.project.clone(), part }
    }
}

impl Part {
    fn parse(below: &[&str]) -> Option<Self> {
        let [word, package, rest @ ..] = below else {
            return below.is_empty().then_some(Self::Project);
        };
        let package = (*package).to_owned();
        if *word != "package" {
            return None;
        }
        Some(match rest {
            [] => Self::Package { package },
            ["contents"] => Self::Contents { package },
            ["notebooks", path @ ..] if !path.is_empty() => {
                Self::Notebook { package, path: path.join("/") }
            }
            ["sources", path @ ..] if !path.is_empty() => {
                Self::ModelFile { package, path: path.join("/") }
            }
            ["models", rest @ ..] if !rest.is_empty() => Self::in_model(package, rest)?,
            _ => return None,
        })
    }

    fn in_model(package: String, rest: &[&str]) -> Option<Self> {
        // With plain slashes the path ends with the first segment that looks like a model's.
        let is_file = |segment: &&str| {
            let file = segment.to_ascii_lowercase();
            [".malloy", ".malloynb"].iter().any(|extension| file.ends_with(extension))
        };
        let end = rest.iter().position(is_file).unwrap_or(0) + 1;
        let path = rest[..end].join("/");
        let name = |name: &str| name.to_owned();
        Some(match &rest[end..] {
            [] => Self::Model { package, path },
            ["sources", source] => Self::Source { package, path, source: name(source) },
            ["queries", query] => Self::Query { package, path, query: name(query) },
            ["views", view] => Self::ViewOfModel { package, path, view: name(view) },
            ["sources", source, "views", view] => {
                Self::View { package, path, source: name(source), view: name(view) }
            }
            _ => return None,
        })
    }
}

/// A name as a segment of an address.
pub fn encoded(name: &str) -> String {
    utf8_percent_encode(name, COMPONENT).to_string()
}

/// A segment without its encoding; an empty one names nothing.
fn decoded(segment: &str) -> Option<String> {
    let name = percent_decode_str(segment).decode_utf8().ok()?;
    (!name.is_empty()).then(|| name.into_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(uri: &str) -> Part {
        let place = Place::parse(uri).unwrap_or_else(|| panic!("not read: {uri}"));
        assert_eq!(place.project, "home");
        place.part
    }

    fn own(text: &str) -> String {
        text.to_owned()
    }

    #[test]
    fn each_template_names_its_own() {
        let package = || own("k");
        let path = || own("m.malloy");
        for (uri, part) in [
            ("malloy://project/home", Part::Project),
            ("MALLOY://project/home/package/k", Part::Package { package: package() }),
            ("malloy://project/home/package/k/contents", Part::Contents { package: package() }),
            (
                "malloy://project/home/package/k/notebooks/n.malloynb",
                Part::Notebook { package: package(), path: own("n.malloynb") },
            ),
            (
                "malloy://project/home/package/k/models/m.malloy",
                Part::Model { package: package(), path: path() },
            ),
            (
                "malloy://project/home/package/k/models/m.malloy#queryResult",
                Part::Model { package: package(), path: path() },
            ),
            (
                "malloy://project/home/package/k/models/m.malloy/sources/s",
                Part::Source { package: package(), path: path(), source: own("s") },
            ),
            (
                "malloy://project/home/package/k/models/m.malloy/queries/q%20r",
                Part::Query { package: package(), path: path(), query: own("q r") },
            ),
            (
                "malloy://project/home/package/k/models/m.malloy/sources/s/views/v",
                Part::View { package: package(), path: path(), source: own("s"), view: own("v") },
            ),
            (
                "malloy://project/home/package/k/sources/m.malloy",
                Part::ModelFile { package: package(), path: path() },
            ),
            (
                "malloy://project/home/package/k/models/m.malloy/views/v",
                Part::ViewOfModel { package: package(), path: path(), view: own("v") },
            ),
        ] {
            assert_eq!(read(uri), part, "{uri}");
        }
    }

    #[test]
    fn a_model_in_a_folder_is_named_with_or_without_encoding() {
        let nested =
            Part::Source { package: own("k"), path: own("sub/dir/x.malloy"), source: own("s") };
        let below = "malloy://project/home/package/k/models";
        assert_eq!(read(&format!("{below}/sub%2Fdir%2Fx.malloy/sources/s")), nested);
        assert_eq!(read(&format!("{below}/sub/dir/x.malloy/sources/s")), nested);
        let notebook = Part::Notebook { package: own("k"), path: own("a/b.malloynb") };
        assert_eq!(read("malloy://project/home/package/k/notebooks/a/b.malloynb"), notebook);
    }

    #[test]
    fn what_has_another_form_names_nothing() {
        for uri in [
            "",
            "home",
            "malloy:project/home",
            "malloy:///project/home",
            "malloy://project",
            "malloy://project/",
            "malloy://project/home/",
            "malloy://Project/home",
            "malloy://project/home/package",
            "malloy://project/home/package/k/",
            "malloy://project/home/package/k/content",
            "malloy://project/home/package/k/contents/x",
            "malloy://project/home/package/k/models",
            "malloy://project/home/package/k/models/m.malloy/",
            "malloy://project/home/package/k/models/m.malloy/sources",
            "malloy://project/home/package/k/models/m.malloy/fields/f",
            "malloy://project/home/package/k?x=1",
            "malloy://project/%FF",
            "http://project/home",
        ] {
            assert_eq!(Place::parse(uri), None, "{uri}");
        }
    }

    #[test]
    fn a_project_that_was_not_named_is_home() {
        let place = Place { project: String::new(), part: Part::Project };
        assert_eq!(place.uri(), "malloy://project/home");
        let place = Place::of_model("home", "my package", "sub/x.malloy");
        assert_eq!(place.uri(), "malloy://project/home/package/my%20package/models/sub%2Fx.malloy");
    }

    fn name() -> impl Strategy<Value = String> {
        "[a-zA-Zäß0-9 %/#?&'.()]{1,12}"
    }

    fn part() -> impl Strategy<Value = Part> {
        let path = (name(), prop::bool::ANY)
            .prop_map(|(name, notebook)| name + if notebook { ".malloynb" } else { ".malloy" });
        (name(), path, name(), name(), 0..10).prop_map(|(package, path, source, view, which)| {
            match which {
                0 => Part::Project,
                1 => Part::Package { package },
                2 => Part::Contents { package },
                3 => Part::Notebook { package, path },
                4 => Part::Model { package, path },
                5 => Part::Source { package, path, source },
                6 => Part::Query { package, path, query: view },
                7 => Part::View { package, path, source, view },
                8 => Part::ModelFile { package, path },
                _ => Part::ViewOfModel { package, path, view },
            }
        })
    }

    proptest! {
        #[test]
        fn whatever_is_written_is_read(project in name(), part in part()) {
            let place = Place { project, part };
            prop_assert_eq!(Place::parse(&place.uri()), Some(place));
        }

        #[test]
        fn any_text_is_read_or_not(text in ".{0,80}") {
            drop(Place::parse(&text));
            drop(Place::parse(&format!("malloy://project/{text}")));
        }
    }
}
