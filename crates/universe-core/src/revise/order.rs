//! What has to move to turn one order into another.

use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
};

use crate::Ordered;

/// One that is new in a list, or has to move in it.
pub(super) struct Arrival<'a, K> {
    pub(super) key: &'a K,
    /// The nearest one before it that is there at present, or arrives before it.
    pub(super) after: Option<&'a K>,
}

/// The fewest entries that, put in their places one after the other, turn the order `from` into `to`. Those that are in
/// `from` alone are left to the caller. `present` says whether an entry is in the list that will be changed.
pub(super) fn arrivals<'a, K: Eq + Hash + Clone, V: Clone, W: Clone>(
    from: Option<&'a Ordered<K, V>>,
    to: &'a Ordered<K, W>,
    present: impl Fn(&K) -> bool,
) -> Vec<Arrival<'a, K>> {
    let to: Vec<&K> = to.keys().collect();
    let from: Vec<&K> = from.into_iter().flat_map(Ordered::keys).collect();
    // Most changes leave most of a list alone: the ends that are the same need no thought.
    let head = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let ends = from[head..].iter().rev().zip(to[head..].iter().rev());
    let tail = ends.take_while(|(a, b)| a == b).count();
    let (old, new) = (&from[head..from.len() - tail], &to[head..to.len() - tail]);

    let staying = staying(old, new);
    let mut arrived: HashSet<&K> = HashSet::new();
    let mut arrivals = Vec::new();
    for (index, key) in new.iter().copied().enumerate() {
        if staying.contains(key) {
            continue;
        }
        let before = to[..head + index].iter().rev().copied();
        let after = before.into_iter().find(|key| arrived.contains(key) || present(key));
        arrivals.push(Arrival { key, after });
        arrived.insert(key);
    }
    arrivals
}

/// The most entries of both lists that stand in the same order in both: the longest increasing run of their old places.
fn staying<'a, K: Eq + Hash>(old: &[&'a K], new: &[&'a K]) -> HashSet<&'a K> {
    let places: HashMap<&K, usize> = old.iter().enumerate().map(|(i, key)| (*key, i)).collect();
    let common: Vec<(&K, usize)> =
        new.iter().filter_map(|key| Some((*key, *places.get(key)?))).collect();
    // `ends[n]` is the entry with the lowest place at which a run of n + 1 can end, `before` the one it follows.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(common.len());
    for (index, (_, place)) in common.iter().enumerate() {
        let length = ends.partition_point(|end| common[*end].1 < *place);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(index);
        } else {
            ends[length] = index;
        }
    }
    let mut run = HashSet::new();
    let mut at = ends.last().copied();
    while let Some(index) = at {
        run.insert(common[index].0);
        at = before[index];
    }
    run
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::*, sample::subsequence};

    use super::*;
    use crate::OrderedSet;

    fn any_order() -> impl Strategy<Value = Vec<u8>> {
        subsequence((0..12).collect::<Vec<u8>>(), 0..12).prop_shuffle()
    }

    proptest! {
        #[test]
        fn one_order_becomes_the_other(from in any_order(), to in any_order()) {
            let (old, new): (OrderedSet<u8>, OrderedSet<u8>) =
                (from.iter().copied().collect(), to.iter().copied().collect());
            let mut now = old.clone();
            for key in from.iter().filter(|key| !new.contains(key)) {
                now.remove(key);
            }
            for arrival in arrivals(Some(&old), &new, |key| old.contains(key)) {
                now.insert_after(arrival.after, *arrival.key, ());
            }
            prop_assert_eq!(now, new);
        }
    }

    #[test]
    fn one_that_went_to_the_end_is_the_only_one_that_moves() {
        let from: OrderedSet<u8> = [1, 2, 3, 4, 5].into_iter().collect();
        let to: OrderedSet<u8> = [1, 3, 4, 5, 2].into_iter().collect();
        let moved: Vec<_> = arrivals(Some(&from), &to, |_| true).iter().map(|a| *a.key).collect();
        assert_eq!(moved, [2]);
    }
}
