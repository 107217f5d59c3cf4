//! Reading one file, whatever it turns out to be.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read as _},
    os::unix::fs::MetadataExt as _,
    path::Path,
    sync::Arc,
    time::{Duration, SystemTime},
};

use spox_core::Source;

/// A file beyond this is not text that somebody wrote.
const MOST_BYTES: u64 = 256 * 1024 * 1024;

/// How long a file's time may stand still although the file changes: clocks of file systems tick coarsely.
const TICK: Duration = Duration::from_millis(50);

/// What tells one content of a file from another without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    /// When content, name or rights last changed. Unlike the time of modification nobody can set it back.
    changed: (i64, i64),
    bytes: u64,
    inode: u64,
    /// Written so shortly before it was looked at that a second write could have left the same stamp.
    fresh: bool,
}

impl Stamp {
    fn of(metadata: &Metadata, now: SystemTime) -> Self {
        let changed = (metadata.ctime(), metadata.ctime_nsec());
        let at =
            Duration::new(changed.0.try_into().unwrap_or(0), changed.1.try_into().unwrap_or(0));
        let fresh = SystemTime::UNIX_EPOCH + at + TICK >= now;
        Self { changed, bytes: metadata.len(), inode: metadata.ino(), fresh }
    }

    /// Whether the file is surely what it was at the time of `earlier`.
    fn proves_unchanged(&self, earlier: &Self) -> bool {
        !earlier.fresh && Self { fresh: false, ..*self } == *earlier
    }
}

/// What a file or folder looks like from outside; nothing if it is not there.
pub(super) fn stamp(path: &Path, now: SystemTime) -> Option<Stamp> {
    fs::metadata(path).ok().map(|metadata| Stamp::of(&metadata, now))
}

/// Whether what looked like `then` is surely still the same, absent or not.
pub(super) fn proves_unchanged(then: Option<Stamp>, now: Option<Stamp>) -> bool {
    match (then, now) {
        (None, None) => true,
        (Some(then), Some(now)) => now.proves_unchanged(&then),
        _ => false,
    }
}

/// The text of a file, or the reason why there is none.
pub(super) fn source(path: &Path) -> Source {
    match text(path) {
        Ok(text) => Source::Text(text),
        Err(reason) => Source::Unreadable(reason),
    }
}

fn text(path: &Path) -> Result<Arc<str>, String> {
    // Not opened before it is known to be a file: opening a pipe waits for somebody to write.
    let metadata = fs::metadata(path).map_err(|error| reason(&error))?;
    if !metadata.is_file() {
        return Err("it is not a file".into());
    }
    if metadata.len() > MOST_BYTES {
        let (is, most) = (metadata.len() >> 20, MOST_BYTES >> 20);
        return Err(format!("it has {is} MiB, and {most} MiB is the most; split it"));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    let file = File::open(path).map_err(|error| reason(&error))?;
    // It may grow while it is read.
    file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(|error| reason(&error))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text.into()),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            Err(format!("it is not UTF-8 text (byte {at})"))
        }
    }
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::NotFound => "it is not there".into(),
        _ => error.to_string(),
    }
}
