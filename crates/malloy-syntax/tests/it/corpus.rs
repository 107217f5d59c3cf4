//! The conformance corpus: everything parses, except what the official parser refuses too, and that in the same place.

use std::fs;

use malloy_syntax::notebook::CellKind;
use malloy_syntax::{LineIndex, parse, parse_notebook, render};

use crate::support::{cases, check_spans, corpus, files};

#[test]
fn queries_parse_unless_their_syntax_is_what_is_wrong() {
    let Some(corpus) = corpus() else { return };
    let mut refused = 0;
    for case in cases(&corpus) {
        let parsed = parse(&case.query);
        let ours = parsed.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
        check_spans(&case.query);
        match case.error {
            Some((code, line, column)) if code == "syntax-error" => {
                refused += 1;
                let ours = ours.unwrap_or_else(|| panic!("{} is to be refused", case.name));
                let position = LineIndex::new(&case.query).position(&case.query, ours.span.start);
                let place = (u64::from(position.line), u64::from(position.column));
                assert_eq!((ours.code, place), ("syntax-error", (line, column)), "{}", case.name);
            }
            _ => {
                let shown = render(&case.name, &case.query, &parsed.diagnostics);
                assert!(ours.is_none(), "{shown}");
            }
        }
    }
    assert!(refused >= 3, "the corpus has texts with wrong syntax");
}

#[test]
fn models_parse() {
    let Some(corpus) = corpus() else { return };
    for file in files(&corpus.join("models"), "malloy") {
        let text = fs::read_to_string(&file).unwrap();
        let parsed = parse(&text);
        assert_eq!(render("model", &text, &parsed.diagnostics), "", "{}", file.display());
        check_spans(&text);
    }
}

#[test]
fn notebooks_parse_cell_by_cell() {
    let Some(corpus) = corpus() else { return };
    for file in files(&corpus.join("notebooks"), "malloynb") {
        let text = fs::read_to_string(&file).unwrap();
        let notebook = parse_notebook(&text);
        assert_eq!(notebook.diagnostics, []);
        assert!(notebook.cells.len() > 3);
        for cell in notebook.cells.iter().filter(|cell| cell.kind == CellKind::Malloy) {
            assert_eq!(render("cell", cell.text, &parse(cell.text).diagnostics), "");
        }
    }
}
