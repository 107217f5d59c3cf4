//! NiceGUI with the same page open: its sockets speak Socket.IO.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};
use bench_kit::{Launch, Process};
use serde_json::{Value, json};

use crate::{actions::Page, socket::Socket};

/// Python takes its time to start.
const PATIENCE: Duration = Duration::from_mins(1);

pub(crate) struct NiceGui {
    process: Process,
    socket: Socket,
    click: String,
    _dir: tempfile::TempDir,
}

impl NiceGui {
    pub(crate) fn open(words: &[PathBuf], labels: usize) -> anyhow::Result<Self> {
        let dir = tempfile::Builder::new().prefix("tandem-ui-").tempdir()?;
        // It prints no address, so one is chosen for it; nobody else takes it in between on a machine that measures.
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let numbers = [address.port().to_string(), labels.to_string()].map(PathBuf::from);
        let launch = Launch::new(words.iter().chain(&numbers)).within(dir.path());
        let process = launch.logging_to(dir.path().join("server.log")).pinned().start()?;
        let page = page(address)?;
        let client = between(&page, "'client_id': '", "'").context("no client in the page")?;
        let (id, listener) = button(&page).context("no button in the page")?;
        let mut socket = Socket::open(
            address,
            &format!(
                "/_nicegui_ws/socket.io/?client_id={client}&next_message_id=0&implicit_handshake=true\
                 &tab_id=bench&document_id=bench&EIO=4&transport=websocket"
            ),
        )?;
        socket.say("40")?;
        while !socket.hear()?.starts_with("40") {}
        let event = json!({"id": id, "client_id": client, "listener_id": listener, "args": []});
        let click = format!("42{}", json!(["event", event]));
        Ok(Self { process, socket, click, _dir: dir })
    }
}

/// The page, as soon as the server is there.
fn page(address: SocketAddr) -> anyhow::Result<String> {
    let start = Instant::now();
    let mut stream = loop {
        match TcpStream::connect(address) {
            Ok(stream) => break stream,
            Err(_) if start.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(100)),
            Err(error) => return Err(error).context("NiceGUI does not listen"),
        }
    };
    write!(stream, "GET / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n")?;
    let mut page = String::new();
    stream.read_to_string(&mut page)?;
    Ok(page)
}

/// The number of the button's element and its listener.
fn button(page: &str) -> Option<(u64, String)> {
    let elements = between(page, "parseElements(String.raw`", "`)")?;
    let elements: Value = serde_json::from_str(elements).ok()?;
    elements.as_object()?.iter().find_map(|(id, element)| {
        let listener = element["events"][0]["listener_id"].as_str()?;
        (element["tag"] == "q-btn").then(|| Some((id.parse().ok()?, listener.to_owned())))?
    })
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    Some(rest.split_once(after)?.0)
}

impl Page for NiceGui {
    fn name(&self) -> &'static str {
        "NiceGUI"
    }

    fn act(&mut self, count: usize) -> anyhow::Result<()> {
        self.socket.say(self.click.clone())?;
        loop {
            let frame = self.socket.hear()?;
            if frame == "2" {
                self.socket.say("3")?;
                continue;
            }
            if !frame.starts_with("42[\"update\"") {
                continue;
            }
            if !frame.contains(&format!("\"text\":{count}")) {
                bail!("a count of {count} expected in the answer to a click: {frame}");
            }
            return Ok(());
        }
    }

    fn process(&self) -> &Process {
        &self.process
    }
}
