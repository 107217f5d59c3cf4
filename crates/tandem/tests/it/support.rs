//! The program under test, and a client that can misbehave.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    path::Path,
    process::{Child, ChildStdout, Command, Output, Stdio},
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// No answer takes longer in a test that passes.
const PATIENCE: Duration = Duration::from_secs(20);

/// The program in a directory of its own, with an empty environment.
pub(crate) fn tandem(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tandem"));
    command.env_clear().current_dir(dir);
    command
}

/// Exit code, stdout and stderr in one text, as a snapshot shows them.
pub(crate) fn shown(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    format!(
        "exit: {}\n--- stdout\n{}--- stderr\n{}",
        status.code().map_or("none".to_owned(), |code| code.to_string()),
        String::from_utf8(stdout).unwrap(),
        String::from_utf8(stderr).unwrap(),
    )
}

/// A running `tandem serve`. Killed when dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    child: Child,
    said: BufReader<ChildStdout>,
    dir: TempDir,
}

impl Running {
    /// Starts on a free port and waits until it listens.
    pub(crate) fn start(args: &[&str]) -> Self {
        Self::start_as(&["serve"], args)
    }

    pub(crate) fn start_as(command: &[&str], args: &[&str]) -> Self {
        Self::start_with(command, args, &[])
    }

    pub(crate) fn start_with(command: &[&str], args: &[&str], vars: &[(&str, &str)]) -> Self {
        Self::start_in(TempDir::new().unwrap(), command, args, vars)
    }

    /// The same in a directory with something in it.
    pub(crate) fn start_in(
        dir: TempDir,
        command: &[&str],
        args: &[&str],
        vars: &[(&str, &str)],
    ) -> Self {
        let mut child = tandem(dir.path())
            .envs(vars.iter().copied())
            .args(command)
            .args(["--json", "--listen", "127.0.0.1:0"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(dir.path().join("log")).unwrap())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        let address = address_told(&mut said, dir.path());
        Self { address, child, said, dir }
    }

    /// The next address that it says it listens on.
    pub(crate) fn further_address(&mut self) -> SocketAddr {
        address_told(&mut self.said, self.dir.path())
    }

    pub(crate) fn connect(&self) -> Client {
        connect(self.address)
    }

    /// One request on a connection of its own.
    pub(crate) fn send(&self, head: &str, body: &str) -> Answer {
        send_to(self.address, head, body)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send(&format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n"), "")
    }

    /// Where it keeps everything, and where other commands find it.
    pub(crate) fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// A second server that looks at the same directory.
    pub(crate) fn beside(&self, args: &[&str]) -> Self {
        let data = self.dir().join(".tandem");
        let args = [&["--data-dir", data.to_str().unwrap()], args].concat();
        Self::start(&args)
    }

    /// SIGKILL: nothing is tidied up.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Another server where this one was.
    pub(crate) fn restart(mut self) -> Self {
        let dir = std::mem::replace(&mut self.dir, TempDir::new().unwrap());
        Self::start_in(dir, &["serve"], &[], &[])
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.dir.path().join("log")).unwrap()
    }

    /// Waits until the log says `word`.
    pub(crate) fn wait_for_log(&self, word: &str) {
        let begun = Instant::now();
        while !self.log().contains(word) {
            assert!(begun.elapsed() < PATIENCE, "no `{word}` in the log: {}", self.log());
            std::thread::yield_now();
        }
    }

    pub(crate) fn ask_to_stop(&self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    }

    pub(crate) fn exit_code(mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn address_told(said: &mut BufReader<ChildStdout>, dir: &Path) -> SocketAddr {
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    let url = line.split('"').nth(3).unwrap_or_else(|| {
        panic!("no address in {line:?}: {}", std::fs::read_to_string(dir.join("log")).unwrap())
    });
    url.strip_prefix("http://").unwrap().parse().unwrap()
}

fn connect(address: SocketAddr) -> Client {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    Client { stream: BufReader::new(stream) }
}

/// One request on a connection of its own.
pub(crate) fn send_to(address: SocketAddr, head: &str, body: &str) -> Answer {
    let mut client = connect(address);
    client.write(&request(head, body));
    client.answer().expect("the connection was closed without an answer")
}

/// Runs every command that a document shows in its blocks of `sh`; there are at least so many.
pub(crate) fn documented(dir: &Path, document: &str, at_least: usize) {
    let blocks = document.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let lines: Vec<_> = blocks.flat_map(str::lines).collect();
    assert!(lines.len() >= at_least, "{lines:?}");
    for line in lines {
        let words = words(line);
        assert_eq!(words[0], "tandem", "{line}");
        let said = shown(tandem(dir).args(&words[1..]));
        assert!(said.starts_with("exit: 0"), "$ {line}\n{said}");
    }
}

/// What a line of a shell says, without its quotation marks.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let words = parts.flat_map(|(number, part)| match number % 2 {
        1 => vec![part.to_owned()],
        _ => part.split_whitespace().map(str::to_owned).collect(),
    });
    words.collect()
}

/// A head (request line and headers, each with its line end) and a body as one message.
pub(crate) fn request(head: &str, body: &str) -> Vec<u8> {
    format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// One connection, bytes in, answers out.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
}

impl Client {
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        self.stream.get_mut().write_all(bytes).unwrap();
    }

    /// Writes as much as the other side takes.
    pub(crate) fn try_write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.stream.get_mut().write_all(bytes)
    }

    /// The next answer, or `None` when the connection ends before one.
    pub(crate) fn answer(&mut self) -> Option<Answer> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if self.stream.read_line(&mut head).unwrap() == 0 {
                return None;
            }
        }
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let mut answer = Answer { status, head: head.to_lowercase(), body: String::new() };
        if let Some(length) = answer.header("content-length") {
            let mut body = vec![0; length.parse().unwrap()];
            self.stream.read_exact(&mut body).unwrap();
            answer.body = String::from_utf8(body).unwrap();
        }
        Some(answer)
    }

    /// The next bytes, whatever they mean.
    pub(crate) fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        self.stream.read_exact(&mut bytes).unwrap();
        bytes
    }

    /// Everything until the other side ends.
    pub(crate) fn read_to_end(&mut self) {
        self.stream.read_to_end(&mut Vec::new()).unwrap();
    }

    /// Whether the other side closes without another word, within the time a test has.
    pub(crate) fn is_closed(&mut self) -> bool {
        match self.stream.read(&mut [0; 1]) {
            Ok(read) => read == 0,
            Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
        }
    }
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// An MCP `initialize` of a session-era client.
pub(crate) const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;

/// The head of an MCP message.
pub(crate) fn mcp_head(path: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\n"
    )
}
