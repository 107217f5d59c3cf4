//! A world to compile in: the corpus's tables as the database describes them, its texts from its folder.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use malloy_model::ir::{Column, SqlTextPart};
use malloy_model::{Known, Model, Needs, Options, Outcome, Problem};
use malloy_syntax::LineIndex;
use serde::Deserialize;

#[derive(Deserialize)]
struct Schemas {
    tables: BTreeMap<String, Vec<Column>>,
    selects: BTreeMap<String, Vec<Column>>,
}

/// What can be fetched.
pub(crate) struct World {
    schemas: Schemas,
    texts: BTreeMap<String, String>,
}

impl World {
    pub(crate) fn new() -> World {
        let schemas = serde_json::from_str(include_str!("../schemas.json")).unwrap();
        World { schemas, texts: BTreeMap::new() }
    }

    pub(crate) fn with_text(mut self, url: &str, text: &str) -> World {
        self.texts.insert(url.to_owned(), text.to_owned());
        self
    }

    /// Fetches what a compile asked for.
    fn fetch(&self, known: &mut Known, needs: Needs) {
        for url in needs.texts {
            let text = self.texts.get(&url).cloned().or_else(|| {
                corpus().and_then(|folder| std::fs::read_to_string(folder.join(&url)).ok())
            });
            known.texts.insert(url, text.map(Arc::from).ok_or_else(|| "no such file".to_owned()));
        }
        for key in needs.tables {
            let columns = self.schemas.tables.get(&key.1).cloned();
            known.tables.insert(key, columns.ok_or_else(|| "no such table".to_owned()));
        }
        for (key, text) in needs.selects {
            let plain: String = text
                .parts
                .iter()
                .map(|part| match part {
                    SqlTextPart::Text(text) => text.as_str(),
                    SqlTextPart::Query(_) => "%{}",
                })
                .collect();
            let columns = self.schemas.selects.get(&plain).cloned();
            known.selects.insert(key, columns.ok_or_else(|| "no such select".to_owned()));
        }
    }

    /// Compiles a text, alone or on top of a model, in as many rounds as it takes.
    pub(crate) fn compile(
        &self,
        base: Option<&Model>,
        url: &str,
        text: &str,
        options: Options,
    ) -> Result<Arc<Model>, Vec<Problem>> {
        let mut known = Known::default();
        for _ in 0..8 {
            let outcome = match base {
                Some(base) => malloy_model::extend(base, url, text, &known, options),
                None => malloy_model::compile(url, text, &known, options),
            };
            match outcome {
                Outcome::Done(model) => return Ok(model),
                Outcome::Failed(problems) => return Err(problems),
                Outcome::Needs(needs) => self.fetch(&mut known, needs),
            }
        }
        panic!("more rounds than anything should take");
    }
}

/// The folder of the conformance corpus, if it is there.
pub(crate) fn corpus() -> Option<PathBuf> {
    let folder = match std::env::var_os("MALLOY_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/malloy-corpus"),
    };
    folder.is_dir().then_some(folder)
}

/// What is wrong with a text: code, place, message and help; warnings apart.
pub(crate) fn refusals(text: &str) -> Vec<String> {
    refusals_of(&World::new(), "m", text, Options::default())
}

/// What is wrong with a text in a world.
pub(crate) fn refusals_of(world: &World, url: &str, text: &str, options: Options) -> Vec<String> {
    let Err(problems) = world.compile(None, url, text, options) else { return Vec::new() };
    let lines = LineIndex::new(text);
    problems
        .iter()
        .filter(|problem| problem.is_error())
        .map(|problem| {
            let diagnostic = &problem.diagnostic;
            // Places in other texts are not looked up.
            let place = lines.position(text, diagnostic.span.start);
            let help = diagnostic.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
            format!("{} {place} {}{help}", diagnostic.code, diagnostic.message)
        })
        .collect()
}
