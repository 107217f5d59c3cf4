//! What a database may use.

use std::path::PathBuf;

/// What a database may use.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Relative paths of tables are below this directory. It may be read, with all that is below it. Without one, no file is a table.
    pub root: Option<PathBuf>,
    /// Further directories that may be read.
    pub directories: Vec<PathBuf>,
    /// A DuckDB file to open for reading; without one the database is in memory.
    pub file: Option<PathBuf>,
    /// Further DuckDB files, for reading, by the name that stands before their schemas: `name.main.table`.
    pub attached: Vec<(String, PathBuf)>,
    /// Threads for one query; DuckDB's own choice without.
    pub threads: Option<u32>,
    /// Memory in megabytes; DuckDB's own choice (most of the machine) without.
    pub memory: Option<u32>,
    /// Bytes of small text files (CSV, JSON) that are kept in memory once they were read; 0: each query reads them. A file is
    /// read anew when it was changed.
    pub files: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            root: None,
            directories: Vec::new(),
            file: None,
            attached: Vec::new(),
            threads: None,
            memory: None,
            files: 64 << 20,
        }
    }
}

impl Settings {
    /// A database in memory over the files below `root`.
    pub fn below(root: impl Into<PathBuf>) -> Self {
        Self { root: Some(root.into()), ..Self::default() }
    }

    /// The database in a file, read and never written.
    pub fn file(file: impl Into<PathBuf>) -> Self {
        Self { file: Some(file.into()), ..Self::default() }
    }
}
