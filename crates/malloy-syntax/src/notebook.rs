//! Notebooks: `.malloynb` files, cells of Malloy, Markdown and SQL.
//!
//! A line that begins with `>>>` and the name of a language begins a cell. Each Malloy cell extends the model of the cells
//! above it; parse them one by one with [`parse`](crate::parse()) and move the diagnostics by [`Cell::offset`].

use crate::diagnostic::Diagnostic;
use crate::span::{Span, offset};

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Notebook<'a> {
    pub cells: Vec<Cell<'a>>,
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Cell<'a> {
    pub kind: CellKind,
    /// What stands between this `>>>` line and the next, without the final line break.
    pub text: &'a str,
    /// What follows the name of the language on its line: `connection:duckdb` in SQL cells.
    pub attributes: &'a str,
    /// The `>>>` line.
    pub header: Span,
    /// Where `text` stands in the file.
    pub span: Span,
}

impl Cell<'_> {
    /// What to add to a place in the cell to have it in the file.
    pub fn offset(&self) -> u32 {
        self.span.start
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CellKind {
    Malloy,
    Markdown,
    Sql,
}

/// Splits a notebook into its cells. Text before the first `>>>` is a cell of Malloy, if there is any.
pub fn parse_notebook(text: &str) -> Notebook<'_> {
    let mut notebook = Notebook::default();
    let mut open = Open { kind: CellKind::Malloy, attributes: "", header: Span::at(0), start: 0 };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(rest) = line.strip_prefix(">>>") {
            notebook.close(text, &open, at);
            let header = Span::new(offset(at), offset(at + line.trim_end().len()));
            let rest = rest.trim_end();
            let name = rest.find(char::is_whitespace).map_or(rest, |end| &rest[..end]);
            let kind = notebook.kind(name, header);
            let attributes = rest[name.len()..].trim();
            open = Open { kind, attributes, header, start: at + line.len() };
        }
        at += line.len();
    }
    notebook.close(text, &open, text.len());
    notebook
}

/// A cell whose end is not known yet.
struct Open<'a> {
    kind: CellKind,
    attributes: &'a str,
    header: Span,
    start: usize,
}

impl<'a> Notebook<'a> {
    fn kind(&mut self, name: &str, header: Span) -> CellKind {
        match &*name.to_ascii_lowercase() {
            "malloy" => CellKind::Malloy,
            "markdown" => CellKind::Markdown,
            "sql" => CellKind::Sql,
            _ => {
                let message = format!("`{name}` is no kind of cell");
                let help = "`>>>malloy`, `>>>markdown` and `>>>sql` begin cells; this one is taken for text";
                let error = Diagnostic::error("syntax-error", header, message).with_help(help);
                self.diagnostics.push(error);
                CellKind::Markdown
            }
        }
    }

    fn close(&mut self, text: &'a str, open: &Open<'a>, end: usize) {
        let body = &text[open.start.min(end)..end];
        let body = body.strip_suffix('\n').unwrap_or(body);
        let body = body.strip_suffix('\r').unwrap_or(body);
        // What stands above the first line of a cell is a cell only if it says something.
        if open.header.is_empty() && body.trim().is_empty() {
            return;
        }
        let span = Span::new(offset(open.start), offset(open.start + body.len()));
        let Open { kind, attributes, header, .. } = *open;
        self.cells.push(Cell { kind, text: body, attributes, header, span });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_begin_at_their_marks_and_know_their_place() {
        let text = ">>>markdown\n# Hi\n\n>>>malloy\r\nrun: a\r\n>>>sql connection:duckdb\nSELECT 1\n>>>malloy";
        let notebook = parse_notebook(text);
        let cells: Vec<_> = notebook.cells.iter().map(|cell| (cell.kind, cell.text)).collect();
        let expected = [
            (CellKind::Markdown, "# Hi\n"),
            (CellKind::Malloy, "run: a"),
            (CellKind::Sql, "SELECT 1"),
            (CellKind::Malloy, ""),
        ];
        assert_eq!(cells, expected);
        assert!(notebook.cells.iter().all(|cell| cell.span.of(text) == cell.text));
        assert_eq!(notebook.cells[2].attributes, "connection:duckdb");
        assert_eq!(notebook.diagnostics, []);
    }

    #[test]
    fn text_before_the_first_mark_is_malloy_and_an_unknown_cell_is_said() {
        let notebook = parse_notebook("run: a\n>>>python\nx");
        assert_eq!(notebook.cells[0].kind, CellKind::Malloy);
        assert_eq!(notebook.diagnostics[0].message, "`python` is no kind of cell");
        assert_eq!(parse_notebook("").cells, []);
    }
}
