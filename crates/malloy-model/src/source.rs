//! Sources as the analyser keeps them: where rows come from, and a name space that remembers its past.
//!
//! A field is kept as it was written, with the version of the name space that it was written in. A query that uses it
//! works it out again, at the join where it stands, so that no expression has to be moved or renamed.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use malloy_syntax::tree::{self, AccessLabel};

use crate::ir::{JoinKind, Relationship, SqlText, Type};
use crate::query::QueryDef;
use crate::typed::Kind;

/// Identifies a definition, whatever it is renamed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct DefId(pub(crate) u32);

/// Identifies a text, whose names and flags a definition sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub(crate) struct FileId(pub(crate) u32);

/// A step of a join path: a join or a list field, or a list inside an element or record.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    Def(DefId),
    Inner(Arc<str>),
}

#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) name: Arc<str>,
    pub(crate) connection: Arc<str>,
    pub(crate) origin: Origin,
    pub(crate) names: Names,
    pub(crate) primary_key: Option<DefId>,
    pub(crate) filters: Vec<Condition>,
    pub(crate) zone: Option<Arc<str>>,
    pub(crate) parameters: Vec<Arc<FieldDef>>,
    /// Values of parameters, of this source's own and of those it was made from.
    pub(crate) arguments: BTreeMap<DefId, Argument>,
    pub(crate) notes: Vec<Arc<str>>,
    /// How many of the notes are from what it was made from; they come first.
    pub(crate) inherited_notes: usize,
    /// Identifies a `compose`, so that the choice of an input is made once in a query.
    pub(crate) composite: Option<DefId>,
    /// Inputs of `compose`, of which a query takes the first that has all it needs.
    pub(crate) inputs: Vec<Arc<Source>>,
}

/// Where rows come from.
#[derive(Debug, Clone)]
pub(crate) enum Origin {
    Table {
        path: Arc<str>,
    },
    Sql {
        text: Arc<SqlText>,
    },
    Query(Arc<QueryDef>),
    /// Rows of the stage before.
    Stage,
    /// A virtual source: rows from nowhere, known by type alone.
    Virtual {
        name: Arc<str>,
    },
    /// One of [`Source::inputs`].
    Compose,
    /// It could not be made, which was reported.
    Error,
}

/// A `where:` of a source.
#[derive(Debug, Clone)]
pub(crate) struct Condition {
    pub(crate) expr: Arc<tree::Expr>,
    pub(crate) version: u32,
    pub(crate) file: FileId,
}

/// The value of a parameter: written in the scope of the source itself at some version.
#[derive(Debug, Clone)]
pub(crate) struct Argument {
    pub(crate) expr: Arc<tree::Expr>,
    pub(crate) version: u32,
    pub(crate) file: FileId,
    /// Whether the scope is that of the source which joins this one.
    pub(crate) outer: bool,
}

#[derive(Debug)]
pub(crate) struct FieldDef {
    pub(crate) id: DefId,
    pub(crate) name: Arc<str>,
    pub(crate) kind: FieldKind,
    pub(crate) notes: Vec<Arc<str>>,
    pub(crate) file: FileId,
}

#[derive(Debug)]
pub(crate) enum FieldKind {
    /// A column of the table, the select or the stage before.
    Column(Type),
    /// `dimension:` or `measure:`.
    Expr(ExprDef),
    View(ViewDef),
    Join(JoinDef),
    Parameter(ParameterDef),
    /// A field of a composite, which stands for the one of that name in the input that is taken.
    Composite(Arc<FieldDef>),
    /// A field of a composite that the input being tried does not have.
    Absent(DefId),
    /// It could not be defined, which was reported.
    Error,
}

#[derive(Debug)]
pub(crate) struct ExprDef {
    pub(crate) measure: bool,
    pub(crate) expr: Arc<tree::Expr>,
    /// The version of the name space that the expression sees.
    pub(crate) version: u32,
    pub(crate) info: Info,
}

/// What was found out about an expression when it was defined.
#[derive(Debug, Clone)]
pub(crate) struct Info {
    pub(crate) ty: Type,
    pub(crate) kind: Kind,
    /// Join paths whose rows it reads, from the source that it belongs to.
    pub(crate) uses: Vec<Vec<Step>>,
    pub(crate) depth: u32,
    pub(crate) size: u32,
}

