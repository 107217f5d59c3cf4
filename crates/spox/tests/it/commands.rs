//! `spox …`, through the functions that the program calls.

use std::{
    io::Write,
    path::Path,
    process::ExitCode,
    sync::{Arc, Mutex},
};

use clap::{Args as _, FromArgMatches as _, Subcommand as _};
use insta::assert_snapshot;
use kit_cli::{Global, Ui};
use serde_json::Value;
use spox::{
    Place, Service,
    cli::{Command, Desk, run_at},
};

use crate::{project::Project, world::Today};

#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Paper {
    fn text(&self) -> String {
        let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
        anstream::adapter::strip_str(&text).to_string()
    }
}

/// What a command says on both streams, and its exit code.
struct Said {
    code: u8,
    out: String,
    err: String,
}

/// Runs a command in a project. Blanks separate words, `_` is a blank within one.
fn run(root: &Path, line: &str) -> Said {
    let root_flag = clap::Arg::new("root").long("root").short('C').global(true);
    let spox = Global::augment_args(clap::Command::new("spox")).arg(root_flag);
    let words = line.split(' ').map(|word| word.replace('_', " "));
    let matches = Command::augment_subcommands(spox)
        .try_get_matches_from(std::iter::once("spox".to_owned()).chain(words))
        .unwrap_or_else(|error| panic!("spox {line}: {error}"));
    let global = Global::from_arg_matches(&matches).unwrap();
    let (out, err) = (Paper::default(), Paper::default());
    let mut ui = Ui::on(&global, out.clone(), err.clone());
    let service = Service::new(Place::From(root.to_owned()), Arc::new(Today));
    let result = run_at(&mut ui, Ok(Desk::new(service, None)), &matches);
    let exit = ui.exit(result);
    let code = (0..3).find(|code| exit == ExitCode::from(*code)).unwrap();
    Said { code, out: out.text(), err: err.text() }
}

/// Several commands one after the other, as they look.
fn told(project: &Project, lines: &[&str]) -> String {
    let root = project.path().to_string_lossy().into_owned();
    let real = project.path().canonicalize().unwrap().to_string_lossy().into_owned();
    let one = |line: &&str| {
        let Said { code, out, err } = run(project.path(), line);
        let err = if err.is_empty() { err } else { format!("--- stderr\n{err}") };
        format!("$ spox {line}\n{out}{err}[{code}]\n").replace(&real, "ROOT").replace(&root, "ROOT")
    };
    lines.iter().map(one).collect::<Vec<_>>().join("\n")
}

fn json(project: &Project, line: &str) -> Value {
    let said = run(project.path(), &format!("{line} --json"));
    serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{line}: {error}: {}", said.out))
}

#[test]
fn looking_around() {
    let project = Project::sample();
    let lines = [
        "show",
        "list",
        "spec list",
        "spec show auth",
        "change list",
        "change show remember-devices",
        "change show remember-devices --deltas-only",
        "show auth",
        "show remember-devices",
        "config show",
        "config show --paths",
    ];
    assert_snapshot!(told(&project, &lines));
}

#[test]
fn looking_for_what_is_not_there() {
    let project = Project::sample();
    let lines = [
        "spec show",
        "spec show auht",
        "change show",
        "change show remember-device",
        "show nothing",
        "spec validate auht",
        "change validate nothing",
        "validate nothing",
        "archive nothing",
        "change diff nothing",
        "spec show ../auth",
        "search password",
    ];
    assert_snapshot!(told(&project, &lines));
}

#[test]
fn an_empty_project() {
    let lines = ["show", "list", "validate", "index"];
    assert_snapshot!(told(&Project::empty(), &lines));
}

#[test]
fn a_folder_that_is_no_project() {
    let project = Project::none();
    assert_snapshot!(told(&project, &["show", "spec list", "validate", "config show --json"]));
    assert!(!project.has(".spox"));
}

