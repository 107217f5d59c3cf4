//! Whether specs and changes are well formed.

use spox_core::{Issue, Report, Severity};

use super::Service;
use crate::{Error, project::Snapshot, search::Alike, wire};

/// The report on one spec or change.
#[derive(Debug, Clone)]
pub struct Checked {
    pub id: String,
    pub report: Report,
}

/// What was checked, in the words of the summary.
#[derive(Debug, Clone, Copy)]
enum What {
    One,
    Specs,
    Changes,
}

impl Service {
    /// One spec, or all of them.
    pub fn validate_spec(&self, id: Option<&str>) -> Result<wire::Validation, Error> {
        let checked = self.check_specs(id)?;
        Ok(validation(&checked, id.map_or(What::Specs, |_| What::One)))
    }

    /// One change, or all active ones.
    pub fn validate_change(&self, id: Option<&str>) -> Result<wire::Validation, Error> {
        let mut checked = self.check_changes(id)?;
        if id.is_none() {
            // Files are named from the change's folder; among several, the change has to be told.
            for Checked { id, report } in &mut checked {
                report
                    .issues
                    .iter_mut()
                    .for_each(|issue| issue.file = format!("{id}/{}", issue.file));
            }
        }
        Ok(validation(&checked, id.map_or(What::Changes, |_| What::One)))
    }

    /// The reports on one spec, or on all of them.
    pub fn check_specs(&self, id: Option<&str>) -> Result<Vec<Checked>, Error> {
        let snapshot = self.snapshot()?;
        let mut checked: Vec<_> = if let Some(id) = id {
            let spec = snapshot.named_spec(id).map_err(to_validate)?;
            vec![snapshot.checked_spec(&spec.file.id)]
        } else {
            let ids = snapshot.specs.iter().map(|spec| &*spec.file.id);
            ids.map(|id| snapshot.checked_spec(id)).chain(snapshot.stray_spec()).collect()
        };
        for Alike { spec_id, issue } in self.0.search.alike(&snapshot) {
            if let Some(of) = checked.iter_mut().find(|checked| checked.id == spec_id) {
                of.report.issues.push(issue);
                of.report.issues.sort_by_key(|issue| issue.line);
            }
        }
        Ok(checked)
    }

    /// The reports on one change, or on all active ones.
    pub fn check_changes(&self, id: Option<&str>) -> Result<Vec<Checked>, Error> {
        let snapshot = self.snapshot()?;
        if let Some(id) = id {
            let change = snapshot.named_change(id).map_err(to_validate)?;
            return Ok(vec![snapshot.checked_change(&change.files.id)]);
        }
        let ids = snapshot.changes.iter().map(|change| &*change.files.id);
        Ok(ids.map(|id| snapshot.checked_change(id)).collect())
    }
}

impl Snapshot {
    fn checked_spec(&self, id: &str) -> Checked {
        let report = self.spec_report(id).cloned().unwrap_or_default();
        Checked { id: id.to_owned(), report }
    }

    fn checked_change(&self, id: &str) -> Checked {
        let report = self.change_report(id).cloned().unwrap_or_default();
        Checked { id: id.to_owned(), report }
    }

    /// A `spec.md` in the spec folder itself, which belongs to no capability and which nobody finds.
    fn stray_spec(&self) -> Option<Checked> {
        let path = self.project.specs().join("spec.md");
        path.is_file().then(|| {
            let file = self.project.relative(&path);
            let issue = Issue {
                severity: Severity::Error,
                code: "S12",
                message: format!("`{file}` is in no capability's folder, so no tool sees it"),
                fix: Some("move it into a folder that has the capability's name".into()),
                file: file.clone(),
                line: None,
                column: None,
                section: None,
            };
            Checked { id: file, report: Report { issues: vec![issue] } }
        })
    }
}

/// The same errors in the words that validation has for them.
fn to_validate(error: Error) -> Error {
    match error {
        Error::UnknownSpec { id, near } => Error::NoSpecToValidate { id, near },
        Error::UnknownChange { id, near } => Error::NoChangeToValidate { id, near },
        other => other,
    }
}

fn validation(checked: &[Checked], what: What) -> wire::Validation {
    let of = |severity| {
        let issues = checked.iter().flat_map(|checked| &checked.report.issues);
        issues.filter(|issue| issue.severity == severity).map(wire::Finding::from).collect()
    };
    let (errors, warnings): (Vec<_>, Vec<_>) = (of(Severity::Error), of(Severity::Warning));
    let (e, w) = (errors.len(), warnings.len());
    let summary = match what {
        _ if e > 0 => format!("Validation failed: {e} errors, {w} warnings"),
        What::One => format!("Valid ({w} warnings)"),
        What::Specs => format!("All specs valid ({w} warnings)"),
        What::Changes => format!("All changes valid ({w} warnings)"),
    };
    wire::Validation { valid: e == 0, errors, warnings, summary }
}
