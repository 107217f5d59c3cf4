//! The files that the build script embedded.

/// One file of a page.
pub(crate) struct File {
    pub page: &'static str,
    /// Relative to the page: `index.html`, `assets/index-a1b2.js`.
    pub path: &'static str,
    pub content_type: &'static str,
    pub etag: &'static str,
    pub body: &'static [u8],
    /// The same, compressed, where that is shorter.
    pub gzip: Option<&'static [u8]>,
}

include!(concat!(env!("OUT_DIR"), "/pages.rs"));

pub(crate) fn find(page: &str, path: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.page == page && file.path == path)
}