#[test]
fn settings_that_cannot_be() {
    let project = Project::empty();
    let config = project.read(".spox/config.toml");
    project.write(".spox/config.toml", config.replace("\"global\"", "\"globe\""));
    assert_snapshot!(told(&project, &["config show", "spec list"]), @r"
    $ spox config show
    --- stderr
    error: config parse error: invalid system template 'globe', valid templates are: mcp, global, coding, testing, backend, frontend, vcs
    [1]

    $ spox spec list
    No specs found.
    [0]
    ");
    project.write(".spox/config.toml", format!("{config}[serach]\nmodel = 'none'\n"));
    assert_snapshot!(told(&project, &["spec list"]), @r"
    $ spox spec list
    No specs found.
    --- stderr
    warning: unknown key `serach` in .spox/config.toml, did you mean `search`?
    [0]
    ");
}

#[test]
fn checking() {
    let project = Project::sample();
    project.write("specs/bad/spec.md", "# Bad\n\n## Requirements\n\n### Requirement: Nothing\n");
    project.write("specs/_changes/add-empty/tasks.md", "nothing to do\n");
    let lines = [
        "spec validate auth",
        "spec validate bad",
        "spec validate bad -v",
        "spec validate",
        "change validate remember-devices",
        "change validate add-empty",
        "change validate",
        "validate",
        "validate billing",
        "validate billing --quiet",
        "validate --format github",
        "validate bad --format junit --strict",
    ];
    assert_snapshot!(told(&project, &lines));
    let sarif = run(project.path(), "validate --format sarif");
    let sarif: Value = serde_json::from_str(&sarif.out).unwrap();
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "specs/bad/spec.md");
}

#[test]
fn warnings_fail_only_where_that_is_asked_for() {
    let project = Project::empty();
    let text = "# Auth\n\n## Purpose\nShort.\n\n## Requirements\n\n### Requirement: A\nIt SHALL be.\n\n#### Scenario: S\n- **WHEN** x\n- **THEN** y\n";
    project.write("specs/auth/spec.md", text);
    let code = |line| run(project.path(), line).code;
    assert_eq!(code("spec validate auth"), 0);
    assert_eq!(code("spec validate auth --strict"), 1);
    assert_eq!(code("validate"), 0);
    assert_eq!(code("validate --strict"), 1);
}

#[test]
fn a_change_from_the_beginning_to_the_archive() {
    let project = Project::sample();
    let lines = [
        "change init Add_X",
        "change init add-x --spec ../auth",
        "change init add-mail --spec mail --design --title Send_mail",
        "change init add-mail",
        "change approve add-mail --by Ada",
        "change list",
        "change validate remember-devices",
        "change diff remember-devices",
        "change archive remember-devices",
        "archive remember-devices --force --dry-run",
        "change apply remember-devices --force",
        "change diff remember-devices",
        "archive remember-devices --force",
        "change rebase add-mail",
        "list",
    ];
    assert_snapshot!(told(&project, &lines));
    assert!(project.has("specs/_archive/2026-11-17-remember-devices/proposal.md"));
    assert!(project.read("specs/auth/spec.md").contains("### Requirement: Remembered Device"));
    assert!(project.read("specs/_changes/add-mail/design.md").starts_with("# Design: Send mail"));
}

#[test]
fn a_change_that_is_overtaken_is_rebased() {
    let project = Project::sample();
    run(project.path(), "change validate remember-devices");
    let auth = project.read("specs/auth/spec.md");
    let extra = "\n#### Scenario: Told by mail\n\n- **WHEN** an account is locked\n- **THEN** its owner is told\n";
    project.write("specs/auth/spec.md", format!("{auth}{extra}"));
    let lines = [
        "change archive remember-devices --force",
        "change rebase remember-devices",
        "change rebase remember-devices",
        "change archive remember-devices --force --dry-run",
    ];
    assert_snapshot!(told(&project, &lines));
    let delta = project.read("specs/_changes/remember-devices/specs/auth/spec.md");
    assert!(delta.contains("#### Scenario: Told by mail"), "{delta}");
}

#[test]
fn only_a_look_at_changes_leaves_a_note_of_the_specs() {
    let project = Project::sample();
    let base = "specs/_changes/remember-devices/.base.json";
    for line in ["validate", "spec validate", "change validate --format github"] {
        run(project.path(), line);
        assert!(!project.has(base), "{line}");
    }
    run(project.path(), "change validate");
    assert!(project.read(base).contains("Lock Out"));
}

#[test]
fn everything_is_json_when_asked() {
    let project = Project::sample();
    let service = Service::new(Place::At(project.path().to_owned()), Arc::new(Today));
    let specs = serde_json::to_value(service.list_specs().unwrap()).unwrap();
    assert_eq!(json(&project, "spec list"), specs);
    assert_eq!(json(&project, "spec show auth")["spec_id"], "auth");
    assert_eq!(json(&project, "spec show auth")["requirements"][0]["scenario_count"], 2);
    assert_eq!(json(&project, "change list")["changes"][0]["task_progress"]["total"], 3);
    assert_eq!(json(&project, "list")["changes"][0]["id"], "remember-devices");
    assert_eq!(json(&project, "show")["project"]["status"], "unknown");
    assert_eq!(json(&project, "spec show auth")["requirements"][1]["name"], "Lock Out");
    assert_eq!(json(&project, "change show remember-devices")["change_id"], "remember-devices");
    let deltas = json(&project, "change show remember-devices --deltas-only");
    assert_eq!(deltas.as_object().unwrap().keys().collect::<Vec<_>>(), ["change_id", "deltas"]);
    assert_eq!(json(&project, "spec validate")["summary"], "All specs valid (0 warnings)");
    assert_eq!(json(&project, "change validate remember-devices")["valid"], true);
    assert_eq!(json(&project, "validate")["changes"]["valid"], true);
    assert_eq!(json(&project, "config show --paths")["paths"]["archive_folder"], "specs/_archive");
    assert_eq!(
        json(&project, "change diff remember-devices")["capabilities"][0]["capability"],
        "auth"
    );
    assert_eq!(json(&project, "change approve remember-devices --by Ada")["approved"]["by"], "Ada");
    let archived = json(&project, "archive remember-devices --force");
    assert_eq!(archived["archived_to"], "specs/_archive/2026-11-17-remember-devices");
    let said = run(project.path(), "spec show nothing --json");
    assert_eq!((said.code, said.out.as_str()), (1, ""));
    let error: Value = serde_json::from_str(&said.err).unwrap();
    assert_eq!(error["error"], "Spec 'nothing' not found");
}

#[test]
fn a_new_project_works_at_once() {
    let project = Project::none();
    let lines = [
        "init",
        "init",
        "init --agents-md --mcp-json",
        "show",
        "change init add-login --spec auth",
        "change validate add-login",
    ];
    assert_snapshot!(told(&project, &lines));
    let made = json(&project, "init");
    assert_eq!(
        (made["created"].as_array().unwrap().len(), made["updated"].as_array().unwrap().len()),
        (0, 0)
    );
}

#[test]
fn a_project_in_the_open_spec_layout_works_unchanged() {
    let project = Project::none();
    let sample = Project::sample();
    let auth = sample.read("specs/auth/spec.md");
    project.write("openspec/specs/auth/spec.md", auth);
    for file in ["proposal.md", "tasks.md", "specs/auth/spec.md"] {
        let text = sample.read(&format!("specs/_changes/remember-devices/{file}"));
        project.write(&format!("openspec/changes/remember-devices/{file}"), text);
    }
    run(project.path(), "init");
    let lines = ["list", "validate", "archive remember-devices --force"];
    assert_snapshot!(told(&project, &lines), @r"
    $ spox list
    Specs:
    - auth  2 requirements

    Changes:
    - remember-devices  2/3 tasks
    [0]

    $ spox validate
    Validating specs...
      auth                 PASS

    1 specs validated, 0 errors, 0 warnings

    Validating changes...
      remember-devices     PASS

    1 changes validated, 0 errors, 0 warnings
    [0]

    $ spox archive remember-devices --force
    Archived change 'remember-devices':

      auth/ (updated)
        ~ MODIFIED: Lock Out
        + ADDED: Remembered Device

      -> openspec/changes/archive/2026-11-17-remember-devices
    [0]
    ");
}

#[test]
fn the_project_is_found_from_below() {
    let project = Project::sample();
    let said = run(&project.path().join("specs/auth"), "spec list");
    assert!(said.out.starts_with("Specs:\n- auth"), "{}", said.out);
}

#[test]
fn a_custom_rule_that_is_missing_is_a_warning() {
    let project = Project::empty();
    let config = project.read(".spox/config.toml");
    project.write(".spox/config.toml", format!("{config}custom = ['ours', 'gone']\n"));
    project.write(".spox/custom/ours.md", "## Ours\n\nAlways greet.\n");
    let said = run(project.path(), "init");
    assert_eq!(
        (said.code, &*said.err),
        (0, "warning: custom rule file not found: .spox/custom/gone.md\n")
    );
    assert!(project.read(".claude/CLAUDE.md").contains("\n\n## Ours\n\nAlways greet.\n\n"));
}

#[test]
fn a_project_inside_another_is_made_with_a_warning() {
    let project = Project::sample();
    let inner = project.path().join("crates/inner");
    std::fs::create_dir_all(&inner).unwrap();
    let said = run(&inner, "init");
    assert_eq!(said.code, 0);
    assert!(said.err.starts_with("warning: this makes a project inside another: "), "{}", said.err);
    assert!(project.has("crates/inner/.spox/config.toml"));
    assert_eq!(run(project.path(), "init").err, "");
}

#[test]
fn searching() {
    let project = Project::sample();
    let built = run(project.path(), "index");
    assert_eq!(built.out, "");
    assert_eq!(built.err, "Building search index...\nIndex built successfully with 2 specs\n");
    let found = run(project.path(), "search wrong password locked -k 2");
    assert!(found.out.contains("auth / Lock Out"), "{}", found.out);
    let nothing = run(project.path(), "search chocolate cake recipe");
    assert_eq!((nothing.code, &*nothing.out), (1, "No results.\n"));
    let results = json(&project, "search invoices");
    assert_eq!(results["results"][0]["spec_id"], "billing");
    assert_eq!(json(&project, "index")["specs_indexed"], 2);
}

#[test]
fn every_command_that_the_texts_name_exists() {
    let project = Project::none();
    run(project.path(), "init --agents-md");
    let files = [
        ".claude/CLAUDE.md",
        ".claude/commands/spox/propose.md",
        ".claude/commands/spox/archive.md",
    ];
    let others = [".claude/commands/spox/setup.md", ".claude/commands/spox/vibe.md", "AGENTS.md"];
    let mut commands = 0;
    for file in files.iter().chain(&others) {
        let text = project.read(file);
        let code = text.split('`').skip(1).step_by(2);
        for line in code.filter(|code| code.starts_with("spox ") && !code.contains('…')) {
            let words =
                line.split_whitespace().map(|word| if word.starts_with('<') { "x" } else { word });
            let spox =
                Command::augment_subcommands(Global::augment_args(clap::Command::new("spox")));
            let parsed = spox.try_get_matches_from(words);
            assert!(parsed.is_ok(), "{file}: `{line}`: {}", parsed.unwrap_err());
            commands += 1;
        }
    }
    assert!(commands > 20, "{commands}");
}
