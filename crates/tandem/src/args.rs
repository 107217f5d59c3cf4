//! The flags that set configuration, and the layers they go into.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use kit_cli::Hint;

use crate::{
    apps::{Application, Target},
    config::{Config, Layers, Listen, Origin, Setting},
};

/// Where settings come from beside the flags that have a name of their own.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Sources {
    /// Read settings from this file (default: `tandem.toml`, if it is there)
    #[arg(long, value_name = "FILE", env = "TANDEM_CONFIG", hide_env = true)]
    config: Option<PathBuf>,

    /// Set any value by its key, as `tandem config` lists them
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

/// Where things are kept.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Keeping {
    #[command(flatten)]
    sources: Sources,

    /// Keep everything in this directory (default: `.tandem`)
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,

    /// Keep everything in this PostgreSQL database
    #[arg(long, value_name = "URL")]
    database_url: Option<String>,
}

/// Who may ask.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Serving {
    #[command(flatten)]
    keeping: Keeping,

    /// Listen on this address and port
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<Listen>,

    /// Demand this token of every request
    #[arg(long)]
    token: Option<String>,

    /// Listen on an open address without a token
    #[arg(long)]
    no_auth: bool,

    /// Answer to this name, too; may be repeated
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,

    /// Let pages of this origin ask, too; may be repeated
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,

    /// Where the world finds this server, if a proxy stands in front
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
}

/// An application on a port of its own.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Alone {
    /// Listen on this port of the loopback address
    #[arg(long, conflicts_with = "listen")]
    port: Option<u16>,

    #[command(flatten)]
    serving: Serving,
}

/// An application's MCP surface alone.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ToAgents {
    /// May be said, and is what happens anyway
    #[arg(value_parser = ["serve"], hide = true)]
    serve: Option<String>,

    /// Speak on standard input and output, or over HTTP
    #[arg(long, value_enum, default_value_t)]
    pub(crate) transport: Transport,

    /// Over HTTP, listen on this address and port (default: the application's own, on loopback)
    #[arg(long, value_name = "ADDRESS", conflicts_with = "listen")]
    http_addr: Option<Listen>,

    #[command(flatten)]
    serving: Serving,
}

impl Alone {
    /// Sets a value of the configuration.
    pub(crate) fn set(&mut self, key: &str, value: &str) {
        self.serving.keeping.sources.set.push(format!("{key}={value}"));
    }
}

impl ToAgents {
    /// Sets a value of the configuration.
    pub(crate) fn set(&mut self, key: &str, value: &str) {
        self.serving.keeping.sources.set.push(format!("{key}={value}"));
    }
}

/// How agents are spoken to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Transport {
    #[default]
    Stdio,
    Http,
}

/// The server that has what an application shows.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Elsewhere {
    /// Show what the server at this address has, over gRPC, in the place of an own store
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) addr: Option<String>,
}

/// Flags that can be merged over the other layers.
pub(crate) trait Flags {
    fn sources(&self) -> &Sources;
    fn apply(&self, layers: &mut Layers) -> anyhow::Result<()>;

    /// The port of an application alone, unless somebody says another.
    fn port(&self, app: &Application) -> u16 {
        app.port
    }

    /// The configuration in force. An application alone has its own port and its specification's variables.
    fn load(&self, alone: Option<&Application>) -> anyhow::Result<(Config, Vec<Setting>)> {
        let mut defaults = Config::default();
        if let Some(app) = alone {
            defaults.server.listen = Listen::loopback(self.port(app));
        }
        let mut layers = Layers::new(&defaults)?;
        // The file's address is the one of all applications together.
        let skip: &[&str] = if alone.is_some() { &["listen"] } else { &[] };
        layers.file(self.sources().config.as_deref(), skip)?;
        if let Some(app) = alone {
            named_variables(app, &mut layers)?;
        }
        layers.variables(std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        }))?;
        self.apply(&mut layers)?;
        for setting in &self.sources().set {
            let (key, text) = setting
                .split_once('=')
                .with_context(|| format!("`--set {setting}` has no `=` between key and value"))?;
            layers.text(key.trim(), text.trim(), Origin::Flag { name: "--set".into() })?;
        }
        let (mut config, settings) = layers.finish()?;
        if let Some(app) = alone {
            (app.address)(&mut config)?;
        }
        Ok((config, settings))
    }
}

