//! The program `tandem`: configuration, start-up, serving, the command line.
//!
//! `cli` reads what was asked, `commands` do it, `host` holds the applications that `apps` lists, `routes` puts
//! them on one port. Everything global to the process (log, signals, panic hook, exit code) is set here and nowhere
//! else. Start at [`commands::serve`].

mod apps;
mod args;
mod cli;
mod commands;
mod config;
mod door;
mod host;
mod log;
mod routes;
mod signals;
mod status;

use std::{io::Write as _, process::ExitCode};

use apps::Run;
use cli::{AppCommand, Command, HostCommand};
use kit_cli::{Outcome, Ui};

/// A call allocates and frees a hundred small things, often on different threads (docs/performance.md).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    log_panics();
    let (global, command) = match cli::parse(std::env::args_os()) {
        Ok(parsed) => parsed,
        Err(error) => return explain(&error),
    };
    let mut ui = Ui::new(&global);
    let result = run(&mut ui, command);
    log::flush();
    ui.exit(result)
}

fn run(ui: &mut Ui, command: Command) -> anyhow::Result<Outcome> {
    match command {
        Command::Host(HostCommand::Config(args)) => commands::config::config(ui, &args),
        Command::Host(HostCommand::Completions(args)) => {
            commands::completions::completions(ui, &args)
        }
        Command::Host(HostCommand::Serve(args)) => wait(commands::serve::serve(ui, &args)),
        Command::Host(HostCommand::Mcp(args)) => wait(commands::mcp::mcp(ui, &args)),
        Command::App(app, AppCommand::Serve(args)) => wait(commands::serve::alone(ui, app, &args)),
        Command::App(app, AppCommand::Mcp(args)) => wait(commands::mcp::alone(ui, app, &args)),
        Command::Remote(app, remote, args, address) => {
            wait(commands::mcp::remote(ui, app, remote, &args, &address))
        }
        Command::Own(app, own, keeping, matches) => match own.run {
            Run::Asking { needs_store, run } => {
                let how = (needs_store(&matches), run);
                wait(commands::own::own(ui, app, how, &keeping, &matches))
            }
            Run::OnFiles(run) => run(ui, &matches),
        },
        Command::Group(group, matches) => (group.run)(ui, &matches),
    }
}

fn wait(work: impl Future<Output = anyhow::Result<Outcome>>) -> anyhow::Result<Outcome> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let outcome = runtime.block_on(work);
    // Whatever still runs had its grace; a blocking read of standard input would never end.
    runtime.shutdown_background();
    outcome
}

/// Help and version are results; a mistake on the command line is one that could not run.
fn explain(error: &clap::Error) -> ExitCode {
    // Who types the name alone asks what there is, and is told.
    if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return match anstream::stdout().write_all(error.render().ansi().to_string().as_bytes()) {
            Ok(()) | Err(_) => ExitCode::SUCCESS,
        };
    }
    // If nobody reads it, there is nobody to tell.
    drop(error.print());
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// A panic goes to the log like every other event, and does not end the process: the request that met it ends.
fn log_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if tracing::dispatcher::has_been_set() {
            let place = panic.location().map(ToString::to_string);
            let message = panic.payload_as_str().unwrap_or("no message");
            tracing::error!(place, message, "panic");
            // Elsewhere the process goes on; here it ends, and the log must not end before it.
            if std::thread::current().name() == Some("main") {
                log::flush();
            }
        } else {
            usual(panic);
        }
    }));
}
