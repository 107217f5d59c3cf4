//! The dice engine: what it draws for ever, and that it is fair.

use campaign_core::{
    DiceSpec, Refusal, Rolled, Roller,
    dice::{self, ALGORITHM},
    duality::Advantage,
};

fn specs(list: &[(i64, i64)]) -> Vec<DiceSpec> {
    list.iter().map(|&(count, sides)| DiceSpec { sides, count }).collect()
}

fn roll(seed: u64, list: &[(i64, i64)]) -> Result<Rolled, Refusal> {
    dice::roll(ALGORITHM, seed, &specs(list))
}

/// The key stream of `ChaCha20` written down from its definition, to have something to compare with.
struct KeyStream {
    key: [u32; 8],
    block: u32,
    words: Vec<u32>,
}

impl KeyStream {
    fn new(seed: u64) -> Self {
        let low = u32::try_from(seed & 0xffff_ffff).unwrap();
        let high = u32::try_from(seed >> 32).unwrap();
        Self { key: [low, high, 0, 0, 0, 0, 0, 0], block: 0, words: Vec::new() }
    }

    fn next(&mut self) -> u32 {
        if self.words.is_empty() {
            self.words = self.block().into_iter().rev().collect();
            self.block += 1;
        }
        self.words.pop().unwrap()
    }

    fn block(&self) -> [u32; 16] {
        let mut start = [0; 16];
        start[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
        start[4..12].copy_from_slice(&self.key);
        start[12] = self.block;
        let mut state = start;
        for _ in 0..10 {
            for [a, b, c, d] in [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]] {
                quarter(&mut state, a, b, c, d);
            }
            for [a, b, c, d] in [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]] {
                quarter(&mut state, a, b, c, d);
            }
        }
        std::array::from_fn(|word| state[word].wrapping_add(start[word]))
    }
}

fn quarter(state: &mut [u32; 16], a: usize, b: usize, c: usize, d: usize) {
    for (into, with, turn, by) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
        state[into] = state[into].wrapping_add(state[with]);
        state[turn] = (state[turn] ^ state[into]).rotate_left(by);
    }
}

/// What the algorithm's description says, read from that key stream; and how many words were thrown away.
fn described(seed: u64, sides: u64, count: usize) -> (Vec<i64>, usize) {
    let mut stream = KeyStream::new(seed);
    let (mut results, mut thrown) = (Vec::new(), 0);
    while results.len() < count {
        let word = u64::from(stream.next());
        if (1 << 32) - word > (1 << 32) % sides {
            results.push(i64::try_from(word % sides).unwrap() + 1);
        } else {
            thrown += 1;
        }
    }
    (results, thrown)
}

#[test]
fn the_dice_are_those_that_the_description_of_the_algorithm_gives() {
    // The first word for the key of zeros is in every list of test vectors.
    assert_eq!(KeyStream::new(0).next(), 0xade0_b876);
    for (seed, sides) in [(0, 12), (1, 6), (42, 7), (u64::MAX >> 1, 20), (1 << 40, 1), (9, 999)] {
        let rolled = roll(seed, &[(500, i64::try_from(sides).unwrap())]).unwrap();
        assert_eq!(rolled.rolls[0].results, described(seed, sides, 500).0, "{seed} {sides}");
    }
}

#[test]
fn words_that_would_favour_low_numbers_are_thrown_away() {
    let mut thrown_at_all = 0;
    for seed in 0..5 {
        let rolled = roll(seed, &[(2000, 1_000_000)]).unwrap();
        let (results, thrown) = described(seed, 1_000_000, 2000);
        assert_eq!(rolled.rolls[0].results, results);
        thrown_at_all += thrown;
    }
    // One word in 4440 is; without one among these the test would show nothing.
    assert!(thrown_at_all > 0);
}

