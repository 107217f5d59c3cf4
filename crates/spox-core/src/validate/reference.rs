//! S16: references to specs and requirements that do not exist.
//!
//! A reference is a link to a `spec.md` (`[login](../auth/spec.md#requirement-login)`), a link inside the file
//! (`[login](#requirement-login)`) or `spec:auth#login`. Links to anything else are nobody's business here.

use std::{
    collections::{HashMap, HashSet},
    fmt::Debug,
    sync::OnceLock,
};

use super::issue::Sheet;
use crate::{
    model::{ParsedSpec, Remark},
    names::nearest,
};

/// All specs of a project, by id and by path.
#[derive(Debug, Default)]
pub struct Catalog<'a> {
    specs: HashMap<&'a str, Entry<'a>>,
    ids: Vec<&'a str>,
    paths: HashMap<&'a str, &'a str>,
}

/// A spec that can be parsed when somebody refers to what is in it, which is rare.
pub trait Parsed: Debug + Sync {
    fn parsed(&self) -> &ParsedSpec;
}

impl Parsed for ParsedSpec {
    fn parsed(&self) -> &ParsedSpec {
        self
    }
}

#[derive(Debug)]
struct Entry<'a> {
    /// None if it could not be read.
    spec: Option<&'a dyn Parsed>,
    /// The anchors of its headings, made when somebody refers to one.
    anchors: OnceLock<HashSet<String>>,
}

impl<'a> Catalog<'a> {
    /// Of the id, the path and, if it could be read, the content of each spec.
    pub fn new(
        specs: impl IntoIterator<Item = (&'a str, &'a str, Option<&'a dyn Parsed>)>,
    ) -> Self {
        let mut catalog = Self::default();
        for (id, path, spec) in specs {
            catalog.ids.push(id);
            catalog.paths.insert(path, id);
            catalog.specs.insert(id, Entry { spec, anchors: OnceLock::new() });
        }
        catalog
    }

    /// Tells which of the references of the spec `id` at `path` lead nowhere.
    pub(super) fn check(&self, sheet: &mut Sheet<'_>, path: &str, id: &str, references: &[Remark]) {
        let folder = path.strip_suffix("spec.md").unwrap_or(path);
        let root =
            folder.strip_suffix('/').and_then(|folder| folder.strip_suffix(id)).unwrap_or("");
        for reference in references {
            let place = (reference.line, reference.column);
            let (target, anchor) = reference.text.split_once('#').unwrap_or((&reference.text, ""));
            let capability = match target.strip_prefix("spec:") {
                Some(capability) => Some(capability.to_owned()),
                None if target.is_empty() => Some(id.to_owned()),
                None => self.linked(&resolve(folder, target), root),
            };
            let Some(capability) = capability else { continue };
            match self.specs.get(capability.as_str()) {
                None => self.unknown_spec(sheet, place, &capability),
                Some(entry) => unknown_anchor(sheet, place, entry, &capability, anchor),
            }
        }
    }

    /// The id of the spec that a path leads to, whether or not there is one; none outside the spec folder.
    fn linked(&self, path: &str, root: &str) -> Option<String> {
        if let Some(id) = self.paths.get(path) {
            return Some((*id).to_owned());
        }
        let id = path.strip_prefix(root)?.strip_suffix("/spec.md")?;
        let is_spec = !id.split('/').any(|segment| segment.starts_with(['_', '.']));
        is_spec.then(|| id.to_owned())
    }

    fn unknown_spec(&self, sheet: &mut Sheet<'_>, (line, column): (u32, u32), capability: &str) {
        let issue = sheet.warn("S16", format!("Reference to unknown spec \"{capability}\""));
        issue.at(line, column);
        if let Some(near) = nearest(capability, self.ids.iter().copied()).first() {
            issue.fix(format!("did you mean \"{near}\"?"));
        }
    }
}

fn unknown_anchor(
    sheet: &mut Sheet<'_>,
    (line, column): (u32, u32),
    entry: &Entry<'_>,
    capability: &str,
    anchor: &str,
) {
    let Some(spec) = entry.spec.filter(|_| !anchor.is_empty()) else { return };
    let spec = spec.parsed();
    let anchors = entry.anchors.get_or_init(|| anchors(spec));
    let wanted = slug(anchor);
    let known = ["", "requirement-", "scenario-"]
        .into_iter()
        .any(|prefix| anchors.contains(&format!("{prefix}{wanted}")));
    if known {
        return;
    }
    let issue = sheet.warn(
        "S16",
        format!("Reference to unknown requirement \"{anchor}\" of spec \"{capability}\""),
    );
    issue.at(line, column);
    let bare = wanted.strip_prefix("requirement-").unwrap_or(&wanted).replace('-', " ");
    let names = spec.requirements.iter().map(|requirement| requirement.name.as_str());
    if let Some(near) = nearest(&bare, names).first() {
        issue.fix(format!("did you mean \"#requirement-{}\"?", slug(near)));
    }
}

fn anchors(spec: &ParsedSpec) -> HashSet<String> {
    let sections = spec.sections.iter().map(|section| slug(&section.name));
    let requirements =
        spec.requirements.iter().map(|one| format!("requirement-{}", slug(&one.name)));
    let scenarios = spec.requirements.iter().flat_map(|requirement| &requirement.scenarios);
    let scenarios = scenarios.map(|scenario| format!("scenario-{}", slug(&scenario.name)));
    sections.chain([slug(&spec.title)]).chain(requirements).chain(scenarios).collect()
}

/// A heading as the anchor that pages make of it: letters, digits, `-` and `_`, with `-` for blanks.
fn slug(heading: &str) -> String {
    heading
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_') || c.is_whitespace())
        .map(|c| if c.is_whitespace() { '-' } else { c })
        .flat_map(char::to_lowercase)
        .collect()
}

/// `target` seen from `folder`, without `.` and `..`.
fn resolve(folder: &str, target: &str) -> String {
    let mut segments: Vec<_> = folder.split('/').filter(|segment| !segment.is_empty()).collect();
    for segment in target.split('/') {
        match segment {
            "" | "." => {}
            ".." if segments.last().is_some_and(|last| *last != "..") => {
                segments.pop();
            }
            segment => segments.push(segment),
        }
    }
    segments.join("/")
}
