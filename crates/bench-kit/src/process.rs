//! A server as a process: started, watched from outside, ended.

use std::{
    ffi::OsString,
    fs,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::LazyLock,
    time::Duration,
};

use anyhow::{Context, bail};

/// The core that servers run on, and the one that the load runs on.
const SERVER_CORE: &str = "0";
const LOAD_CORE: &str = "1";

/// The unit of times in `/proc/PID/stat`, `USER_HZ`: part of Linux's interface, the same on every machine.
const TICKS_PER_SECOND: u64 = 100;

/// The machine's cores, counted before the load is kept to one of them.
static CORES: LazyLock<usize> =
    LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));

/// Whether server and load can be kept on cores of their own.
static PINNED: LazyLock<bool> = LazyLock::new(|| *CORES > 1 && quietly("taskset", &["--version"]));

/// How a server is started: the program and its arguments, where it runs, and where its log goes.
#[derive(Debug, Clone)]
pub struct Launch {
    words: Vec<OsString>,
    dir: Option<PathBuf>,
    log: Option<PathBuf>,
}

impl Launch {
    pub fn new<W: Into<OsString>>(words: impl IntoIterator<Item = W>) -> Self {
        Self { words: words.into_iter().map(Into::into).collect(), dir: None, log: None }
    }

    /// The same, started by another program, which gets `words` first.
    #[must_use]
    pub fn under<W: Into<OsString>>(&self, words: impl IntoIterator<Item = W>) -> Self {
        let words = words.into_iter().map(Into::into);
        Self { words: words.chain(self.words.iter().cloned()).collect(), ..self.clone() }
    }

    /// The same, with `dir` as its working directory.
    #[must_use]
    pub fn within(mut self, dir: &Path) -> Self {
        self.dir = Some(dir.to_owned());
        self
    }

    /// The same, with what it writes on standard error in `file`; without this, a person sees it.
    #[must_use]
    pub fn logging_to(mut self, file: PathBuf) -> Self {
        self.log = Some(file);
        self
    }

    /// The same, on the servers' core if that is possible.
    #[must_use]
    pub fn pinned(&self) -> Self {
        if *PINNED { self.under(["taskset", "-c", SERVER_CORE]) } else { self.clone() }
    }

    pub fn start(&self) -> anyhow::Result<Process> {
        let program = self.words.first().context("nothing to start")?;
        let stderr = match &self.log {
            Some(file) => fs::File::create(file)?.into(),
            None => Stdio::inherit(),
        };
        let here = self.dir.as_deref().unwrap_or(Path::new("."));
        let mut child = Command::new(program)
            .current_dir(here)
            .args(&self.words[1..])
            .env("NODE_ENV", "production")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .with_context(|| format!("cannot start `{}`", program.display()))?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().map(BufReader::new);
        Ok(Process { child, stdin, stdout, log: self.log.clone() })
    }
}

/// Who runs on which cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// The server on one, the load on another: what a server does with one core, and nothing disturbs it.
    Apart,
    /// Both on all of them, as the system sees fit: what a server does with the machine.
    Everywhere,
}

impl Placement {
    /// Whether server and load are kept on cores of their own, which takes two of them.
    pub fn is_apart(self) -> bool {
        self == Self::Apart && *PINNED
    }

    /// Puts the calling process, which makes the load, where it belongs.
    pub fn take(self) {
        let all = format!("0-{}", *CORES - 1);
        let cores = if self.is_apart() { LOAD_CORE } else { &all };
        if *PINNED {
            quietly("taskset", &["-pc", cores, &std::process::id().to_string()]);
        }
    }

    /// The server where it belongs. Started by us, it is where we are unless it is told otherwise.
    pub fn launch(self, launch: &Launch) -> Launch {
        if self.is_apart() { launch.pinned() } else { launch.clone() }
    }

    /// Who runs where, in words.
    pub fn words(self) -> String {
        let apart = if self.is_apart() {
            "the server on one core, the load on another"
        } else {
            "server and load on the same cores"
        };
        format!("{apart}, on a machine with {} cores", *CORES)
    }
}

/// Who runs where, in words.
pub fn placement() -> String {
    Placement::Apart.words()
}

/// Keeps the calling process, which makes the load, off the servers' core.
pub fn pin_load() {
    Placement::Apart.take();
}

fn quietly(program: &str, args: &[&str]) -> bool {
    let status = Command::new(program).args(args).stdout(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// A running server. It is ended when this is dropped.
pub struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Option<BufReader<ChildStdout>>,
    log: Option<PathBuf>,
}

impl Process {
    /// The next line that it prints.
    pub fn line(&mut self) -> anyhow::Result<String> {
        let stdout = self.stdout.as_mut().context("its output is taken")?;
        let mut line = String::new();
        stdout.read_line(&mut line)?;
        if line.is_empty() {
            let log = self.log.as_ref().and_then(|file| fs::read_to_string(file).ok());
            bail!("a server ended before it said where it listens: {}", log.unwrap_or_default());
        }
        Ok(line.trim_end().to_owned())
    }

    /// Its input and output, to talk over.
    pub fn pipes(&mut self) -> anyhow::Result<(ChildStdin, BufReader<ChildStdout>)> {
        self.stdin.take().zip(self.stdout.take()).context("its pipes are taken")
    }

    /// What it has used of the processor so far, in all its threads, in user and system mode.
    pub fn cpu(&self) -> anyhow::Result<Duration> {
        let stat = self.read("stat")?;
        // The name, in parentheses, may hold spaces; the fields after it are numbers.
        let fields = stat.rsplit_once(')').context("unexpected form of /proc/PID/stat")?.1;
        let mut times = fields.split_whitespace().skip(11).map(str::parse::<u64>);
        let (user, system) =
            times.next().zip(times.next()).context("no times in /proc/PID/stat")?;
        let ticks = user? + system?;
        Ok(Duration::from_millis(ticks * 1000 / TICKS_PER_SECOND))
    }

    /// Its resident memory in bytes.
    pub fn memory(&self) -> anyhow::Result<u64> {
        let status = self.read("status")?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.and_then(|line| line.split_whitespace().next()).context("no VmRSS")?;
        Ok(kib.parse::<u64>()? * 1024)
    }

    /// Lets it end by itself, as it does when its input ends, and waits for that.
    pub fn end(mut self) -> anyhow::Result<()> {
        drop(self.stdin.take());
        if let Some(mut stdout) = self.stdout.take() {
            stdout.read_to_end(&mut Vec::new())?;
        }
        self.child.wait()?;
        Ok(())
    }

    fn read(&self, file: &str) -> anyhow::Result<String> {
        let path = format!("/proc/{}/{file}", self.child.id());
        fs::read_to_string(&path).with_context(|| format!("cannot read `{path}`"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already; there is nothing else to do about either failure.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