#[derive(Debug)]
pub(crate) struct ViewDef {
    pub(crate) view: Arc<tree::View>,
    pub(crate) version: u32,
}

#[derive(Debug)]
pub(crate) struct JoinDef {
    pub(crate) source: Arc<Source>,
    pub(crate) relationship: Relationship,
    pub(crate) kind: JoinKind,
    pub(crate) condition: JoinCondition,
    /// The version in which the join itself is visible.
    pub(crate) version: u32,
}

#[derive(Debug)]
pub(crate) enum JoinCondition {
    /// `with key`
    Key(Arc<tree::Expr>),
    On(Arc<tree::Expr>),
    None,
}

#[derive(Debug)]
pub(crate) struct ParameterDef {
    pub(crate) ty: ValueType,
    pub(crate) default: Option<Arc<tree::Expr>>,
}

/// The type of a parameter or a given.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueType {
    /// A value.
    Value(Type),
    /// `filter<T>`, by `T`.
    Filter(Type),
}

/// Names to definitions, at every version that there has been.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    entries: Vec<Entry>,
    index: HashMap<Arc<str>, Vec<u32>>,
    version: u32,
    place: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) name: Arc<str>,
    pub(crate) def: Arc<FieldDef>,
    pub(crate) access: AccessLabel,
    /// Annotations that were added without a new definition.
    pub(crate) notes: Vec<Arc<str>>,
    /// How many times the source was extended before a `private` field came in; see [`Names::close`].
    pub(crate) own: bool,
    /// Where it was written among the fields of the source.
    pub(crate) place: u32,
    from: u32,
    until: u32,
}

impl Names {
    pub(crate) fn version(&self) -> u32 {
        self.version
    }

    /// What `name` meant at a version.
    pub(crate) fn get(&self, name: &str, version: u32) -> Option<&Entry> {
        let at = self.index.get(name)?;
        at.iter()
            .rev()
            .map(|index| &self.entries[*index as usize])
            .find(|entry| entry.from <= version && version < entry.until)
    }

    /// What `name` means now.
    pub(crate) fn current(&self, name: &str) -> Option<&Entry> {
        self.get(name, self.version)
    }

