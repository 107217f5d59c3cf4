//! Words on their way into numbers.
//!
//! Where the answer is made, a word that means nothing is refused in its turn, after what comes before it and before
//! what comes after. So it travels too, as a number that means nothing, and when the refusal of that number comes back,
//! it is exchanged for the refusal of the word.

use crate::{
    Error,
    grpc::word::{Word, number},
};

/// The words of one request that mean nothing: how the other side refuses their number, and what is said instead.
#[derive(Debug, Default)]
pub(super) struct Words(Vec<(Error, Error)>);

impl Words {
    /// The number of a word; none at all is 0.
    pub(super) fn number<W: Word>(&mut self, text: &str, field: &'static str) -> i32 {
        if text.trim().is_empty() { 0 } else { self.given::<W>(text, field) }
    }

    /// The number of a word that may be absent; an empty one means nothing.
    pub(super) fn if_any<W: Word>(&mut self, text: Option<&str>, field: &'static str) -> i32 {
        text.map_or(0, |text| self.given::<W>(text, field))
    }

    fn given<W: Word>(&mut self, text: &str, field: &'static str) -> i32 {
        match W::read(text, field) {
            Ok(word) => number(word),
            Err(refusal) => {
                let stand_in = -1 - i32::try_from(self.0.len()).unwrap_or(i32::MAX - 1);
                if let Err(theirs) = W::read(&stand_in.to_string(), field) {
                    self.0.push((theirs.into(), refusal.into()));
                }
                stand_in
            }
        }
    }

    /// The refusal of a word, if this one is of its number.
    pub(super) fn restored(self, error: Error) -> Error {
        let same = |(theirs, _): &(Error, Error)| theirs.message == error.message;
        self.0.into_iter().find(same).map_or(error, |(_, ours)| ours)
    }
}

#[cfg(test)]
mod tests {
    use campaign_core::{GmMode, Role};

    use super::*;
    use crate::grpc::word::text;

    /// What the other side says to a number.
    fn refused<W: Word>(number: i32, field: &'static str) -> Error {
        let Err(refusal) = W::read(&text::<W>(number), field) else { panic!("{number} is a word") };
        refusal.into()
    }

    #[test]
    fn a_word_that_is_known_has_its_number() {
        let mut words = Words::default();
        assert_eq!(words.number::<GmMode>(" hybrid ", "gm_mode"), 3);
        assert_eq!(words.number::<GmMode>("", "gm_mode"), 0);
        assert_eq!(words.if_any::<GmMode>(None, "gm_mode"), 0);
    }

    #[test]
    fn the_refusal_of_a_number_becomes_that_of_its_word() {
        let mut words = Words::default();
        let mode = words.number::<GmMode>("robot", "gm_mode");
        let role = words.number::<Role>("wizard", "role");
        let said = words.restored(refused::<Role>(role, "role"));
        assert_eq!(said.message, "`role` must be one of GM, PLAYER, not `wizard`");
        let mut words = Words::default();
        assert_eq!(words.number::<GmMode>("robot", "gm_mode"), mode);
        let other = Error::invalid("campaign name is required");
        assert_eq!(words.restored(other).message, "campaign name is required");
    }
}