fn named_variables(app: &Application, layers: &mut Layers) -> anyhow::Result<()> {
    for (name, target) in app.variables {
        let Ok(text) = std::env::var(name) else { continue };
        let origin = Origin::Variable { name: (*name).to_owned() };
        match target {
            Target::Port => layers.text("listen", &format!("127.0.0.1:{text}"), origin)?,
            Target::Key(key) => layers.text(key, &text, origin)?,
            Target::Provider { url } => provider(&text, url, origin, layers)?,
            Target::LogLevel => layers.text("log.filter", &log_filter(name, &text)?, origin)?,
            Target::DataFile => data_file(&text, origin, layers)?,
        }
    }
    Ok(())
}

/// The URL counts only for the provider that needs it: many a shell has one that is meant for something else.
fn provider(text: &str, url: &str, origin: Origin, layers: &mut Layers) -> anyhow::Result<()> {
    match text {
        "noop" => layers.text("store", "memory", origin),
        "postgres" => {
            let found = std::env::var(url).ok().filter(|text| !text.is_empty());
            let found = found
                .ok_or_else(|| anyhow!("`{origin}` is `postgres`, and there is no `{url}`"))
                .hint(format!("set `{url}` to `postgres://user@host/database`"))?;
            layers.text("store", "auto", origin)?;
            layers.text("database_url", &found, Origin::Variable { name: url.to_owned() })
        }
        other => Err(anyhow!("{origin}: no provider `{other}`")).hint(
            "`noop` keeps everything in memory, `postgres` in a database; leave it out for a file",
        ),
    }
}

fn data_file(text: &str, origin: Origin, layers: &mut Layers) -> anyhow::Result<()> {
    let path = Path::new(text);
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name
        .ok_or_else(|| anyhow!("{origin}: `{text}` does not name a file"))
        .hint("give a path such as `data/duality.db`; its directory is made")?;
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    layers.text("data_dir", &dir.to_string_lossy(), origin.clone())?;
    layers.text("data_file", name, origin)
}

fn log_filter(name: &str, level: &str) -> anyhow::Result<String> {
    let level = match level.to_lowercase().as_str() {
        "fatal" | "error" => "error",
        "warn" => "warn",
        "info" => "info",
        "debug" => "debug",
        "trace" => return Ok("trace".to_owned()),
        _ => {
            return Err(anyhow!("{name}: no level `{level}`"))
                .hint("there are `fatal`, `error`, `warn`, `info`, `debug`, `trace`");
        }
    };
    Ok(format!("{level},rmcp=off,hyper=info,h2=info"))
}

impl Flags for Keeping {
    fn sources(&self) -> &Sources {
        &self.sources
    }

    fn apply(&self, layers: &mut Layers) -> anyhow::Result<()> {
        // Whoever names a place wants it used, whatever a variable says.
        if let Some(dir) = &self.data_dir {
            layers.flag("data_dir", "--data-dir", dir.to_string_lossy())?;
            layers.flag("store", "--data-dir", "auto")?;
        }
        if let Some(url) = &self.database_url {
            layers.flag("database_url", "--database-url", url.as_str())?;
            layers.flag("store", "--database-url", "auto")?;
        }
        Ok(())
    }
}

impl Flags for Serving {
    fn sources(&self) -> &Sources {
        self.keeping.sources()
    }

    fn apply(&self, layers: &mut Layers) -> anyhow::Result<()> {
        self.keeping.apply(layers)?;
        if let Some(listen) = &self.listen {
            layers.flag("listen", "--listen", listen.to_string())?;
        }
        if let Some(token) = &self.token {
            layers.flag("token", "--token", token.as_str())?;
        }
        if self.no_auth {
            layers.flag("no_auth", "--no-auth", true)?;
        }
        if !self.allow_host.is_empty() {
            layers.flag("allow_hosts", "--allow-host", self.allow_host.clone())?;
        }
        if !self.allow_origin.is_empty() {
            layers.flag("allow_origins", "--allow-origin", self.allow_origin.clone())?;
        }
        if let Some(url) = &self.public_url {
            layers.flag("public_url", "--public-url", url.as_str())?;
        }
        Ok(())
    }
}

impl Flags for ToAgents {
    fn port(&self, app: &Application) -> u16 {
        app.mcp_port
    }

    fn sources(&self) -> &Sources {
        self.serving.sources()
    }

    fn apply(&self, layers: &mut Layers) -> anyhow::Result<()> {
        if let Some(address) = &self.http_addr {
            layers.flag("listen", "--http-addr", address.to_string())?;
        }
        self.serving.apply(layers)
    }
}

impl Flags for Alone {
    fn sources(&self) -> &Sources {
        self.serving.sources()
    }

    fn apply(&self, layers: &mut Layers) -> anyhow::Result<()> {
        if let Some(port) = self.port {
            layers.flag("listen", "--port", Listen::loopback(port).to_string())?;
        }
        self.serving.apply(layers)
    }
}
