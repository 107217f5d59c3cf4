//! `include { public: * internal: a except: b }`: which fields of a source may be used from outside.

use std::sync::Arc;

use malloy_syntax::Diagnostic;
use malloy_syntax::tree::{AccessLabel, IncludeBlock, IncludeField, IncludeKind, IncludeWhat};

use crate::analyser::{Analyser, nearest};
use crate::level::note_texts;
use crate::source::Source;

impl Analyser<'_> {
    /// The source with access labels as the block says. Fields that are not named become private.
    pub(crate) fn included(
        &mut self,
        mut source: Arc<Source>,
        block: &IncludeBlock,
    ) -> Arc<Source> {
        if source.is_error() {
            return source;
        }
        let before: Vec<(Arc<str>, AccessLabel)> =
            source.names.iter().map(|entry| (Arc::clone(&entry.name), entry.access)).collect();
        let mut labels: Vec<(Arc<str>, AccessLabel)> = Vec::new();
        let mut gone: Vec<Arc<str>> = Vec::new();
        let mut star: Option<(AccessLabel, Vec<Arc<str>>)> = None;
        let has_labels =
            block.items.iter().any(|item| matches!(item.kind, IncludeKind::Fields { .. }));
        for item in &block.items {
            match &item.kind {
                IncludeKind::Fields { access, fields } => {
                    let label = access.as_ref().map_or(AccessLabel::Public, |access| access.label);
                    for field in fields {
                        match &field.what {
                            IncludeWhat::Star(written) => {
                                star = Some((
                                    label,
                                    written
                                        .except
                                        .iter()
                                        .map(|name| Arc::clone(&name.text))
                                        .collect(),
                                ));
                            }
                            IncludeWhat::Field(path) => {
                                let name = Arc::clone(&path.last().text);
                                if self.may_include(&source, field, &name, &before) {
                                    let notes = note_texts(&field.notes);
                                    labels.push((name, label));
                                    if !notes.is_empty() {
                                        let last = Arc::clone(&path.last().text);
                                        let access = source
                                            .names
                                            .current(&last)
                                            .map_or(label, |entry| entry.access);
                                        Arc::make_mut(&mut source)
                                            .names
                                            .relabel(&last, access, notes);
                                    }
                                }
                            }
                        }
                    }
                }
                IncludeKind::Except(fields) => {
                    for field in fields {
                        match &field.what {
                            IncludeWhat::Field(path) => {
                                let name = Arc::clone(&path.last().text);
                                if self.may_include(&source, field, &name, &before) {
                                    gone.push(name);
                                }
                            }
                            IncludeWhat::Star(_) => {
                                gone.extend(before.iter().map(|(name, _)| Arc::clone(name)));
                            }
                        }
                    }
                }
                IncludeKind::LooseNotes | IncludeKind::Error => {}
            }
        }
        let space = &mut Arc::make_mut(&mut source).names;
        for (name, access) in &before {
            let named =
                labels.iter().find(|(labelled, _)| labelled == name).map(|(_, label)| *label);
            let by_star =
                star.as_ref().filter(|(_, except)| !except.contains(name)).map(|(label, _)| *label);
            let fallback = if has_labels { AccessLabel::Private } else { *access };
            let label = named.or(by_star).unwrap_or(fallback);
            space.relabel(name, label.max_with(*access), Vec::new());
        }
        for name in &gone {
            space.remove(name);
        }
        for item in &block.items {
            let IncludeKind::Fields { fields, .. } = &item.kind else { continue };
            for field in fields {
                if let (Some(new), IncludeWhat::Field(path)) = (&field.name, &field.what)
                    && let Some(old) = space.remove(&path.last().text)
                {
                    space.add(Arc::clone(&new.text), old.def, old.access);
                }
            }
        }
        source
    }

    fn may_include(
        &mut self,
        source: &Source,
        field: &IncludeField,
        name: &str,
        before: &[(Arc<str>, AccessLabel)],
    ) -> bool {
        let _ = source;
        match before.iter().find(|(known, _)| &**known == name) {
            Some((_, AccessLabel::Private)) => {
                self.error(
                    "field-not-accessible",
                    field.span,
                    format!("`{name}` is private and cannot be used here"),
                );
                false
            }
            Some(_) => true,
            None => {
                let mut diagnostic = Diagnostic::error(
                    "field-not-found",
                    field.span,
                    format!("`{name}` is not defined"),
                );
                if let Some(near) = nearest(name, before.iter().map(|(name, _)| &**name)) {
                    diagnostic = diagnostic.with_help(format!("did you mean `{near}`?"));
                }
                self.report(diagnostic);
                false
            }
        }
    }
}

trait Strictest {
    fn max_with(self, other: Self) -> Self;
}

impl Strictest for AccessLabel {
    /// What is private stays private whatever a block says.
    fn max_with(self, other: Self) -> Self {
        if other == AccessLabel::Private { other } else { self }
    }
}
