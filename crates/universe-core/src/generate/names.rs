//! Names that people and agents can say to one another, each given once.

use std::collections::HashSet;

use super::random::{Random, count};

/// Gives out names.
pub(super) struct Names {
    random: Random,
    taken: HashSet<String>,
}

impl Names {
    pub(super) fn new(random: Random) -> Self {
        Self { random, taken: HashSet::new() }
    }

    /// A name for a star, a galaxy, a cloud: something to find on a map.
    pub(super) fn place(&mut self) -> String {
        for _ in 0..8 {
            let name = self.compose(STAR_STARTS, STAR_MIDDLES, STAR_ENDS);
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
        // So many that syllables run short: number them, as catalogues do.
        let name = self.compose(STAR_STARTS, STAR_MIDDLES, STAR_ENDS);
        let mut numbered = (2..).map(|number: u32| format!("{name} {number}"));
        numbered.find(|name| self.taken.insert(name.clone())).unwrap_or(name)
    }

    /// A softer name, for one planet in four; the others are numbered.
    pub(super) fn world(&mut self) -> Option<String> {
        if !self.random.chance(0.25) {
            return None;
        }
        let name = self.compose(WORLD_STARTS, WORLD_MIDDLES, WORLD_ENDS);
        self.taken.insert(name.clone()).then_some(name)
    }

    fn compose(&mut self, starts: &[&str], middles: &[&str], ends: &[&str]) -> String {
        let start = self.random.pick(starts);
        let middle = if self.random.chance(0.35) { self.random.pick(middles) } else { "" };
        let end = self.random.pick(ends);
        format!("{start}{middle}{end}")
    }
}

/// A name as part of an id: `Velara 2` is `velara-2`.
pub(super) fn slug(name: &str) -> String {
    name.to_lowercase().replace(' ', "-")
}

/// 4 is `IV`.
pub(super) fn roman(number: usize) -> String {
    let mut left = number;
    let mut text = String::new();
    for (value, sign) in [(10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")] {
        while left >= value {
            text.push_str(sign);
            left -= value;
        }
    }
    text
}

/// The first is `a`; after `z` come numbers.
pub(super) fn letter(index: usize) -> String {
    match u8::try_from(index) {
        Ok(index) if index < 26 => char::from(b'a' + index).to_string(),
        _ => (count(index) + 1).to_string(),
    }
}

const STAR_STARTS: &[&str] = &[
    "Ald", "Alt", "Bel", "Bor", "Cal", "Cas", "Cor", "Dal", "Den", "Dor", "Eld", "Elt", "Fal",
    "Fen", "Gal", "Gar", "Hal", "Hel", "Ild", "Is", "Jor", "Kal", "Kel", "Kor", "Lan", "Lor",
    "Lyr", "Mar", "Mel", "Mir", "Nal", "Ner", "Nor", "Ost", "Or", "Pal", "Pel", "Quel", "Ral",
    "Ren", "Sal", "Ser", "Sol", "Tal", "Tel", "Thal", "Tor", "Val", "Vel", "Vor", "Wen", "Yel",
    "Zal", "Zel", "Zor",
];
const STAR_MIDDLES: &[&str] = &[
    "a", "abr", "ad", "and", "av", "e", "edr", "em", "en", "ev", "i", "id", "im", "in", "ir", "o",
    "od", "ond", "or", "ov", "u", "un", "ur", "y",
];
const STAR_ENDS: &[&str] = &[
    "ara", "aris", "ath", "edon", "eia", "ena", "era", "eron", "eth", "eus", "ia", "iel", "ion",
    "ira", "is", "ius", "ona", "ora", "oris", "os", "una", "ura", "vara", "ven", "vira", "yra",
];
const WORLD_STARTS: &[&str] = &[
    "Ae", "Ama", "Bri", "Ca", "Chi", "Da", "Ela", "Esh", "Fio", "Ga", "Ha", "Ili", "Ju", "Ka",
    "Ki", "La", "Li", "Lu", "Ma", "Mi", "Na", "Nu", "Oa", "Pe", "Ri", "Ru", "Sa", "She", "Su",
    "Ta", "Te", "Tu", "Umi", "Va", "Vi", "We", "Ya", "Yu", "Za",
];
const WORLD_MIDDLES: &[&str] = &[
    "la", "le", "li", "lo", "ma", "me", "mi", "na", "ne", "no", "ra", "re", "ri", "ru", "sha", "va",
];
const WORLD_ENDS: &[&str] = &[
    "ban", "dara", "dia", "dri", "kesh", "lan", "len", "lis", "mar", "mere", "mis", "nara", "neth",
    "nia", "nor", "ras", "ren", "rin", "sha", "tara", "thys", "vala", "van", "vey",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_given_once_even_when_syllables_run_short() {
        let mut names = Names::new(Random::new(0));
        let given: Vec<_> = (0..60_000).map(|_| names.place()).collect();
        let distinct: HashSet<_> = given.iter().map(|name| slug(name)).collect();
        assert_eq!(distinct.len(), given.len());
        assert!(given.iter().any(|name| name.ends_with(" 2")));
    }

    #[test]
    fn numerals_and_letters_are_the_usual_ones() {
        let numerals: Vec<_> = (1..=12).map(roman).collect();
        assert_eq!(numerals.join(" "), "I II III IV V VI VII VIII IX X XI XII");
        assert_eq!([letter(0), letter(25), letter(26)], ["a", "z", "27"]);
    }
}
