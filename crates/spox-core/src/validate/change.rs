//! Rules about a change as a whole: C01 to C05, C09, C14 for files in the wrong place. The rest is in `tasks`, `delta`, `against`.

use super::{
    against::{self, Context},
    delta,
    issue::{ChangeSection, Issue, Report, Sheet},
    tasks,
};
use crate::{
    model::{ChangeFiles, Delta, Source},
    parse::{parse_delta, parse_proposal, parse_tasks},
};

const SHORTEST_WHY: usize = 50;

/// Checks a change, by itself and against the main specs and the other changes.
pub fn validate_change(files: &ChangeFiles, context: &Context<'_>) -> Report {
    let mut issues = Vec::new();
    file(&mut issues, "proposal.md", files.proposal.as_ref(), "C01", proposal);
    file(&mut issues, "tasks.md", files.tasks.as_ref(), "C05", |sheet, text| {
        tasks::check(sheet, &parse_tasks(text));
    });
    for (path, source) in [("design.md", &files.design), ("verification.md", &files.verification)] {
        if let Some(Source::Unreadable(reason)) = source {
            unreadable(&mut sheet(&mut issues, path), reason);
        }
    }
    let deltas = deltas(&mut issues, files, context);
    if deltas.iter().all(|delta| delta.items.is_empty()) {
        sheet(&mut issues, "proposal.md")
            .error(
                "C09",
                "Change must have at least one delta spec with ADDED/MODIFIED/REMOVED/RENAMED operations",
            )
            .fix("add `specs/<capability>/spec.md` with `## ADDED Requirements` and a requirement below it");
    }
    for path in &files.stray {
        sheet(&mut issues, path)
            .error("C14", "Delta spec belongs to no capability")
            .fix("move it to `specs/<capability>/spec.md`");
    }
    issues.sort_by(|a: &Issue, b| (rank(a), &a.file, a.line).cmp(&(rank(b), &b.file, b.line)));
    Report { issues }
}

fn deltas(issues: &mut Vec<Issue>, files: &ChangeFiles, context: &Context<'_>) -> Vec<Delta> {
    let mut deltas = Vec::new();
    let base = against::base_of(files);
    for (capability, source) in &files.deltas {
        let path = format!("specs/{capability}/spec.md");
        let mut sheet = sheet(issues, &path);
        match source {
            Source::Text(text) => {
                let parsed = parse_delta(capability, text);
                delta::check(&mut sheet, &parsed);
                against::check(&mut sheet, &files.id, &parsed, context, base.as_ref().ok());
                deltas.push(parsed);
            }
            Source::Unreadable(reason) => unreadable(&mut sheet, reason),
        }
    }
    if let Err(reason) = base {
        sheet(issues, ".base.json")
            .warn(
                "C20",
                format!("The fingerprints of the main requirements cannot be read: {reason}"),
            )
            .fix("restore the file, or delete it to have it written anew");
    }
    deltas
}

fn proposal(sheet: &mut Sheet<'_>, text: &str) {
    let proposal = parse_proposal(text);
    if let Some(line) = proposal.why_line {
        let length = proposal.why.chars().take(SHORTEST_WHY).count();
        if length < SHORTEST_WHY {
            sheet
                .warn(
                    "C03",
                    format!("Why section is too short ({length} chars, minimum 50 recommended)"),
                )
                .at(line, 1)
                .fix("say what is wrong today and for whom");
        }
    } else {
        sheet
            .error("C02", "Missing Why section")
            .at(1, 1)
            .fix("add `## Why` and the reason below it");
    }
    if proposal.what_changes_line.is_none() {
        sheet
            .error("C04", "Missing What Changes section")
            .at(1, 1)
            .fix("add `## What Changes` and a bullet for each change");
    }
}

/// Checks a file that a change must have.
fn file(
    issues: &mut Vec<Issue>,
    path: &str,
    source: Option<&Source>,
    missing: &'static str,
    check: impl FnOnce(&mut Sheet<'_>, &str),
) {
    let mut sheet = sheet(issues, path);
    match source {
        None => {
            sheet
                .error(missing, format!("Missing {path}"))
                .fix(format!("add {path} to the change"));
        }
        Some(Source::Unreadable(reason)) => unreadable(&mut sheet, reason),
        Some(Source::Text(text)) => check(&mut sheet, text),
    }
}

fn unreadable(sheet: &mut Sheet<'_>, reason: &str) {
    sheet
        .error("S01", format!("Failed to read file: {reason}"))
        .fix("save it as UTF-8 text that everybody may read");
}

fn sheet<'a>(issues: &'a mut Vec<Issue>, file: &'a str) -> Sheet<'a> {
    Sheet { file, section: ChangeSection::of_file(file), issues }
}

/// In the order in which people read a change.
fn rank(issue: &Issue) -> usize {
    let of_section = |section| ChangeSection::ALL.iter().position(|one| *one == section);
    issue.section.and_then(of_section).unwrap_or(ChangeSection::ALL.len())
}
