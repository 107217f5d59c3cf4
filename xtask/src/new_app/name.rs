//! What an application may be called.

use std::fmt;

use anyhow::{Result, bail};

/// The commands of `tandem` itself, and words that a path or a crate cannot have.
const TAKEN: &[&str] = &[
    "alloc",
    "completions",
    "config",
    "core",
    "help",
    "mcp",
    "serve",
    "std",
    "tandem",
    "test",
    "xtask",
];

/// The words of Rust that match the pattern of a name.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// A name that fits everywhere an application's name goes: a crate, a path in a URL, a command, a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name(String);

impl Name {
    /// `known` are the names of crates that are there already, ours and others'.
    pub(crate) fn new(name: &str, known: &[String]) -> Result<Self> {
        let letters = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        if !letters || !name.starts_with(|c: char| c.is_ascii_lowercase()) {
            bail!(
                "`{name}` is not a name for an application: take lower case letters and digits, a letter first, as in `tides`"
            );
        }
        if !(2..=20).contains(&name.len()) {
            bail!(
                "`{name}` is too {}: take 2 to 20 letters",
                if name.len() < 2 { "short" } else { "long" }
            );
        }
        if KEYWORDS.contains(&name) {
            bail!("`{name}` is a word of Rust: take another, perhaps `{name}s`");
        }
        if TAKEN.contains(&name) || name.starts_with("kit") {
            bail!("`{name}` means something else here: take another name");
        }
        for taken in [name.to_owned(), format!("{name}-core")] {
            if known.contains(&taken) {
                bail!("there is a crate `{taken}` already: take another name");
            }
        }
        Ok(Self(name.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// For people: `Tides`.
    pub(crate) fn title(&self) -> String {
        let (first, rest) = self.0.split_at(1);
        first.to_uppercase() + rest
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(name: &str) -> String {
        Name::new(name, &["universe".into(), "tide-core".into()]).unwrap_err().to_string()
    }

    #[test]
    fn a_plain_word_is_a_name() {
        let name = Name::new("tides", &["universe".into()]).unwrap();
        assert_eq!((name.as_str(), name.title().as_str()), ("tides", "Tides"));
    }

    #[test]
    fn each_refusal_says_what_to_take_instead() {
        let pattern = "take lower case letters and digits, a letter first, as in `tides`";
        for name in ["", "Tides", "my-app", "my_app", "4tides", "tidés", "../tides"] {
            assert!(refused(name).ends_with(pattern), "{}", refused(name));
        }
        assert_eq!(refused("t"), "`t` is too short: take 2 to 20 letters");
        assert_eq!(refused("type"), "`type` is a word of Rust: take another, perhaps `types`");
        assert_eq!(refused("serve"), "`serve` means something else here: take another name");
        assert_eq!(refused("universe"), "there is a crate `universe` already: take another name");
        assert_eq!(refused("tide"), "there is a crate `tide-core` already: take another name");
    }
}
