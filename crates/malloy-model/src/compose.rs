//! `compose(a, b)`: a source that is one of several, whichever has what a query needs.
//!
//! Definitions are checked against all fields together. When a query is worked out, the first input is tried; whenever a field turns
//! out to be missing from it, the next one is.

use std::sync::Arc;

use malloy_syntax::Diagnostic;
use malloy_syntax::tree::AccessLabel;

use crate::analyser::Analyser;
use crate::query::QueryDef;
use crate::source::{DefId, FieldKind, Names, Origin, Source};

impl Analyser<'_> {
    /// A source of the fields of all inputs.
    pub(crate) fn composed(&mut self, inputs: Vec<Arc<Source>>) -> Arc<Source> {
        if inputs.is_empty() || inputs.iter().any(|input| input.is_error()) {
            return Arc::new(Source::error());
        }
        // Versions of the inputs' name spaces stay below those of the composite's own.
        let floor = inputs.iter().map(|input| input.names.version()).max().unwrap_or(0);
        let mut names = Names::starting_at(floor);
        for input in &inputs {
            for entry in input.names.iter() {
                if names.current(&entry.name).is_none() && entry.access == AccessLabel::Public {
                    let def = self.new_def(
                        &entry.name,
                        FieldKind::Composite(Arc::clone(&entry.def)),
                        entry.def.notes.clone(),
                    );
                    names.add_quietly(Arc::clone(&entry.name), def, entry.access);
                }
            }
        }
        self.next_def += 1;
        let first = &inputs[0];
        Arc::new(Source {
            name: Arc::clone(&first.name),
            connection: Arc::clone(&first.connection),
            names,
            origin: Origin::Compose,
            composite: Some(DefId(self.next_def)),
            inputs,
            ..Source::error()
        })
    }

    /// The composite as its input that is being tried.
    pub(crate) fn specialise(&mut self, source: &Arc<Source>) -> Arc<Source> {
        let Some(id) = source.composite else { return Arc::clone(source) };
        self.composites.insert(id, source.inputs.len());
        let choice = self.choices.get(&id).copied().unwrap_or(0);
        let Some(input) = source.inputs.get(choice).or_else(|| source.inputs.last()) else {
            return Arc::clone(source);
        };
        let input =
            if input.inputs.is_empty() { Arc::clone(input) } else { self.specialise(input) };
        let mut made = (**source).clone();
        made.inputs = Vec::new();
        made.origin = input.origin.clone();
        made.connection = Arc::clone(&input.connection);
        made.primary_key = source.primary_key.or(input.primary_key);
        made.arguments.extend(input.arguments.iter().map(|(id, argument)| (*id, argument.clone())));
        let mut filters = input.filters.clone();
        filters.extend(source.filters.iter().cloned());
        made.filters = filters;
        made.zone = source.zone.clone().or_else(|| input.zone.clone());
        made.names = source.names.over(&input.names, |name| {
            self.next_def += 1;
            Arc::new(crate::source::FieldDef {
                id: DefId(self.next_def),
                name: Arc::clone(name),
                kind: FieldKind::Absent(id),
                notes: Vec::new(),
                file: self.file,
            })
        });
        Arc::new(made)
    }

    /// Works out a query that may read composites, with the first inputs that have what it needs.
    pub(crate) fn resolved<T>(
        &mut self,
        def: &QueryDef,
        mut work: impl FnMut(&mut Self) -> T,
    ) -> T {
        loop {
            let problems = self.problems.len();
            self.absent.clear();
            let made = work(self);
            let Some((id, name)) = self.absent.iter().next().map(|(id, name)| (*id, name.clone()))
            else {
                return made;
            };
            let inputs = self.composites.get(&id).copied().unwrap_or(1);
            let next = self.choices.get(&id).copied().unwrap_or(0) + 1;
            if next >= inputs {
                self.choices.remove(&id);
                self.absent.clear();
                self.problems.truncate(problems);
                let message = format!(
                    "no input of the composite source has all that is needed here; the last one lacks `{name}`"
                );
                self.report(Diagnostic::error(
                    "could-not-resolve-composite-source",
                    def.span,
                    message,
                ));
                return made;
            }
            self.problems.truncate(problems);
            self.choices.insert(id, next);
        }
    }
}
