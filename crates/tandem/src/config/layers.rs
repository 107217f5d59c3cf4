//! Merges the layers and remembers where each value came from.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use kit_cli::Hint;
use kit_core::nearest;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{Config, file};

/// The variable that names the file, which is not a value in it.
const FILE_VARIABLE: &str = "TANDEM_CONFIG";
const PREFIX: &str = "TANDEM_";

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "from", rename_all = "snake_case")]
pub(crate) enum Origin {
    Default,
    File { path: PathBuf, line: usize, column: usize },
    Variable { name: String },
    Flag { name: String },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { path, line, .. } => write!(f, "{}:{line}", path.display()),
            Self::Variable { name } | Self::Flag { name } => f.write_str(name),
        }
    }
}

/// One value in force, as it may be shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Setting {
    pub(crate) key: String,
    pub(crate) value: Value,
    pub(crate) origin: Origin,
}

/// The configuration as it grows, layer by layer.
pub(crate) struct Layers {
    tree: Map<String, Value>,
    /// The leaves of the defaults: everything that can be set, in the order of the structs.
    known: Vec<String>,
    origins: BTreeMap<String, Origin>,
}

impl Layers {
    /// The first layer: what the code says.
    pub(crate) fn new(defaults: &Config) -> anyhow::Result<Self> {
        let Value::Object(tree) = serde_json::to_value(defaults)? else {
            bail!("the configuration is not an object");
        };
        let mut known = Vec::new();
        leaves("", &tree, &mut |key, _| known.push(key));
        Ok(Self { tree, known, origins: BTreeMap::new() })
    }

    /// `tandem.toml`, or the file that was asked for; only that one must be there.
    pub(crate) fn file(&mut self, asked: Option<&Path>, skip: &[&str]) -> anyhow::Result<()> {
        let path = asked.unwrap_or(Path::new("tandem.toml"));
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && asked.is_none() => {
                return Ok(());
            }
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read `{}`", path.display()));
            }
        };
        let found = file::read(path, &text, &|key| self.is_section(key))?;
        for placed in found {
            let file::Placed { key, value, line, column } = placed;
            let origin = Origin::File { path: path.to_owned(), line, column };
            self.check_known(&key, &origin)?;
            if !skip.contains(&key.as_str()) {
                self.set(&key, vec![value], origin)?;
            }
        }
        Ok(())
    }

    /// `TANDEM_*`: the key in capitals, `_` for the dot.
    pub(crate) fn variables(
        &mut self,
        variables: impl Iterator<Item = (String, String)>,
    ) -> anyhow::Result<()> {
        let mut ours: Vec<_> = variables
            .filter(|(name, _)| name.starts_with(PREFIX) && name != FILE_VARIABLE)
            .collect();
        ours.sort();
        for (name, text) in ours {
            let key = self.known.iter().find(|key| variable(key) == name).cloned();
            let origin = Origin::Variable { name: name.clone() };
            let Some(key) = key else {
                let known: Vec<_> = self.known.iter().map(|key| variable(key)).collect();
                return unknown("variable", &name, known.iter().map(String::as_str), &origin);
            };
            self.set(&key, readings(&text), origin)?;
        }
        Ok(())
    }

    /// One value by its text, from a flag or from a variable that a specification names.
    pub(crate) fn text(&mut self, key: &str, text: &str, origin: Origin) -> anyhow::Result<()> {
        self.check_known(key, &origin)?;
        self.set(key, readings(text), origin)
    }

    /// One value from a flag that has its type already.
    pub(crate) fn flag(
        &mut self,
        key: &str,
        flag: &str,
        value: impl Into<Value>,
    ) -> anyhow::Result<()> {
        self.set(key, vec![value.into()], Origin::Flag { name: flag.to_owned() })
    }

    pub(crate) fn finish(self) -> anyhow::Result<(Config, Vec<Setting>)> {
        let config: Config = serde_json::from_value(Value::Object(self.tree))?;
        // From the structs and not from the tree: they know which values are secret.
        let Value::Object(shown) = serde_json::to_value(&config)? else {
            bail!("the configuration is not an object");
        };
        let mut settings = Vec::new();
        leaves("", &shown, &mut |key, value| {
            let origin = self.origins.get(&key).cloned().unwrap_or(Origin::Default);
            settings.push(Setting { key, value: value.clone(), origin });
        });
        Ok((config, settings))
    }

    fn is_section(&self, key: &str) -> bool {
        self.known.iter().any(|known| known.strip_prefix(key).is_some_and(|r| r.starts_with('.')))
    }

    fn check_known(&self, key: &str, origin: &Origin) -> anyhow::Result<()> {
        if self.known.iter().any(|known| known == key) {
            return Ok(());
        }
        if self.is_section(key) {
            let wrong = Err(anyhow::anyhow!("{}`{key}` is a section, not a value", at(origin)));
            return wrong.hint(format!("write `[{key}]` on a line of its own"));
        }
        let sections = self.known.iter().filter_map(|key| Some(key.split_once('.')?.0));
        unknown("key", key, self.known.iter().map(String::as_str).chain(sections), origin)
    }

    /// Puts a value in, the first reading of it that fits.
    fn set(&mut self, key: &str, readings: Vec<Value>, origin: Origin) -> anyhow::Result<()> {
        let mut misfit = None;
        for value in readings {
            let mut tree = self.tree.clone();
            put(&mut tree, key, value);
            match serde_json::from_value::<Config>(Value::Object(tree.clone())) {
                Ok(_) => {
                    self.tree = tree;
                    self.origins.insert(key.to_owned(), origin);
                    return Ok(());
                }
                Err(error) => misfit = misfit.or(Some(error)),
            }
        }
        let why = misfit.map_or_else(|| "no value".to_owned(), |error| error.to_string());
        bail!("{}`{key}` does not fit: {why}", at(&origin))
    }
}

