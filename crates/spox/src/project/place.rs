//! Where a project is.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use spox_core::{
    Config, ConfigError,
    config::{CONFIG_PATH, UnknownKey},
};

use crate::Error;

/// Where to look for a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Here or in the nearest folder above.
    From(PathBuf),
    /// Here and nowhere else.
    At(PathBuf),
}

impl Place {
    /// The folder that has the configuration.
    pub fn find(&self) -> Result<PathBuf, Error> {
        let has_config = |dir: &&Path| dir.join(CONFIG_PATH).is_file();
        let found = match self {
            Self::At(dir) => Some(dir.as_path()).filter(has_config),
            Self::From(dir) => dir.ancestors().find(has_config),
        };
        let root = found.ok_or(ConfigError::NotFound)?;
        // Links are followed once, here, so that "inside the root" is a question about names.
        fs::canonicalize(root).map_err(|source| Error::io("read the project", CONFIG_PATH, source))
    }

    /// Where a project would be made.
    pub fn folder(&self) -> &Path {
        match self {
            Self::At(dir) | Self::From(dir) => dir,
        }
    }
}

/// A project that was found, with its settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Project {
    /// Without links, absolute. Never shown to anybody over a network.
    pub root: PathBuf,
    pub config: Config,
    /// What in the settings is not understood.
    pub warnings: Vec<UnknownKey>,
}

impl Project {
    pub fn open(place: &Place) -> Result<Self, Error> {
        let root = place.find()?;
        let text = match fs::read_to_string(root.join(CONFIG_PATH)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(ConfigError::NotFound.into());
            }
            Err(error) => return Err(Error::io("read", CONFIG_PATH, error)),
        };
        let (config, warnings) = Config::parse(&text)?;
        Ok(Self { root, config, warnings })
    }

    /// The name of its folder, for people.
    pub fn name(&self) -> String {
        self.root.file_name().map_or_else(|| "/".into(), |name| name.to_string_lossy().into_owned())
    }

    pub fn specs(&self) -> PathBuf {
        self.root.join(&self.config.paths.spec_folder)
    }

    pub fn changes(&self) -> PathBuf {
        self.root.join(&self.config.paths.changes_folder)
    }

    pub fn archive(&self) -> PathBuf {
        self.root.join(&self.config.paths.archive_folder)
    }

    /// A path as everybody is told it: from the root, with forward slashes.
    pub fn relative(&self, path: &Path) -> String {
        let path = path.strip_prefix(&self.root).unwrap_or(path);
        let parts: Vec<_> = path
            .components()
            .filter(|part| !matches!(part, std::path::Component::CurDir))
            .map(|part| part.as_os_str().to_string_lossy())
            .collect();
        parts.join("/")
    }
}
