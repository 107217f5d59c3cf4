//! Builds the pages of `web/` and writes the table of their files that `src/embedded.rs` includes.
//!
//! Everything happens in `OUT_DIR`, on a copy of the sources: cargo gives each build a directory of its
//! own and locks it, so builds side by side never meet, and the source tree stays as it was. The packages are
//! installed again only when the lock file changed; after that a build takes under a second.
//!
//! Without Node the crate still builds, and says on its pages what is missing. With Node, a page that does
//! not build fails the build, since a binary with old or missing pages would be a surprise later.

use std::{
    env,
    ffi::OsStr,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

#[path = "build/table.rs"]
mod table;

/// The oldest Node that Vite runs on.
const NODE: (u32, u32) = (20, 19);
const SKIP: &str = "TANDEM_SKIP_WEB";
/// In `web/`, but no part of the pages.
const NOT_SOURCES: [&str; 4] = ["node_modules", "dist", "tests", "README.md"];

/// Why something did not work, in words.
type Outcome<T> = Result<T, String>;

fn main() {
    if let Err(why) = run() {
        for line in why.lines() {
            println!("cargo::error={line}");
        }
    }
}

fn run() -> Outcome<()> {
    let out = PathBuf::from(variable("OUT_DIR")?);
    let web = PathBuf::from(variable("CARGO_MANIFEST_DIR")?).join("../../web");
    let sources = sources(&web)?;
    for path in &sources {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-env-changed={SKIP}");

    let pages = pages(&sources);
    let table = match usable_node() {
        Ok(()) => table::embedded(&pages, &build(&sources, &out.join("web"))?, &out)?,
        Err(missing) => {
            println!("cargo::warning=the browser pages are left out: {missing}");
            table::missing(&pages, &missing)
        }
    };
    write(&out.join("pages.rs"), table.as_bytes())
}

/// Files and directories that the pages are made of.
fn sources(web: &Path) -> Outcome<Vec<PathBuf>> {
    let mut found = list(web)?;
    found.retain(|path| {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        !name.starts_with('.') && !NOT_SOURCES.contains(&name)
    });
    Ok(found)
}

/// Names of the directories that hold a page.
fn pages(sources: &[PathBuf]) -> Vec<String> {
    let with_index = sources.iter().filter(|path| path.join("index.html").is_file());
    with_index.filter_map(|path| path.file_name()?.to_str().map(str::to_owned)).collect()
}

/// Whether the pages can be built here; if not, what is missing and how to get it.
fn usable_node() -> Outcome<()> {
    if env::var_os(SKIP).is_some_and(|value| !value.is_empty() && value != "0") {
        return Err(format!("`{SKIP}` is set; unset it and build again"));
    }
    let wanted = format!("Node {}.{} or newer", NODE.0, NODE.1);
    let Some(version) = answer("node").zip(answer(npm())).map(|(node, _)| node) else {
        watch_path();
        return Err(format!("Node and npm were not found; install {wanted} and build again"));
    };
    if parse(&version).is_none_or(|version| version < NODE) {
        watch_path();
        return Err(format!("Node {version} is too old; install {wanted} and build again"));
    }
    Ok(())
}

/// Has cargo look again when a program appears where the shell would find it.
fn watch_path() {
    println!("cargo::rerun-if-env-changed=PATH");
    for directory in env::split_paths(&env::var_os("PATH").unwrap_or_default()) {
        // A watched path that does not exist would mean a rebuild every time.
        if directory.is_dir() {
            println!("cargo::rerun-if-changed={}", directory.display());
        }
    }
}

fn answer(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

fn parse(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.strip_prefix('v')?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

fn npm() -> &'static str {
    if cfg!(windows) { "npm.cmd" } else { "npm" }
}

/// Builds every page below `work` and gives the directory that holds one directory per page.
fn build(sources: &[PathBuf], work: &Path) -> Outcome<PathBuf> {
    refresh(sources, work)?;
    install(work)?;
    let built = work.join("dist");
    let mut vite = Command::new("node");
    // A stray `NODE_ENV` would give pages made for development.
    vite.args(["build.js", "dist"])
        .env("NODE_ENV", "production")
        .env("NO_COLOR", "1")
        .current_dir(work);
    succeed(&mut vite, "the web build failed")?;
    Ok(built)
}

/// Makes `work` hold the sources as they are now, keeping only the installed packages.
fn refresh(sources: &[PathBuf], work: &Path) -> Outcome<()> {
    make_directory(work)?;
    for stale in list(work)?.iter().filter(|path| !path.ends_with("node_modules")) {
        let removed =
            if stale.is_dir() { fs::remove_dir_all(stale) } else { fs::remove_file(stale) };
        removed.map_err(failed("remove", stale))?;
    }
    sources.iter().try_for_each(|source| copy(source, work))
}

fn copy(from: &Path, into: &Path) -> Outcome<()> {
    let to = into.join(from.file_name().unwrap_or_default());
    if from.is_dir() {
        make_directory(&to)?;
        return list(from)?.iter().try_for_each(|inner| copy(inner, &to));
    }
    fs::copy(from, &to).map(drop).map_err(failed("copy", from))
}

/// Installs what the build needs, unless the same lock file was installed before.
fn install(work: &Path) -> Outcome<()> {
    let lock = read(&work.join("package-lock.json"))?;
    // Written last, so an interrupted installation is done again.
    let stamp = work.join("node_modules/.installed");
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    let mut npm = Command::new(npm());
    npm.args(["ci", "--omit=dev", "--ignore-scripts", "--prefer-offline"])
        .args(["--no-audit", "--no-fund", "--loglevel=error"])
        .current_dir(work);
    succeed(&mut npm, "the packages of the web build could not be installed")?;
    write(&stamp, &lock)
}

/// Runs `command`; its output is shown only if it failed.
fn succeed(command: &mut Command, failure: &str) -> Outcome<()> {
    let output = command.output().map_err(|error| format!("{failure}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let mut message = format!("{failure} ({}):\n", output.status);
    for stream in [&output.stdout, &output.stderr] {
        // The reason comes first; npm may add pages of usage after it.
        for line in String::from_utf8_lossy(stream).trim().lines().take(40) {
            let _ = writeln!(message, "{line}");
        }
    }
    let _ = write!(message, "set {SKIP}=1 to build without the browser pages");
    Err(message)
}

fn variable(name: &str) -> Outcome<String> {
    env::var(name).map_err(|_| format!("`{name}` is not set; run this through cargo"))
}

/// What a directory holds, in the order of names, so that the same sources give the same table.
fn list(directory: &Path) -> Outcome<Vec<PathBuf>> {
    let entries: io::Result<Vec<_>> =
        fs::read_dir(directory).and_then(|all| all.map(|entry| Ok(entry?.path())).collect());
    let mut entries = entries.map_err(failed("list", directory))?;
    entries.sort();
    Ok(entries)
}

fn read(path: &Path) -> Outcome<Vec<u8>> {
    fs::read(path).map_err(failed("read", path))
}

fn write(path: &Path, content: &[u8]) -> Outcome<()> {
    fs::write(path, content).map_err(failed("write", path))
}

fn make_directory(path: &Path) -> Outcome<()> {
    fs::create_dir_all(path).map_err(failed("create", path))
}

fn failed(verb: &str, path: &Path) -> impl FnOnce(io::Error) -> String {
    move |error| format!("cannot {verb} {}: {error}", path.display())
}
