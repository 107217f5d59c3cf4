//! `spox index` and `spox search`

use std::cell::RefCell;

use kit_cli::{Answer, Outcome, Progress, Ui};
use serde_json::json;

use super::{Desk, render::found, told::told};
use crate::SearchQuery;

/// Build the search index, or bring it up to date
#[derive(Debug, clap::Args)]
pub struct IndexArgs {}

/// Find the requirements that answer a question
#[derive(Debug, clap::Args)]
pub struct SearchArgs {
    /// The question, in plain words
    #[arg(required = true)]
    query: Vec<String>,

    /// At most so many results
    #[arg(short = 'k', long, value_name = "N")]
    top_k: Option<usize>,

    /// Also what active changes propose
    #[arg(long)]
    changes: bool,
}

pub(super) fn index(ui: &mut Ui, desk: &Desk, _: &IndexArgs) -> anyhow::Result<Outcome> {
    ui.note("Building search index...");
    let built = {
        let bar: RefCell<Option<Progress>> = RefCell::new(None);
        let advance = |done: usize, total: usize| {
            let [done, total] = [done, total].map(|n| u64::try_from(n).unwrap_or(u64::MAX));
            let mut bar = bar.borrow_mut();
            let bar = bar.get_or_insert_with(|| ui.progress(total, "embedding"));
            bar.advance(done.saturating_sub(bar.done()));
        };
        desk.service().rebuild_index(&advance).map_err(told)?
    };
    if built.specs_indexed == 0 {
        ui.note("Warning: No spec files found");
    }
    ui.note(&format!("Index built successfully with {} specs", built.specs_indexed));
    if ui.global().json {
        ui.result(&Answer { json: json!(built), text: String::new() })?;
    }
    Ok(Outcome::Success)
}

pub(super) fn search(ui: &mut Ui, desk: &Desk, args: &SearchArgs) -> anyhow::Result<Outcome> {
    let query = SearchQuery {
        query: args.query.join(" "),
        top_k: args.top_k,
        include_changes: args.changes,
    };
    let results = desk.service().search(&query).map_err(told)?;
    if results.stale {
        ui.note(
            "Specs were edited since the index was built; run `spox index` for the best results",
        );
    }
    let text = found::found(&results, desk.canvas());
    ui.result(&Answer { json: json!(results), text })?;
    Ok(if results.results.is_empty() { Outcome::Negative } else { Outcome::Success })
}
