//! A stage in the making: which joins and fields it uses so far, and the query that it belongs to.

use std::collections::HashMap;
use std::sync::Arc;

use malloy_syntax::Span;

use crate::ir::{
    self, Expr, FieldId, Join, JoinId, JoinKind, Relation, Relationship, SourceId, Type,
};
use crate::source::{DefId, Info, Source, Step};

/// Where names of an expression are looked up.
#[derive(Debug, Clone)]
pub(crate) struct Scope {
    pub(crate) source: Arc<Source>,
    /// The version of the source's name space.
    pub(crate) version: u32,
    /// The join at which the source stands.
    pub(crate) at: JoinId,
    /// The time zone of the operation.
    pub(crate) zone: Option<Arc<str>>,
    /// Whether names are outputs of the level that is open, before they are fields.
    pub(crate) outputs: bool,
    /// What may be used: everything, what is not private to another source, or what is public.
    pub(crate) reach: Reach,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Of a source that is being defined.
    Definition,
    /// Of a query.
    Query,
}

impl Scope {
    /// The scope of a source's own definitions as they are now.
    pub(crate) fn of(source: &Arc<Source>) -> Scope {
        Scope {
            source: Arc::clone(source),
            version: source.names.version(),
            at: JoinId::ROOT,
            zone: source.zone.clone(),
            outputs: false,
            reach: Reach::Definition,
        }
    }
}

/// The query around the stages: the sources that it reads.
#[derive(Debug, Default)]
pub(crate) struct QueryBuild {
    pub(crate) sources: Vec<ir::Source>,
    index: HashMap<String, SourceId>,
    pub(crate) connection: Option<Arc<str>>,
}

impl QueryBuild {
    pub(crate) fn find(&self, key: &str) -> Option<SourceId> {
        self.index.get(key).copied()
    }

    pub(crate) fn push(&mut self, key: Option<String>, source: ir::Source) -> SourceId {
        let id = SourceId(u32::try_from(self.sources.len()).unwrap_or(u32::MAX));
        self.sources.push(source);
        if let Some(key) = key {
            self.index.insert(key, id);
        }
        id
    }
}

#[derive(Debug)]
pub(crate) struct JoinBuild {
    pub(crate) name: String,
    pub(crate) parent: Option<(JoinId, Step)>,
    /// The source, unless it is a list.
    pub(crate) source: Option<Arc<Source>>,
    /// The type of the elements, if it is a list.
    pub(crate) element: Option<Type>,
    pub(crate) relation: Relation,
    pub(crate) relationship: Relationship,
    pub(crate) kind: JoinKind,
    pub(crate) on: Option<Expr>,
    /// Joins that `on` or the list uses.
    pub(crate) after: Vec<JoinId>,
}

/// A level in the making, as expressions inside it see it.
#[derive(Debug, Default)]
pub(crate) struct LevelNames {
    /// Outputs so far, by position: name, type once known, and whether it is a dimension.
    pub(crate) outputs: Vec<OutputName>,
    /// What is grouped by.
    pub(crate) dimensions: Vec<Expr>,
}

#[derive(Debug, Clone)]
pub(crate) struct OutputName {
    pub(crate) name: Arc<str>,
    pub(crate) role: Role,
    pub(crate) ty: Option<Type>,
    /// Of an aggregate: whether it is ungrouped.
    pub(crate) kind: Option<crate::typed::Kind>,
    pub(crate) span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Dimension,
    Aggregate,
    Calculation,
    Nest,
}

/// A field of the source at a join, on the clock of a zone.
pub(crate) type FieldAt = (JoinId, DefId, Option<Arc<str>>);

