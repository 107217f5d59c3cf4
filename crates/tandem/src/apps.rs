//! The applications. This is the one place that lists them: a new one is a field and an entry.

use clap::{ArgMatches, Subcommand};
use futures::{FutureExt, future::LocalBoxFuture};
use kit_app::{Deps, Mount};
use kit_cli::{Client, Hint as _, Outcome, Ui};
use kit_http::Pages;
use serde::{Deserialize, Serialize};

use crate::config::{Config, Secret};

/// The settings of all applications, one part each.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Settings {
    pub(crate) universe: universe::Config,
    pub(crate) campaign: campaign::Config,
    pub(crate) spox: spox::Config,
    pub(crate) ui: ui::Config,
    pub(crate) publisher: publisher::Config,
}

/// An application, before it is started.
pub(crate) struct Application {
    /// Its name in paths, commands and configuration.
    pub(crate) name: &'static str,
    /// One line for `--help`.
    pub(crate) about: &'static str,
    /// The port that it has when it is served alone.
    pub(crate) port: u16,
    /// The variables that its specification names, in force when it is served alone.
    pub(crate) variables: &'static [(&'static str, Target)],
    pub(crate) mount: fn(&Config, &Deps) -> anyhow::Result<Mount>,
    /// The port of its MCP endpoint when `<application> mcp` serves it over HTTP.
    pub(crate) mcp_port: u16,
    /// Its MCP surface over a server elsewhere, if it can be that.
    pub(crate) remote: Option<Remote>,
    /// Whether it keeps anything in the store. For one that does not, none is opened where only it is started.
    pub(crate) keeps: bool,
    /// Whether `--mcp` in the place of a command is `mcp`, as its specification has it.
    pub(crate) mcp_flag: bool,
    /// Which pages may ask it when it is served alone.
    pub(crate) pages: Pages,
    /// What its settings say about the address, when it is served alone.
    pub(crate) address: fn(&mut Config) -> anyhow::Result<()>,
    /// Flags that all its commands have, each for a key of the configuration.
    pub(crate) flags: &'static [Flag],
    /// What it has beside the commands that all have.
    pub(crate) commands: Option<Commands>,
}

/// A flag of one application.
pub(crate) struct Flag {
    pub(crate) long: &'static str,
    pub(crate) short: Option<char>,
    pub(crate) value: &'static str,
    pub(crate) help: &'static str,
    /// What it sets.
    pub(crate) key: &'static str,
    /// Whether `serve` takes the value without the flag's name, too.
    pub(crate) bare: bool,
}

/// An application's own commands.
pub(crate) struct Commands {
    /// Adds them to the application's part of the command line.
    pub(crate) augment: fn(clap::Command) -> clap::Command,
    /// How one of them is carried out.
    pub(crate) run: Run,
}

/// How an application's commands work.
pub(crate) enum Run {
    /// They ask the application's routes.
    Asking {
        /// Whether a command looks at what is kept; for one that does not, nothing is opened and nothing is made.
        needs_store: fn(&ArgMatches) -> bool,
        run: for<'a> fn(
            &'a mut Ui,
            Client,
            &'a ArgMatches,
        ) -> LocalBoxFuture<'a, anyhow::Result<Outcome>>,
    },
    /// They work on files of the user's, where no server has to be asked.
    OnFiles(for<'a> fn(&'a mut Ui, &'a ArgMatches) -> anyhow::Result<Outcome>),
}

/// Commands that belong to no application that is served: they work on files.
pub(crate) struct Group {
    pub(crate) name: &'static str,
    /// One line for `--help`.
    pub(crate) about: &'static str,
    pub(crate) augment: fn(clap::Command) -> clap::Command,
    pub(crate) run: for<'a> fn(&'a mut Ui, &'a ArgMatches) -> anyhow::Result<Outcome>,
}

/// All groups, in the order of the help.
pub(crate) const GROUPS: &[Group] = &[Group {
    name: malloy::NAME,
    about: "Compile, run and check Malloy models over files",
    augment: malloy::cli::Command::augment_subcommands,
    run: malloy::cli::run,
}];

/// An application whose MCP surface may stand in front of another server.
pub(crate) struct Remote {
    /// The variable that names the server, and wins over the flag.
    pub(crate) variable: &'static str,
    pub(crate) mount: fn(&Config, &str, &Deps) -> anyhow::Result<Mount>,
}

