//! The view definitions of a project: its files, what was uploaded, and the built-in ones below.
//!
//! A type is looked for on disk when a page first shows it. Whether something changed is judged by content, whatever
//! the file's time says. Start at [`Shelf`].

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use parking_lot::Mutex;
use ui_core::{Catalog, Key, Viewdef, Viewdefs};
use ui_view::ViewContext;

use crate::Error;

/// What every project has, unless it says otherwise.
const BUILT_IN: [(&str, &str); 3] = [
    ("lua.ViewList.DEFAULT", r#"<template><div ui-viewlist="items"></div></template>"#),
    ("lua.ViewListItem.list-item", r#"<template><div ui-view="item"></div></template>"#),
    (
        "MCP.DEFAULT",
        concat!(
            r#"<template><div class="ui-waiting"><p ui-attr-hidden="value">Waiting for the app.</p>"#,
            r#"<pre ui-value="error"></pre></div><div ui-view="value"></div></template>"#
        ),
    ),
];

/// More than anybody writes by hand; a page has to take it in one piece.
const LARGEST: usize = 2 << 20;

/// The view definitions of one project.
pub(crate) struct Shelf {
    folder: PathBuf,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    catalog: Catalog,
    /// The types that were looked for on disk.
    known: BTreeSet<String>,
}

impl Shelf {
    pub(crate) fn new(folder: PathBuf) -> Self {
        let mut kept = Kept::default();
        for (key, html) in BUILT_IN {
            if let Ok(key) = Key::parse(key) {
                kept.catalog.insert(key, html);
            }
        }
        Self { folder, kept: Mutex::new(kept) }
    }

    /// Takes an uploaded definition in and keeps it in a file. `html` is as browsers get it.
    pub(crate) fn put(&self, key: Key, html: &str) -> Result<Viewdef, Error> {
        if html.len() > LARGEST {
            let why =
                format!("the view definition has {} bytes, {LARGEST} are allowed", html.len());
            return Err(Error::Viewdef(why));
        }
        let failed =
            |source: io::Error| Error::File { what: format!("cannot keep `{key}`"), source };
        fs::create_dir_all(&self.folder).map_err(failed)?;
        write_whole(&self.folder.join(key.file_name()), html).map_err(failed)?;
        let viewdef = Viewdef { key: key.clone(), html: html.into() };
        self.kept.lock().catalog.insert(key, html);
        Ok(viewdef)
    }

    /// Looks at the files again, and gives what is new or has other content.
    pub(crate) fn refresh(&self) -> Vec<Viewdef> {
        let files = files(&self.folder);
        let mut kept = self.kept.lock();
        let mut changed = Vec::new();
        let gone: Vec<_> = kept.catalog.iter().map(|known| known.key.clone()).collect();
        for key in gone.into_iter().filter(|key| !files.iter().any(|(file, _)| file == key)) {
            // What the file had covered is there again.
            if let Some((_, html)) = BUILT_IN.iter().find(|(built_in, _)| *built_in == key.as_str())
            {
                changed.extend(kept.catalog.insert(key, *html));
            } else {
                kept.catalog.remove(&key);
            }
        }
        for (key, path) in files {
            if let Some(html) = read(&path) {
                kept.known.insert(key.type_name().to_owned());
                changed.extend(kept.catalog.insert(key, html));
            }
        }
        changed
    }

    /// The types that a definition is there for, looked at or not.
    pub(crate) fn types(&self) -> BTreeSet<String> {
        let files = files(&self.folder);
        let kept = self.kept.lock();
        let known = kept.catalog.iter().map(|known| &known.key);
        let keys = known.chain(files.iter().map(|(key, _)| key));
        keys.map(|key| key.type_name().to_owned()).collect()
    }

    fn load(&self, kind: &str) {
        let mut kept = self.kept.lock();
        if kept.known.contains(kind) || ui_core::viewdef::check_type(kind).is_err() {
            return;
        }
        kept.known.insert(kind.to_owned());
        for (key, path) in files(&self.folder) {
            if key.type_name() == kind
                && let Some(html) = read(&path)
            {
                kept.catalog.insert(key, html);
            }
        }
    }
}

/// The shelf as an engine sees it.
pub(crate) struct OnShelf(pub(crate) Arc<Shelf>);

impl Viewdefs for OnShelf {
    fn of_type(&mut self, type_name: &str) -> Vec<Viewdef> {
        self.0.load(type_name);
        self.0.kept.lock().catalog.of_type(type_name)
    }
}

/// The files that hold definitions, by key.
fn files(folder: &Path) -> Vec<(Key, PathBuf)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<_> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            Some((Key::from_file_name(&name).ok()?, entry.path()))
        })
        .collect();
    files.sort_by(|(one, _), (other, _)| one.as_str().cmp(other.as_str()));
    files
}

