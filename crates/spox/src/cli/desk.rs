//! What a command works with.

use std::{path::PathBuf, sync::Arc};

use anyhow::Context;
use clap::ArgMatches;
use kit_app::SystemClock;

use super::{
    render::Canvas,
    told::{self, Told},
};
use crate::{Place, Service, project::Snapshot};

/// The project, and how wide to write.
pub struct Desk {
    service: Service,
    canvas: Canvas,
}

/// A spec or a change, found by what somebody typed.
pub(super) enum Named {
    Spec(String),
    Change(String),
}

impl Desk {
    /// For whoever runs the command: the project that `--root` names, or the one around the working directory.
    pub(super) fn of(matches: &ArgMatches) -> anyhow::Result<Self> {
        let root = matches.try_get_one::<String>("root").ok().flatten();
        let place = match root {
            Some(root) => {
                Place::At(std::path::absolute(root).context("cannot tell where that is")?)
            }
            None => Place::From(std::env::current_dir().context("there is no working directory")?),
        };
        let service = Service::new(place, Arc::new(SystemClock));
        Ok(Self { service, canvas: Canvas::of_terminal() })
    }

    /// For a project and a terminal of so many columns; none writes lines whole.
    pub fn new(service: Service, columns: Option<usize>) -> Self {
        Self { service, canvas: Canvas { columns } }
    }

    pub(super) fn service(&self) -> &Service {
        &self.service
    }

    pub(super) fn canvas(&self) -> Canvas {
        self.canvas
    }

    /// The project as it is now.
    pub(super) fn snapshot(&self) -> anyhow::Result<Arc<Snapshot>> {
        self.service.snapshot().map_err(told::told)
    }

    /// Where a project is made.
    pub(super) fn folder(&self) -> PathBuf {
        self.service.place().folder().to_owned()
    }

    /// What `id` names, for commands that take both.
    pub(super) fn find(&self, id: &str) -> anyhow::Result<Named> {
        let snapshot = self.snapshot()?;
        match (snapshot.named_spec(id), snapshot.named_change(id)) {
            (Ok(spec), Err(_)) => Ok(Named::Spec(spec.file.id.clone())),
            (Err(_), Ok(change)) => Ok(Named::Change(change.files.id.clone())),
            (Ok(_), Ok(_)) => {
                let hint = format!("say which: `spox spec show {id}` or `spox change show {id}`");
                Err(Told::new(format!("'{id}' is a spec and a change")).hint(hint).into())
            }
            (Err(spec), Err(change)) => Err(told::neither(id, &spec, &change)),
        }
    }
}
