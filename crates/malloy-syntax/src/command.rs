//! What a command line does with a text: check it, format it, look into it. No files here: texts in, texts out.
//!
//! A name that ends in `.malloynb` makes a text a notebook, whose Malloy cells are taken one by one.

use crate::diagnostic::Diagnostic;
use crate::dump::{Spans, dump, dump_tokens};
use crate::format::format;
use crate::lexer::lex;
use crate::notebook::{CellKind, parse_notebook};
use crate::parser::parse;
use crate::render::render;

/// What to print of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Tokens,
    Tree,
}

/// Everything that is wrong with a text, as far as its syntax goes, with places in the whole text.
pub fn check(name: &str, text: &str) -> Vec<Diagnostic> {
    if !is_notebook(name) {
        return parse(text).diagnostics;
    }
    let notebook = parse_notebook(text);
    let mut diagnostics = notebook.diagnostics;
    for cell in notebook.cells.iter().filter(|cell| cell.kind == CellKind::Malloy) {
        diagnostics.extend(parse(cell.text).diagnostics.into_iter().map(|mut found| {
            found.span = found.span.shifted(cell.offset());
            for (span, _) in &mut found.related {
                *span = span.shifted(cell.offset());
            }
            found
        }));
    }
    diagnostics
}

/// The text laid out, or what is wrong with it, rendered.
pub fn fmt(name: &str, text: &str) -> Result<String, String> {
    let diagnostics = check(name, text);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(render(name, text, &diagnostics));
    }
    if !is_notebook(name) {
        return format(text).map_err(|errors| render(name, text, &errors));
    }
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    for cell in parse_notebook(text).cells {
        let range = cell.span.range();
        out.push_str(&text[end..range.start]);
        match format(cell.text) {
            Ok(formatted) if cell.kind == CellKind::Malloy => out.push_str(formatted.trim_end()),
            _ => out.push_str(cell.text),
        }
        end = range.end;
    }
    out.push_str(&text[end..]);
    Ok(out)
}

/// A stage of the compiler as text; what is wrong stands below the tree.
pub fn debug(name: &str, text: &str, stage: Stage) -> String {
    let lexed = lex(text);
    match stage {
        Stage::Tokens => dump_tokens(text, &lexed),
        Stage::Tree => {
            let parsed = crate::parser::parse_lexed(text, &lexed);
            let tree = dump(&parsed.tree, Spans::Shown);
            tree + &render(name, text, &parsed.diagnostics)
        }
    }
}

fn is_notebook(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("malloynb"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notebook_is_formatted_cell_by_cell() {
        let text =
            ">>>markdown\n#  Hi\n>>>malloy\nrun:a->{limit:1}\n>>>malloy\n\n>>>sql\nSELECT  1\n";
        let expected = ">>>markdown\n#  Hi\n>>>malloy\nrun: a -> { limit: 1 }\n>>>malloy\n\n>>>sql\nSELECT  1\n";
        assert_eq!(fmt("n.malloynb", text), Ok(expected.to_owned()));
        assert_eq!(fmt("n.malloynb", expected), Ok(expected.to_owned()));
    }

    #[test]
    fn an_error_in_a_cell_has_its_place_in_the_file() {
        let text = ">>>markdown\nx\n>>>malloy\nrun: a -> { limit: }\n";
        let shown = fmt("n.malloynb", text).unwrap_err();
        assert!(shown.starts_with("n.malloynb:4:20: error:"), "{shown}");
    }

    #[test]
    fn stages_are_shown() {
        assert_eq!(debug("q", "run: a", Stage::Tokens).lines().count(), 3);
        let tree = "run: @0..6\n  from @5..6\n    named \"a\" @5..6\n";
        assert_eq!(debug("q", "run: a", Stage::Tree), tree);
    }
}
