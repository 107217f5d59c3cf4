//! Doing what was planned.

use std::{
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};

use super::{Error, Plan, Step, Write};

/// Writes what is not yet as planned. A file is replaced whole or not at all.
pub fn write(root: &Path, plan: &Plan) -> Result<(), Error> {
    fs::create_dir_all(root).map_err(Error::io("create", &root.to_string_lossy()))?;
    let due = plan.writes.iter().filter(|write| write.step != Step::Unchanged);
    for write in due {
        one(root, write).map_err(Error::io("write", &write.path))?;
    }
    Ok(())
}

fn one(root: &Path, write: &Write) -> io::Result<()> {
    let path = root.join(&write.path);
    let Some(text) = &write.text else { return fs::create_dir_all(&path) };
    // A link stays a link: `CLAUDE.md` is often one.
    let path = fs::canonicalize(&path).unwrap_or(path);
    let folder = path.parent().map_or_else(|| root.to_owned(), Path::to_path_buf);
    fs::create_dir_all(&folder)?;
    replace(&folder, &path, text, write.executable)
}

fn replace(folder: &Path, path: &PathBuf, text: &str, executable: bool) -> io::Result<()> {
    let mut file = tempfile::Builder::new().prefix(".spox-").suffix(".tmp").tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    permit(file.as_file(), path, executable)?;
    file.persist(path)?;
    Ok(())
}

/// The permissions of the file that is replaced, or those of any new file; a temporary one is its owner's alone.
#[cfg(unix)]
fn permit(file: &fs::File, path: &Path, executable: bool) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(path).map_or(0o644, |metadata| metadata.permissions().mode() & 0o777);
    let mode = if executable { mode | 0o111 } else { mode };
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn permit(_: &fs::File, _: &Path, _: bool) -> io::Result<()> {
    Ok(())
}
