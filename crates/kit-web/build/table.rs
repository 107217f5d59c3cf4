//! The table of embedded files, as Rust source.

use std::{
    ffi::OsStr,
    fmt::Write as _,
    hash::{DefaultHasher, Hasher as _},
    io::Write as _,
    path::Path,
};

use flate2::{Compression, write::GzEncoder};

use crate::{Outcome, failed, list, make_directory, read, write};

/// The table of a build without pages; `missing` says why.
pub(crate) fn missing(pages: &[String], missing: &str) -> String {
    table(pages, &format!("Some({missing:?})"), "")
}

/// The table of the files below `built`; compressed copies go below `out`.
pub(crate) fn embedded(pages: &[String], built: &Path, out: &Path) -> Outcome<String> {
    let mut rows = String::new();
    for page in pages {
        let mut files = Vec::new();
        collect(&built.join(page), "", &mut files)?;
        if !files.iter().any(|path| path == "index.html") {
            return Err(format!("the web build gave no page `{page}`; name it in web/build.js"));
        }
        for path in files {
            rows.push_str(&row(page, &path, built, out)?);
        }
    }
    Ok(table(pages, "None", &rows))
}

fn table(pages: &[String], missing: &str, rows: &str) -> String {
    format!(
        "pub(crate) static PAGES: &[&str] = &{pages:?};\n\
         pub(crate) static MISSING: Option<&str> = {missing};\n\
         pub(crate) static FILES: &[File] = &[\n{rows}];\n"
    )
}

/// Paths of the files below `directory`, relative to it, with `/` in between.
fn collect(directory: &Path, prefix: &str, found: &mut Vec<String>) -> Outcome<()> {
    if !directory.is_dir() {
        return Ok(());
    }
    for entry in list(directory)? {
        let name = entry.file_name().and_then(OsStr::to_str);
        let path = format!("{prefix}{}", name.ok_or("a built file has a name that is not text")?);
        if entry.is_dir() {
            collect(&entry, &format!("{path}/"), found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}

fn row(page: &str, path: &str, built: &Path, out: &Path) -> Outcome<String> {
    let file = built.join(page).join(path);
    let content = read(&file)?;
    let mut row = format!(
        "    File {{ page: {page:?}, path: {path:?}, content_type: {:?}, etag: {:?}, \
         body: include_bytes!({}), gzip: ",
        content_type(path)?,
        format!("W/\"{:016x}\"", hash(&content)),
        literal(&file),
    );
    let packed = gzip(&content).map_err(failed("compress", &file))?;
    if packed.len() < content.len() {
        let copy = out.join("gzip").join(page).join(format!("{path}.gz"));
        make_directory(copy.parent().unwrap_or(out))?;
        write(&copy, &packed)?;
        let _ = write!(row, "Some(include_bytes!({}))", literal(&copy));
    } else {
        row.push_str("None");
    }
    row.push_str(" },\n");
    Ok(row)
}

/// The path as a Rust string literal.
fn literal(path: &Path) -> String {
    format!("{:?}", path.display().to_string())
}

fn gzip(content: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    encoder.finish()
}

fn hash(content: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(content);
    hasher.finish()
}

/// The types that the pages use. A new kind of file is named here, never guessed.
fn content_type(path: &str) -> Outcome<&'static str> {
    let extension = path.rsplit('.').next().unwrap_or_default();
    Ok(match extension {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" => "image/jpeg",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        _ => return Err(format!("no content type for `{path}`; add it in kit-web/build/table.rs")),
    })
}