/// The place in front of a message, for whoever has to go there.
fn at(origin: &Origin) -> String {
    match origin {
        Origin::Default => String::new(),
        Origin::File { path, line, column } => format!("{}:{line}:{column}: ", path.display()),
        Origin::Variable { name } | Origin::Flag { name } => format!("{name}: "),
    }
}

fn unknown<'a>(
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
    origin: &Origin,
) -> anyhow::Result<()> {
    let place = match origin {
        Origin::File { .. } => at(origin),
        _ => String::new(),
    };
    let last = name.rsplit('.').next().unwrap_or(name);
    // A key in the wrong section is found by its own name.
    let same = known.clone().find(|known| known.rsplit('.').next() == Some(last));
    let near = same.or_else(|| nearest(name, known));
    let wrong = Err(anyhow::anyhow!("{place}unknown {what} `{name}`"));
    match near {
        Some(near) => wrong.hint(format!("did you mean `{near}`?")),
        None => wrong.hint("`tandem config` lists all there are"),
    }
}

/// The ways to read a text: as it is, as a number, a truth or a list, and as a list separated by commas.
fn readings(text: &str) -> Vec<Value> {
    let mut readings = vec![Value::String(text.to_owned())];
    readings.extend(serde_json::from_str(text).ok().filter(|value: &Value| !value.is_string()));
    let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
    readings.push(items.map(|item| Value::String(item.to_owned())).collect());
    readings
}

fn variable(key: &str) -> String {
    format!("{PREFIX}{}", key.replace('.', "_").to_uppercase())
}

fn leaves(prefix: &str, tree: &Map<String, Value>, see: &mut dyn FnMut(String, &Value)) {
    for (name, value) in tree {
        let key = format!("{prefix}{name}");
        match value {
            Value::Object(inner) if !inner.is_empty() => leaves(&format!("{key}."), inner, see),
            _ => see(key, value),
        }
    }
}

fn put(tree: &mut Map<String, Value>, key: &str, value: Value) {
    match key.split_once('.') {
        Some((part, rest)) => {
            if let Value::Object(inner) = tree.entry(part).or_insert_with(|| Map::new().into()) {
                put(inner, rest, value);
            }
        }
        None => {
            tree.insert(key.to_owned(), value);
        }
    }
}
