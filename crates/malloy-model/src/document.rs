//! Documents: the statements at the top of a text, and imports.

use std::sync::Arc;

use indexmap::IndexMap;
use malloy_syntax::tree::{self, Document, Name, NoteScope, Statement, StatementKind};
use malloy_syntax::{Diagnostic, Severity, Span};

use crate::analyser::{Analyser, File, Flags, Problem, nearest};
use crate::expr::written_type;
use crate::ir::Column;
use crate::known::join_url;
use crate::level::note_texts;
use crate::model::{Entry, Model, Options, Outcome};
use crate::query::QueryDef;
use crate::source::FileId;

/// What reading a text gives beside its names.
#[derive(Default)]
struct Read {
    runs: Vec<Arc<QueryDef>>,
    exports: Option<Vec<Arc<str>>>,
}

pub(crate) fn compile(
    mut analyser: Analyser<'_>,
    base: Option<&Model>,
    url: &str,
    text: &str,
    options: Options,
) -> Outcome {
    analyser.restricted = options.restricted;
    let mut file = File { url: Arc::from(url), ..File::default() };
    if let Some(base) = base {
        let scope = analyser.files.get(base.file.0 as usize).cloned();
        file.entries = scope
            .as_ref()
            .map(|scope| {
                scope
                    .entries
                    .iter()
                    .map(|(name, entry)| (Arc::clone(name), entry.clone()))
                    .collect()
            })
            .unwrap_or_default();
        file.flags = scope.map(|scope| scope.flags.clone()).unwrap_or_default();
    }
    analyser.importing.push(Arc::from(url));
    let (id, read) = analyser.text(file, text);
    if !analyser.needs.is_empty() {
        return Outcome::Needs(analyser.needs);
    }
    let mut problems = analyser.problems;
    // In the order of the text that was compiled, then of those that it imports. What cannot be read comes first: the rest may follow
    // from it.
    problems.sort_by_key(|problem| {
        (
            &*problem.file != url,
            problem.diagnostic.code != "syntax-error",
            problem.diagnostic.span.start,
            problem.diagnostic.severity == Severity::Warning,
        )
    });
    if problems.iter().any(Problem::is_error) {
        return Outcome::Failed(problems);
    }
    Outcome::Done(Arc::new(Model {
        files: analyser.files,
        file: id,
        next_def: analyser.next_def,
        runs: read.runs,
        exports: read.exports,
        tables: analyser.tables,
        warnings: problems,
    }))
}

