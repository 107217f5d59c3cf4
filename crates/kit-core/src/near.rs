//! Near-miss names: "did you mean".

/// The candidate that `name` was probably meant to be, if one is close enough to be worth saying.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    scored(name, candidates).into_iter().next().map(|(_, candidate)| candidate)
}

/// Up to `most` close candidates, the closest first; equally close ones keep their order.
pub fn nearest_few<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Vec<&'a str> {
    scored(name, candidates).into_iter().take(most).map(|(_, candidate)| candidate).collect()
}

fn scored<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<(usize, &'a str)> {
    // A third of the letters wrong is still a typo; more is another word.
    let allowed = name.chars().count().div_ceil(3).max(1);
    let name = name.to_lowercase();
    let mut close: Vec<_> = candidates
        .into_iter()
        .map(|candidate| (strsim::osa_distance(&name, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .collect();
    close.sort_by_key(|(distance, _)| *distance);
    close
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_finds_its_name() {
        assert_eq!(nearest("addstr", ["tick", "addStar", "addGroup"]), Some("addStar"));
    }

    #[test]
    fn another_word_finds_nothing() {
        assert_eq!(nearest("explode", ["tick", "addStar"]), None);
    }

    #[test]
    fn the_closest_comes_first() {
        assert_eq!(nearest_few("host", ["port", "hosts", "host_name"], 2), ["hosts", "port"]);
    }
}
