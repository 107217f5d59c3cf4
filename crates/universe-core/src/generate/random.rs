//! Random numbers that are the same everywhere: they come from the seed and from nothing else.
//!
//! The source is xoshiro128**, its state filled by `SplitMix32`. [`Random::fork`] gives a stream of its own to each
//! stage and each system, so that switching rings off does not move a single planet.

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub(super) struct Random {
    /// The state at the start: forks depend on it and not on how much was drawn.
    key: [u32; 4],
    state: [u32; 4],
}

impl Random {
    pub(super) fn new(seed: u32) -> Self {
        let mut at = seed;
        Self::with_key(std::array::from_fn(|_| split_mix(&mut at)))
    }

    /// An independent stream. The same label gives the same stream, whatever was drawn before.
    pub(super) fn fork(&self, label: &str) -> Self {
        let mut carry = fnv1a(label);
        // Every word goes through the mixer with the one before it: one differing bit reaches all that follow.
        let mut words = self.key.map(|word| {
            carry ^= word;
            carry = split_mix(&mut carry);
            carry
        });
        words[0] ^= split_mix(&mut carry);
        Self::with_key(words)
    }

    fn with_key(mut key: [u32; 4]) -> Self {
        if key == [0; 4] {
            key[0] = 1; // the one state that the generator never leaves
        }
        Self { key, state: key }
    }

    fn next(&mut self) -> u32 {
        let [a, b, c, d] = &mut self.state;
        let result = b.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = *b << 9;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(11);
        result
    }

    /// From 0 up to but not 1, with all the 53 bits that a double holds.
    pub(super) fn unit(&mut self) -> f64 {
        let high = f64::from(self.next() >> 5);
        let low = f64::from(self.next() >> 6);
        (high * 67_108_864.0 + low) / 9_007_199_254_740_992.0
    }

    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub(super) fn chance(&mut self, chance: f64) -> bool {
        self.unit() < chance
    }

    /// A whole number below `count`, each equally likely: the last, incomplete round of the 32 bits is
    /// rejected. 0 for a count of 0.
    pub(super) fn below(&mut self, count: u32) -> u32 {
        if count == 0 {
            return 0;
        }
        let incomplete = count.wrapping_neg() % count;
        loop {
            let drawn = self.next();
            if drawn >= incomplete {
                return drawn % count;
            }
        }
    }

    /// A whole number of the range, both ends included.
    pub(super) fn whole(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high.saturating_sub(low) + 1)
    }

    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(count(items.len())) as usize]
    }

    /// The index of one of `weights`, each as likely as it weighs.
    pub(super) fn weighted(&mut self, weights: &[f64]) -> usize {
        let mut left = self.unit() * weights.iter().sum::<f64>();
        for (index, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return index;
            }
        }
        weights.len() - 1
    }

    /// How often something fails before it succeeds with chance `p`; `(1-p)/p` on average, never above `most`.
    pub(super) fn geometric(&mut self, p: f64, most: u32) -> u32 {
        let failures = libm::log(1.0 - self.unit()) / libm::log(1.0 - p);
        floor(failures).min(most)
    }

    /// A positive number whose logarithm is normal, kept within three deviations: a universe with one star
    /// a thousand times the size of the others is no fun to fly through.
    pub(super) fn log_normal(&mut self, mu: f64, sigma: f64) -> f64 {
        let far = (-2.0 * libm::log(1.0 - self.unit())).sqrt();
        let normal = far * libm::cos(std::f64::consts::TAU * self.unit());
        libm::exp(mu + sigma * normal.clamp(-3.0, 3.0))
    }
}

/// The whole part of a number that is not negative.
pub(super) fn floor(number: f64) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates, which is what is wanted"
    )]
    let whole = number.floor() as u32;
    whole
}

/// A length as a number to count with.
pub(super) fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// The hash that turns text into a seed.
pub(super) fn fnv1a(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn split_mix(state: &mut u32) -> u32 {
    *state = state.wrapping_add(0x9e37_79b9);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 16)).wrapping_mul(0x85eb_ca6b);
    mixed = (mixed ^ (mixed >> 13)).wrapping_mul(0xc2b2_ae35);
    mixed ^ (mixed >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_gives_the_numbers_of_the_published_algorithm() {
        let mut random = Random::with_key([1, 2, 3, 4]);
        let drawn: Vec<u32> = (0..4).map(|_| random.next()).collect();
        assert_eq!(drawn, [11520, 0, 5_927_040, 70_819_200]);
    }

    #[test]
    fn text_hashes_as_published() {
        assert_eq!(fnv1a(""), 0x811c_9dc5);
        assert_eq!(fnv1a("a"), 0xe40c_292c);
        assert_eq!(fnv1a("foobar"), 0xbf9c_f968);
    }

    #[test]
    fn a_fork_depends_on_its_label_and_its_origin_and_not_on_what_was_drawn() {
        let fresh = Random::new(7);
        let mut used = fresh.clone();
        used.unit();
        let first = |mut random: Random| (random.next(), random.next());
        assert_eq!(first(fresh.fork("rings")), first(used.fork("rings")));
        assert_ne!(first(fresh.fork("rings")), first(fresh.fork("comets")));
        assert_ne!(first(fresh.fork("rings")), first(Random::new(8).fork("rings")));
        assert_ne!(first(fresh.fork("a").fork("b")), first(fresh.fork("b").fork("a")));
    }

    #[test]
    fn forks_that_are_numbered_do_not_repeat_one_another() {
        let origin = Random::new(1);
        let starts: std::collections::HashSet<_> =
            (0..20_000).map(|index| origin.fork(&format!("system-{index}")).key).collect();
        assert_eq!(starts.len(), 20_000);
    }

    #[test]
    fn numbers_spread_evenly() {
        let mut random = Random::new(0);
        let mut seen = [0_u32; 6];
        for _ in 0..60_000 {
            seen[random.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|count| (9_600..=10_400).contains(count)), "{seen:?}");
        let mean = (0..60_000).map(|_| random.unit()).sum::<f64>() / 60_000.0;
        assert!((mean - 0.5).abs() < 0.005, "{mean}");
    }

    #[test]
    fn waiting_times_have_the_mean_of_their_chance() {
        let mut random = Random::new(3);
        for p in [0.2, 0.44, 0.8] {
            let drawn = (0..50_000).map(|_| f64::from(random.geometric(p, 1_000)));
            let mean = drawn.sum::<f64>() / 50_000.0;
            assert!((mean - (1.0 - p) / p).abs() < 0.06, "{p}: {mean}");
        }
    }
}
