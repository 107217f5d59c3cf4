//! The state of a compile: what is known, what is still needed, what is wrong.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use indexmap::IndexMap;
use malloy_syntax::{Diagnostic, Severity, Span};

use crate::known::{Known, Needs};
use crate::model::{Entry, Given, Givens};
use crate::source::{DefId, FieldDef, FieldKind, FileId, Source};

/// Something to say about a place in one of the texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The URL of the text, as the caller named it.
    pub file: Arc<str>,
    /// What is wrong there.
    pub diagnostic: Diagnostic,
}

impl Problem {
    /// Whether it is an error, not a warning.
    pub fn is_error(&self) -> bool {
        self.diagnostic.severity == Severity::Error
    }
}

/// The names and flags of one text.
#[derive(Debug, Clone, Default)]
pub(crate) struct File {
    pub(crate) url: Arc<str>,
    pub(crate) text: Arc<str>,
    pub(crate) entries: IndexMap<Arc<str>, Entry>,
    pub(crate) flags: Flags,
    /// `##` lines of the text.
    pub(crate) notes: Vec<Arc<str>>,
}

/// `##!` flags.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flags {
    /// `##! experimental` alone: everything.
    pub(crate) all: bool,
    pub(crate) names: Vec<String>,
}

impl Flags {
    pub(crate) fn has(&self, name: &str) -> bool {
        self.all || self.names.iter().any(|flag| flag == name)
    }
}

/// One compile, from texts to a model, or of a query against a model.
pub(crate) struct Analyser<'a> {
    pub(crate) known: &'a Known,
    pub(crate) needs: Needs,
    pub(crate) problems: Vec<Problem>,
    pub(crate) files: Vec<Arc<File>>,
    /// The text that is being read; its entry in `files` is put there when it is done.
    pub(crate) file: FileId,
    pub(crate) open: HashMap<FileId, File>,
    pub(crate) imported: HashMap<Arc<str>, FileId>,
    pub(crate) importing: Vec<Arc<str>>,
    pub(crate) next_def: u32,
    /// Values of givens, when a query is made ready to run.
    pub(crate) givens: Option<&'a Givens>,
    /// Text from outside: what reaches past the model is refused.
    pub(crate) restricted: bool,
    /// Above zero while a definition is worked out again whose errors were reported when it was made.
    pub(crate) quiet: u32,
    /// Sources of tables and selects by connection and path or text, so that each is made once.
    pub(crate) tables: HashMap<(String, String), Arc<Source>>,
    /// Names of the block that is being read that have no definition yet.
    pub(crate) undefined: HashSet<Arc<str>>,
    /// What texts export, where they say so.
    pub(crate) exports: HashMap<FileId, Vec<Arc<str>>>,
    /// Parameters of the source that is being defined, for arguments that pass them on.
    pub(crate) parameter_scope: Option<Arc<Source>>,
    /// Which input of each composite is being tried, and how many there are.
    pub(crate) choices: HashMap<DefId, usize>,
    pub(crate) composites: HashMap<DefId, usize>,
    /// Fields that the inputs being tried turned out not to have.
    pub(crate) absent: BTreeMap<DefId, String>,
    /// How many sources and views are being worked out inside each other.
    pub(crate) nesting: u32,
}

/// More than that nobody reads.
const MAX_PROBLEMS: usize = 1000;

/// How deep views and query sources may be inside each other.
pub(crate) const MAX_NESTING: u32 = 60;

impl<'a> Analyser<'a> {
    pub(crate) fn new(known: &'a Known, files: Vec<Arc<File>>, next_def: u32) -> Self {
        Analyser {
            known,
            needs: Needs::default(),
            problems: Vec::new(),
            files,
            file: FileId(0),
            open: HashMap::new(),
            imported: HashMap::new(),
            importing: Vec::new(),
            next_def,
            givens: None,
            restricted: false,
            quiet: 0,
            tables: HashMap::new(),
            undefined: HashSet::new(),
            exports: HashMap::new(),
            parameter_scope: None,
            choices: HashMap::new(),
            composites: HashMap::new(),
            absent: BTreeMap::new(),
            nesting: 0,
        }
    }

    pub(crate) fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        if self.quiet > 0 || self.problems.len() >= MAX_PROBLEMS {
            return;
        }
        let file = Arc::clone(&self.file_scope(self.file).url);
        let problem = Problem { file, diagnostic };
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.problems.iter().any(Problem::is_error)
    }

    /// Works with the names of another text for a while, without reporting.
    pub(crate) fn within<T>(&mut self, file: FileId, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.file, file);
        self.quiet += 1;
        let made = work(self);
        self.quiet -= 1;
        self.file = before;
        made
    }

    pub(crate) fn file_scope(&self, id: FileId) -> &File {
        static EMPTY: std::sync::OnceLock<File> = std::sync::OnceLock::new();
        self.open
            .get(&id)
            .or_else(|| self.files.get(id.0 as usize).map(|file| &**file))
            .unwrap_or_else(|| EMPTY.get_or_init(File::default))
    }

    /// What stands at a place of the text that is being read.
    pub(crate) fn written(&self, span: Span) -> Option<String> {
        let text = &self.file_scope(self.file).text;
        text.get(span.start as usize..span.end as usize).map(str::to_owned)
    }

    pub(crate) fn lookup(&self, name: &str) -> Option<&Entry> {
        self.file_scope(self.file).entries.get(name)
    }

    pub(crate) fn given(&self, name: &str) -> Option<Arc<Given>> {
        match self.lookup(name) {
            Some(Entry::Given(given)) => Some(Arc::clone(given)),
            _ => None,
        }
    }

    pub(crate) fn new_def(
        &mut self,
        name: &Arc<str>,
        kind: FieldKind,
        notes: Vec<Arc<str>>,
    ) -> Arc<FieldDef> {
        self.next_def += 1;
        let (id, file) = (DefId(self.next_def), self.file);
        Arc::new(FieldDef { id, name: Arc::clone(name), kind, notes, file })
    }

    /// Refuses a feature whose flag is not set.
    pub(crate) fn experiment(&mut self, flag: &str, span: Span) -> bool {
        self.experiment_as("experiment-not-enabled", flag, span)
    }

    /// The same, for a flag that is reported under a code of its own.
    pub(crate) fn experiment_as(&mut self, code: &'static str, flag: &str, span: Span) -> bool {
        if self.quiet > 0 || self.file_scope(self.file).flags.has(flag) {
            return true;
        }
        self.report(
            Diagnostic::error(code, span, format!("the experiment `{flag}` is not enabled"))
                .with_help(format!("write `##! experimental.{flag}` at the top of the text")),
        );
        false
    }

    /// Refuses what text from outside may not do.
    pub(crate) fn unrestricted(&mut self, what: &str, span: Span) -> bool {
        if self.restricted && self.quiet == 0 {
            let message = format!("{what} is not allowed in a query from outside");
            self.error("restricted-construct-forbidden", span, message);
            return false;
        }
        true
    }
}

/// The name that comes nearest to one that is not there, if any comes near.
pub(crate) fn nearest<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let lower = wanted.to_lowercase();
    let length = wanted.chars().count();
    names
        .take(2000)
        .filter(|name| name.chars().count().abs_diff(length) <= 3)
        .map(|name| (strsim::osa_distance(&lower, &name.to_lowercase()), name))
        .filter(|(distance, name)| *distance <= 1 + length.min(name.chars().count()) / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}