/// Recorded when the algorithm was made. A journal of any age must replay: if one of these changes, the algorithm needs
/// a new name.
#[test]
fn the_algorithm_never_changes() {
    let duality = |seed| {
        let drawn = dice::duality(seed, Advantage::Advantage);
        (drawn.dice.hope, drawn.dice.fear, drawn.advantage_die.unwrap())
    };
    assert_eq!(duality(0), RECORDED_DUALITY[0]);
    assert_eq!(duality(1), RECORDED_DUALITY[1]);
    assert_eq!(duality(42), RECORDED_DUALITY[2]);
    assert_eq!(duality(i64::MAX as u64), RECORDED_DUALITY[3]);
    let rolled = roll(2026, &[(5, 20), (3, 6), (2, 1_000_000), (4, 7)]).unwrap();
    let results: Vec<_> = rolled.rolls.iter().map(|roll| &*roll.results).collect();
    assert_eq!(results, RECORDED_DICE);
}

const RECORDED_DUALITY: [(i64, i64, i64); 4] = [(7, 1, 1), (6, 2, 1), (12, 2, 5), (4, 4, 4)];
const RECORDED_DICE: [&[i64]; 4] =
    [&[13, 19, 6, 3, 7], &[1, 2, 3], &[350_943, 299_642], &[2, 5, 7, 5]];

#[test]
fn the_further_die_comes_third_and_changes_nothing_before_it() {
    for seed in 0..100 {
        let [none, some] =
            [Advantage::None, Advantage::Disadvantage].map(|how| dice::duality(seed, how));
        assert_eq!(none.dice, some.dice);
        assert_eq!((none.advantage_die, some.advantage), (None, Advantage::Disadvantage));
        let dice = roll(seed, &[(2, 12), (1, 6)]).unwrap();
        assert_eq!(dice.rolls[0].results, [none.dice.hope, none.dice.fear]);
        assert_eq!(dice.rolls[1].results, [some.advantage_die.unwrap()]);
    }
}

