//! `tandem serve`

use std::{
    io,
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, anyhow};
use futures::future::try_join_all;
use kit_cli::{Hint, Outcome, Ui};
use kit_core::Principal;
use kit_http::{Guard, Metrics, Pages, Rules, Token};
use serde_json::json;
use tokio::net::TcpListener;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    apps::{self, Application},
    args::{Alone, Flags, Serving},
    config::{Config, Server},
    door,
    host::Host,
    log, routes,
    signals::Orders,
    status::{self, Status},
};

/// Serve all applications on one port
#[derive(Debug, clap::Args)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    flags: Serving,
}

pub(crate) async fn serve(ui: &mut Ui, args: &ServeArgs) -> anyhow::Result<Outcome> {
    let begun = Instant::now();
    let (config, _) = args.flags.load(None)?;
    let apps = apps::named(&[])?;
    let site = Site { shape: Shape::All, pages: Pages::default(), begun };
    site.serve(ui, &config, async |_| Host::start(&config, &apps).await).await
}

/// `tandem <application> serve`: its routes at the root, exactly as its specification has them.
pub(crate) async fn alone(
    ui: &mut Ui,
    app: &'static Application,
    args: &Alone,
) -> anyhow::Result<Outcome> {
    let begun = Instant::now();
    let (mut config, _): (Config, _) = args.load(Some(app))?;
    config.keep_for(app);
    let start = async |bound| {
        let config = Config { alone_at: Some(bound), ..config.clone() };
        Host::start(&config, &[app]).await
    };
    Site { shape: Shape::Alone, pages: app.pages, begun }.serve(ui, &config, start).await
}

/// `tandem <application> mcp --transport http`: its MCP endpoint, and nothing for people.
pub(crate) async fn to_agents(
    ui: &mut Ui,
    config: &Config,
    start: impl AsyncFnOnce() -> anyhow::Result<Host>,
) -> anyhow::Result<Outcome> {
    let site = Site { shape: Shape::ToAgents, pages: Pages::default(), begun: Instant::now() };
    site.serve(ui, config, async |_| start().await).await
}

/// What is to be served.
struct Site {
    shape: Shape,
    pages: Pages,
    begun: Instant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// All applications, each below its name.
    All,
    /// One, at the root.
    Alone,
    /// The MCP endpoint of one.
    ToAgents,
}

impl Site {
    async fn serve(
        &self,
        ui: &mut Ui,
        config: &Config,
        start: impl AsyncFnOnce(SocketAddr) -> anyhow::Result<Host>,
    ) -> anyhow::Result<Outcome> {
        let tokens = access(&config.server)?;
        let mut orders = Orders::listen()?;
        log::start(ui.global(), &config.log)?;
        let listener = listen(config.server.listen.0).await?;
        let bound = listener.local_addr().context("cannot tell the address")?;
        raise_descriptor_limit();

        let host = Arc::new(start(bound).await?);
        let metrics = Metrics::default();
        let site = status::Site {
            locked: config.server.is_locked(),
            public_url: config.server.public_url.clone(),
            alone: self.shape != Shape::All,
        };
        let status = Status::new(&host, &metrics, site);
        let guard_at = |bound, pages| {
            Guard::new(Rules { pages, ..rules(config, bound, tokens.clone()) }, metrics.clone())
        };
        let further = self.further(&config.server, (&host, &status), guard_at).await?;
        let guard = guard_at(bound, self.pages);
        let routes = match self.shape {
            Shape::All => routes::all(&host, &status),
            Shape::Alone => routes::alone(&host, &status),
            Shape::ToAgents => routes::to_agents(&host, &status),
        };

        // Only who has the directory's lock may put a door there. A database everybody may open, and what is in
        // memory or elsewhere is nobody else's.
        let visitors = if config.server.owns_data_dir() && !host.is_elsewhere() {
            door::open(&host, &config.server.data_dir, routes::of_commands(&host))
        } else {
            TaskTracker::new()
        };
        let stop = CancellationToken::new();
        let grace = Duration::from_secs(config.server.grace_seconds);
        let serving = kit_http::Server::new(routes, guard).serve(listener, stop.clone(), grace);
        let mut all = vec![tokio::spawn(serving)];
        let ms = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        tracing::info!(address = %bound, url = %format_args!("http://{bound}"), ms, "listening");
        ui.event(&json!({"listening": format!("http://{bound}")}))?;
        for (name, address, listener, server) in further {
            all.push(tokio::spawn(server.serve(listener, stop.clone(), grace)));
            tracing::info!(%address, url = %format_args!("http://{address}"), name, "also listening");
            ui.event(&json!({"also_listening": format!("http://{address}"), "for": name}))?;
        }
        let mut serving = try_join_all(all);

        orders.stop().await;
        tracing::info!(grace_seconds = config.server.grace_seconds, "stopping");
        status.stopping();
        stop.cancel();
        host.shutdown.cancel();
        let left = async {
            visitors.close();
            // Visitors get the same grace as everybody, and no more.
            drop(tokio::time::timeout(grace, visitors.wait()).await);
        };
        tokio::select! {
            (ended, ()) = async { tokio::join!(&mut serving, left) } => drop(ended.context("the server panicked")?),
            () = orders.stop() => tracing::warn!("asked twice to stop, not waiting"),
        }
        host.stop().await;
        tracing::info!("stopped");
        Ok(Outcome::Success)
    }
}

