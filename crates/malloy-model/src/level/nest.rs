//! Queries inside queries.

use std::sync::Arc;

use malloy_syntax::tree::{self, NestItem};

use super::{shape_of, texts};
use crate::analyser::{Analyser, MAX_NESTING};
use crate::build::{Build, Scope};
use crate::ir::{self, Nest, Output, OutputKind};
use crate::query::{nest_type, notes_of_view};

impl Analyser<'_> {
    pub(super) fn nest(
        &mut self,
        b: &mut Build,
        s: &Scope,
        item: &NestItem,
        notes: &[Arc<str>],
    ) -> Option<Output> {
        let mut check = Build::check(&s.source);
        let stages = self.expand_view(&mut check, s, &item.view, None);
        let (first, rest) = stages.split_first()?;
        let mut inherited = notes_of_view(&stages);
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            self.nesting -= 1;
            self.error(
                "query-too-deep",
                item.span,
                "nests are inside each other too many times over",
            );
            return None;
        }
        let (level, mut failed) = self.level(b, s, first, item.span);
        self.nesting -= 1;
        let mut level = level?;
        if !rest.is_empty() && level.limit.is_none() {
            level.order.clear();
        }
        let mut shape = shape_of(&level);
        let mut then = Vec::new();
        let mut input = Arc::new(self.output_source(&s.source, &shape));
        for (index, leaves) in rest.iter().enumerate() {
            let query = std::mem::take(&mut b.query);
            let inner = Build::new(b.real, query, &input, ir::Relation::Previous);
            let (query, stage, next) =
                self.stage(inner, &input, leaves, index + 1 == rest.len(), item.span);
            b.query = query;
            failed |= next.failed;
            then.extend(stage);
            shape = next;
            input = Arc::new(self.output_source(&s.source, &shape));
        }
        if failed && shape.fields.is_empty() {
            return None;
        }
        let one_record = shape.one_record;
        inherited.extend(notes.iter().cloned());
        Some(Output {
            name: nest_name(item)?.to_string(),
            ty: nest_type(&shape.fields, one_record),
            annotations: texts(&inherited),
            origin: None,
            kind: OutputKind::Nest(Box::new(Nest { level, then, one_record })),
        })
    }
}

pub(crate) fn nest_name(item: &NestItem) -> Option<Arc<str>> {
    if let Some(name) = &item.name {
        return (!name.is_missing()).then(|| Arc::clone(&name.text));
    }
    let mut segment = item.view.stages.first()?;
    while let tree::SegmentKind::Refine(parts) = &segment.kind {
        segment = parts.first()?;
    }
    match &segment.kind {
        tree::SegmentKind::Path(path) if !path.last().is_missing() => {
            Some(Arc::clone(&path.last().text))
        }
        _ => None,
    }
}
