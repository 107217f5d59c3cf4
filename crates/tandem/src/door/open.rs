//! The server's side.

use std::{io, os::unix::fs::PermissionsExt, path::Path, sync::Arc};

use axum::Router;
use kit_mcp::Server;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{UnixListener, UnixStream},
};
use tokio_util::task::TaskTracker;

use super::{Wish, http_socket, mcp_socket};
use crate::{apps, host::Host};

/// A wish is a line of a few names.
const LONGEST_WISH: u64 = 4096;

/// Opens the door until the host stops; gives what to wait for then. A data directory that cannot hold a socket
/// (its path is too long, its file system knows none) costs the door and nothing else.
pub(crate) fn open(host: &Arc<Host>, data_dir: &Path, routes: Router) -> TaskTracker {
    let visitors = TaskTracker::new();
    let opened =
        bind(&http_socket(data_dir)).and_then(|http| Ok((http, bind(&mcp_socket(data_dir))?)));
    match opened {
        Ok((http, mcp)) => {
            let stop = host.shutdown.clone().cancelled_owned();
            let serving = axum::serve(http, routes).with_graceful_shutdown(stop);
            visitors.spawn(async move { drop(serving.await) });
            visitors.spawn(receive(host.clone(), mcp, visitors.clone()));
        }
        Err(error) => {
            let dir = data_dir.display();
            tracing::warn!(%dir, %error, "no sockets there: commands cannot join this server");
        }
    }
    visitors.close();
    visitors
}

/// Whoever has the store may replace a socket that was left behind.
fn bind(path: &Path) -> io::Result<UnixListener> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(path)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

async fn receive(host: Arc<Host>, listener: UnixListener, visitors: TaskTracker) {
    loop {
        tokio::select! {
            () = host.shutdown.cancelled() => return,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    let host = host.clone();
                    visitors.spawn(async move {
                        if let Err(error) = attend(&host, stream).await {
                            tracing::debug!(%error, "a visitor on the MCP socket went away");
                        }
                    });
                }
                Err(error) => tracing::debug!(%error, "cannot accept on the MCP socket"),
            },
        }
    }
}

async fn attend(host: &Host, stream: UnixStream) -> io::Result<()> {
    let (input, mut output) = stream.into_split();
    let mut input = BufReader::new(input);
    let mut line = String::new();
    (&mut input).take(LONGEST_WISH).read_line(&mut line).await?;
    match server(host, &line) {
        Ok(server) => {
            output.write_all(b"\n").await?;
            kit_mcp::stdio::serve_on(server, input, output, host.shutdown.child_token()).await
        }
        Err(reason) => output.write_all(format!("{reason}\n").as_bytes()).await,
    }
}

/// What the visitor wants, or why it cannot be had.
fn server(host: &Host, wish: &str) -> Result<Server, String> {
    let wish: Wish = serde_json::from_str(wish)
        .map_err(|error| format!("the running server does not understand this program: {error}"))?;
    let missing = |name: &str| format!("the running server does not serve `{name}`");
    match wish {
        Wish::Combined(names) => {
            let all = apps::ALL.iter().map(|app| app.name);
            let wanted =
                |name: &&str| names.is_empty() || names.iter().any(|wanted| wanted == name);
            let names: Vec<_> = all.filter(wanted).collect();
            match names.iter().find(|name| host.mount(name).is_none()) {
                Some(name) => Err(missing(name)),
                None => Ok(host.combined(&names)),
            }
        }
        Wish::Single(name) => match host.mount(&name) {
            Some(mount) => Ok(host.single(mount)),
            None => Err(missing(&name)),
        },
    }
}
