//! A project's folder: what is where, and what is made when it is configured.
//!
//! ```text
//! config/config.toml   lua/main.lua   viewdefs/TYPE.NS.html   html/   resources/   log/   apps/NAME/
//! ```
//!
//! Start at [`Project::prepare`]. Names that come from outside become paths only by [`inside`].

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use ui_lua::files::Mode;

use crate::{Config, Error, guides, settings, settings::Settings};

/// A folder that was looked at and found usable.
#[derive(Debug, Clone)]
pub struct Project {
    /// Absolute.
    pub base: PathBuf,
    pub settings: Settings,
}

impl Project {
    /// Makes what is missing and reads the settings. Fails before anything else is touched if the folder cannot be
    /// written to or the settings are wrong.
    pub(crate) fn prepare(base: &Path, config: &Config) -> Result<Self, Error> {
        let given = base;
        let wrong = |why: String| Error::BaseDir { path: given.to_owned(), why };
        let absolute = std::path::absolute(base).map_err(|error| wrong(error.to_string()))?;
        // Without a slash at the end, since answers name what is below it.
        let base: PathBuf = absolute.components().collect();
        fs::create_dir_all(&base).map_err(|error| wrong(describe(&error)))?;
        let settings = settings::load(&base, config)?;
        let project = Self { base, settings };
        project.make_logs().map_err(|error| wrong(describe(&error)))?;
        Ok(project)
    }

    pub fn logs(&self) -> PathBuf {
        self.base.join("log")
    }

    pub fn lua_log(&self) -> PathBuf {
        self.logs().join("lua.log")
    }

    pub fn lua_errors(&self) -> PathBuf {
        self.logs().join("lua-err.log")
    }

    /// Where a server at work says how it is reached.
    pub fn word(&self) -> PathBuf {
        self.logs().join("server.json")
    }

    pub fn lua(&self) -> PathBuf {
        self.base.join(&self.settings.lua.path)
    }

    pub fn viewdefs(&self) -> PathBuf {
        self.base.join("viewdefs")
    }

    pub fn apps(&self) -> PathBuf {
        self.base.join("apps")
    }

    pub fn html(&self) -> PathBuf {
        self.base.join("html")
    }

    pub fn resources(&self) -> PathBuf {
        self.base.join("resources")
    }

    /// A file below the project, for a program: a plain one, wherever links lead, and no writing to the settings, which say
    /// what programs may do.
    pub(crate) fn open(&self, name: &str, mode: Mode) -> Result<fs::File, String> {
        const MISSING: &str = "No such file or directory";
        let outside = || "it is not below the project".to_owned();
        if name.contains('\0') {
            return Err(outside());
        }
        let root = self.base.canonicalize().map_err(|error| describe(&error))?;
        let wanted = root.join(name);
        let path = match wanted.canonicalize() {
            Ok(path) => path,
            // It may be made, in a folder that is there; what a link leads to in vain may not.
            Err(_) if mode.create && wanted.symlink_metadata().is_err() => {
                let (folder, own) = (wanted.parent(), wanted.file_name());
                let folder = folder.and_then(|folder| folder.canonicalize().ok());
                let (Some(folder), Some(own)) = (folder, own) else {
                    return Err(MISSING.to_owned());
                };
                folder.join(own)
            }
            Err(_) if wanted.starts_with(&root) && !name.contains("..") => {
                return Err(MISSING.to_owned());
            }
            Err(_) => return Err(outside()),
        };
        if !path.starts_with(&root) {
            return Err(outside());
        }
        if mode.write && path.starts_with(root.join("config")) {
            return Err("programs cannot write to `config`".to_owned());
        }
        // A pipe or a device would hold the session.
        if path.metadata().is_ok_and(|about| !about.is_file()) {
            return Err("it is not a plain file".to_owned());
        }
        fs::OpenOptions::new()
            .read(mode.read)
            .write(mode.write && !mode.append)
            .append(mode.append)
            .create(mode.create)
            .truncate(mode.create && !mode.append)
            .open(path)
            .map_err(|error| describe(&error))
    }