/// A file's definition as browsers get it. What cannot be used is logged and left as it was.
fn read(path: &Path) -> Option<String> {
    let name = path.file_name().unwrap_or_default().display();
    let text = match fs::read(path) {
        Ok(text) if text.len() <= LARGEST => String::from_utf8_lossy(&text).into_owned(),
        Ok(text) => {
            tracing::warn!(file = %name, bytes = text.len(), "the view definition is too large");
            return None;
        }
        Err(error) => {
            tracing::warn!(file = %name, %error, "the view definition cannot be read");
            return None;
        }
    };
    let (html, notes) = prepared(&text, ViewContext::default());
    for note in notes {
        tracing::warn!(file = %name, "{note}");
    }
    Some(html)
}

/// A definition as browsers get it, with what looks like a mistake in it.
pub(crate) fn prepared(text: &str, context: ViewContext<'_>) -> (String, Vec<String>) {
    let findings = ui_view::audit_view(text, context);
    let notes = findings.iter().map(ToString::to_string).collect();
    let html =
        if has_template(text) { text.to_owned() } else { format!("<template>{text}</template>") };
    (html, notes)
}

/// Whether the content is in a template already; comments may stand before it.
fn has_template(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while let Some(comment) = rest.strip_prefix("<!--") {
        let Some((_, after)) = comment.split_once("-->") else { return false };
        rest = after.trim_start();
    }
    let Some(tag) = rest.get(..9).filter(|tag| tag.eq_ignore_ascii_case("<template")) else {
        return false;
    };
    rest[tag.len()..].starts_with([' ', '\t', '\n', '\r', '>', '/'])
}

/// Whoever reads the file meanwhile sees the old content or the new.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    io::Write::write_all(&mut file, text.as_bytes())?;
    // As any other file that this person makes.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    file.persist(path).map(drop).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_template_gets_one() {
        let prepared = |text| prepared(text, ViewContext::default()).0;
        assert_eq!(prepared("<p>a</p>"), "<template><p>a</p></template>");
        for text in ["<template>a</template>", " <!-- x --> <TEMPLATE id=a>a</TEMPLATE>"] {
            assert_eq!(prepared(text), text);
        }
        for text in ["<templates>", "<!-- <template> -->", "<!-- open", "", "é<template>"] {
            assert!(!has_template(text), "{text}");
        }
    }

    #[test]
    fn files_lie_over_the_built_in_ones_and_content_counts() {
        let dir = tempfile::tempdir().unwrap();
        let shelf = Arc::new(Shelf::new(dir.path().join("viewdefs")));
        let list = "lua.ViewList.DEFAULT";
        let html = || OnShelf(shelf.clone()).of_type("lua.ViewList")[0].html.clone();
        assert!(html().contains("ui-viewlist"));
        shelf.put(Key::parse(list).unwrap(), "<template>mine</template>").unwrap();
        assert!(html().contains("mine"));
        assert_eq!(shelf.refresh(), []);
        fs::remove_file(dir.path().join("viewdefs/lua.ViewList.DEFAULT.html")).unwrap();
        assert_eq!(shelf.refresh().len(), 1);
        assert!(html().contains("ui-viewlist"));
        fs::write(dir.path().join("viewdefs/A.B.DEFAULT.html"), "<p>a</p>").unwrap();
        fs::write(dir.path().join("viewdefs/A.B.list-item.html"), "<p>b</p>").unwrap();
        let found = OnShelf(shelf.clone()).of_type("A.B");
        assert_eq!(
            found.iter().map(|one| one.key.as_str()).collect::<Vec<_>>(),
            ["A.B.DEFAULT", "A.B.list-item"]
        );
        assert_eq!(OnShelf(shelf.clone()).of_type("../A"), []);
    }
}
