//! Choices that have names: read in any case with white space around them, written in upper case.

/// An enum of words with `ALL`, `name`, `parse` and serde, all from one list.
macro_rules! words {
    ($(#[$doc:meta])* $type:ident { $($(#[$inner:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord,
            serde::Serialize, serde::Deserialize,
        )]
        pub enum $type {
            $($(#[$inner])* #[serde(rename = $word)] $variant,)+
        }

        impl $type {
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The word on every surface.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// Reads a word, in any case and with white space around it.
            pub fn parse(text: &str) -> Option<Self> {
                let text = text.trim();
                Self::ALL.iter().copied().find(|choice| choice.name().eq_ignore_ascii_case(text))
            }

            /// Reads what a caller gave for `field`; unknown words are told what there is.
            pub fn read(text: &str, field: &'static str) -> Result<Self, $crate::Refusal> {
                Self::parse(text).ok_or_else(|| {
                    let names = Self::ALL.iter().map(|choice| choice.name());
                    $crate::words::unknown(text, field, names)
                })
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

pub(crate) use words;

use crate::Refusal;

/// How much of a text that is wrong is shown again.
const SHOWN: usize = 40;

pub(crate) fn unknown(
    text: &str,
    field: &'static str,
    names: impl Iterator<Item = &'static str>,
) -> Refusal {
    let names: Vec<_> = names.collect();
    let names = names.join(", ");
    Refusal::invalid(format!("`{field}` must be one of {names}, not `{}`", shown(text)))
        .field(field)
}

/// The beginning of a text, for messages.
pub(crate) fn shown(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::{ActorKind, GmMode};

    #[test]
    fn a_word_is_read_in_any_case_and_written_in_upper_case() {
        assert_eq!(GmMode::parse(" hyBrid\n"), Some(GmMode::Hybrid));
        assert_eq!(serde_json::to_string(&GmMode::Hybrid).unwrap(), r#""HYBRID""#);
        assert_eq!(serde_json::from_str::<ActorKind>(r#""NPC""#).unwrap(), ActorKind::Npc);
    }

    #[test]
    fn an_unknown_word_is_told_what_there_is_and_a_long_one_is_cut() {
        let refusal = GmMode::read("robot", "gm_mode").unwrap_err();
        assert_eq!(refusal.to_string(), "`gm_mode` must be one of HUMAN, AI, HYBRID, not `robot`");
        let long = GmMode::read(&"é".repeat(5000), "gm_mode").unwrap_err().to_string();
        assert_eq!(long.chars().filter(|c| *c == 'é').count(), super::SHOWN);
    }
}
