//! `.spox/config.toml`.

use kit_core::Fault;
use spox_core::{Config, ConfigError, config::Model};

const GOOD: &str = r#"
[paths]
spec_folder = "specs/"
changes_folder = "./specs/_changes"
archive_folder = "specs/_archive"

[rules]
system = ["mcp", "global"]
"#;

fn parse(text: &str) -> Config {
    Config::parse(text).map_or_else(|error| panic!("{error}"), |(config, _)| config)
}

fn error(text: &str) -> String {
    Config::parse(text).map_or_else(|error| error.to_string(), |_| "no error".to_owned())
}

fn warnings(text: &str) -> Vec<String> {
    Config::parse(text).map_or_else(
        |error| vec![format!("error {error}")],
        |(_, unknown)| unknown.iter().map(ToString::to_string).collect(),
    )
}

#[test]
fn the_required_keys_are_enough() {
    let config = parse(GOOD);
    assert_eq!(config.paths.spec_folder, "specs");
    assert_eq!(config.paths.changes_folder, "specs/_changes");
    assert_eq!(config.rules.system, ["mcp", "global"]);
    assert!(config.rules.custom.is_empty());
    assert_eq!(config.search, spox_core::config::Search::default());
    assert_eq!(config.check_rules(), Ok(()));
    assert!(warnings(GOOD).is_empty());
}

#[test]
fn what_is_missing_is_named() {
    assert_eq!(ConfigError::NotFound.to_string(), "config not found: .spox/config.toml");
    assert_eq!(error(""), "config missing field: paths");
    assert_eq!(error("[paths]\n"), "config missing field: rules");
    for (field, line) in [
        ("paths.spec_folder", "spec_folder = \"specs/\"\n"),
        ("paths.changes_folder", "changes_folder = \"./specs/_changes\"\n"),
        ("paths.archive_folder", "archive_folder = \"specs/_archive\"\n"),
        ("rules.system", "system = [\"mcp\", \"global\"]\n"),
    ] {
        assert!(GOOD.contains(line));
        assert_eq!(error(&GOOD.replace(line, "")), format!("config missing field: {field}"));
    }
}

#[test]
fn what_is_no_toml_is_told_with_its_place() {
    let message = error("[paths\n");
    assert!(message.starts_with("config parse error: TOML parse error at line 1"), "{message}");
}

#[test]
fn values_of_the_wrong_type_are_told_with_their_key() {
    for (from, to, message) in [
        ("\"specs/\"", "3", "paths.spec_folder must be a string"),
        ("\"specs/\"", "\"/\"", "paths.spec_folder must be the path of a folder"),
        ("[\"mcp\", \"global\"]", "\"mcp\"", "rules.system must be a list of strings"),
        ("[\"mcp\", \"global\"]", "[1]", "rules.system must be a list of strings"),
    ] {
        let said = error(&GOOD.replace(from, to));
        assert_eq!(said, format!("config parse error: {message}"), "{to}");
    }
    assert_eq!(error("paths = 1\n"), "config parse error: paths must be a table");
}

#[test]
fn rule_texts_are_checked_only_when_asked() {
    let empty = parse(&GOOD.replace("[\"mcp\", \"global\"]", "[]"));
    assert_eq!(
        empty.check_rules().map_err(|error| error.to_string()),
        Err("config parse error: rules.system must contain at least one template".to_owned())
    );
    let unknown = parse(&GOOD.replace("\"mcp\"", "\"mpc\""));
    assert_eq!(
        unknown.check_rules().map_err(|error| error.to_string()),
        Err("config parse error: invalid system template 'mpc', valid templates are: mcp, global, coding, testing, backend, frontend, vcs".to_owned())
    );
}

#[test]
fn unknown_keys_are_told_with_the_nearest_known_one() {
    let text =
        format!("{GOOD}costum = []\n[serach]\nx = 1\n[search]\ntreshold = 0.3\nzzzzzz = 1\n");
    insta::assert_snapshot!(warnings(&text).join("\n"), @r"
    unknown key `rules.costum` in .spox/config.toml, did you mean `rules.custom`?
    unknown key `search.treshold` in .spox/config.toml, did you mean `search.threshold`?
    unknown key `search.zzzzzz` in .spox/config.toml
    unknown key `serach` in .spox/config.toml, did you mean `search`?
    ");
}

#[test]
fn search_has_its_own_settings() {
    let search = |text: &str| Config::parse(&format!("{GOOD}[search]\n{text}\n"));
    let ok =
        search("model = \"none\"\nauto_build = true\nthreshold = 0.5\nvectors_per_requirement = 1");
    let ok = ok.map(|(config, _)| config.search);
    assert_eq!(
        ok.map(|one| (
            one.model,
            one.auto_build,
            one.threshold.to_string(),
            one.vectors_per_requirement
        )),
        Ok((Model::None, true, "0.5".to_owned(), 1))
    );
    for (text, model) in [
        ("builtin", Model::Builtin),
        ("/opt/model", Model::Folder("/opt/model".into())),
        ("hub:some/name", Model::Hub("some/name".into())),
    ] {
        let parsed = search(&format!("model = \"{text}\"")).map(|(config, _)| config.search.model);
        assert_eq!(parsed, Ok(model));
    }
    for (text, message) in [
        ("model = \"hub:\"", "search.model must be builtin, none, a folder or hub:<name>"),
        ("model = 1", "search.model must be a string"),
        ("auto_build = 1", "search.auto_build must be true or false"),
        ("threshold = 1.5", "search.threshold must be a number from 0 to 1"),
        ("threshold = nan", "search.threshold must be a number from 0 to 1"),
        ("vectors_per_requirement = 3", "search.vectors_per_requirement must be 1 or 2"),
    ] {
        assert_eq!(search(text).map(drop), Err(ConfigError::Parse(message.into())), "{text}");
    }
}

#[test]
fn a_missing_config_says_how_to_get_one() {
    assert_eq!(
        ConfigError::NotFound.hint().as_deref(),
        Some("run `spox init` in the root of the project")
    );
}