    /// The logs are there from now on; that they can be written is how a folder shows that it can be used.
    fn make_logs(&self) -> io::Result<()> {
        fs::create_dir_all(self.logs())?;
        for log in [self.lua_log(), self.lua_errors()] {
            fs::OpenOptions::new().create(true).append(true).open(log)?;
        }
        Ok(())
    }

    /// A project without documents gets ours, to be read and changed by an agent; one that has some keeps them.
    pub(crate) fn put_documents(&self) -> Result<(), Error> {
        let folder = self.resources();
        if folder.symlink_metadata().is_ok() {
            return Ok(());
        }
        let put = || {
            fs::create_dir_all(&folder)?;
            let files = guides::ALL.iter().map(|guide| (format!("{}.md", guide.name), guide.text));
            files.into_iter().try_for_each(|(name, text)| fs::write(folder.join(name), text))
        };
        put().map_err(|error| Error::BaseDir { path: self.base.clone(), why: describe(&error) })
    }
}

/// An error without the numbers that only the system knows.
fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "it cannot be written to".to_owned(),
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "it is not a folder".to_owned()
        }
        _ => error.to_string(),
    }
}

/// Why a name leads to no file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lost {
    /// It leads out of the folder, or is no name at all.
    Outside,
    /// It could be one, and there is none.
    Missing,
}

/// The file `name` below `folder`: plain names between slashes, and links only to what is inside as well.
pub(crate) fn inside(folder: &Path, name: &str) -> Result<PathBuf, Lost> {
    within(folder, folder, name)
}

/// The same where links may lead anywhere inside of `root`.
pub(crate) fn within(root: &Path, folder: &Path, name: &str) -> Result<PathBuf, Lost> {
    let plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    let bad = name.contains(['\0', '\\']) || name.is_empty() || name.starts_with('/');
    if bad || !Path::new(name).components().all(plain) || name.split('/').any(|part| part == ".") {
        return Err(Lost::Outside);
    }
    let Ok(root) = root.canonicalize() else { return Err(Lost::Missing) };
    let Ok(path) = folder.join(name).canonicalize() else { return Err(Lost::Missing) };
    if !path.starts_with(&root) {
        return Err(Lost::Outside);
    }
    if path.is_file() { Ok(path) } else { Err(Lost::Missing) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_its_folder() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("resources");
        fs::create_dir_all(folder.join("deep")).unwrap();
        fs::write(folder.join("deep/a.md"), "a").unwrap();
        fs::write(dir.path().join("secret"), "s").unwrap();
        std::os::unix::fs::symlink(dir.path().join("secret"), folder.join("link")).unwrap();
        std::os::unix::fs::symlink("deep/a.md", folder.join("inner")).unwrap();
        assert!(inside(&folder, "deep/a.md").is_ok() && inside(&folder, "inner").is_ok());
        for name in
            ["../secret", "deep/../../secret", "/etc/passwd", "link", "", ".", "a\0b", "..\\x"]
        {
            assert_eq!(inside(&folder, name), Err(Lost::Outside), "{name}");
        }
        for name in ["deep", "none", "deep/a.md/b"] {
            assert_eq!(inside(&folder, name), Err(Lost::Missing), "{name}");
        }
    }

    #[test]
    fn a_folder_is_made_ready_once() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().join("new/app");
        let project = Project::prepare(&base, &Config::default()).unwrap();
        assert!(!project.resources().exists());
        project.put_documents().unwrap();
        assert!(project.lua_log().is_file() && project.lua_errors().is_file());
        assert!(project.resources().join("reference.md").is_file());
        fs::write(project.resources().join("lua.md"), "mine").unwrap();
        fs::remove_file(project.resources().join("mcp.md")).unwrap();
        Project::prepare(&base, &Config::default()).unwrap().put_documents().unwrap();
        assert_eq!(fs::read_to_string(project.resources().join("lua.md")).unwrap(), "mine");
        assert!(!project.resources().join("mcp.md").exists());
    }

    #[test]
    fn a_file_in_the_way_is_told() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("file"), "").unwrap();
        let error = Project::prepare(&dir.path().join("file"), &Config::default()).unwrap_err();
        assert!(error.to_string().ends_with("it is not a folder"), "{error}");
    }
}