impl Analyser<'_> {
    /// Reads a text into a file of its own.
    fn text(&mut self, mut file: File, text: &str) -> (FileId, Read) {
        file.text = Arc::from(text);
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(Arc::new(File::default()));
        self.open.insert(id, file);
        let before = std::mem::replace(&mut self.file, id);
        let parsed = malloy_syntax::parse(text);
        for diagnostic in parsed.diagnostics {
            self.report(diagnostic);
        }
        let read = self.document(&parsed.tree);
        self.file = before;
        if let Some(file) = self.open.remove(&id) {
            self.files[id.0 as usize] = Arc::new(file);
        }
        (id, read)
    }

    fn document(&mut self, document: &Document) -> Read {
        let mut read = Read::default();
        for statement in &document.statements {
            self.model_notes(statement);
        }
        for statement in &document.statements {
            self.statement(statement, &mut read);
        }
        read
    }

    /// `##` lines, wherever they stand: annotations of the model, and flags.
    fn model_notes(&mut self, statement: &Statement) {
        for note in statement.notes.iter().filter(|note| note.scope == NoteScope::Model) {
            let flags = note.text.strip_prefix("##!");
            if flags.is_some() && !self.unrestricted("`##!`, a compiler flag,", note.span) {
                continue;
            }
            let file = self.file;
            if let Some(open) = self.open.get_mut(&file) {
                open.notes.push(Arc::clone(&note.text));
                if let Some(flags) = flags {
                    read_flags(flags, &mut open.flags);
                }
            }
        }
    }

    fn statement(&mut self, statement: &Statement, read: &mut Read) {
        let notes = note_texts(&statement.notes);
        match &statement.kind {
            StatementKind::Source(items) => {
                for item in items {
                    self.parameter_scope = None;
                    let mut source = self.defined_source(item);
                    self.parameter_scope = None;
                    if item.name.is_missing() {
                        continue;
                    }
                    let changed = Arc::make_mut(&mut source);
                    changed.name = Arc::clone(&item.name.text);
                    changed.inherited_notes = changed.notes.len();
                    changed.notes.extend(notes.iter().cloned());
                    changed.notes.extend(note_texts(&item.notes));
                    let entry = if source.is_error() {
                        Entry::Error
                    } else {
                        Entry::Source { source, own: true }
                    };
                    self.define_entry(&item.name, entry);
                }
            }
            StatementKind::Query(items) => {
                for item in items {
                    let mut all = notes.clone();
                    all.extend(note_texts(&item.notes));
                    let name = (!item.name.is_missing()).then(|| Arc::clone(&item.name.text));
                    let entry = match self.query_expr(&item.query, name, all) {
                        Some(query) => Entry::Query { query, own: true },
                        None => Entry::Error,
                    };
                    self.define_entry(&item.name, entry);
                }
            }
            StatementKind::Run(run) => {
                let mut all = notes;
                all.extend(note_texts(&run.notes));
                read.runs.extend(self.query_expr(&run.query, None, all));
            }
            StatementKind::Import(import) => {
                if self.unrestricted("`import`", statement.keyword) {
                    self.import(import, statement.span);
                }
            }
            StatementKind::Export(names) => {
                for name in names {
                    if self.lookup(&name.text).is_none() && !name.is_missing() {
                        self.error(
                            "export-name-not-defined",
                            name.span,
                            format!("there is nothing called `{}` to export", name.text),
                        );
                    }
                }
                let list = names.iter().map(|name| Arc::clone(&name.text));
                read.exports.get_or_insert_with(Vec::new).extend(list);
            }
            StatementKind::Given(items) => {
                if self.unrestricted("`given:`", statement.keyword)
                    && self.experiment("givens", statement.keyword)
                {
                    for item in items {
                        self.define_given(item, &notes);
                    }
                }
            }
            StatementKind::Type(items) => {
                self.experiment("virtual_source", statement.keyword);
                for item in items {
                    self.define_type(item);
                }
            }
            StatementKind::ModelNotes | StatementKind::LooseNotes | StatementKind::Error => {}
        }
    }

    pub(crate) fn define_entry(&mut self, name: &Name, entry: Entry) {
        if name.is_missing() {
            return;
        }
        if let Some(before) = self.lookup(&name.text) {
            // What could not be defined the first time is no reason to refuse the second.
            if !matches!(before, Entry::Error) {
                let code = match &entry {
                    Entry::Query { .. } => "query-definition-name-conflict",
                    Entry::Given(_) => "given-definition-name-conflict",
                    _ => "source-definition-name-conflict",
                };
                self.report(
                    Diagnostic::error(
                        code,
                        name.span,
                        format!("`{}` is defined already", name.text),
                    )
                    .with_help("choose another name"),
                );
                return;
            }
        }
        let file = self.file;
        if let Some(open) = self.open.get_mut(&file) {
            open.entries.insert(Arc::clone(&name.text), entry);
        }
    }

    fn define_type(&mut self, item: &tree::TypeDefinition) {
        let mut fields: Vec<Column> = Vec::new();
        if let Some(base) = &item.base {
            match self.lookup(&base.text).cloned() {
                Some(Entry::Type { fields: theirs, .. }) => fields.extend(theirs.iter().cloned()),
                Some(Entry::Error) => {}
                _ => self.error(
                    "type-not-found",
                    base.span,
                    format!("there is no type `{}`", base.text),
                ),
            }
        }
        for field in item.fields.iter().flatten() {
            let ty = match &field.ty.kind {
                tree::TypeKind::Named(name) => match self.lookup(&name.text) {
                    Some(Entry::Type { fields, .. }) => Some(crate::ir::Type::Record(
                        fields
                            .iter()
                            .map(|field| crate::ir::RecordField {
                                name: field.name.clone(),
                                ty: field.ty.clone(),
                            })
                            .collect(),
                    )),
                    _ => None,
                },
                _ => written_type(&field.ty),
            };
            match ty {
                Some(ty) => fields.push(Column { name: field.name.text.to_string(), ty }),
                None => {
                    self.error(
                        "invalid-type-field",
                        field.ty.span,
                        "this type cannot be used here",
                    );
                }
            }
        }
        self.define_entry(&item.name, Entry::Type { fields: Arc::new(fields), own: true });
    }

    fn import(&mut self, import: &tree::Import, span: Span) {
        let here = Arc::clone(&self.file_scope(self.file).url);
        let url: Arc<str> = Arc::from(join_url(&here, &import.path.value));
        if self.importing.contains(&url) {
            let mut ring: Vec<&str> = self
                .importing
                .iter()
                .skip_while(|other| **other != url)
                .map(|other| &**other)
                .collect();
            ring.push(&url);
            let message = format!("this import goes round in a circle: {}", ring.join(" → "));
            self.error("import-error", import.path.span, message);
            return;
        }
        let file = match self.imported.get(&url) {
            Some(file) => *file,
            None => match self.known.texts.get(&*url) {
                None => {
                    self.needs.texts.insert(url.to_string());
                    return;
                }
                Some(Err(why)) => {
                    let message = format!("`{}` cannot be read: {why}", import.path.value);
                    self.error("import-error", import.path.span, message);
                    return;
                }
                Some(Ok(text)) => {
                    let text = Arc::clone(text);
                    if self.importing.len() > 50 {
                        self.error(
                            "import-error",
                            import.path.span,
                            "files import each other too many times over",
                        );
                        return;
                    }
                    self.importing.push(Arc::clone(&url));
                    let restricted = std::mem::take(&mut self.restricted);
                    let (id, read) =
                        self.text(File { url: Arc::clone(&url), ..File::default() }, &text);
                    self.restricted = restricted;
                    self.importing.pop();
                    self.imported.insert(Arc::clone(&url), id);
                    if let Some(exports) = read.exports {
                        self.exports.insert(id, exports);
                    }
                    id
                }
            },
        };
        self.bring_in(file, import, span);
    }

    fn bring_in(&mut self, from: FileId, import: &tree::Import, span: Span) {
        let scope = Arc::clone(&self.files[from.0 as usize]);
        let exports = self.exports.get(&from).cloned();
        let theirs: IndexMap<Arc<str>, Entry> = scope
            .entries
            .iter()
            .filter(|(name, entry)| match &exports {
                Some(list) => list.contains(name),
                None => entry.is_own(from) || matches!(entry, Entry::Error),
            })
            .map(|(name, entry)| (Arc::clone(name), entry.imported()))
            .collect();
        // Their annotations come along, their flags do not.
        let file = self.file;
        if let Some(open) = self.open.get_mut(&file) {
            let notes: Vec<Arc<str>> =
                scope.notes.iter().filter(|note| !note.starts_with("##!")).cloned().collect();
            open.notes.splice(0..0, notes);
        }
        match &import.items {
            None => {
                for (name, entry) in theirs {
                    let name = Name { text: name, span };
                    self.define_entry(&name, entry);
                }
            }
            Some(items) => {
                for item in items {
                    let original = item.original.as_ref().unwrap_or(&item.name);
                    match theirs.get(&original.text) {
                        Some(entry) => self.define_entry(&item.name, entry.clone()),
                        None if original.is_missing() => {}
                        None => {
                            let mut diagnostic = Diagnostic::error(
                                "selective-import-not-found",
                                original.span,
                                format!("`{}` has no `{}`", import.path.value, original.text),
                            );
                            if let Some(near) =
                                nearest(&original.text, theirs.keys().map(|name| &**name))
                            {
                                diagnostic =
                                    diagnostic.with_help(format!("did you mean `{near}`?"));
                            }
                            self.report(diagnostic);
                        }
                    }
                }
            }
        }
    }
}

/// `experimental.a`, `experimental { a b.c }`, `experimental`
fn read_flags(text: &str, flags: &mut Flags) {
    let mut rest = text.trim();
    while let Some(at) = rest.find("experimental") {
        rest = &rest[at + "experimental".len()..];
        let trimmed = rest.trim_start();
        if let Some(inside) = trimmed.strip_prefix('{') {
            let inside = inside.split('}').next().unwrap_or_default();
            flags.names.extend(
                inside
                    .split(|c: char| c.is_whitespace() || c == ',')
                    .filter(|name| !name.is_empty())
                    .map(str::to_owned),
            );
        } else if let Some(name) = rest.strip_prefix('.') {
            let name: String = name.chars().take_while(|c| !c.is_whitespace()).collect();
            flags.names.push(name.trim_matches(|c| c == '{' || c == '}').to_owned());
        } else {
            flags.all = true;
        }
    }
}
