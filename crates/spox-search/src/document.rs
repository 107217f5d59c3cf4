//! What can be found: the purpose of a spec, or one requirement; and the texts that stand for it.
//!
//! A [`Document`] is plain text in named parts, so that this crate knows nothing of how specs are written down. The
//! encoder sees [`Document::main_text`] and [`Document::long_text`]; a text's [`TextHash`] tells whether it has changed.

use sha2::{Digest, Sha256};

/// One thing that a search can return. The order in a list of documents is the order that breaks ties within a spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Which spec it belongs to: the folder's name, `auth` or `platform/auth`.
    pub spec_id: String,
    /// The active change that proposes it; nothing for what holds now.
    pub change_id: Option<String>,
    pub content: Content,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// What a spec is about as a whole. A hit on it names no requirement.
    Purpose {
        title: String,
        purpose: String,
    },
    Requirement(Requirement),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Requirement {
    pub name: String,
    pub description: String,
    pub scenarios: Vec<Scenario>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scenario {
    pub name: String,
    /// Conditions and outcomes in their order, without `WHEN`, `THEN` and bullets.
    pub clauses: Vec<String>,
}

/// 128 bits of the SHA-256 of a text, bytes exactly as the encoder gets them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextHash(pub [u8; 16]);

impl TextHash {
    pub fn of(text: &str) -> Self {
        let digest = Sha256::digest(text.as_bytes());
        let mut hash = [0; 16];
        hash.copy_from_slice(&digest[..16]);
        Self(hash)
    }
}

impl Document {
    /// The requirement's name, or nothing for the purpose of a spec.
    pub fn requirement(&self) -> Option<&str> {
        match &self.content {
            Content::Purpose { .. } => None,
            Content::Requirement(requirement) => Some(&requirement.name),
        }
    }

    /// The text whose vector every document has: `<capability>: <name>. <description>`, or `<title>. <purpose>`.
    pub fn main_text(&self) -> String {
        let text = match &self.content {
            Content::Purpose { title, purpose } => format!("{title}. {purpose}"),
            Content::Requirement(Requirement { name, description, .. }) => {
                format!("{}: {name}. {description}", capability(&self.spec_id))
            }
        };
        plain(&text)
    }

    /// The main text followed by the scenarios; nothing where there are none, since it would be the same text.
    pub fn long_text(&self) -> Option<String> {
        let Content::Requirement(requirement) = &self.content else { return None };
        if requirement.scenarios.is_empty() {
            return None;
        }
        let mut text = self.main_text();
        for scenario in &requirement.scenarios {
            for part in std::iter::once(&scenario.name).chain(&scenario.clauses) {
                text.push(' ');
                text.push_str(&plain(part));
                if !text.ends_with(['.', '!', '?', ':', ';']) {
                    text.push('.');
                }
            }
        }
        Some(text)
    }
}

/// A spec's id as words: the encoder knows `user auth`, and splits `user-auth` into three.
fn capability(spec_id: &str) -> String {
    spec_id.replace(['-', '/'], " ")
}

/// Without the marks of Markdown, which mean nothing to the encoder.
fn plain(text: &str) -> String {
    text.replace(['`', '*'], "").trim().to_owned()
}
