//! Lists the sample packages, which are part of the binary.

use std::{
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

fn main() {
    let manifest = env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is");
    let samples = Path::new(&manifest).join("../../examples/publisher");
    println!("cargo::rerun-if-changed={}", samples.display());
    let mut files = Vec::new();
    walk(&samples, &mut files);
    files.sort();
    let mut text = String::from("pub(super) const FILES: &[(&str, &[u8])] = &[\n");
    for file in files {
        let name = file.strip_prefix(&samples).expect("it was found there");
        let name = name.to_string_lossy().replace('\\', "/");
        let place = file.canonicalize().expect("it is there");
        let place = place.to_string_lossy();
        writeln!(text, "    ({name:?}, include_bytes!({place:?})),").expect("a text takes all");
    }
    text.push_str("];\n");
    let out = env::var("OUT_DIR").expect("cargo says where to write");
    fs::write(Path::new(&out).join("samples.rs"), text).expect("the directory can be written to");
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("the samples are part of the sources");
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        match (hidden, path.is_dir()) {
            (true, _) => {}
            (false, true) => walk(&path, files),
            (false, false) => files.push(path),
        }
    }
}
