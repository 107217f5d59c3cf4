//! Rules about main specs, S01 to S15; with a [`Catalog`] also what S16 says about references.

use std::collections::HashMap;

use super::{
    flaw::{Rule, flaws},
    issue::{Issue, Report, Severity, Sheet},
    reference::{Catalog, Parsed},
};
use crate::{
    model::{ParsedRequirement, ParsedSpec, Source, SpecFile},
    names::fold,
    parse::{heading::operation, parse_for_check},
};

const SHORTEST_PURPOSE: usize = 50;

/// Checks one spec by itself.
pub fn validate_spec(file: &SpecFile) -> Report {
    match &file.source {
        Source::Text(text) => check_text(file, text, None),
        Source::Unreadable(reason) => unreadable(&file.path, reason),
    }
}

/// Checks specs with all that they say about each other: the id and the report of each, in the order given.
pub fn validate_specs(files: &[SpecFile]) -> Vec<(String, Report)> {
    let specs: Vec<_> = files
        .iter()
        .map(|file| file.source.text().map(|text| parse_for_check(&file.id, text)))
        .collect();
    let catalog = Catalog::new(files.iter().zip(&specs).map(|(file, spec)| {
        let spec = spec.as_ref().map(|spec| spec as &dyn Parsed);
        (file.id.as_str(), file.path.as_str(), spec)
    }));
    files
        .iter()
        .zip(&specs)
        .map(|(file, spec)| {
            let report = match (&file.source, spec) {
                (Source::Unreadable(reason), _) => unreadable(&file.path, reason),
                (_, Some(spec)) => check_spec(&file.path, spec, Some(&catalog)),
                (Source::Text(_), None) => Report::default(),
            };
            (file.id.clone(), report)
        })
        .collect()
}

/// Checks a spec by its text, which is cheaper than parsing it first: a check has no use for what the clauses say.
pub fn check_text(file: &SpecFile, text: &str, catalog: Option<&Catalog<'_>>) -> Report {
    check_spec(&file.path, &parse_for_check(&file.id, text), catalog)
}

/// Checks a spec that is parsed already. With a catalog of all specs, references are followed.
pub fn check_spec(path: &str, spec: &ParsedSpec, catalog: Option<&Catalog<'_>>) -> Report {
    let mut issues = Vec::new();
    let mut sheet = Sheet { file: path, section: None, issues: &mut issues };
    title(&mut sheet, spec);
    purpose(&mut sheet, spec);
    misplaced(&mut sheet, spec);
    if let Some(section) = spec.section("requirements") {
        if spec.requirements.is_empty() {
            sheet
                .warn("S05", "Requirements section has no requirement blocks")
                .at(section.line, section.column)
                .fix("add `### Requirement: <name>`");
        }
        requirements(&mut sheet, spec);
        lookalikes(&mut sheet, spec);
    } else {
        let first = spec.notes.outside.first();
        sheet.error("S04", "Missing Requirements section").at(1, 1).fix(first.map_or_else(
            || "add `## Requirements` and a `### Requirement: <name>` below it".to_owned(),
            |first| format!("write `## Requirements` above the requirement at line {}", first.line),
        ));
    }
    if let Some(catalog) = catalog {
        catalog.check(&mut sheet, path, &spec.id, &spec.notes.references);
    }
    issues.sort_by_key(|issue: &Issue| issue.line);
    Report { issues }
}

fn unreadable(path: &str, reason: &str) -> Report {
    let mut issues = Vec::new();
    Sheet { file: path, section: None, issues: &mut issues }
        .error("S01", format!("Failed to read file: {reason}"))
        .fix("save it as UTF-8 text that everybody may read");
    Report { issues }
}

fn title(sheet: &mut Sheet<'_>, spec: &ParsedSpec) {
    if spec.notes.title.is_none() {
        let fix = format!("begin the file with `# {} Specification`", spec.id);
        sheet.warn("S15", "Missing title").at(1, 1).fix(fix);
    }
}

fn purpose(sheet: &mut Sheet<'_>, spec: &ParsedSpec) {
    let Some(section) = spec.section("purpose") else {
        let fix = "add `## Purpose` and say below it what the capability is for";
        sheet.error("S02", "Missing Purpose section").at(1, 1).fix(fix);
        return;
    };
    let length = spec.purpose.chars().take(SHORTEST_PURPOSE).count();
    if length < SHORTEST_PURPOSE {
        sheet
            .warn(
                "S03",
                format!("Purpose section is too short ({length} chars, minimum 50 recommended)"),
            )
            .at(section.line, section.column)
            .fix("say what the capability is for and where it ends");
    }
    if length == 0 {
        sheet
            .warn("S15", "Purpose section is empty")
            .at(section.line, section.column)
            .fix("say below `## Purpose` what the capability is for");
    }
}

/// What nobody sees: requirements in other sections or in a code block without end, and deltas.
fn misplaced(sheet: &mut Sheet<'_>, spec: &ParsedSpec) {
    // Without the section each of them is outside; S04 says it once.
    let has_section = spec.section("requirements").is_some();
    for remark in spec.notes.outside.iter().filter(|_| has_section) {
        let message =
            format!("Requirement \"{}\" is outside the Requirements section", remark.text);
        sheet
            .error("S12", message)
            .at(remark.line, remark.column)
            .fix("move it below `## Requirements`");
    }
    for section in spec.sections.iter().filter(|section| operation(&section.name).is_some()) {
        sheet
            .error("S12", format!("Delta heading \"## {}\" in a main spec", section.name))
            .at(section.line, section.column)
            .fix("write `## Requirements`, or move it to `specs/<capability>/spec.md` of a change");
    }
    if let Some((line, hidden)) = spec.notes.open_fence.filter(|(_, hidden)| *hidden > 0) {
        sheet
            .error("S12", format!("Code block is never closed; headings hidden below it: {hidden}"))
            .at(line, 1)
            .fix("close it with a fence of the same kind");
    }
}

fn requirements(sheet: &mut Sheet<'_>, spec: &ParsedSpec) {
    let mut seen: HashMap<String, &ParsedRequirement> = HashMap::new();
    for requirement in &spec.requirements {
        let name = &requirement.name;
        if !name.is_empty() {
            let first = *seen.entry(fold(name)).or_insert(requirement);
            if first.line != requirement.line {
                let (first, second) = (first.line, requirement.line);
                sheet
                    .error(
                        "S11",
                        format!(
                            "Requirement \"{name}\" is a duplicate: lines {first} and {second}"
                        ),
                    )
                    .at(second, requirement.column)
                    .fix("rename one of them or merge the two");
            }
        }
        flaws(requirement, |flaw| {
            let (severity, code) = weight(flaw.rule);
            sheet.add(severity, code, flaw.message).at(flaw.line, flaw.column).fix(flaw.fix);
        });
    }
}

fn weight(rule: Rule) -> (Severity, &'static str) {
    match rule {
        Rule::NoDescription => (Severity::Error, "S06"),
        Rule::NotNormative => (Severity::Warning, "S07"),
        Rule::NoScenario => (Severity::Warning, "S08"),
        Rule::NoWhen => (Severity::Error, "S09"),
        Rule::NoThen => (Severity::Error, "S10"),
        Rule::SameScenario | Rule::NoName => (Severity::Warning, "S13"),
    }
}

fn lookalikes(sheet: &mut Sheet<'_>, spec: &ParsedSpec) {
    for remark in &spec.notes.lookalikes {
        sheet
            .warn("S14", format!("This looks like \"{}\" but is not read as one", remark.text))
            .at(remark.line, remark.column)
            .fix(format!("write `{}`", remark.text));
    }
}
