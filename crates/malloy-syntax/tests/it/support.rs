//! The texts that tests read, and how they show what came out.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use malloy_syntax::dump::{Spans, dump};
use malloy_syntax::{parse, render};

/// The conformance corpus: `MALLOY_CORPUS`, or `../shared/malloy-corpus` beside the checkout. Without it, since it is
/// no part of the repository, a test passes by with a word on it, and `cargo xtask test` says so.
pub(crate) fn corpus() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/malloy-corpus");
    let folder = env::var_os("MALLOY_CORPUS").map_or(beside, PathBuf::from);
    if folder.join("index.json").exists() {
        return Some(folder);
    }
    let missing = format!(
        "the Malloy conformance corpus is not in {}; set MALLOY_CORPUS to its folder",
        folder.display()
    );
    // Not `eprintln!`, which the test runner hides when a test passes.
    writeln!(io::stderr(), "SKIPPED: {missing}").ok();
    None
}

/// A case of the corpus.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) query: String,
    /// Code, line and column of the first error, if it is to be refused and they are known.
    pub(crate) error: Option<(String, u64, u64)>,
}

/// All cases, the disputed among them.
pub(crate) fn cases(corpus: &Path) -> Vec<Case> {
    let mut cases = Vec::new();
    for file in files(&corpus.join("cases"), "json")
        .into_iter()
        .chain(files(&corpus.join("disputed"), "json"))
    {
        let text = fs::read_to_string(&file).unwrap();
        let case: serde_json::Value = serde_json::from_str(&text).unwrap();
        let first = &case["expect"]["errors"][0];
        let error = first["code"].as_str().map(|code| {
            (
                code.to_owned(),
                first["line"].as_u64().unwrap_or(0),
                first["column"].as_u64().unwrap_or(0),
            )
        });
        let field = |name: &str| case[name].as_str().unwrap().to_owned();
        cases.push(Case { name: field("name"), query: field("query"), error });
    }
    assert!(cases.len() > 300, "the corpus has more cases than {}", cases.len());
    cases
}

/// Our own texts, each with its name.
pub(crate) fn texts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/texts");
    let named = |file: PathBuf| {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        (name, fs::read_to_string(&file).unwrap())
    };
    let texts: Vec<_> = files(&folder, "malloy").into_iter().map(named).collect();
    assert!(!texts.is_empty());
    texts
}

/// The files of a folder with that ending, in order.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == ending));
    files.sort();
    files
}

/// What is wrong with a text, as people see it.
pub(crate) fn errors(text: &str) -> String {
    render("query", text, &parse(text).diagnostics)
}

/// The tree without places, after making sure that nothing is wrong with the text.
pub(crate) fn tree(text: &str) -> String {
    let parsed = parse(text);
    assert_eq!(render("text", text, &parsed.diagnostics), "", "{text}");
    dump(&parsed.tree, Spans::Hidden)
}

/// Whether the spans of everything lie within the text and parents hold their children; by the shown dump, whose
/// indentation is the nesting.
pub(crate) fn check_spans(text: &str) {
    let shown = dump(&parse(text).tree, Spans::Shown);
    let mut open: Vec<(usize, usize, usize)> = Vec::new();
    for line in shown.lines() {
        let depth = line.len() - line.trim_start().len();
        let place = line.rsplit_once('@').unwrap().1;
        let (start, end) = place.split_once("..").unwrap();
        let (start, end): (usize, usize) = (start.parse().unwrap(), end.parse().unwrap());
        assert!(start <= end && end <= text.len(), "{line}\n{text}");
        assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "{line}\n{text}");
        open.retain(|(outer, _, _)| *outer < depth);
        // What is missing stands behind what came before it, be that outside.
        if start == end {
            continue;
        }
        if let Some((_, from, to)) = open.last() {
            assert!(
                *from <= start && end <= *to,
                "{line} is not within {from}..{to}\n{text}\n{shown}"
            );
        }
        open.push((depth, start, end));
    }
}
