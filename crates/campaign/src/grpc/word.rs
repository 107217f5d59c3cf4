//! Choices that have a name in JSON and a number in protobuf.
//!
//! Both stand in the same order, so that a number is a place in the core's list; 0 is "nothing was said". What a
//! number means, and that it means nothing, is for the core to say: it gets the name, or the number itself.

use campaign_core::{
    ActorKind, Controller, GmMode, Refusal, Role, RollMode, SeedSource, Status, Trait,
    duality::{Advantage, Outcome},
};

/// A choice of the core's.
pub(crate) trait Word: Copy + PartialEq + 'static {
    const ALL: &'static [Self];

    fn name(self) -> &'static str;
    fn read(text: &str, field: &'static str) -> Result<Self, Refusal>;
}

macro_rules! words {
    ($($word:ty)*) => {$(
        impl Word for $word {
            const ALL: &'static [Self] = <$word>::ALL;

            fn name(self) -> &'static str {
                self.name()
            }

            fn read(text: &str, field: &'static str) -> Result<Self, Refusal> {
                <$word>::read(text, field)
            }
        }
    )*};
}

words! { ActorKind Advantage Controller GmMode Outcome RollMode Role SeedSource Status Trait }

/// The number of a choice.
pub(crate) fn number<W: Word>(word: W) -> i32 {
    let place = W::ALL.iter().position(|one| *one == word).unwrap_or_default();
    i32::try_from(place + 1).unwrap_or_default()
}

/// The choice that a number stands for.
pub(crate) fn of_number<W: Word>(number: i32) -> Option<W> {
    W::ALL.get(usize::try_from(number).ok()?.checked_sub(1)?).copied()
}

/// A number as the core reads it: the choice's name, nothing for 0, and digits that it will not know.
pub(crate) fn text<W: Word>(number: i32) -> String {
    match of_number::<W>(number) {
        Some(word) => word.name().to_owned(),
        None if number == 0 => String::new(),
        None => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use campaign_proto::{
        campaign::v1 as campaign, duality::v1 as duality, session::v1 as session,
    };

    use super::*;

    /// Every choice has the number under which the `.proto` file has its name.
    fn check<W: Word>(proto_name: impl Fn(i32) -> Option<&'static str>, prefix: &str) {
        for (number, word) in (1..).zip(W::ALL) {
            assert_eq!(super::number(*word), number);
            assert!(of_number::<W>(number) == Some(*word));
            assert_eq!(proto_name(number).unwrap(), format!("{prefix}{}", word.name()));
        }
        let past = i32::try_from(W::ALL.len()).unwrap() + 1;
        assert_eq!(proto_name(past), None, "a number without a word");
        assert_eq!([0, past, -1].map(text::<W>), [String::new(), past.to_string(), "-1".into()]);
    }

    macro_rules! name {
        ($of:ty) => {
            |number| <$of>::try_from(number).ok().map(|it| it.as_str_name())
        };
    }

    #[test]
    fn numbers_and_names_agree_with_the_proto_files() {
        check::<GmMode>(name!(campaign::GmMode), "");
        check::<Role>(name!(campaign::ParticipantRole), "");
        check::<Controller>(name!(campaign::Controller), "CONTROLLER_");
        check::<ActorKind>(name!(campaign::ActorKind), "");
        check::<Status>(name!(session::SessionStatus), "");
        check::<Trait>(name!(session::Trait), "");
        check::<Outcome>(name!(duality::Outcome), "");
        check::<Advantage>(name!(duality::Advantage), "");
        check::<RollMode>(name!(duality::RollMode), "");
        check::<SeedSource>(name!(duality::SeedSource), "");
    }
}
