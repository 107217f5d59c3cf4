//! The two calls that are measured.

use serde_json::{Value, json};

/// What is asked, again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Task {
    /// Dice, which leave nothing behind.
    Roll,
    /// A participant more, which must be on the disk before the answer.
    Join,
}

pub(crate) const MODIFIER: i32 = 2;
pub(crate) const DIFFICULTY: i32 = 15;
pub(crate) const PLAYER: &str = "Player";

impl Task {
    pub(crate) fn tool(self) -> &'static str {
        match self {
            Self::Roll => "duality_action_roll",
            Self::Join => "participant_create",
        }
    }

    /// The tool's arguments.
    pub(crate) fn arguments(self, campaign: &str) -> Value {
        match self {
            Self::Roll => json!({"modifier": MODIFIER, "difficulty": DIFFICULTY}),
            Self::Join => {
                json!({"campaign_id": campaign, "display_name": PLAYER, "role": "PLAYER"})
            }
        }
    }

    /// What the structured content of a success has in it, and no failure has. The same name in the text beside it has
    /// its quotes escaped.
    pub(crate) fn mark(self) -> &'static [u8] {
        match self {
            Self::Roll => br#""is_crit":"#,
            Self::Join => br#""created_at":"#,
        }
    }
}
