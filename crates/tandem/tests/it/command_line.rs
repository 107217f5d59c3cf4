//! What people type, and what they get back.

use std::process::Stdio;

use insta::assert_snapshot;
use tempfile::TempDir;

use crate::support::{shown, tandem};

fn ran(args: &[&str]) -> String {
    let dir = TempDir::new().unwrap();
    shown(tandem(dir.path()).args(args))
}

#[test]
fn help() {
    assert_snapshot!(ran(&["--help"]));
}

#[test]
fn help_of_serve() {
    assert_snapshot!(ran(&["serve", "--help"]));
}

#[test]
fn help_of_mcp() {
    assert_snapshot!(ran(&["mcp", "--help"]));
}

#[test]
fn a_command_that_is_not_there_could_not_run() {
    assert_snapshot!(ran(&["serv"]), @r"
    exit: 2
    --- stdout
    --- stderr
    error: unrecognized subcommand 'serv'

      tip: a similar subcommand exists: 'serve'

    Usage: tandem [OPTIONS] <COMMAND>

    For more information, try '--help'.
    ");
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let script = ran(&["completions", shell]);
        assert!(script.starts_with("exit: 0") && script.contains("serve"), "{shell}: {script}");
    }
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let dir = TempDir::new().unwrap();
    let mut child = tandem(dir.path())
        .args(["completions", "zsh"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn an_application_that_is_not_there_is_named() {
    let text = ran(&["mcp", "--apps", "unniverse"]);
    assert!(text.starts_with("exit: 2") && text.contains("no application `unniverse`"), "{text}");
}

#[test]
fn an_open_address_needs_a_token_or_the_word_that_none_is_wanted() {
    assert_snapshot!(ran(&["serve", "--listen", "0.0.0.0:0"]), @r"
    exit: 2
    --- stdout
    --- stderr
    error: `0.0.0.0:0` can be reached from other machines, and there is no token
      hint: give one with `--token` or `TANDEM_TOKEN`, or say `--no-auth` if everybody may ask
    ");
}

#[test]
fn a_token_that_cannot_be_sent_is_refused() {
    assert_snapshot!(ran(&["serve", "--listen", ":0", "--token", "two words"]), @r"
    exit: 2
    --- stdout
    --- stderr
    error: `token` cannot be used
      because: the token may only have letters, digits and `-._~+/=`
    ");
}

#[test]
fn a_port_in_use_is_named_with_what_to_do() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let text = ran(&["serve", "--listen", &address]).replace(&address, "ADDRESS");
    assert_snapshot!(text, @r"
    exit: 2
    --- stdout
    --- stderr
    error: cannot listen on `ADDRESS`
      because: Address already in use (os error 98)
      hint: another program listens there: stop it, or choose another port with `--listen`
    ");
}
