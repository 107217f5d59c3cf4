//! Opening the person's browser.

use std::{ffi::OsString, process::Stdio, time::Duration};

use tokio::process::Command;

use crate::Error;

/// A program that cannot open a page says so soon; one that still runs then is the browser itself.
const SOON: Duration = Duration::from_secs(2);

/// The address of a page of ours, as `ui_open_browser` opens it.
pub(crate) fn address(base: &str, session: &str, path: &str, conserve: bool) -> String {
    let slash = if path.starts_with('/') { "" } else { "/" };
    let (path, fragment) = match path.split_once('#') {
        Some((path, fragment)) => (path, format!("#{fragment}")),
        None => (path, String::new()),
    };
    let mark = if path.contains('?') { '&' } else { '?' };
    let conserve = if conserve { format!("{mark}conserve=true") } else { String::new() };
    let url: String = format!("{base}/{session}{slash}{path}{conserve}{fragment}");
    // An address is handed to another program; blanks and controls have no business in it.
    url.chars().filter(|c| !c.is_control()).map(|c| if c == ' ' { '+' } else { c }).collect()
}

/// Opens `url` with the program that `$BROWSER` names, else with the system's. No shell is involved.
pub(crate) async fn open(url: &str) -> Result<(), Error> {
    let fail = |why: String| Err(Error::Browser(why));
    let program = opener();
    let mut command = Command::new(&program);
    // Standard output may be the protocol's.
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return fail(format!("`{}`: {error}", program.display())),
    };
    match tokio::time::timeout(SOON, child.wait()).await {
        Ok(Ok(status)) if !status.success() => {
            fail(format!("`{}` ended with {status}", program.display()))
        }
        Ok(Err(error)) => fail(error.to_string()),
        Ok(Ok(_)) => Ok(()),
        Err(_) => {
            // It goes on without us; somebody must take note of its end.
            tokio::spawn(async move { drop(child.wait().await) });
            Ok(())
        }
    }
}

fn opener() -> OsString {
    let named = std::env::var_os("BROWSER").filter(|name| !name.is_empty());
    named.unwrap_or_else(|| {
        let system = if cfg!(target_os = "macos") {
            "open"
        } else if cfg!(windows) {
            "explorer"
        } else {
            "xdg-open"
        };
        system.into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_session_stands_before_the_path_and_the_wish_behind() {
        let base = "http://127.0.0.1:39482";
        assert_eq!(address(base, "1", "/", true), "http://127.0.0.1:39482/1/?conserve=true");
        assert_eq!(
            address(base, "2", "a?b=1", true),
            "http://127.0.0.1:39482/2/a?b=1&conserve=true"
        );
        assert_eq!(address(base, "1", "/x#y", true), "http://127.0.0.1:39482/1/x?conserve=true#y");
        assert_eq!(address(base, "1", "/", false), "http://127.0.0.1:39482/1/");
        assert_eq!(address(base, "1", "/a b\n", false), "http://127.0.0.1:39482/1/a+b");
    }
}