impl Site {
    /// The further addresses of the applications, bound and ready to be served.
    async fn further(
        &self,
        server: &Server,
        (host, status): (&Host, &Status),
        guard_at: impl Fn(SocketAddr, Pages) -> Guard,
    ) -> anyhow::Result<Vec<(&'static str, SocketAddr, TcpListener, kit_http::Server)>> {
        let mut bound = Vec::new();
        if self.shape == Shape::ToAgents {
            return Ok(bound);
        }
        for mount in &host.mounts {
            for further in &mount.listeners {
                may_listen(server, further.address)?;
                let listener = listen(further.address)
                    .await
                    .with_context(|| format!("for `{}` of `{}`", further.name, mount.name))?;
                let address = listener.local_addr().context("cannot tell the address")?;
                let routes = routes::further(host, status, mount, &further.serves);
                let server = kit_http::Server::new(routes, guard_at(address, self.pages));
                bound.push((further.name, address, listener, server));
            }
        }
        Ok(bound)
    }
}

/// The tokens to demand, with their holders. An open address needs one, or the word that none is wanted.
fn access(server: &Server) -> anyhow::Result<Vec<(Token, Principal)>> {
    may_listen(server, server.listen.0)?;
    let mut tokens = Vec::new();
    if let Some(token) = &server.token {
        let token = Token::new(token.reveal()).context("`token` cannot be used")?;
        tokens.push((token, Principal::new("token")));
    }
    for (name, token) in &server.tokens {
        if matches!(&**name, "local" | "token") {
            return Err(anyhow!("`tokens.{name}` cannot be told from callers without a name"))
                .hint("call its holder something else");
        }
        let wrong = || format!("`tokens.{name}` cannot be used");
        let token = Token::new(token.reveal()).with_context(wrong)?;
        if tokens.iter().any(|(known, _)| *known == token) {
            return Err(anyhow!("`tokens.{name}` is somebody else's token, too"))
                .hint("give each holder a token of their own");
        }
        tokens.push((token, Principal::new(name.as_str())));
    }
    Ok(tokens)
}

fn may_listen(server: &Server, address: SocketAddr) -> anyhow::Result<()> {
    if address.ip().is_loopback() || server.no_auth || server.is_locked() {
        return Ok(());
    }
    Err(anyhow!("`{address}` can be reached from other machines, and there is no token"))
        .hint("give one with `--token` or `TANDEM_TOKEN`, or say `--no-auth` if everybody may ask")
}

async fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    let hint = |error: &io::Error| match error.kind() {
        io::ErrorKind::AddrInUse => {
            "another program listens there: stop it, or choose another port with `--listen`"
        }
        io::ErrorKind::PermissionDenied => {
            "ports below 1024 need special rights: choose another with `--listen`"
        }
        _ => "choose an address of this machine with `--listen`",
    };
    TcpListener::bind(address).await.or_else(|error| {
        let hint = hint(&error);
        Err(error).with_context(|| format!("cannot listen on `{address}`")).hint(hint)
    })
}

fn rules(config: &Config, bound: SocketAddr, tokens: Vec<(Token, Principal)>) -> Rules {
    let server = &config.server;
    Rules {
        bound: Some(bound),
        hosts: server.allow_hosts.clone(),
        origins: server.allow_origins.clone(),
        public_url: server.public_url.clone(),
        pages: Pages::default(),
        token: None,
        tokens,
        limits: config.limits.clone(),
    }
}

/// Shells give a program a thousand files; a thousand open streams need more. As far as it may.
fn raise_descriptor_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::debug!(%error, "cannot raise the limit of open files");
    }
}
