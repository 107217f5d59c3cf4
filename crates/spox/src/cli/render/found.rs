//! `search`: what was found, the best first.

use std::fmt::Write as _;

use super::{
    Canvas,
    layout::{Color, clean, wrap},
};
use crate::wire::SearchResults;

pub(in crate::cli) fn found(results: &SearchResults, canvas: Canvas) -> String {
    if results.results.is_empty() {
        return "No results.\n".to_owned();
    }
    let mut text = String::new();
    for hit in &results.results {
        let score = Color::Dim.paint(&format!("{:.2}", hit.score));
        let mut title = Color::Header.paint(&hit.spec_id);
        if let Some(requirement) = &hit.requirement {
            let _ = write!(title, " / {}", clean(requirement));
        }
        if let Some(change) = &hit.change_id {
            let _ = write!(title, " {}", Color::Yellow.paint(&format!("({change})")));
        }
        let _ = writeln!(text, "{score}  {title}");
        for line in wrap(&hit.snippet, 6, canvas) {
            let _ = writeln!(text, "      {line}");
        }
    }
    text
}
