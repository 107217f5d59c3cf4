//! The guides, and the project's own documents over them.

use std::{fs, io, path::Path};

use crate::{
    Error, Service, guides,
    project::{Lost, inside},
};

/// Documents that are listed; what lies deeper can still be read.
const MOST_LISTED: usize = 200;
const DEEPEST: usize = 4;
/// A document larger than this is no document.
const LARGEST: u64 = 4 << 20;

/// The document at `path`, with its type: the project's file, the same with `.md`, else a guide of that name.
pub(crate) fn read(service: &Service, path: &str) -> Result<(Vec<u8>, &'static str), Error> {
    if let Some(project) = service.project() {
        let folder = project.resources();
        for name in [path.to_owned(), format!("{path}.md")] {
            match inside(&folder, &name) {
                Ok(file) => return Ok((content(&file)?, content_type(&name))),
                Err(Lost::Outside) => return Err(Error::ResourcePath),
                Err(Lost::Missing) => {}
            }
        }
    } else if inside(Path::new("/nonexistent"), path) == Err(Lost::Outside) {
        return Err(Error::ResourcePath);
    }
    let guide = guides::find(path).ok_or_else(|| Error::UnknownResource(path.to_owned()))?;
    Ok((guide.text.as_bytes().to_vec(), "text/markdown"))
}

fn content(file: &Path) -> Result<Vec<u8>, Error> {
    let failed =
        |source: io::Error| Error::File { what: "cannot read the resource".to_owned(), source };
    let length = file.metadata().map_err(failed)?.len();
    if length > LARGEST {
        return Err(Error::TooLarge(length));
    }
    fs::read(file).map_err(failed)
}

/// The project's own documents beside the guides, by name.
pub(crate) fn list(service: &Service) -> Vec<String> {
    let Some(project) = service.project() else { return Vec::new() };
    let mut names = Vec::new();
    collect(&project.resources(), "", DEEPEST, &mut names);
    names.retain(|name| name.strip_suffix(".md").is_none_or(|stem| guides::find(stem).is_none()));
    names
}

fn collect(folder: &Path, prefix: &str, depth: usize, names: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<_> = entries.filter_map(Result::ok).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else {
            continue;
        };
        if name.starts_with('.') || names.len() >= MOST_LISTED {
            continue;
        }
        if kind.is_dir() && depth > 0 {
            collect(&entry.path(), &format!("{prefix}{name}/"), depth - 1, names);
        } else if kind.is_file() {
            names.push(format!("{prefix}{name}"));
        }
    }
}

/// The type of a file by its name. Never that of a page of an MCP app, which only such pages may carry.
pub(crate) fn content_type(name: &str) -> &'static str {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some("md") => "text/markdown",
        Some("html" | "htm") => "text/html",
        Some("css") => "text/css",
        Some("js" | "mjs") => "text/javascript",
        Some("json" | "map") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("gif") => "image/gif",
        Some("webp") => "image/webp",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("woff") => "font/woff",
        Some("wasm") => "application/wasm",
        Some("pdf") => "application/pdf",
        Some("mp3") => "audio/mpeg",
        Some("mp4") => "video/mp4",
        Some("xml") => "application/xml",
        Some("toml") => "application/toml",
        Some("csv") => "text/csv",
        Some("lua" | "txt" | "log") | None => "text/plain",
        Some(_) => "application/octet-stream",
    }
}
