//! Finds the DuckDB library that the crate loads when the first database is opened.
//!
//! Nothing is linked. The path found here is where a program built from this checkout looks last; what a
//! person says by `DUCKDB_LIB_DIR`, or puts beside the program, comes first (`src/library.rs`). Looked for
//! in this order:
//!
//! 1. the directory `DUCKDB_LIB_DIR`;
//! 2. the npm package that `library/package-lock.json` pins by its hash, installed once into a cache
//!    directory outside the checkout;
//! 3. what `libduckdb-sys` downloaded by itself, which it does when `DUCKDB_DOWNLOAD_LIB=1`.
//!
//! Without any of them the crate still builds, and opening a database says what is missing.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

const LIB_DIR: &str = "DUCKDB_LIB_DIR";

/// Why something did not work, in words.
type Outcome<T> = Result<T, String>;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=library");
    println!("cargo::rerun-if-env-changed={LIB_DIR}");
    println!("cargo::rerun-if-env-changed=DUCKDB_DOWNLOAD_LIB");
    if env::var_os("CARGO_FEATURE_LOADED").is_none() {
        return;
    }
    match find() {
        Ok(library) => {
            // Cargo runs this again when the cache is emptied.
            println!("cargo::rerun-if-changed={}", library.display());
            println!("cargo::rustc-env=MALLOY_DUCKDB_LIBRARY={}", library.display());
        }
        Err(missing) => {
            for line in missing.lines() {
                println!("cargo::warning={line}");
            }
            println!("cargo::rustc-env=MALLOY_DUCKDB_LIBRARY=");
        }
    }
}

fn find() -> Outcome<PathBuf> {
    let name = file_name();
    if let Some(directory) = env::var_os(LIB_DIR) {
        let library = PathBuf::from(directory).join(name);
        return library
            .is_file()
            .then_some(library)
            .ok_or_else(|| format!("`{LIB_DIR}` is set, and there is no {name} in it"));
    }
    let npm = from_npm(name);
    if npm.is_ok() {
        return npm;
    }
    // `include` of libduckdb-sys is the directory of its download; without one it is not set.
    if let Some(directory) = env::var_os("DEP_DUCKDB_INCLUDE") {
        let library = PathBuf::from(directory).join(name);
        if library.is_file() {
            return Ok(library);
        }
    }
    npm.map_err(|why| {
        format!(
            "queries will not run, the DuckDB library was not found: {why}\n\
             install Node, or set `{LIB_DIR}`, or set DUCKDB_DOWNLOAD_LIB=1, and build again"
        )
    })
}

fn file_name() -> &'static str {
    match env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("windows") => "duckdb.dll",
        Ok("macos") => "libduckdb.dylib",
        _ => "libduckdb.so",
    }
}

/// The library of the npm package for the target, installed into the cache when it is not there yet.
fn from_npm(name: &str) -> Outcome<PathBuf> {
    let (system, processor) =
        (variable("CARGO_CFG_TARGET_OS")?, variable("CARGO_CFG_TARGET_ARCH")?);
    let platform = match (&*system, &*processor) {
        ("linux", "x86_64") if variable("CARGO_CFG_TARGET_ENV")? == "gnu" => "linux-x64",
        _ => return Err(format!("no package is pinned for {system} on {processor}")),
    };
    let manifest = PathBuf::from(variable("CARGO_MANIFEST_DIR")?).join("library");
    let lock = fs::read_to_string(manifest.join("package-lock.json"))
        .map_err(|error| format!("cannot read library/package-lock.json: {error}"))?;
    let place = cache()?.join(format!("duckdb-{}", version(&lock)?));
    let library =
        place.join("node_modules/@duckdb").join(format!("node-bindings-{platform}")).join(name);
    if !library.is_file() {
        install(&manifest, &place)?;
    }
    library.is_file().then_some(library).ok_or_else(|| format!("the npm package has no {name}"))
}

/// Installs beside the place and moves there, so that builds side by side never see half of it.
fn install(manifest: &Path, place: &Path) -> Outcome<()> {
    let beside = place.with_extension(format!("{}.part", std::process::id()));
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", beside.display());
    fs::create_dir_all(&beside).map_err(failed)?;
    for file in ["package.json", "package-lock.json"] {
        fs::copy(manifest.join(file), beside.join(file)).map_err(failed)?;
    }
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.args([
        "ci",
        "--ignore-scripts",
        "--prefer-offline",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
    ])
    .current_dir(&beside);
    let output = npm.output().map_err(|error| format!("npm did not start: {error}"))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let _removed = fs::remove_dir_all(&beside);
        return Err(format!("npm failed: {}", text.lines().next().unwrap_or("it said nothing")));
    }
    // Another build may have been first; then its copy is as good.
    if fs::rename(&beside, place).is_err() {
        let _removed = fs::remove_dir_all(&beside);
    }
    Ok(())
}

/// The version of the package in the lock file, which names the directory of the cache.
fn version(lock: &str) -> Outcome<&str> {
    let package = lock.find("\"node_modules/@duckdb/").map(|at| &lock[at..]);
    let after = package.and_then(|text| text.split_once("\"version\": \""));
    let version = after.and_then(|(_, text)| text.split('"').next());
    version.ok_or_else(|| "library/package-lock.json names no version".to_owned())
}

fn cache() -> Outcome<PathBuf> {
    let below = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = below("XDG_CACHE_HOME")
        .or_else(|| below("LOCALAPPDATA"))
        .or_else(|| below("HOME").map(|home| home.join(".cache")));
    base.map(|base| base.join("tandem")).ok_or_else(|| "no home directory is known".to_owned())
}

fn variable(name: &str) -> Outcome<String> {
    env::var(name).map_err(|_| format!("`{name}` is not set; run this through cargo"))
}
