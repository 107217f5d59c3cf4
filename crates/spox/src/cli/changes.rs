//! `spox change …`: listing, showing, beginning and approving; what alters specs is in [`applying`].

use kit_cli::{Answer, Outcome, Ui};
use serde_json::json;

use super::{
    Desk,
    applying::{self, ApplyArgs, ArchiveArgs, DiffArgs, RebaseArgs},
    list,
    render::change,
    told::{Told, told},
    validate::{self, Checking, What},
    watch::Drawn,
};
use crate::init::{Disk, Scaffold, scaffold};

/// What is typed after `change`.
#[derive(Debug, clap::Subcommand)]
pub enum ChangeCommand {
    /// List the active changes, with how far they are
    List,
    /// Show a change
    Show {
        /// Its id
        id: Option<String>,

        /// Only what it does to the specs
        #[arg(long)]
        deltas_only: bool,
    },
    /// Check that changes are well formed and fit the specs
    Validate {
        /// One change (default: all of them)
        id: Option<String>,

        #[command(flatten)]
        checking: Checking,
    },
    Init(InitArgs),
    Approve(ApproveArgs),
    Apply(ApplyArgs),
    Archive(ArchiveArgs),
    Rebase(RebaseArgs),
    Diff(DiffArgs),
}

/// Begin a change: write its files from the templates
#[derive(Debug, clap::Args)]
pub struct InitArgs {
    /// Its id: lower-case words joined with hyphens, the first a verb
    id: String,

    /// Its title (default: the id in words)
    #[arg(long)]
    title: Option<String>,

    /// A spec that it will touch; may be repeated
    #[arg(long = "spec", value_name = "ID")]
    specs: Vec<String>,

    /// Also a design.md
    #[arg(long)]
    design: bool,
}

/// Write down that somebody agrees with a change
#[derive(Debug, clap::Args)]
pub struct ApproveArgs {
    /// The change
    id: String,

    /// Who agrees
    #[arg(
        long,
        value_name = "NAME",
        env = "USER",
        default_value = "local",
        hide_env_values = true
    )]
    by: String,
}

pub(super) fn change(ui: &mut Ui, desk: &Desk, command: &ChangeCommand) -> anyhow::Result<Outcome> {
    match command {
        ChangeCommand::List => {
            let changes = desk.service().list_changes().map_err(told)?;
            let text = list::of_changes(&changes);
            ui.result(&Answer { json: json!(changes), text })?;
            Ok(Outcome::Success)
        }
        ChangeCommand::Show { id, deltas_only } => {
            let words = "Change ID required. Use 'spox change list' to see available changes.";
            let id = id.as_ref().ok_or_else(|| Told::new(words))?;
            let Drawn { json, text, outcome } = draw(desk, id, *deltas_only)?;
            ui.result(&Answer { json, text })?;
            Ok(outcome)
        }
        ChangeCommand::Validate { id, checking } => {
            validate::check(ui, desk, &What::Changes(id.as_deref()), checking)
        }
        ChangeCommand::Init(args) => init(ui, desk, args),
        ChangeCommand::Approve(args) => approve(ui, desk, args),
        ChangeCommand::Apply(args) => applying::apply(ui, desk, args),
        ChangeCommand::Archive(args) => applying::archive(ui, desk, args),
        ChangeCommand::Rebase(args) => applying::rebase(ui, desk, args),
        ChangeCommand::Diff(args) => applying::diff(ui, desk, args),
    }
}

pub(super) fn draw(desk: &Desk, id: &str, deltas_only: bool) -> anyhow::Result<Drawn> {
    let section = deltas_only.then_some(spox_core::ChangeSection::Deltas);
    let snapshot = desk.snapshot()?;
    let found = snapshot.named_change(id).map_err(told)?;
    let json = match desk.service().change(id, section) {
        Ok(change) => json!(change),
        // A change without a proposal can still be shown.
        Err(crate::Error::NoProposal { .. }) => {
            desk.service().change_for_people(id).map_err(told)?
        }
        Err(error) => return Err(told(error)),
    };
    let view = if deltas_only { change::deltas } else { change::change };
    let text = view(&found.parsed, desk.canvas());
    Ok(Drawn { json, text, outcome: Outcome::Success })
}

fn init(ui: &mut Ui, desk: &Desk, args: &InitArgs) -> anyhow::Result<Outcome> {
    let root = desk.snapshot()?.project.root.clone();
    for id in &args.specs {
        spox_core::check_spec_id(id).map_err(|problem| {
            Told::new(format!("`{id}` is no id for a spec: {problem}"))
                .hint("an id is the spec's folder, such as `auth` or `platform/auth`")
        })?;
    }
    let order = Scaffold {
        id: &args.id,
        title: args.title.as_deref(),
        capabilities: &args.specs,
        design: args.design,
    };
    let files = scaffold(&Disk(root), &order).map_err(kit_cli::fault)?;
    let made = desk.service().init_change(&args.id, &files).map_err(told)?;
    let lines: Vec<_> = made.files.iter().map(|file| format!("  created  {file}")).collect();
    let text = format!(
        "Began change '{id}'\n\n{}\n\nNext: write them, then run `spox change validate {id}`\n",
        lines.join("\n"),
        id = args.id,
    );
    ui.result(&Answer { json: json!(made), text })?;
    Ok(Outcome::Success)
}

fn approve(ui: &mut Ui, desk: &Desk, args: &ApproveArgs) -> anyhow::Result<Outcome> {
    let approved = desk.service().approve_change(&args.id, &args.by).map_err(told)?;
    let text = format!("Change '{}' is approved by {}\n", approved.change_id, approved.approved.by);
    ui.result(&Answer { json: json!(approved), text })?;
    Ok(Outcome::Success)
}
