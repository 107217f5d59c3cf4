//! Tandem with the page open, as a browser would hold it.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    path::Path,
};

use anyhow::{Context as _, bail};
use bench_kit::{Launch, Process};
use serde_json::{Value, json};

use crate::{Args, actions::Page, socket::Socket};

const COUNT: u64 = 2;
const INCREMENT: u64 = 3;

/// Starts the server on `dir`.
pub(crate) fn start(args: &Args, dir: &Path) -> anyhow::Result<(Process, SocketAddr)> {
    let words = [args.tandem.as_os_str(), "ui".as_ref(), "serve".as_ref(), dir.as_os_str()];
    let options = ["--json", "--listen", "127.0.0.1:0"].map(AsRef::as_ref);
    let launch = Launch::new(words.into_iter().chain(options)).logging_to(dir.join("server.log"));
    let mut process = launch.pinned().start()?;
    let line = process.line()?;
    let said: Value = serde_json::from_str(&line).with_context(|| format!("it said `{line}`"))?;
    let url = said["listening"].as_str().with_context(|| format!("no address in `{line}`"))?;
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    let address = address.split('/').next().unwrap_or(address);
    Ok((process, address.parse().with_context(|| format!("`{url}` is no address"))?))
}

/// Opens a session by asking for the front page, which leads to it.
pub(crate) fn session(address: SocketAddr) -> anyhow::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    write!(stream, "GET / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let place = answer.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("location").then(|| value.trim().trim_matches('/').to_owned())
    });
    place.with_context(|| format!("no session: {}", answer.lines().next().unwrap_or_default()))
}

/// A page with all its variables.
pub(crate) struct Tandem {
    process: Process,
    socket: Socket,
    _dir: tempfile::TempDir,
}

impl Tandem {
    pub(crate) fn open(args: &Args, labels: usize) -> anyhow::Result<Self> {
        let dir = tempfile::Builder::new().prefix("tandem-ui-").tempdir()?;
        crate::app::write(dir.path(), labels)?;
        let (process, address) = start(args, dir.path())?;
        let mut socket = open_page(address, &session(address)?)?;
        bind_rows(&mut socket, labels)?;
        Ok(Self { process, socket, _dir: dir })
    }
}

/// A socket that watches the root, the count and the action.
pub(crate) fn open_page(address: SocketAddr, session: &str) -> anyhow::Result<Socket> {
    let mut socket = Socket::open(address, &format!("/ws/{session}"))?;
    socket.say(batch(&json!([{"type": "watch", "data": {"varId": 1}}])))?;
    until(&mut socket, |update| update["varId"] == 1 && update["properties"]["type"] == "Bench")?;
    socket.say(batch(&json!([
        create(COUNT, 1, &json!({"path": "count"})),
        create(INCREMENT, 1, &json!({"path": "increment()", "access": "action"})),
    ])))?;
    until(&mut socket, |update| update["varId"] == COUNT && update["value"] == 0)?;
    Ok(socket)
}

/// Binds the label of every row, as the page does: a variable for the row and one for its name.
fn bind_rows(socket: &mut Socket, labels: usize) -> anyhow::Result<()> {
    let rows = INCREMENT + 1;
    let mut all = vec![create(rows, 1, &json!({"path": "rows", "access": "r"}))];
    let mut last = rows;
    // Two variables for each label would be twice what is asked for: half of them are rows.
    for index in 0..labels / 2 {
        all.push(create(last + 1, rows, &json!({"path": index.to_string(), "access": "r"})));
        all.push(create(last + 2, last + 1, &json!({"path": "name"})));
        last += 2;
    }
    socket.say(batch(&Value::Array(all)))?;
    until(socket, |update| update["varId"] == last && update.get("value").is_some())
}

fn create(id: u64, parent: u64, properties: &Value) -> Value {
    json!({"type": "create", "data": {"id": id, "parentId": parent, "properties": properties}})
}

fn batch(messages: &Value) -> String {
    json!({"userEvent": true, "messages": messages}).to_string()
}

/// Reads frames until one has such an update.
fn until(socket: &mut Socket, found: impl Fn(&Value) -> bool) -> anyhow::Result<()> {
    loop {
        let frame: Value = serde_json::from_str(&socket.hear()?)?;
        let messages = match frame {
            Value::Array(messages) => messages,
            message => vec![message],
        };
        if let Some(error) = messages.iter().find(|message| message["type"] == "error") {
            bail!("the server answered {error}");
        }
        if messages.iter().any(|message| message["type"] == "update" && found(&message["data"])) {
            return Ok(());
        }
    }
}

impl Page for Tandem {
    fn name(&self) -> &'static str {
        "Tandem"
    }

    fn act(&mut self, count: usize) -> anyhow::Result<()> {
        let update = json!([{"type": "update", "data": {"varId": INCREMENT, "value": null}}]);
        self.socket.say(batch(&update))?;
        let frame = self.socket.hear()?;
        let wanted = format!("\"varId\":{COUNT},\"value\":{count}}}");
        if !frame.contains(&wanted) {
            bail!("`{wanted}` expected in the answer to an action: {frame}");
        }
        Ok(())
    }

    fn process(&self) -> &Process {
        &self.process
    }
}
