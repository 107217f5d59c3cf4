//! Layers, and where each value came from.

use insta::assert_snapshot;
use tempfile::TempDir;

use crate::support::{shown, tandem};

fn directory(file: &str) -> TempDir {
    let dir = TempDir::new().unwrap();
    std::fs::write(dir.path().join("tandem.toml"), file).unwrap();
    dir
}

fn config(file: &str, variables: &[(&str, &str)], flags: &[&str]) -> String {
    let dir = directory(file);
    let mut command = tandem(dir.path());
    shown(command.arg("config").args(flags).envs(variables.iter().copied()))
}

#[test]
fn every_value_says_where_it_came_from() {
    let file =
        "listen = \"127.0.0.1:1\"\ndata_dir = \"kept\"\ngrace_seconds = 5\n\n[limits]\nburst = 7\n";
    let variables = [("TANDEM_DATA_DIR", "elsewhere"), ("TANDEM_LIMITS_CONNECTIONS", "12")];
    let flags = ["--listen", ":9", "--allow-host", "a.example", "--set", "log.format=json"];
    assert_snapshot!(config(file, &variables, &flags));
}

#[test]
fn origins_are_data_with_json() {
    let dir = directory("grace_seconds = 5\n");
    let output = tandem(dir.path()).args(["config", "--json", "--no-auth"]).output().unwrap();
    let settings: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let find = |key: &str| {
        settings
            .as_array()
            .unwrap()
            .iter()
            .find(|setting| setting["key"] == key)
            .unwrap()
            .to_string()
    };
    assert_snapshot!([find("grace_seconds"), find("no_auth"), find("listen")].join("\n"), @r#"
    {"key":"grace_seconds","value":5,"origin":{"from":"file","path":"tandem.toml","line":1,"column":1}}
    {"key":"no_auth","value":true,"origin":{"from":"flag","name":"--no-auth"}}
    {"key":"listen","value":"127.0.0.1:3000","origin":{"from":"default"}}
    "#);
}

#[test]
fn secrets_are_never_printed() {
    let file = "token = \"s3cret\"\ndatabase_url = \"postgres://ann:s3cret@db/tandem\"\n";
    let text = config(file, &[], &[]);
    assert!(!text.contains("s3cret"), "{text}");
    assert!(text.contains("token = \"(secret)\""), "{text}");
    assert!(text.contains("postgres://ann:(secret)@db/tandem"), "{text}");
}

#[test]
fn an_unknown_key_names_its_place_and_the_nearest_one() {
    assert_snapshot!(config("# mine\n[limits]\n  bursts = 3\n", &[], &[]), @r"
    exit: 2
    --- stdout
    --- stderr
    error: tandem.toml:3:3: unknown key `limits.bursts`
      hint: did you mean `limits.burst`?
    ");
}

#[test]
fn a_key_in_the_wrong_section_is_found_by_its_name() {
    assert_snapshot!(config("burst = 3\n", &[], &[]), @r"
    exit: 2
    --- stdout
    --- stderr
    error: tandem.toml:1:1: unknown key `burst`
      hint: did you mean `limits.burst`?
    ");
}

#[test]
fn an_unknown_section_names_the_nearest_key() {
    assert_snapshot!(config("[limts]\nburst = 3\n", &[], &[]), @r"
    exit: 2
    --- stdout
    --- stderr
    error: tandem.toml:1:2: unknown key `limts`
      hint: did you mean `limits`?
    ");
}

#[test]
fn a_wrong_type_names_its_place() {
    assert_snapshot!(config("grace_seconds = 1\nlisten = 80\n", &[], &[]), @r"
    exit: 2
    --- stdout
    --- stderr
    error: tandem.toml:2:1: `listen` does not fit: invalid type: integer `80`, expected a string
    ");
}

#[test]
fn broken_toml_names_its_place() {
    assert_snapshot!(config("listen = \n", &[], &[]), @r"
    exit: 2
    --- stdout
    --- stderr
    error: tandem.toml:1:10: string values must be quoted, expected literal string
    ");
}

#[test]
fn an_unknown_variable_names_the_nearest_one() {
    assert_snapshot!(config("", &[("TANDEM_LISTN", "1")], &[]), @r"
    exit: 2
    --- stdout
    --- stderr
    error: unknown variable `TANDEM_LISTN`
      hint: did you mean `TANDEM_LISTEN`?
    ");
}

#[test]
fn a_variable_that_does_not_fit_is_named() {
    assert_snapshot!(config("", &[("TANDEM_LIMITS_BURST", "many")], &[]), @r#"
    exit: 2
    --- stdout
    --- stderr
    error: TANDEM_LIMITS_BURST: `limits.burst` does not fit: invalid type: string "many", expected u32
    "#);
}

#[test]
fn a_file_that_was_asked_for_must_be_there() {
    assert_snapshot!(config("", &[("TANDEM_CONFIG", "other.toml")], &[]), @r"
    exit: 2
    --- stdout
    --- stderr
    error: cannot read `other.toml`
      because: No such file or directory (os error 2)
    ");
}
