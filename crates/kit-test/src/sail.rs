//! A throw-away Spark Connect server: Sail, which needs no Java.
//!
//! Started at the first call of [`server`], shared by all tests of the process, gone with it, as PostgreSQL is.

use std::{
    env,
    io::{self, BufRead, BufReader, Read, Write},
    process::{Command, Stdio},
    sync::OnceLock,
};

/// Starts the server, says `ready` and where, waits for the end of its input, cleans up.
const WATCHDOG: &str = include_str!("sail.sh");

/// The variable that names Sail's program. `cargo xtask test` installs it and sets this.
pub const PROGRAM: &str = "SAIL";

/// The URL of the server (`sc://…`); `None` (said on stderr) where no program is named.
///
/// # Panics
///
/// If it does not start.
pub fn server() -> Option<String> {
    static SERVER: OnceLock<Option<String>> = OnceLock::new();
    SERVER.get_or_init(start).clone()
}

fn start() -> Option<String> {
    let Some(program) = env::var_os(PROGRAM) else {
        // Not `eprintln!`, which the test runner hides when a test passes.
        writeln!(
            io::stderr(),
            "SKIPPED: `{PROGRAM}` names no Sail; `cargo xtask test --only spark` brings one"
        )
        .ok();
        return None;
    };
    let mut shell = Command::new("sh");
    shell.args(["-c", WATCHDOG, "sail-watchdog"]).arg(program);
    // Ctrl-C is for the tests; the watchdog goes when they are gone.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    let mut watchdog = shell
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("cannot start the shell that starts Sail");
    let mut output = BufReader::new(watchdog.stdout.take().expect("stdout was piped"));
    let mut line = String::new();
    output.read_line(&mut line).expect("cannot hear from the shell that starts Sail");
    let Some(place) = line.trim().strip_prefix("ready ") else {
        output.read_to_string(&mut line).expect("cannot read why Sail did not start");
        panic!("Sail did not start: {line}");
    };
    let url = format!("sc://{place}");
    // Never dropped: the pipe stays open as long as the process lives.
    std::mem::forget(watchdog);
    Some(url)
}
