//! Reading the settings of a project.

use std::{fs, io, path::Path};

use toml::de::{DeTable, DeValue};

use super::{BadSetting, Given, Settings};
use crate::Config;

/// Where the file is, below the project.
pub(crate) const FILE: &str = "config/config.toml";

/// The settings of the project at `base`: the defaults, its file, then what `config` says.
pub(crate) fn load(base: &Path, config: &Config) -> Result<Settings, BadSetting> {
    let mut settings = Settings::default();
    let path = base.join(FILE);
    match fs::read_to_string(&path) {
        Ok(text) => read(&path.display().to_string(), &text, &mut settings)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => {
            let why = format!("cannot be read: {error}");
            return Err(BadSetting { place: path.display().to_string(), key: String::new(), why });
        }
    }
    for (key, value) in config.given() {
        settings.set(key, value).map_err(|why| BadSetting {
            place: "setting".to_owned(),
            key: key.to_owned(),
            why,
        })?;
    }
    settings.check(&path.display().to_string())?;
    Ok(settings)
}

fn read(path: &str, text: &str, settings: &mut Settings) -> Result<(), BadSetting> {
    let bad = |at: usize, key: &str, why: String| BadSetting {
        place: format!("{path}:{}", line(text, at)),
        key: key.to_owned(),
        why,
    };
    let tree = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        bad(at, &key_at(text, at), error.message().to_owned())
    })?;
    for (section, table) in tree.get_ref() {
        let (name, at) = (section.get_ref(), section.span().start);
        let DeValue::Table(table) = table.get_ref() else {
            return Err(bad(at, name, "keys stand in a section, such as `[server]`".to_owned()));
        };
        for (key, value) in table {
            let full = format!("{name}.{}", key.get_ref());
            let set = settings.set(&full, given(value.get_ref()));
            set.map_err(|why| bad(key.span().start, &full, why))?;
        }
    }
    Ok(())
}

fn given(value: &DeValue<'_>) -> Given {
    match value {
        DeValue::String(text) => Given::Text(text.to_string()),
        DeValue::Boolean(truth) => Given::Truth(*truth),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Given::Number(number),
            Err(_) => Given::Other("a number out of range"),
        },
        DeValue::Array(items) => {
            let text = |item: &toml::Spanned<DeValue<'_>>| match item.get_ref() {
                DeValue::String(text) => Some(text.to_string()),
                _ => None,
            };
            match items.iter().map(text).collect() {
                Some(items) => Given::List(items),
                None => Given::Other("a list of other things than text"),
            }
        }
        DeValue::Float(_) => Given::Other("a number with a fraction"),
        DeValue::Datetime(_) => Given::Other("a date"),
        DeValue::Table(_) => Given::Other("a table"),
    }
}

/// The line of a byte, from 1.
fn line(text: &str, at: usize) -> usize {
    text[..at.min(text.len())].matches('\n').count() + 1
}

/// The key of the line that could not be read, as far as it has one.
fn key_at(text: &str, at: usize) -> String {
    let at = at.min(text.len());
    let begin = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let line = text[begin..].lines().next().unwrap_or_default();
    line.split_once('=').map_or(String::new(), |(key, _)| key.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Result<Settings, String> {
        let mut settings = Settings::default();
        match read("config.toml", text, &mut settings) {
            Ok(()) => Ok(settings),
            Err(bad) => Err(bad.to_string()),
        }
    }

    #[test]
    fn a_file_is_laid_over_the_defaults() {
        let settings = said("[server]\nport = 8123\n[session]\ntimeout = \"0\"\n").unwrap();
        assert_eq!((settings.server.port, settings.session.timeout), (8123, None));
        assert!(settings.lua.hotload);
    }

    #[test]
    fn a_mistake_names_file_line_and_key() {
        let wrong = |text| said(text).unwrap_err();
        assert_eq!(
            wrong("[server]\n\nport = 70000\n"),
            "config.toml:3: `server.port`: a whole number from 0 to 65535 is wanted"
        );
        assert_eq!(
            wrong("[lua]\nhotlod = true\n"),
            "config.toml:2: `lua.hotlod`: no such key; did you mean `lua.hotload`?"
        );
        assert_eq!(
            wrong("port = 1\n"),
            "config.toml:1: `port`: keys stand in a section, such as `[server]`"
        );
        let broken = wrong("[server]\nport = = 1\n");
        assert!(broken.starts_with("config.toml:2: `port`: "), "{broken}");
    }

    #[test]
    fn an_open_address_needs_a_token() {
        let mut settings = said("[server]\nhost = \"0.0.0.0\"\n").unwrap();
        let error = settings.check("config.toml").unwrap_err().to_string();
        assert!(error.contains("`server.host`") && error.contains("server.token"), "{error}");
        settings.server.token = Some("s3cret".to_owned());
        assert_eq!(settings.check("config.toml"), Ok(()));
    }
}
