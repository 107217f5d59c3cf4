//! A finished stage: joins in an order that can be written, and which aggregates need keys.

use std::sync::Arc;

use crate::analyser::Analyser;
use crate::build::{Build, QueryBuild, Reach, Scope};
use crate::ir::{AggregateFunction, Expr, JoinId, JoinKind, Key, Level, Relationship, Stage};

impl Analyser<'_> {
    pub(crate) fn finish_stage(&mut self, mut b: Build, mut level: Level) -> (QueryBuild, Stage) {
        let leaf = leaf_of(&b);
        let mut wanted: Vec<JoinId> = Vec::new();
        level.for_each_expr_mut(&mut |expr| {
            expr.walk_mut(&mut |expr| {
                if let Expr::Aggregate(aggregate) = expr {
                    aggregate.by_key = needs_key(aggregate.function, aggregate.at, leaf);
                    if aggregate.by_key {
                        wanted.push(aggregate.at);
                    }
                }
            });
        });
        let mut keys: Vec<Option<Key>> = Vec::new();
        while let Some(id) = wanted.pop() {
            keys.resize(keys.len().max(id.0 as usize + 1), None);
            if keys[id.0 as usize].is_some() {
                continue;
            }
            let key = self.key_of(&mut b, id);
            if key == Key::Element {
                wanted.extend(b.join(id).parent.as_ref().map(|(parent, _)| *parent));
            }
            keys[id.0 as usize] = Some(key);
        }
        keys.resize(b.joins.len(), None);
        let order = join_order(&b);
        let mut place = vec![JoinId(0); order.len()];
        for (position, id) in order.iter().enumerate() {
            place[id.0 as usize] = JoinId(u32::try_from(position).unwrap_or(u32::MAX));
        }
        let mut slots: Vec<_> = b.joins.into_iter().zip(keys).map(Some).collect();
        let mut joins = Vec::new();
        for id in order {
            if let Some((join, key)) = slots[id.0 as usize].take() {
                let parent = join.parent.as_ref().map(|(parent, _)| place[parent.0 as usize]);
                joins.push(join.finish(parent, key));
            }
        }
        let mut stage = Stage { joins, fields: b.fields, level };
        stage.for_each_expr_mut(&mut |expr| {
            expr.walk_mut(&mut |expr| match expr {
                Expr::Column { join, .. } => *join = place[join.0 as usize],
                Expr::Aggregate(aggregate) => aggregate.at = place[aggregate.at.0 as usize],
                _ => {}
            });
        });
        (b.query, stage)
    }

    /// How rows of a join are told apart.
    fn key_of(&mut self, b: &mut Build, id: JoinId) -> Key {
        if b.join(id).element.is_some() {
            return Key::Element;
        }
        let Some(source) = b.join(id).source.clone() else { return Key::Made };
        let Some(def) = source.key().cloned() else { return Key::Made };
        let scope = Scope {
            source: Arc::clone(&source),
            version: source.names.version(),
            at: id,
            zone: None,
            outputs: false,
            reach: Reach::Definition,
        };
        let before = b.joins.len();
        let value = self.field_value(b, &source, &scope, id, &def);
        // A key that needs more joins would change what repeats; the row itself is as good.
        if value.is_error() || b.joins.len() != before {
            Key::Made
        } else {
            Key::Primary(value.expr)
        }
    }
}

/// The join whose rows come out once each, if there is one.
fn leaf_of(b: &Build) -> Option<JoinId> {
    let mut leaf = JoinId::ROOT;
    for id in join_order(b) {
        let join = b.join(id);
        let Some((parent, _)) = &join.parent else { continue };
        if matches!(join.kind, JoinKind::Right | JoinKind::Full) {
            return None;
        }
        match join.relationship {
            Relationship::One => {}
            Relationship::Many if *parent == leaf => leaf = id,
            Relationship::Many | Relationship::Cross => return None,
        }
    }
    Some(leaf)
}

fn needs_key(function: AggregateFunction, at: JoinId, leaf: Option<JoinId>) -> bool {
    match function {
        AggregateFunction::Min
        | AggregateFunction::Max
        | AggregateFunction::CountDistinct
        | AggregateFunction::CountApprox
        | AggregateFunction::StringAggDistinct => false,
        // A left join that finds nothing still gives a row, which must not be counted.
        AggregateFunction::Count => at != JoinId::ROOT || leaf != Some(JoinId::ROOT),
        _ => leaf != Some(at),
    }
}

/// Parents before children, and what a condition uses before the join that it is for.
fn join_order(b: &Build) -> Vec<JoinId> {
    let mut order = Vec::new();
    let mut done = vec![false; b.joins.len()];
    for start in 0..b.joins.len() {
        // Depth first, with a stack of our own: `false` is to open, `true` to close.
        let mut stack = vec![(start, false)];
        let mut open = vec![false; b.joins.len()];
        while let Some((at, close)) = stack.pop() {
            if done[at] {
                continue;
            }
            if close {
                done[at] = true;
                order.push(JoinId(u32::try_from(at).unwrap_or(u32::MAX)));
                continue;
            }
            if open[at] {
                // Conditions that need each other: as they come.
                continue;
            }
            open[at] = true;
            stack.push((at, true));
            let join = &b.joins[at];
            for before in &join.after {
                // Its own children come after it whatever their conditions say.
                if b.path_down(JoinId(u32::try_from(at).unwrap_or(u32::MAX)), *before).is_none() {
                    stack.push((before.0 as usize, false));
                }
            }
            if let Some((parent, _)) = &join.parent {
                stack.push((parent.0 as usize, false));
            }
        }
    }
    order
}
