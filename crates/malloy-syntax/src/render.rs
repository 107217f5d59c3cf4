//! Diagnostics as text for people: the place, the line, a caret.

use std::fmt::Write;

use crate::diagnostic::Diagnostic;
use crate::span::{LineIndex, Span};

/// How much of a line is shown.
const WIDTH: usize = 120;

/// Renders all diagnostics of one text. `name` is what the text is called: a file, or `query`.
pub fn render(name: &str, text: &str, diagnostics: &[Diagnostic]) -> String {
    let index = LineIndex::new(text);
    let mut out = String::new();
    for diagnostic in diagnostics {
        render_one(&mut out, name, text, &index, diagnostic);
    }
    out
}

fn render_one(
    out: &mut String,
    name: &str,
    text: &str,
    index: &LineIndex,
    diagnostic: &Diagnostic,
) {
    let position = index.position(text, diagnostic.span.start);
    // Writing to a string does not fail.
    let _: std::fmt::Result = writeln!(
        out,
        "{name}:{position}: {}: {} [{}]",
        diagnostic.severity.as_str(),
        diagnostic.message,
        diagnostic.code
    );
    excerpt(out, text, index, diagnostic.span);
    for (span, note) in &diagnostic.related {
        let position = index.position(text, span.start);
        let _: std::fmt::Result = writeln!(out, "  {position}: {note}");
    }
    if let Some(help) = &diagnostic.help {
        let _: std::fmt::Result = writeln!(out, "  help: {help}");
    }
}

/// The line that a span begins in, and carets under what of it is on that line.
fn excerpt(out: &mut String, text: &str, index: &LineIndex, span: Span) {
    let number = index.position(text, span.start).line;
    let line = index.line_span(text, number);
    let before = clean(Span::new(line.start, span.start.clamp(line.start, line.end)).of(text));
    let marked = clean(
        Span::new(span.start.min(line.end), span.end.clamp(span.start, line.end.max(span.start)))
            .of(text),
    );
    let shown = clean(line.of(text));
    let column = before.chars().count();
    // A long line is shown around the place.
    let skip = if column > WIDTH - 20 { column - WIDTH / 2 } else { 0 };
    let excerpt: String = shown.chars().skip(skip).take(WIDTH).collect();
    let carets = marked.chars().count().clamp(1, WIDTH - (column - skip).min(WIDTH - 1));
    let gutter = number.to_string();
    let blank = " ".repeat(gutter.len());
    let _: std::fmt::Result = writeln!(out, "{gutter} | {}", excerpt.trim_end());
    let _: std::fmt::Result =
        writeln!(out, "{blank} | {}{}", " ".repeat(column - skip), "^".repeat(carets));
}

/// Tabs and other control characters as blanks, so that the carets stand where they should.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