/// A stage in the making.
#[derive(Debug)]
pub(crate) struct Build {
    /// Whether expressions are wanted. When a definition is only checked, its type, kind and joins are enough.
    pub(crate) real: bool,
    pub(crate) query: QueryBuild,
    pub(crate) joins: Vec<JoinBuild>,
    index: HashMap<(JoinId, Step), JoinId>,
    pub(crate) fields: Vec<ir::Field>,
    pub(crate) known: HashMap<FieldAt, (FieldId, Vec<JoinId>, Info)>,
    /// Levels that are open, outermost first.
    pub(crate) levels: Vec<LevelNames>,
    /// Conditions of the `{ where: … }` around the aggregate that is worked out.
    pub(crate) conditions: Vec<Expr>,
    /// What a filter leaves one value of.
    pub(crate) fixed: Vec<Expr>,
    /// A dimension that an aggregate has to be grouped by, and is not.
    pub(crate) ungrouped_need: Option<String>,
    /// Whether an `all`, `exclude` or `grouped_by` is around it.
    pub(crate) ungrouped: bool,
}

impl Build {
    /// A stage that reads `root`.
    pub(crate) fn new(
        real: bool,
        query: QueryBuild,
        root: &Arc<Source>,
        relation: Relation,
    ) -> Build {
        let root = JoinBuild {
            name: root.name.to_string(),
            parent: None,
            source: Some(Arc::clone(root)),
            element: None,
            relation,
            relationship: Relationship::One,
            kind: JoinKind::Left,
            on: None,
            after: Vec::new(),
        };
        Build {
            real,
            query,
            joins: vec![root],
            index: HashMap::new(),
            fields: Vec::new(),
            known: HashMap::new(),
            levels: Vec::new(),
            conditions: Vec::new(),
            fixed: Vec::new(),
            ungrouped_need: None,
            ungrouped: false,
        }
    }

    /// A stage to check expressions of a source in.
    pub(crate) fn check(root: &Arc<Source>) -> Build {
        Build::new(false, QueryBuild::default(), root, Relation::Previous)
    }

    pub(crate) fn find_join(&self, parent: JoinId, step: &Step) -> Option<JoinId> {
        self.index.get(&(parent, step.clone())).copied()
    }

    pub(crate) fn push_join(&mut self, join: JoinBuild) -> JoinId {
        let id = JoinId(u32::try_from(self.joins.len()).unwrap_or(u32::MAX));
        if let Some(place) = &join.parent {
            self.index.insert(place.clone(), id);
        }
        self.joins.push(join);
        id
    }

    pub(crate) fn join(&self, id: JoinId) -> &JoinBuild {
        &self.joins[id.0 as usize]
    }

    /// From `from` down to `to`; `None` if it is not below.
    pub(crate) fn path_down(&self, from: JoinId, to: JoinId) -> Option<Vec<JoinId>> {
        let mut path = Vec::new();
        let mut at = to;
        while at != from {
            path.push(at);
            at = self.join(at).parent.as_ref()?.0;
        }
        path.reverse();
        Some(path)
    }

    /// The steps from a join down to another.
    pub(crate) fn steps(&self, from: JoinId, to: JoinId) -> Option<Vec<Step>> {
        let path = self.path_down(from, to)?;
        path.iter().map(|id| self.join(*id).parent.as_ref().map(|(_, step)| step.clone())).collect()
    }

    /// The nearest join that both are below or at.
    pub(crate) fn common(&self, a: JoinId, b: JoinId) -> JoinId {
        let mut line = vec![a];
        let mut at = a;
        while let Some((parent, _)) = &self.join(at).parent {
            at = *parent;
            line.push(at);
        }
        let mut at = b;
        while !line.contains(&at) {
            match &self.join(at).parent {
                Some((parent, _)) => at = *parent,
                None => return JoinId::ROOT,
            }
        }
        at
    }

    /// The name of a join as it is written, from the root.
    pub(crate) fn dotted(&self, id: JoinId) -> String {
        let path = self.path_down(JoinId::ROOT, id).unwrap_or_default();
        let names: Vec<&str> = path.iter().map(|id| self.join(*id).name.as_str()).collect();
        names.join(".")
    }
}

impl JoinBuild {
    pub(crate) fn finish(self, parent: Option<JoinId>, key: Option<ir::Key>) -> Join {
        Join {
            name: self.name,
            parent,
            relation: self.relation,
            relationship: self.relationship,
            kind: self.kind,
            on: self.on,
            key,
        }
    }
}