    /// All that have a name now, in the order in which they got it.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.at(self.version)
    }

    /// All that had a name at a version.
    pub(crate) fn at(&self, version: u32) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.from <= version && version < entry.until)
    }

    pub(crate) fn add(&mut self, name: Arc<str>, def: Arc<FieldDef>, access: AccessLabel) {
        self.version += 1;
        let at = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        self.index.entry(Arc::clone(&name)).or_default().push(at);
        self.entries.push(Entry {
            name,
            def,
            access,
            notes: Vec::new(),
            own: true,
            place: self.place,
            from: self.version,
            until: u32::MAX,
        });
        self.place += 1;
    }

    /// Where the next name will be said to have been written.
    pub(crate) fn next_place(&self) -> u32 {
        self.place
    }

    pub(crate) fn place_next_at(&mut self, place: u32) {
        self.place = place;
    }

    /// An empty name space whose versions begin above `floor`.
    pub(crate) fn starting_at(floor: u32) -> Names {
        Names { version: floor + 1, ..Names::default() }
    }

    /// Adds a name without a new version.
    pub(crate) fn add_quietly(&mut self, name: Arc<str>, def: Arc<FieldDef>, access: AccessLabel) {
        let version = self.version;
        self.add(name, def, access);
        self.version = version;
        if let Some(entry) = self.entries.last_mut() {
            entry.from = version;
        }
    }

    /// A composite's name space over that of one input: the fields that came from inputs are those of this one, or absent.
    pub(crate) fn over(
        &self,
        input: &Names,
        mut absent: impl FnMut(&Arc<str>) -> Arc<FieldDef>,
    ) -> Names {
        let mut made = input.clone();
        made.close();
        for entry in &self.entries {
            let is_field = matches!(entry.def.kind, FieldKind::Composite(_));
            let theirs = made.index.get(&entry.name).and_then(|list| {
                list.iter().copied().find(|at| {
                    let theirs = &made.entries[*at as usize];
                    theirs.until == u32::MAX
                        && theirs.from <= input.version
                        && theirs.access == AccessLabel::Public
                })
            });
            match theirs {
                Some(at) if is_field => made.entries[at as usize].until = entry.until,
                _ => {
                    let mut entry = entry.clone();
                    if is_field {
                        entry.def = absent(&entry.name);
                    }
                    let at = u32::try_from(made.entries.len()).unwrap_or(u32::MAX);
                    made.index.entry(Arc::clone(&entry.name)).or_default().push(at);
                    made.entries.push(entry);
                }
            }
        }
        made.version = self.version;
        made
    }

    /// Takes a name away. Fields that were defined while it was there go on seeing it.
    pub(crate) fn remove(&mut self, name: &str) -> Option<Entry> {
        let version = self.version;
        let at = self.index.get(name)?;
        let found = at.iter().rev().copied().find(|index| {
            let entry = &self.entries[*index as usize];
            entry.from <= version && version < entry.until
        })?;
        self.version += 1;
        let entry = &mut self.entries[found as usize];
        entry.until = self.version;
        Some(entry.clone())
    }

    /// Replaces how a name may be used, from now on.
    pub(crate) fn relabel(&mut self, name: &str, access: AccessLabel, notes: Vec<Arc<str>>) {
        let Some(old) = self.current(name).cloned() else { return };
        if old.access == access && notes.is_empty() {
            return;
        }
        let at = self.index.get(name).and_then(|list| {
            list.iter().rev().copied().find(|index| self.entries[*index as usize].until == u32::MAX)
        });
        // The entry keeps its place, so that the order of fields stays; what was defined before saw the same definition.
        if let Some(at) = at {
            let entry = &mut self.entries[at as usize];
            entry.access = access;
            entry.notes.extend(notes);
        }
    }

    /// A definition that has or had a name.
    pub(crate) fn any(&self, id: DefId) -> Option<&Arc<FieldDef>> {
        self.entries.iter().find_map(|entry| match &entry.def.kind {
            _ if entry.def.id == id => Some(&entry.def),
            FieldKind::Composite(inner) if inner.id == id => Some(inner),
            _ => None,
        })
    }

    /// Columns of what the source reads, also those that were renamed or taken away since.
    pub(crate) fn columns(&self) -> impl Iterator<Item = (&Arc<str>, &Type)> {
        let mut seen = std::collections::HashSet::new();
        self.entries.iter().filter_map(move |entry| match &entry.def.kind {
            FieldKind::Column(ty) if seen.insert(entry.def.id) => Some((&entry.def.name, ty)),
            _ => None,
        })
    }

    /// Marks what is there as belonging to the source that this one is made from: what is private in it is out of reach.
    pub(crate) fn close(&mut self) {
        for entry in &mut self.entries {
            entry.own = false;
        }
    }
}

impl Source {
    /// A source with these columns and nothing else.
    pub(crate) fn error() -> Source {
        Source {
            name: Arc::from("error"),
            connection: Arc::from(""),
            origin: Origin::Error,
            names: Names::default(),
            primary_key: None,
            filters: Vec::new(),
            zone: None,
            parameters: Vec::new(),
            arguments: BTreeMap::new(),
            notes: Vec::new(),
            inherited_notes: 0,
            composite: None,
            inputs: Vec::new(),
        }
    }

    pub(crate) fn is_error(&self) -> bool {
        matches!(self.origin, Origin::Error)
    }

    /// The field that is its key, if it has one.
    pub(crate) fn key(&self) -> Option<&Arc<FieldDef>> {
        let id = self.primary_key?;
        // Also when it was renamed or taken away since.
        self.names.any(id)
    }
}

impl FieldDef {
    /// Whether `*` takes it: columns and dimensions.
    pub(crate) fn is_dimension(&self) -> bool {
        match &self.kind {
            FieldKind::Column(_) => true,
            FieldKind::Expr(def) => !def.measure,
            FieldKind::Composite(def) => def.is_dimension(),
            _ => false,
        }
    }

    /// The type, if it is a column, a dimension or a measure.
    pub(crate) fn value_type(&self) -> Option<&Type> {
        match &self.kind {
            FieldKind::Column(ty) => Some(ty),
            FieldKind::Expr(def) => Some(&def.info.ty),
            FieldKind::Composite(def) => def.value_type(),
            _ => None,
        }
    }
}