// spec: campaign roll_dice
#[test]
fn dice_are_rolled_in_order_and_added_up() {
    let rolled = roll(3, &[(2, 20), (1, 6), (1, 1), (2, 20)]).unwrap();
    let shape: Vec<_> = rolled.rolls.iter().map(|roll| (roll.sides, roll.results.len())).collect();
    assert_eq!(shape, [(20, 2), (6, 1), (1, 1), (20, 2)], "the same die twice stays two entries");
    for roll in &rolled.rolls {
        assert!(roll.results.iter().all(|result| (1..=roll.sides).contains(result)));
        assert_eq!(roll.total, roll.results.iter().sum::<i64>());
    }
    assert_eq!(rolled.rolls[2].results, [1]);
    assert_eq!(rolled.total, rolled.rolls.iter().map(|roll| roll.total).sum::<i64>());
    assert_eq!(rolled, roll(3, &[(2, 20), (1, 6), (1, 1), (2, 20)]).unwrap());
    let text = serde_json::to_string(&roll(3, &[(1, 1)]).unwrap()).unwrap();
    assert_eq!(text, r#"{"rolls":[{"sides":1,"results":[1],"total":1}],"total":1}"#);
}

#[test]
fn too_many_dice_are_refused_before_any_is_rolled() {
    let refused = |list: &[(i64, i64)]| {
        let refusal = roll(0, list).unwrap_err();
        format!("{}: {refusal}", refusal.code)
    };
    assert_eq!(refused(&[]), "InvalidArgument: at least one die must be provided");
    let positive = "InvalidArgument: dice must have positive sides and count";
    for bad in [(0, 6), (1, 0), (-1, 6), (1, -6)] {
        assert_eq!(refused(&[(1, 6), bad]), positive);
    }
    assert_eq!(
        refused(&[(1, 4_294_967_302)]),
        "InvalidArgument: `sides` must be between -2147483648 and 2147483647, not 4294967302"
    );
    assert!(refused(&[(i64::MAX, 6)]).starts_with("InvalidArgument: `count` must be between"));
    assert_eq!(
        refused(&[(1, 6); 101]),
        "ResourceExhausted: `dice` must have at most 100 entries, not 101"
    );
    assert_eq!(
        refused(&[(5000, 6), (5001, 6)]),
        "ResourceExhausted: at most 10000 dice can be rolled at once, not 10001"
    );
    assert_eq!(
        refused(&[(1, 1_000_001)]),
        "ResourceExhausted: a die must have at most 1000000 sides, not 1000001"
    );
    assert_eq!(
        refused(&[(2148, 1_000_000)]),
        "ResourceExhausted: the total of these dice could be 2148000000, more than 2147483647"
    );
    assert!(roll(0, &[(2147, 1_000_000)]).is_ok());
    assert!(roll(0, &[(100, 6); 100]).is_ok());
}

#[test]
fn an_algorithm_that_nobody_knows_is_refused() {
    let refusal = Roller::new("MT19937", 0).unwrap_err();
    assert_eq!(refusal.to_string(), "`rng_algo` must be CHACHA20_V1, not `MT19937`");
}

/// Where chi-square stays in 998 of 1000 samples of fair dice: neither too uneven nor too even. By the approximation of
/// Wilson and Hilferty, which is exact to a part in a thousand for these degrees of freedom.
fn plausible(cells: usize) -> std::ops::Range<f64> {
    let freedom = f64::from(u32::try_from(cells - 1).unwrap());
    let (part, quantile) = (2.0 / (9.0 * freedom), 3.0902);
    let bound = |z: f64| freedom * (1.0 - part + z * part.sqrt()).powi(3);
    bound(-quantile)..bound(quantile)
}

fn chi_square(counts: &[u32]) -> f64 {
    let total: u32 = counts.iter().sum();
    let expected = f64::from(total) / f64::from(u32::try_from(counts.len()).unwrap());
    counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum()
}

fn assert_fair(counts: &[u32], of: &str) {
    let (found, wanted) = (chi_square(counts), plausible(counts.len()));
    assert!(wanted.contains(&found), "{of}: chi-square {found} is not within {wanted:?}");
}

/// Seeds that have nothing to do with one another, always the same.
fn seeds(count: u64) -> impl Iterator<Item = u64> {
    (1..=count).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 1)
}

#[test]
fn every_pair_of_duality_dice_is_equally_likely_over_many_seeds() {
    // A seed for each roll, as live rolls have them; and one after the other, as a careless caller might choose them.
    let rows: [Vec<u64>; 2] = [seeds(144 * 200).collect(), (0..144 * 200).collect()];
    for row in rows {
        let mut counts = [0; 144];
        for seed in row {
            let dice = dice::duality(seed, Advantage::None).dice;
            counts[usize::try_from((dice.hope - 1) * 12 + dice.fear - 1).unwrap()] += 1;
        }
        assert_fair(&counts, "pairs of d12");
    }
}

#[test]
fn dice_of_any_kind_are_fair_over_many_seeds_and_along_one() {
    for sides in [6_i64, 20, 7] {
        let cells = usize::try_from(sides).unwrap();
        let count = |counts: &mut Vec<u32>, result: i64| {
            counts[usize::try_from(result).unwrap() - 1] += 1;
        };
        let mut first = vec![0; cells];
        for seed in seeds(10_000) {
            count(&mut first, roll(seed, &[(1, sides)]).unwrap().total);
        }
        assert_fair(&first, &format!("the first d{sides}"));
        let mut along = vec![0; cells];
        for result in &roll(7, &[(10_000, sides)]).unwrap().rolls[0].results {
            count(&mut along, *result);
        }
        assert_fair(&along, &format!("a row of d{sides}"));
    }
}

#[test]
fn the_test_of_fairness_notices_dice_that_are_not() {
    let mut counts = [1000; 12];
    counts[0] += 150;
    counts[11] -= 150;
    assert!(!plausible(12).contains(&chi_square(&counts)), "loaded");
    assert!(!plausible(12).contains(&chi_square(&[1000; 12])), "too even to be dice");
}
