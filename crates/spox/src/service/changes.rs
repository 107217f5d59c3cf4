//! Changes, written: approved, applied, archived, rebased.
//!
//! What is to be written comes from `spox-core`; here it is read under the lock of the project and put on disk, all of it
//! or nothing.

use std::{path::PathBuf, sync::Arc};

use chrono::{DateTime, Utc};
use kit_core::{Fault as _, Report};
use serde::{Deserialize, Serialize};
use spox_core::{
    Allow, AppliedSpec, Base, CapabilityDiff, RebaseStep, Resolve, Source, fingerprints,
    ids::is_kebab_case,
};

use super::Service;
use crate::{
    Error,
    project::{APPROVAL, Change, Lock, Snapshot, Writes},
};

/// Who said yes to a change, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    pub by: String,
    /// ISO 8601, UTC.
    pub at: String,
}

/// A change that was approved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Approved {
    pub change_id: String,
    pub approved: Approval,
}

/// What to let pass when a change is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ArchiveOptions {
    /// Tasks may be open, and requirements may have changed since the change was written.
    pub force: bool,
    /// Say what would be done, and do nothing.
    pub dry_run: bool,
}

/// A change whose deltas are in the specs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Applied {
    pub change_id: String,
    pub specs: Vec<AppliedSpec>,
    pub dry_run: bool,
}

/// The same, and the change is out of the way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Archived {
    /// From the root of the project.
    pub archived_to: String,
    #[serde(flatten)]
    pub applied: Applied,
}

/// A change that was brought up to date with the specs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rebased {
    pub change_id: String,
    /// The delta files that were rewritten, from the change's folder.
    pub files: Vec<String>,
    pub steps: Vec<RebaseStep>,
}

/// A change that was begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Initialised {
    pub change_id: String,
    /// From the root of the project.
    pub files: Vec<String>,
}

/// What a change would do to the specs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangeDiff {
    pub change_id: String,
    pub capabilities: Vec<CapabilityDiff>,
    /// Why it could not be archived as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Report>,
}

impl Service {
    /// What archiving would do to the specs, requirement by requirement.
    pub fn diff_change(&self, id: &str) -> Result<ChangeDiff, Error> {
        let snapshot = self.snapshot()?;
        let (change, main) = (snapshot.named_change(id)?, snapshot.texts());
        let refusal = spox_core::apply(&change.files, &main, Allow::default()).err();
        Ok(ChangeDiff {
            change_id: change.files.id.clone(),
            capabilities: spox_core::diff(&change.files, &main).capabilities,
            refusal: refusal.map(|refused| refused.report()),
        })
    }

    /// Writes down that somebody agrees with a change.
    pub fn approve_change(&self, id: &str, by: &str) -> Result<Approved, Error> {
        let (lock, snapshot) = self.locked()?;
        let change = snapshot.named_change(id)?;
        let at = self.now().to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
        let approved = Approval { by: by.to_owned(), at };
        let mut text = serde_json::to_string_pretty(&approved).unwrap_or_default();
        text.push('\n');
        let mut writes = Writes::default();
        writes.file(snapshot.within(change, APPROVAL), text);
        lock.commit(&writes)?;
        Ok(Approved { change_id: change.files.id.clone(), approved })
    }

    /// Puts the deltas of a change into the specs; the change stays.
    pub fn apply_change(&self, id: &str, options: &ArchiveOptions) -> Result<Applied, Error> {
        let (lock, snapshot) = self.locked()?;
        let change = snapshot.named_change(id)?;
        let applied = spox_core::apply(&change.files, &snapshot.texts(), options.allow())?;
        if !options.dry_run {
            lock.commit(&snapshot.writes(&applied))?;
        }
        Ok(Applied::new(applied, *options))
    }

    /// Puts the deltas of a change into the specs, and the change into the archive.
    pub fn archive_change(&self, id: &str, options: &ArchiveOptions) -> Result<Archived, Error> {
        let (lock, snapshot) = self.locked()?;
        let change = snapshot.named_change(id)?;
        let archive = snapshot.project.archive();
        let plan = spox_core::archive(
            &change.files,
            &snapshot.texts(),
            options.allow(),
            &self.now().format("%Y-%m-%d").to_string(),
            |folder| archive.join(folder).exists(),
        )?;
        let archived_to = snapshot.project.relative(&archive.join(&plan.folder));
        let mut writes = snapshot.writes(&plan.applied);
        writes.rename(snapshot.project.relative(&change.folder), &*archived_to);
        if !options.dry_run {
            lock.commit(&writes)?;
        }
        Ok(Archived { archived_to, applied: Applied::new(plan.applied, *options) })
    }