/// What a variable of a specification sets.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    /// The port of `listen`.
    Port,
    /// The value with this key.
    Key(&'static str),
    /// Where things are kept: `noop` or `postgres`, the latter at the URL that another variable has.
    Provider { url: &'static str },
    /// How much is logged, in the words of the specification.
    LogLevel,
    /// The path of the SQLite file.
    DataFile,
}

/// All applications, in the order of the home page.
pub(crate) const ALL: &[Application] = &[
    Application {
        name: universe::NAME,
        about: "Build and animate universes of stars, planets, belts and nebulae",
        port: 3001,
        variables: &[
            ("PORT", Target::Port),
            ("CORS_ORIGINS", Target::Key("allow_origins")),
            ("DB_PROVIDER", Target::Provider { url: "DATABASE_URL" }),
            ("LOG_LEVEL", Target::LogLevel),
            ("LOG_FILE", Target::Key("log.file")),
        ],
        mount: |config, deps| Ok(universe::mount(&config.apps.universe, deps)?),
        mcp_port: 3001,
        remote: None,
        keeps: true,
        mcp_flag: false,
        pages: Pages::OnThisMachine,
        address: |_| Ok(()),
        flags: &[],
        commands: Some(Commands {
            augment: universe::cli::Command::augment_subcommands,
            run: Run::Asking {
                needs_store: |_| true,
                run: |ui, client, matches| universe::cli::run(ui, client, matches).boxed_local(),
            },
        }),
    },
    Application {
        name: campaign::NAME,
        about: "Run tabletop campaigns with Duality dice",
        port: 8080,
        variables: &[("DUALITY_DB_PATH", Target::DataFile)],
        mount: |config, deps| Ok(campaign::mount(&config.apps.campaign, deps)),
        mcp_port: 8081,
        remote: Some(Remote {
            variable: "DUALITY_GRPC_ADDR",
            mount: |config, address, deps| {
                let token = config.server.token.as_ref().map(Secret::reveal);
                Ok(campaign::mount_remote(address, token, deps)?)
            },
        }),
        keeps: true,
        mcp_flag: false,
        pages: Pages::OnThisMachine,
        address: |_| Ok(()),
        flags: &[],
        commands: Some(Commands {
            augment: campaign::cli::Command::augment_subcommands,
            run: Run::Asking {
                needs_store: campaign::cli::needs_store,
                run: |ui, client, matches| campaign::cli::run(ui, client, matches).boxed_local(),
            },
        }),
    },
    Application {
        name: spox::NAME,
        about: "Keep specs and changes, checked and searched by people and coding agents",
        port: 3002,
        variables: &[],
        mount: |config, deps| Ok(spox::mount(&config.apps.spox, deps)?),
        mcp_port: 3002,
        remote: None,
        keeps: false,
        mcp_flag: false,
        pages: Pages::OnThisMachine,
        address: |_| Ok(()),
        flags: &[Flag {
            long: "root",
            short: Some('C'),
            value: "DIR",
            help: "Work on the project in this folder (default: here, or the nearest above)",
            key: "spox.root",
            bare: false,
        }],
        commands: Some(Commands {
            augment: spox::cli::Command::augment_subcommands,
            run: Run::OnFiles(spox::cli::run),
        }),
    },
    Application {
        name: ui::NAME,
        about: "Build live pages in Lua and HTML, with an agent that hears what people do",
        port: 3003,
        variables: &[
            ("UI_HOST", Target::Key("ui.host")),
            ("UI_PORT", Target::Key("ui.port")),
            ("UI_LUA_PATH", Target::Key("ui.lua_path")),
            ("UI_HOTLOAD", Target::Key("ui.hotload")),
            ("UI_SESSION_TIMEOUT", Target::Key("ui.session_timeout")),
            ("UI_LOG_LEVEL", Target::Key("ui.log_level")),
            ("UI_VERBOSITY", Target::Key("ui.verbosity")),
        ],
        mount: |config, deps| ui::mount(&config.apps.ui, config.alone_at, deps),
        mcp_port: 3003,
        remote: None,
        keeps: false,
        mcp_flag: true,
        pages: Pages::OwnOnly,
        address: |_| Ok(()),
        flags: UI_FLAGS,
        commands: Some(Commands {
            augment: ui::cli::Command::augment_subcommands,
            run: Run::OnFiles(ui::cli::run),
        }),
    },
    Application {
        name: publisher::NAME,
        about: "Publish Malloy models over data, and ask questions of them",
        port: 4000,
        variables: &[
            ("PUBLISHER_PORT", Target::Port),
            ("PUBLISHER_HOST", Target::Key("publisher.host")),
            ("MCP_PORT", Target::Key("publisher.mcp_port")),
            ("SERVER_ROOT", Target::Key("publisher.server_root")),
            ("PUBLISHER_WATCH", Target::Key("publisher.watch")),
            ("PUBLISHER_DEFAULT_QUERY_ROW_LIMIT", Target::Key("publisher.default_rows")),
            ("PUBLISHER_MAX_QUERY_ROWS", Target::Key("publisher.max_rows")),
            ("PUBLISHER_MAX_RESPONSE_BYTES", Target::Key("publisher.max_bytes")),
            ("PUBLISHER_QUERY_TIMEOUT_MS", Target::Key("publisher.query_timeout_ms")),
            ("PUBLISHER_MAX_CONCURRENT_QUERIES", Target::Key("publisher.concurrent_queries")),
            ("PUBLISHER_MAX_MEMORY_BYTES", Target::Key("publisher.max_memory_bytes")),
            ("PUBLISHER_RATE_LIMIT", Target::Key("limits.requests_per_second")),
            ("LOG_LEVEL", Target::LogLevel),
        ],
        mount: |config, deps| {
            publisher::mount(&config.apps.publisher, config.alone_at, deps).map_err(kit_cli::fault)
        },
        mcp_port: 4001,
        remote: None,
        keeps: false,
        mcp_flag: false,
        // Pages of other sites may read what is published, as they may with other servers of this kind.
        pages: Pages::Any,
        address: |config| {
            let Some(host) = &config.apps.publisher.host else { return Ok(()) };
            let ip = config.apps.publisher.host_ip();
            let ip = ip.ok_or_else(|| anyhow::anyhow!("`{host}` is no address of this machine"));
            config
                .server
                .listen
                .0
                .set_ip(ip.hint("say `localhost`, `0.0.0.0` or another address")?);
            Ok(())
        },
        flags: PUBLISHER_FLAGS,
        commands: Some(Commands {
            augment: publisher::cli::Command::augment_subcommands,
            run: Run::OnFiles(publisher::cli::run),
        }),
    },
];

/// What can be said on the command line of the publisher, in the spelling of its specification.
const PUBLISHER_FLAGS: &[Flag] = &[
    setting("server_root", "DIR", "Serve the packages of this directory", "publisher.server_root"),
    setting("host", "ADDRESS", "Listen on this address (default: localhost)", "publisher.host"),
    setting("mcp_port", "PORT", "Serve agents on this port (default: 4001)", "publisher.mcp_port"),
    setting("watch-env", "NAME", "Reload edited files of this project alone", "publisher.watch"),
];

/// The settings of a project that can be said on the command line.
const UI_FLAGS: &[Flag] = &[
    Flag {
        long: "dir",
        short: Some('C'),
        value: "DIR",
        help: "Work on the project in this folder",
        key: "ui.dir",
        bare: true,
    },
    setting("ui-host", "ADDRESS", "Serve the pages that an agent starts there", "ui.host"),
    setting("ui-port", "PORT", "Serve the pages that an agent starts there", "ui.port"),
    setting("lua-path", "DIR", "Where programs are, below the project", "ui.lua_path"),
    setting("hotload", "BOOL", "Whether edited files take effect at once", "ui.hotload"),
    setting("session-timeout", "TIME", "When unused sessions end; 0: never", "ui.session_timeout"),
    setting("log-level", "LEVEL", "What programs may log", "ui.log_level"),
    setting("verbosity", "0-4", "How much of what passes is logged", "ui.verbosity"),
];

const fn setting(
    long: &'static str,
    value: &'static str,
    help: &'static str,
    key: &'static str,
) -> Flag {
    Flag { long, short: None, value, help, key, bare: false }
}

/// The applications with these names, or all of them.
pub(crate) fn named(names: &[String]) -> anyhow::Result<Vec<&'static Application>> {
    if names.is_empty() {
        return Ok(ALL.iter().collect());
    }
    let known = || ALL.iter().map(|app| app.name);
    let find = |name: &String| {
        let found = ALL.iter().find(|app| app.name == name);
        found.ok_or_else(|| anyhow::anyhow!("no application `{name}`")).hint(
            match kit_core::nearest(name, known()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are `{}`", known().collect::<Vec<_>>().join("`, `")),
            },
        )
    };
    names.iter().map(find).collect()
}
