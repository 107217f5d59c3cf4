//! The sample packages, for a server that has none of its own.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

include!(concat!(env!("OUT_DIR"), "/samples.rs"));

/// Puts the samples below the data directory, and says where. Files that are there as they should be are left alone.
pub(crate) fn unpack(data_dir: &Path) -> io::Result<PathBuf> {
    let root = data_dir.join("publisher").join("samples");
    for (name, content) in FILES {
        let place = root.join(name);
        if fs::read(&place).is_ok_and(|there| there == *content) {
            continue;
        }
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&place, content)?;
    }
    // A path that is independent of the working directory.
    root.canonicalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_changed_is_put_right() {
        let dir = tempfile::tempdir().unwrap();
        let root = unpack(dir.path()).unwrap();
        let model = root.join("library/library.malloy");
        let original = fs::read_to_string(&model).unwrap();
        fs::write(&model, "").unwrap();
        unpack(dir.path()).unwrap();
        assert_eq!(fs::read_to_string(&model).unwrap(), original);
    }
}