    /// Merges what happened to the specs since a change was written into its deltas.
    pub fn rebase_change(&self, id: &str, resolve: Resolve) -> Result<Rebased, Error> {
        let (lock, snapshot) = self.locked()?;
        let change = snapshot.named_change(id)?;
        let rebased = spox_core::rebase(&change.files, &snapshot.texts(), resolve)?;
        let mut writes = Writes::default();
        let mut files = Vec::new();
        for (capability, text) in &rebased.deltas {
            let file = format!("specs/{capability}/spec.md");
            writes.file(snapshot.within(change, &file), text.as_bytes());
            files.push(file);
        }
        writes.file(snapshot.within(change, BASE), rebased.base.to_json());
        lock.commit(&writes)?;
        Ok(Rebased { change_id: change.files.id.clone(), files, steps: rebased.steps })
    }

    /// Remembers what the specs say today of the requirements that a change touches, so that it can be told later
    /// whether they moved on; all changes without an id. What is remembered already stays.
    pub fn remember_base(&self, id: Option<&str>) -> Result<(), Error> {
        let (lock, snapshot) = self.locked()?;
        let main = snapshot.texts();
        let changes = match id {
            Some(id) => std::slice::from_ref(snapshot.named_change(id)?),
            None => &snapshot.changes,
        };
        let mut writes = Writes::default();
        for change in changes {
            // What cannot be read is somebody's business to look at, not ours to replace.
            let Ok(known) = Base::of_change(&change.files) else { continue };
            let base = fingerprints(&change.files, &main, known.as_ref());
            if known.as_ref() != Some(&base) && (known.is_some() || !base.capabilities.is_empty()) {
                writes.file(snapshot.within(change, BASE), base.to_json());
            }
        }
        if writes.is_empty() { Ok(()) } else { lock.commit(&writes) }
    }

    /// Begins a change: its folder with these files, named from there.
    pub fn init_change(&self, id: &str, files: &[(String, String)]) -> Result<Initialised, Error> {
        if !is_kebab_case(id) {
            return Err(Error::BadChangeId { id: id.to_owned() });
        }
        let (lock, snapshot) = self.locked()?;
        let folder = snapshot.project.changes().join(id);
        if folder.exists() {
            return Err(Error::ChangeExists { id: id.to_owned() });
        }
        let folder = snapshot.project.relative(&folder);
        let mut writes = Writes::default();
        let mut made = Vec::new();
        for (file, text) in files {
            made.push(format!("{folder}/{file}"));
            writes.file(format!("{folder}/{file}"), text.as_bytes());
        }
        lock.commit(&writes)?;
        Ok(Initialised { change_id: id.to_owned(), files: made })
    }

    /// The right to write, and the project as it is once we have it.
    fn locked(&self) -> Result<(Lock, Arc<Snapshot>), Error> {
        let lock = Lock::take(&self.snapshot()?.project)?;
        Ok((lock, self.snapshot()?))
    }

    fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(self.0.clock.now_ms()).unwrap_or_default()
    }
}

/// What a change was written against, in its folder.
const BASE: &str = ".base.json";

impl Snapshot {
    /// A file of a change, from the root of the project.
    fn within(&self, change: &Change, file: &str) -> PathBuf {
        PathBuf::from(self.project.relative(&change.folder)).join(file)
    }

    /// What has to be written for a change that was applied.
    fn writes(&self, applied: &spox_core::Applied) -> Writes {
        let mut writes = Writes::default();
        for (capability, text) in applied.writes() {
            let path = self.project.specs().join(capability).join("spec.md");
            let path = self.project.relative(&path);
            match text {
                Some(text) => writes.file(path, text.as_bytes()),
                None => writes.remove(path),
            }
        }
        writes
    }
}

impl ArchiveOptions {
    fn allow(self) -> Allow {
        Allow { open_tasks: self.force, stale: self.force }
    }
}

impl Applied {
    fn new(applied: spox_core::Applied, options: ArchiveOptions) -> Self {
        Self { change_id: applied.change, specs: applied.specs, dry_run: options.dry_run }
    }
}

impl Change {
    /// Who approved it; somebody did even if the note is damaged.
    pub fn approved(&self) -> Option<Approval> {
        let note = self.approval.as_ref()?;
        let read = |note: &Source| serde_json::from_str(note.text()?).ok();
        Some(read(note).unwrap_or_else(|| Approval { by: "unknown".into(), at: String::new() }))
    }
}
