//! Names before and after the renames of a delta.

use std::collections::HashMap;

use crate::{Delta, DeltaItem, Operation, directive::spec_block, draft::Draft, text::plain};

/// The renames of a delta, which follow each other: `A → B` and then `B → C` make C of A.
#[derive(Debug)]
pub(crate) struct Renames<'a> {
    /// The name in the main spec, by the name after all renames.
    origins: HashMap<&'a str, &'a str>,
    /// The source of each rename by its target.
    sources: HashMap<&'a str, &'a str>,
    added: HashMap<&'a str, &'a DeltaItem>,
}

impl<'a> Renames<'a> {
    pub(crate) fn of(delta: &'a Delta) -> Self {
        let mut origins = HashMap::new();
        let mut sources = HashMap::new();
        for item in delta.of(Operation::Renamed) {
            if let (Some(from), Some(to)) = (item.from.as_deref(), item.to.as_deref()) {
                let first = origins.remove(from).unwrap_or(from);
                origins.insert(to, first);
                sources.insert(to, from);
            }
        }
        // Only a name that RENAMED frees is ever asked for.
        let added = if origins.is_empty() { None } else { Some(delta.of(Operation::Added)) };
        let added = added.into_iter().flatten().map(|item| (item.name.as_str(), item)).collect();
        Self { origins, sources, added }
    }

    /// The name in the main spec of what the delta calls `name`.
    pub(crate) fn origin<'b>(&self, name: &'b str) -> &'b str
    where
        'a: 'b,
    {
        self.origins.get(name).copied().unwrap_or(name)
    }

    /// Whether what the main spec has as `name` came there by this very delta, after it had renamed the one before it:
    /// added with these words, or renamed from something that is gone.
    pub(crate) fn is_refilled(&self, name: &str, draft: &Draft<'_>) -> bool {
        let mut name = name;
        // As many steps as there are renames: they may run in a circle.
        for _ in 0..=self.sources.len() {
            let Some(block) = draft.only(name) else { return false };
            if let Some(added) = self.added.get(name) {
                return spec_block(added) == plain(&block.text);
            }
            match self.sources.get(name) {
                Some(source) if draft.only(source).is_none() => return true,
                Some(source) => name = source,
                None => return false,
            }
        }
        false
    }
}
