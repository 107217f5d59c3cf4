//! Nothing but the protocol reaches standard output, whoever tries.
//!
//! The test starts itself as a second process, whose part is [`the_other_process`].

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Command, Stdio},
    sync::Arc,
    time::Duration,
};

use kit_app::{Deps, SystemClock};
use kit_mcp::{Hub, Options, Server};
use kit_store::Store;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

const ROLE: &str = "UI_TEST_SERVES_STDIO";

/// Serves standard input and output, with somebody beside it who prints, logs and panics all the time.
#[test]
fn the_other_process() {
    if std::env::var_os(ROLE).is_none() {
        return;
    }
    std::thread::spawn(|| {
        loop {
            println!("printed by a thread");
            eprintln!("said on standard error");
            drop(std::thread::spawn(|| panic!("a panic beside the protocol")).join());
            std::thread::sleep(Duration::from_millis(1));
        }
    });
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (hub, shutdown) = (Hub::default(), CancellationToken::new());
        let deps = Deps {
            store: Store::memory(),
            clock: Arc::new(SystemClock),
            hub: hub.clone(),
            data_dir: "unused".into(),
            shutdown: shutdown.clone(),
        };
        let mount = ui::mount(&ui::Config::default(), None, &deps).unwrap();
        let server = Server::single(mount.mcp, Options { hub, ..Options::default() });
        kit_mcp::stdio::serve(server, shutdown.clone()).await.unwrap();
        shutdown.cancel();
    });
}

// spec: ui 2.1
// spec: ui 2.2
#[test]
fn standard_output_carries_the_protocol_alone_while_everything_prints() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "hygiene::the_other_process", "--nocapture", "--quiet"])
        .env(ROLE, "1")
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut errors = child.stderr.take().unwrap();
    let said_beside = std::thread::spawn(move || {
        let mut said = String::new();
        errors.read_to_string(&mut said).unwrap();
        said
    });
    let mut lines = BufReader::new(output).lines();
    let mut messages: Vec<Value> = Vec::new();
    let mut id = 0;
    let mut ask = |method: &str, params: Value| {
        id += 1;
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        input.write_all(format!("{message}\n").as_bytes()).unwrap();
        loop {
            let line = lines.next().expect("an answer").unwrap();
            let message: Value = match serde_json::from_str(&line) {
                Ok(message) => message,
                // What the test's own frame says before it lets us begin.
                Err(_) if messages.is_empty() => continue,
                Err(error) => panic!("not of the protocol: {error}: {line}"),
            };
            assert_eq!(message["jsonrpc"], "2.0", "{line}");
            messages.push(message.clone());
            if message["id"] == id {
                return message;
            }
        }
    };
    ask(
        "initialize",
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}),
    );
    let tool = |name: &str, arguments: Value| json!({"name": name, "arguments": arguments});
    ask("tools/call", tool("ui_configure", json!({"base_dir": dir.path()})));
    ask("tools/call", tool("ui_start", json!({})));
    let code = "print('from lua') io.write('written\\n') io.stdout:write('more\\n') io.stderr:write('err\\n')\n\
                session:log('warn', 'logged') ui.log('info', 'logged') mcp.notify('event', {n = 1})\n\
                session:setTimeout(function() print('later') error('in a timer') end, 1)";
    for _ in 0..30 {
        let answer = ask("tools/call", tool("ui_run", json!({"code": code})));
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        let failed = ask("tools/call", tool("ui_run", json!({"code": "error('no')"})));
        assert_eq!(failed["result"]["isError"], true);
    }
    drop(input);
    for line in lines {
        let line = line.unwrap();
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"));
        assert_eq!(message["jsonrpc"], "2.0");
    }
    assert!(child.wait().unwrap().success(), "the end of input ends it");
    let beside = said_beside.join().unwrap();
    assert!(beside.contains("a panic beside the protocol"), "panics go to standard error");
    assert!(
        beside.contains("printed by a thread"),
        "what is printed goes to standard error: {beside}"
    );
    let log = std::fs::read_to_string(dir.path().join("log/lua.log")).unwrap();
    assert_eq!(log.matches("from lua\nwritten\nmore\n").count(), 30);
}
