//! Values as people write them.

use std::{
    net::IpAddr,
    path::{Component, PathBuf},
    time::Duration,
};

use super::{Given, Level};

type Read<T> = Result<T, String>;

pub(super) fn host(given: Given) -> Read<IpAddr> {
    let text = text(given)?;
    if text == "localhost" {
        return Ok(IpAddr::from([127, 0, 0, 1]));
    }
    text.trim_matches(['[', ']'])
        .parse()
        .map_err(|_| format!("`{text}` is not an address, such as `127.0.0.1`"))
}

pub(super) fn number<T: TryFrom<i64>>(given: Given, most: i64) -> Read<T> {
    let wrong = || format!("a whole number from 0 to {most} is wanted");
    let number = match given {
        Given::Number(number) => number,
        // Variables and flags have nothing but text.
        Given::Text(text) => text.trim().parse().map_err(|_| wrong())?,
        _ => return Err(wrong()),
    };
    if !(0..=most).contains(&number) {
        return Err(wrong());
    }
    T::try_from(number).map_err(|_| wrong())
}

pub(super) fn truth(given: Given) -> Read<bool> {
    match given {
        Given::Truth(truth) => Ok(truth),
        Given::Text(text) if ["true", "1", "yes", "on"].contains(&&*text) => Ok(true),
        Given::Text(text) if ["false", "0", "no", "off"].contains(&&*text) => Ok(false),
        _ => Err("`true` or `false` is wanted".to_owned()),
    }
}

/// What a browser can bring in a cookie and an address.
pub(super) fn token(given: Given) -> Read<String> {
    let text = text(given)?;
    kit_http::Token::new(text.clone()).map_err(|error| error.to_string())?;
    Ok(text)
}

pub(super) fn header(given: Given) -> Read<String> {
    let text = text(given)?;
    let fits = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b';' && byte != b',';
    if text.is_empty() || !text.bytes().all(fits) {
        return Err("sources as in `'self' https://app.example` are wanted".to_owned());
    }
    Ok(text)
}

/// A folder below the project.
pub(super) fn inner_path(given: Given) -> Read<PathBuf> {
    let text = text(given)?;
    let path: PathBuf = PathBuf::from(&text).components().collect();
    let inside = path.components().all(|part| matches!(part, Component::Normal(_)));
    if text.is_empty() || !inside {
        return Err(format!("`{text}` is not a folder below the project"));
    }
    Ok(path)
}

/// `24h`, `10m`, `30s`, `500ms`, or seconds; 0 is never.
pub(super) fn time(given: Given) -> Read<Option<Duration>> {
    let wrong = |text: &str| format!("`{text}` is not a time, such as `24h`, `30s` or `500ms`");
    let duration = match given {
        Given::Number(seconds) => {
            let seconds = u64::try_from(seconds).map_err(|_| wrong(&seconds.to_string()))?;
            Duration::from_secs(seconds)
        }
        Given::Text(text) => {
            let digits = text.trim().trim_end_matches(|c: char| c.is_ascii_alphabetic());
            let number: u64 = digits.parse().map_err(|_| wrong(&text))?;
            let millis = match &text.trim()[digits.len()..] {
                "ms" => Some(number),
                "s" | "" => number.checked_mul(1_000),
                "m" => number.checked_mul(60_000),
                "h" => number.checked_mul(3_600_000),
                "d" => number.checked_mul(86_400_000),
                _ => None,
            };
            Duration::from_millis(millis.ok_or_else(|| wrong(&text))?)
        }
        other => return Err(wrong(other.kind())),
    };
    Ok((!duration.is_zero()).then_some(duration))
}

/// The same where never makes no sense.
pub(super) fn some_time(given: Given) -> Read<Duration> {
    time(given)?.ok_or_else(|| "a time above 0 is wanted".to_owned())
}

/// `64MB`, `512KB`, `1GB`, or bytes.
pub(super) fn bytes(given: Given) -> Read<usize> {
    let wrong = || "a size is wanted, such as `64MB`, at least 1 MB".to_owned();
    let bytes = match given {
        Given::Number(bytes) => usize::try_from(bytes).map_err(|_| wrong())?,
        Given::Text(text) => {
            let digits = text.trim().trim_end_matches(|c: char| !c.is_ascii_digit());
            let unit = match text.trim()[digits.len()..].trim().to_uppercase().as_str() {
                "" | "B" => 1,
                "K" | "KB" | "KIB" => 1 << 10,
                "M" | "MB" | "MIB" => 1 << 20,
                "G" | "GB" | "GIB" => 1 << 30,
                _ => return Err(wrong()),
            };
            let number: usize = digits.parse().map_err(|_| wrong())?;
            number.checked_mul(unit).ok_or_else(wrong)?
        }
        _ => return Err(wrong()),
    };
    if bytes < 1 << 20 { Err(wrong()) } else { Ok(bytes) }
}

/// Programs are closed in: they reach their session, their modules and their logs. A project may open files below itself to
/// them; whoever asks for more is told, instead of finding out later. Whether files are open.
pub(super) fn allow(given: Given) -> Read<bool> {
    let words = match given {
        Given::List(words) => words,
        Given::Text(text) if text.is_empty() => Vec::new(),
        Given::Text(text) => vec![text],
        _ => return Err("a list is wanted, such as `[\"io\"]`".to_owned()),
    };
    match words.iter().find(|word| *word != "io") {
        None => Ok(!words.is_empty()),
        Some(word) if word == "process" || word == "os" => Err(format!(
            "`{word}` cannot be allowed: processes are closed to programs; there is `io`"
        )),
        Some(word) => Err(format!("`{word}` is nothing that can be allowed; there is `io`")),
    }
}

pub(super) fn level(given: Given) -> Read<Level> {
    match text(given)?.as_str() {
        "debug" | "trace" => Ok(Level::Debug),
        "info" => Ok(Level::Info),
        "warn" | "warning" => Ok(Level::Warn),
        "error" => Ok(Level::Error),
        _ => Err("there are `debug`, `info`, `warn` and `error`".to_owned()),
    }
}

fn text(given: Given) -> Read<String> {
    match given {
        Given::Text(text) => Ok(text),
        other => Err(format!("text is wanted, not {}", other.kind())),
    }
}

impl Given {
    fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Number(_) => "a number",
            Self::Truth(_) => "a truth value",
            Self::List(_) => "a list",
            Self::Other(kind) => kind,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Given {
        Given::Text(text.to_owned())
    }

    #[test]
    fn times_are_written_with_their_unit() {
        let hours = |given| time(given).unwrap().map(|time| time.as_secs());
        assert_eq!(hours(said("24h")), Some(86_400));
        assert_eq!(hours(said("90")), Some(90));
        assert_eq!(hours(Given::Number(5)), Some(5));
        assert_eq!(hours(said("0")), None);
        assert_eq!(time(said("250ms")).unwrap(), Some(Duration::from_millis(250)));
        for wrong in ["", "h", "1w", "-1s", "1.5h", "99999999999999999999h"] {
            assert!(time(said(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_are_written_with_their_unit() {
        assert_eq!(bytes(said("64MB")), Ok(64 << 20));
        assert_eq!(bytes(said("1 GB")), Ok(1 << 30));
        assert!(bytes(said("12")).is_err() && bytes(said("many")).is_err());
    }

    #[test]
    fn a_folder_stays_below_the_project() {
        assert_eq!(inner_path(said("lua/")), Ok("lua".into()));
        for wrong in ["", "/etc", "..", "a/../..", "./.."] {
            assert!(inner_path(said(wrong)).is_err(), "{wrong}");
        }
    }
}
