//! What a new application adds and changes, before anything is written.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};

use super::{Name, edit};

/// The application that the templates are.
const SAMPLE: &str = "tides";

/// Everything to write, relative to the checkout.
pub(super) struct Plan {
    pub(super) name: Name,
    pub(super) changes: Vec<Change>,
}

pub(super) struct Change {
    pub(super) path: PathBuf,
    pub(super) content: String,
    /// What is added to a file that is there; none for a new file.
    added: Option<String>,
}

impl Plan {
    pub(super) fn print(&self) {
        for Change { path, content, added } in &self.changes {
            match added {
                None => println!("new {}\n\n{}", path.display(), indented(content)),
                Some(added) => println!("in {}\n\n{}", path.display(), indented(added)),
            }
        }
        println!("in docs/deps.txt\n\n    (what `cargo xtask deps --update` writes)");
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}").trim_end().to_owned() + "\n").collect()
}

pub(super) fn make(root: &Path, name: &str) -> Result<Plan> {
    let manifest = read(root, "Cargo.toml")?;
    let name = Name::new(name, &known(&manifest))?;
    let mut changes = Vec::new();
    for part in ["tides-core", "tides"] {
        let from = root.join("xtask/templates").join(part);
        let to = Path::new("crates").join(part.replace(SAMPLE, name.as_str()));
        for file in files(&from)? {
            let text = fs::read_to_string(from.join(&file))?;
            changes.push(Change {
                path: to.join(&file),
                content: filled(&text, &name),
                added: None,
            });
        }
    }
    changes.extend(places(root, &name)?);
    Ok(Plan { name, changes })
}

/// What goes into files that are there already: two manifests and the host's list.
fn places(root: &Path, name: &Name) -> Result<Vec<Change>> {
    let paths = [name.to_string(), format!("{name}-core")]
        .map(|name| format!("{name} = {{ path = \"crates/{name}\" }}"));
    let dependency = format!("{name}.workspace = true");
    let setting = format!("    pub(crate) {name}: {name}::Config,");
    let entry = filled(&read(root, "xtask/templates/application.rs")?, name);
    Ok(vec![
        change(root, "Cargo.toml", paths.join("\n"), |text| {
            paths.iter().try_fold(text, |text, line| {
                edit::add_sorted(&text, "[workspace.dependencies]", line)
            })
        })?,
        change(root, "crates/tandem/Cargo.toml", dependency.clone(), |text| {
            edit::add_sorted(&text, "[dependencies]", &dependency)
        })?,
        change(root, "crates/tandem/src/apps.rs", format!("{setting}\n\n{entry}"), |text| {
            let text = edit::add_last(&text, "struct Settings {", "}", &setting)?;
            edit::add_last(&text, "ALL: &[Application] = &[", "];", entry.trim_end())
        })?,
    ])
}

fn change(
    root: &Path,
    path: &str,
    added: String,
    edit: impl FnOnce(String) -> Result<String>,
) -> Result<Change> {
    let content = edit(read(root, path)?).with_context(|| format!("cannot add to `{path}`"))?;
    Ok(Change { path: path.into(), content, added: Some(added) })
}

/// Every crate that a manifest of ours can name: none of them can be an application's name.
fn known(manifest: &str) -> Vec<String> {
    let block = manifest.lines().skip_while(|line| *line != "[workspace.dependencies]").skip(1);
    let lines = block.take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| line.split_once('=')).map(|(name, _)| name.trim().to_owned()).collect()
}

fn filled(template: &str, name: &Name) -> String {
    template.replace(SAMPLE, name.as_str()).replace("Tides", &name.title())
}

fn read(root: &Path, path: &str) -> Result<String> {
    fs::read_to_string(root.join(path)).with_context(|| format!("cannot read `{path}`"))
}

/// The files below `dir`, relative to it, in the order of their names.
fn files(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut todo = vec![PathBuf::new()];
    while let Some(inner) = todo.pop() {
        let at = dir.join(&inner);
        let entries =
            fs::read_dir(&at).with_context(|| format!("cannot list `{}`", at.display()))?;
        for entry in entries {
            let entry = entry?;
            let path = inner.join(entry.file_name());
            if entry.file_type()?.is_dir() { todo.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A checkout with the real templates, and the least that they are added to.
    fn checkout() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let real = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
        fs::create_dir_all(dir.path().join("xtask")).unwrap();
        std::os::unix::fs::symlink(real, dir.path().join("xtask/templates")).unwrap();
        fs::create_dir_all(dir.path().join("crates/tandem/src")).unwrap();
        for (path, text) in [
            (
                "Cargo.toml",
                "[workspace.dependencies]\nuniverse = { path = \"crates/universe\" }\n\nserde = \"1\"\n",
            ),
            (
                "crates/tandem/Cargo.toml",
                "[dependencies]\nserde.workspace = true\nuniverse.workspace = true\n",
            ),
            ("crates/tandem/src/apps.rs", "struct Settings {}\nconst ALL: &[Application] = &[];\n"),
        ] {
            fs::write(dir.path().join(path), text).unwrap();
        }
        dir
    }

    #[test]
    fn the_new_name_stands_wherever_the_samples_did() {
        let plan = make(checkout().path(), "ponds").unwrap();
        for change in &plan.changes {
            assert!(!change.content.to_lowercase().contains(SAMPLE), "{}", change.path.display());
        }
        let paths: Vec<_> =
            plan.changes.iter().map(|change| change.path.to_str().unwrap()).collect();
        assert!(paths.contains(&"crates/ponds-core/src/decide.rs"), "{paths:?}");
        assert!(paths.contains(&"crates/ponds/tests/it/surfaces.rs"), "{paths:?}");
    }

    #[test]
    fn the_host_gets_a_setting_and_an_entry() {
        let plan = make(checkout().path(), "ponds").unwrap();
        let content = |path: &str| {
            let change = plan.changes.iter().find(|change| change.path == Path::new(path));
            change.unwrap().content.clone()
        };
        let manifest = content("Cargo.toml");
        assert!(
            manifest.contains("\nponds = { path = \"crates/ponds\" }\nponds-core = "),
            "{manifest}"
        );
        assert!(content("crates/tandem/Cargo.toml").contains("\nponds.workspace = true\nserde"));
        let apps = content("crates/tandem/src/apps.rs");
        assert!(apps.contains("pub(crate) ponds: ponds::Config,\n}"), "{apps}");
        assert!(apps.contains("Ok(ponds::mount(&config.apps.ponds, deps))"), "{apps}");
    }

    #[test]
    fn a_name_that_a_dependency_has_is_refused() {
        let error = make(checkout().path(), "serde").err().unwrap();
        assert_eq!(error.to_string(), "there is a crate `serde` already: take another name");
    }
}
