//! A compiled model, and how to get one.
//!
//! [`compile`] makes a [`Model`] of a text. [`extend`] compiles another text on top of a model: a query that a server was sent, the next
//! cell of a notebook. [`Model::prepare`] makes a query ready to be written as SQL.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use malloy_syntax::tree;

use crate::analyser::{Analyser, File, Problem};
use crate::ir;
use crate::known::{Known, Needs};
use crate::query::QueryDef;
use crate::source::{FileId, Source, ValueType};

/// A checked model. Cheap to share, never changes.
#[derive(Debug, Clone)]
pub struct Model {
    pub(crate) files: Vec<Arc<File>>,
    pub(crate) file: FileId,
    pub(crate) next_def: u32,
    pub(crate) runs: Vec<Arc<QueryDef>>,
    pub(crate) exports: Option<Vec<Arc<str>>>,
    /// Tables that were read, for blocks in queries that read them again.
    pub(crate) tables: HashMap<(String, String), Arc<Source>>,
    /// What is worth a word and no error.
    pub warnings: Vec<Problem>,
}

/// What a compile comes to.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// The model, without errors.
    Done(Arc<Model>),
    /// Something has to be fetched first. What is wrong is not known yet.
    Needs(Needs),
    /// What is wrong, in the order of the texts; warnings included.
    Failed(Vec<Problem>),
}

/// How to compile.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// The text is from outside: it may query the model, and not reach past it to files, tables or SQL.
    pub restricted: bool,
}

/// Values of givens by name, for a run.
pub type Givens = BTreeMap<String, serde_json::Value>;

/// Something with a name at the top of a text.
#[derive(Debug, Clone)]
pub(crate) enum Entry {
    Source {
        source: Arc<Source>,
        own: bool,
    },
    Query {
        query: Arc<QueryDef>,
        own: bool,
    },
    Given(Arc<Given>),
    Type {
        fields: Arc<Vec<ir::Column>>,
        own: bool,
    },
    /// It could not be defined, which was reported.
    Error,
}

/// `given: NAME :: type is default`
#[derive(Debug)]
pub struct Given {
    pub name: Arc<str>,
    pub ty: ValueType,
    pub notes: Vec<Arc<str>>,
    pub(crate) default: Option<Arc<tree::Expr>>,
    pub(crate) file: FileId,
    pub(crate) own: bool,
}

/// Which query of a model is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which<'a> {
    /// A named one.
    Named(&'a str),
    /// The n-th `run:` of the text, from 0.
    Run(usize),
    /// The last `run:` of the text.
    LastRun,
}

/// Compiles a text that stands for itself. `url` says where it is, for imports and messages.
pub fn compile(url: &str, text: &str, known: &Known, options: Options) -> Outcome {
    let analyser = Analyser::new(known, Vec::new(), 0);
    crate::document::compile(analyser, None, url, text, options)
}

/// Compiles a text on top of a model, whose names it sees. The runs of the result are those of the text.
pub fn extend(base: &Model, url: &str, text: &str, known: &Known, options: Options) -> Outcome {
    let mut analyser = Analyser::new(known, base.files.clone(), base.next_def);
    analyser.tables.clone_from(&base.tables);
    crate::document::compile(analyser, Some(base), url, text, options)
}

impl Model {
    /// How many `run:` statements the text has.
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    /// The names of named queries.
    pub fn queries(&self) -> impl Iterator<Item = &str> {
        self.entries().filter_map(|(name, entry)| match entry {
            Entry::Query { .. } => Some(&**name),
            _ => None,
        })
    }

    /// The names of sources.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        self.entries().filter_map(|(name, entry)| match entry {
            Entry::Source { .. } => Some(&**name),
            _ => None,
        })
    }

    /// The givens that a run may be passed.
    pub fn givens(&self) -> impl Iterator<Item = &Given> {
        self.entries().filter_map(|(_, entry)| match entry {
            Entry::Given(given) => Some(&**given),
            _ => None,
        })
    }

    /// The `##` annotations of the text, as written.
    pub fn annotations(&self) -> &[Arc<str>] {
        self.files.get(self.file.0 as usize).map_or(&[], |file| &file.notes)
    }

    /// Makes a query ready to be written as SQL, with these values for givens.
    ///
    /// The query was checked when the model was compiled, so that only a value of a given can be wrong, or the choice.
    pub fn prepare(&self, which: Which<'_>, givens: &Givens) -> Result<ir::Query, Vec<Problem>> {
        crate::prepare::prepare(self, which, givens)
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = (&Arc<str>, &Entry)> {
        self.files
            .get(self.file.0 as usize)
            .into_iter()
            .flat_map(|file| file.entries.iter())
            .filter(|(name, _)| self.exports.as_ref().is_none_or(|list| list.contains(name)))
    }
}

impl Entry {
    /// The same as it looks from a text that imports it.
    pub(crate) fn imported(&self) -> Entry {
        match self {
            Entry::Source { source, .. } => {
                Entry::Source { source: Arc::clone(source), own: false }
            }
            Entry::Query { query, .. } => Entry::Query { query: Arc::clone(query), own: false },
            Entry::Type { fields, .. } => Entry::Type { fields: Arc::clone(fields), own: false },
            Entry::Given(given) => Entry::Given(Arc::clone(given)),
            Entry::Error => Entry::Error,
        }
    }

    /// Whether the text that has it also defines it.
    pub(crate) fn is_own(&self, file: FileId) -> bool {
        match self {
            Entry::Source { own, .. } | Entry::Query { own, .. } | Entry::Type { own, .. } => *own,
            Entry::Given(given) => given.own && given.file == file,
            Entry::Error => false,
        }
    }
}
