//! A throw-away PostgreSQL from the system's packages.
//!
//! Started at the first call of [`database`], shared by all tests of the process, gone with it: a shell
//! watches a pipe that closes when the process ends, however it ends, and then stops the server.

use std::{
    env,
    io::{self, BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
};

/// Starts the server, says `ready` and where, waits for the end of its input, cleans up.
const WATCHDOG: &str = include_str!("postgres.sh");

/// The URL of a new, empty database; `None` (said on stderr) where PostgreSQL is not installed.
///
/// # Panics
///
/// If PostgreSQL is not installed and `CI` is `true`: there nothing may be left out. Also if it does not start.
pub fn database() -> Option<String> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    SERVER.get_or_init(Server::start).as_ref().map(Server::database)
}

struct Server {
    /// Where its programs are.
    bin: PathBuf,
    /// Where its socket is. No port: tests of several checkouts may run at the same time.
    socket: String,
}

impl Server {
    fn start() -> Option<Self> {
        let Some(bin) = programs() else {
            let missing = "PostgreSQL is not installed: install the package `postgresql`";
            assert!(env::var("CI").as_deref() != Ok("true"), "{missing}");
            // Not `eprintln!`, which the test runner hides when a test passes.
            writeln!(io::stderr(), "SKIPPED: {missing} to run the tests against it").ok();
            return None;
        };
        let mut shell = shell();
        shell.args(["-c", WATCHDOG, "postgres-watchdog"]).arg(&bin);
        // Ctrl-C is for the tests; the watchdog goes when they are gone.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        let mut watchdog = shell
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("cannot start the shell that starts PostgreSQL");
        let mut output = BufReader::new(watchdog.stdout.take().expect("stdout was piped"));
        let mut line = String::new();
        output.read_line(&mut line).expect("cannot hear from the shell that starts PostgreSQL");
        let Some(socket) = line.trim().strip_prefix("ready ") else {
            output.read_to_string(&mut line).expect("cannot read why PostgreSQL did not start");
            panic!("PostgreSQL did not start: {line}");
        };
        // Never dropped: the pipe stays open as long as the process lives.
        std::mem::forget(watchdog);
        Some(Self { bin, socket: socket.to_owned() })
    }

    fn database(&self) -> String {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let made = Command::new(self.bin.join("createdb"))
            .args(["--host", &self.socket, "--username", "postgres", &name])
            .output()
            .expect("cannot run createdb");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        format!("postgres:///{name}?host={}&user=postgres", self.socket)
    }
}

/// The directory with the server's programs: in `PATH`, or where Debian keeps the newest version.
fn programs() -> Option<PathBuf> {
    let has_all = |dir: &PathBuf| {
        ["initdb", "pg_ctl", "postgres", "createdb"].iter().all(|name| dir.join(name).is_file())
    };
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).find(has_all).or_else(|| {
        let versions = Path::new("/usr/lib/postgresql").read_dir().ok()?;
        let number = |dir: &PathBuf| dir.parent()?.file_name()?.to_str()?.parse::<u32>().ok();
        versions
            .flatten()
            .map(|version| version.path().join("bin"))
            .filter(has_all)
            .max_by_key(number)
    })
}

/// PostgreSQL refuses to run as root; its package brings a user for it.
fn shell() -> Command {
    let id = Command::new("id").arg("-u").output().expect("cannot run id");
    if id.stdout.trim_ascii() != b"0" {
        return Command::new("sh");
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--init-groups", "sh"]);
    command
}
