//! S16: requirements of different specs that say nearly the same. The score is that of search, so there is something to
//! tell only where there is an index.

use spox_core::{Issue, Severity};
use spox_search::{Duplicate, NEAR_DUPLICATE};

use super::engine::{Current, Engine};
use crate::project::Snapshot;

/// What is to be told of a spec.
pub(crate) struct Alike {
    pub(crate) spec_id: String,
    pub(crate) issue: Issue,
}

impl Engine {
    /// Every pair twice: at the one requirement and at the other. Nothing is embedded for it.
    pub(crate) fn alike(&self, snapshot: &Snapshot) -> Vec<Alike> {
        // A check must work where search does not, so whatever is wrong with the index is search's to tell.
        let Some(current) = self.at_hand(snapshot) else { return Vec::new() };
        let pairs = current.duplicates.get_or_init(|| current.index.duplicates(NEAR_DUPLICATE));
        let told = pairs.iter().flat_map(|Duplicate { first, second, score }| {
            [(*first, *second, *score), (*second, *first, *score)]
        });
        told.filter_map(|(of, other, score)| alike(snapshot, &current, of, other, score)).collect()
    }
}

fn alike(
    snapshot: &Snapshot,
    current: &Current,
    of: usize,
    other: usize,
    score: f32,
) -> Option<Alike> {
    let named = |at: usize| {
        let document = current.index.documents().get(at)?;
        Some((&document.spec_id, document.requirement()?))
    };
    let ((spec_id, name), (other_spec, other_name)) = (named(of)?, named(other)?);
    let issue = Issue {
        severity: Severity::Info,
        code: "S16",
        message: format!(
            "Requirement \"{name}\" says nearly the same as \"{other_name}\" of spec \"{other_spec}\" ({score:.2})"
        ),
        fix: Some("keep one of them, and refer to it where the other was".into()),
        file: snapshot.spec(spec_id)?.file.path.clone(),
        line: current.lines.get(of).copied().flatten(),
        column: Some(1),
        section: None,
    };
    Some(Alike { spec_id: spec_id.clone(), issue })
}
