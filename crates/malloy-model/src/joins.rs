//! Fields and joins of a source where it stands: worked out when a query first needs them.

use std::sync::Arc;

use malloy_syntax::tree;

use crate::analyser::Analyser;
use crate::build::{Build, JoinBuild, Reach, Scope};
use crate::ir::{self, BinaryOp, Expr, FieldId, JoinId, JoinKind, Relation, Relationship, Type};
use crate::source::{
    ExprDef, FieldDef, FieldKind, FileId, Info, JoinCondition, JoinDef, ParameterDef, Source, Step,
    ValueType,
};
use crate::typed::{Kind, Space, Ty, Typed};

impl Analyser<'_> {
    /// The value of a field of the source at a join.
    pub(crate) fn field_value(
        &mut self,
        b: &mut Build,
        owner: &Arc<Source>,
        s: &Scope,
        at: JoinId,
        def: &Arc<FieldDef>,
    ) -> Typed {
        match &def.kind {
            FieldKind::Column(ty) => {
                let mut value = Typed::constant(
                    Expr::Column { join: at, name: def.name.to_string() },
                    Ty::Is(ty.clone()),
                );
                (value.kind, value.space, value.uses) = (Kind::Scalar, Space::Input, vec![at]);
                value
            }
            FieldKind::Expr(expr) if b.real && expr.info.kind.is_row_level() => {
                self.dimension(b, owner, s, at, def, expr)
            }
            FieldKind::Expr(expr) if b.real => {
                let inner = Scope {
                    source: Arc::clone(owner),
                    version: expr.version,
                    at,
                    zone: s.zone.clone(),
                    outputs: false,
                    reach: Reach::Definition,
                };
                let ast = Arc::clone(&expr.expr);
                self.within(def.file, |a| a.expr(b, &inner, &ast))
            }
            FieldKind::Expr(expr) => {
                let mut value =
                    Typed::constant(Expr::Literal(ir::Literal::Null), Ty::Is(expr.info.ty.clone()));
                value.kind = expr.info.kind;
                value.space =
                    if expr.info.kind.is_row_level() { Space::Input } else { Space::Output };
                if expr.info.kind == Kind::Constant {
                    value.space = Space::Constant;
                }
                for path in &expr.info.uses {
                    let id = self.walk_steps(b, owner, at, path);
                    if let Err(place) = value.uses.binary_search(&id) {
                        value.uses.insert(place, id);
                    }
                }
                (value.depth, value.size) = (expr.info.depth, expr.info.size);
                value
            }
            FieldKind::Parameter(parameter) => self.parameter(b, owner, s, at, def, parameter),
            _ => Typed::error(),
        }
    }

    /// A dimension, worked out once for each join and zone.
    fn dimension(
        &mut self,
        b: &mut Build,
        owner: &Arc<Source>,
        s: &Scope,
        at: JoinId,
        def: &Arc<FieldDef>,
        expr: &ExprDef,
    ) -> Typed {
        let key = (at, def.id, s.zone.clone());
        if let Some((id, uses, info)) = b.known.get(&key) {
            return reference(*id, uses.clone(), info);
        }
        let inner = Scope {
            source: Arc::clone(owner),
            version: expr.version,
            at,
            zone: s.zone.clone(),
            outputs: false,
            reach: Reach::Definition,
        };
        let ast = Arc::clone(&expr.expr);
        let value = self.within(def.file, |a| a.expr(b, &inner, &ast));
        let Ty::Is(ty) = value.ty.clone() else { return value };
        if matches!(value.expr, Expr::Column { .. } | Expr::Field(_) | Expr::Literal(_)) {
            return value;
        }
        let id = FieldId(u32::try_from(b.fields.len()).unwrap_or(u32::MAX));
        b.fields.push(ir::Field { name: def.name.to_string(), ty: ty.clone(), expr: value.expr });
        let info =
            Info { ty, kind: value.kind, uses: Vec::new(), depth: value.depth, size: value.size };
        b.known.insert(key, (id, value.uses.clone(), info.clone()));
        reference(id, value.uses, &info)
    }

    fn parameter(
        &mut self,
        b: &mut Build,
        owner: &Arc<Source>,
        s: &Scope,
        at: JoinId,
        def: &Arc<FieldDef>,
        parameter: &ParameterDef,
    ) -> Typed {
        let declared = match &parameter.ty {
            ValueType::Filter(_) => {
                return Typed::constant(Expr::Literal(ir::Literal::Null), Ty::Filter);
            }
            ValueType::Value(ty) => ty.clone(),
        };
        let placeholder =
            Typed::constant(Expr::Literal(ir::Literal::Null), Ty::Is(declared.clone()));
        if !b.real {
            return placeholder;
        }
        let Some((scope, expr, file)) = Self::argument(b, owner, s, at, def, parameter) else {
            return placeholder;
        };
        let value = self.within(file, |a| a.expr(b, &scope, &expr));
        crate::expr::coerce(value, &declared, s.zone.as_deref())
    }

    /// The expression that a parameter has as its value, and where its names are looked up.
    pub(crate) fn argument(
        b: &Build,
        owner: &Arc<Source>,
        s: &Scope,
        at: JoinId,
        def: &FieldDef,
        parameter: &ParameterDef,
    ) -> Option<(Scope, Arc<tree::Expr>, FileId)> {
        let own = |version| Scope {
            source: Arc::clone(owner),
            version,
            at,
            zone: s.zone.clone(),
            outputs: false,
            reach: Reach::Definition,
        };
        match owner.arguments.get(&def.id) {
            Some(argument) if argument.outer => {
                let parent = b.join(at).parent.as_ref()?.0;
                let source = b.join(parent).source.clone()?;
                let scope = Scope { source, at: parent, ..own(argument.version) };
                Some((scope, Arc::clone(&argument.expr), argument.file))
            }
            Some(argument) => {
                Some((own(argument.version), Arc::clone(&argument.expr), argument.file))
            }
            None => Some((own(0), Arc::clone(parameter.default.as_ref()?), def.file)),
        }
    }

    /// The join that a field of a source is, made when it is first needed.
    pub(crate) fn join(
        &mut self,
        b: &mut Build,
        owner: &Arc<Source>,
        parent: JoinId,
        def: &Arc<FieldDef>,
        join: &JoinDef,
    ) -> JoinId {
        let step = Step::Def(def.id);
        if let Some(id) = b.find_join(parent, &step) {
            return id;
        }
        let mut target = Arc::clone(&join.source);
        if b.real && !target.inputs.is_empty() {
            target = self.specialise(&target);
        }
        let id = b.push_join(JoinBuild {
            name: def.name.to_string(),
            parent: Some((parent, step)),
            source: Some(Arc::clone(&target)),
            element: None,
            relation: Relation::Previous,
            relationship: join.relationship,
            kind: join.kind,
            on: None,
            after: Vec::new(),
        });
        if !b.real {
            return id;
        }
        let relation = self.relation_of_join(b, &target);
        let zone = b.join(JoinId::ROOT).source.as_ref().and_then(|root| root.zone.clone());
        let outer = Scope {
            source: Arc::clone(owner),
            version: join.version,
            at: parent,
            zone: zone.clone(),
            outputs: false,
            reach: Reach::Definition,
        };
        let condition = match &join.condition {
            JoinCondition::None => None,
            JoinCondition::On(expr) => {
                let expr = Arc::clone(expr);
                Some(self.within(def.file, |a| a.expr(b, &outer, &expr)))
            }
            JoinCondition::Key(expr) => {
                let expr = Arc::clone(expr);
                let value = self.within(def.file, |a| a.expr(b, &outer, &expr));
                let inner = Scope {
                    at: id,
                    version: target.names.version(),
                    source: Arc::clone(&target),
                    ..outer.clone()
                };
                target.key().cloned().map(|key| {
                    let key = self.field_value(b, &target, &inner, id, &key);
                    let expr = Expr::Binary {
                        op: BinaryOp::Equal,
                        left: Box::new(key.expr.clone()),
                        right: Box::new(value.expr.clone()),
                    };
                    Typed::of(expr, Ty::Is(Type::Boolean), &[&key, &value])
                })
            }
        };
        let mut conditions: Vec<Typed> = condition.into_iter().collect();
        if matches!(relation, JoinedRows::Plain(_)) {
            conditions.extend(self.source_conditions(b, &target, id, zone.as_ref()));
        }
        let made = &mut b.joins[id.0 as usize];
        made.relation = Relation::Source(relation.id());
        for condition in &conditions {
            made.after.extend(condition.uses.iter().filter(|used| **used != id));
        }
        made.on = and(conditions.into_iter().map(|condition| condition.expr).collect());
        id
    }

    /// The conditions of a source that stands at a join.
    pub(crate) fn source_conditions(
        &mut self,
        b: &mut Build,
        source: &Arc<Source>,
        at: JoinId,
        zone: Option<&Arc<str>>,
    ) -> Vec<Typed> {
        let mut made = Vec::new();
        for condition in &source.filters {
            let scope = Scope {
                source: Arc::clone(source),
                version: condition.version,
                at,
                zone: zone.cloned(),
                outputs: false,
                reach: Reach::Definition,
            };
            let expr = Arc::clone(&condition.expr);
            made.push(self.within(condition.file, |a| a.expr(b, &scope, &expr)));
        }
        made
    }

    /// Follows steps that were taken once before, when a definition was checked.
    fn walk_steps(
        &mut self,
        b: &mut Build,
        owner: &Arc<Source>,
        at: JoinId,
        steps: &[Step],
    ) -> JoinId {
        let mut here = at;
        let mut source = Some(Arc::clone(owner));
        for step in steps {
            if let Some(id) = b.find_join(here, step) {
                here = id;
                source.clone_from(&b.join(id).source);
                continue;
            }
            let def = match (step, &source) {
                (Step::Def(id), Some(source)) => source.names.any(*id).cloned(),
                _ => None,
            };
            if let Some(FieldKind::Join(join)) = def.as_ref().map(|def| &def.kind) {
                let (owner, def) = (source.clone(), def.clone());
                if let (Some(owner), Some(def)) = (owner, def) {
                    here = self.join(b, &owner, here, &def, join);
                    source.clone_from(&b.join(here).source);
                }
            } else {
                // A list. Its elements' type does not matter to whoever asks for the path.
                let name = def.map_or_else(|| "list".to_owned(), |def| def.name.to_string());
                here = b.push_join(JoinBuild {
                    name,
                    parent: Some((here, step.clone())),
                    source: None,
                    element: Some(Type::Null),
                    relation: Relation::Previous,
                    relationship: Relationship::Many,
                    kind: JoinKind::Left,
                    on: None,
                    after: Vec::new(),
                });
                source = None;
            }
        }
        here
    }
}

/// The rows that a join reads.
pub(crate) enum JoinedRows {
    /// Of the source; its conditions belong into the join's.
    Plain(ir::SourceId),
    /// Of a select with the source's conditions in it.
    Filtered(ir::SourceId),
}

impl JoinedRows {
    fn id(&self) -> ir::SourceId {
        match self {
            JoinedRows::Plain(id) | JoinedRows::Filtered(id) => *id,
        }
    }
}

/// All of them as one condition.
pub(crate) fn and(mut conditions: Vec<Expr>) -> Option<Expr> {
    match conditions.len() {
        0 => None,
        1 => conditions.pop(),
        _ => Some(Expr::And(conditions)),
    }
}

fn reference(id: FieldId, uses: Vec<JoinId>, info: &Info) -> Typed {
    let mut value = Typed::constant(Expr::Field(id), Ty::Is(info.ty.clone()));
    value.kind = info.kind.max(Kind::Scalar);
    value.space = Space::Input;
    value.uses = uses;
    (value.depth, value.size) = (info.depth, info.size);
    value
}
