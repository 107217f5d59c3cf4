//! Adding a line to a list in a file that people keep.

use anyhow::{Context as _, Result};

/// Adds `line` to the lines below `header`, up to the first empty one, at its place in the alphabet. Comments
/// stay with the line that they stand above.
pub(super) fn add_sorted(text: &str, header: &str, line: &str) -> Result<String> {
    let mut lines: Vec<_> = text.lines().collect();
    let start = 1 + lines
        .iter()
        .position(|found| *found == header)
        .with_context(|| format!("there is no line `{header}`"))?;
    let length = lines[start..].iter().take_while(|line| !line.is_empty()).count();
    let block = &lines[start..start + length];
    let mut place = block.iter().position(|there| !there.starts_with('#') && *there > line);
    while let Some(at) = place.filter(|at| *at > 0 && block[at - 1].starts_with('#')) {
        place = Some(at - 1);
    }
    lines.insert(start + place.unwrap_or(length), line);
    Ok(lines.join("\n") + "\n")
}

/// Adds `item` as the last of a list that `opening` begins and `closing` ends; rustfmt sets it straight later.
pub(super) fn add_last(text: &str, opening: &str, closing: &str, item: &str) -> Result<String> {
    let start = text.find(opening).with_context(|| format!("there is no `{opening}`"))?;
    let inner = start + opening.len();
    let end =
        inner + text[inner..].find(closing).with_context(|| format!("`{opening}` has no end"))?;
    let (head, tail) = text.split_at(end);
    let head = head.trim_end();
    let comma = if head.ends_with([',', '{', '[']) { "" } else { "," };
    Ok(format!("{head}{comma}\n{item}\n{tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "\
[workspace.dependencies]
kit-core = {}
# why it is here
universe = {}

anyhow = \"1\"
";

    #[test]
    fn a_line_finds_its_place_above_the_next_ones_comment() {
        let text = add_sorted(MANIFEST, "[workspace.dependencies]", "tides = {}").unwrap();
        let expected = MANIFEST.replace("# why", "tides = {}\n# why");
        assert_eq!(text, expected);
    }

    #[test]
    fn the_last_of_the_alphabet_goes_to_the_end_of_its_block() {
        let text = add_sorted(MANIFEST, "[workspace.dependencies]", "zebra = {}").unwrap();
        assert_eq!(text, MANIFEST.replace("universe = {}\n", "universe = {}\nzebra = {}\n"));
    }

    #[test]
    fn a_file_without_the_header_is_named_as_the_trouble() {
        let error = add_sorted("", "[dependencies]", "x").unwrap_err();
        assert_eq!(error.to_string(), "there is no line `[dependencies]`");
    }

    #[test]
    fn an_item_goes_to_the_end_of_its_list() {
        let added = |text| add_last(text, "ALL = &[", "];", "tides,").unwrap();
        assert_eq!(added("ALL = &[];"), "ALL = &[\ntides,\n];");
        assert_eq!(added("ALL = &[a {\n}];"), "ALL = &[a {\n},\ntides,\n];");
        assert_eq!(added("ALL = &[\n    a,\n];"), "ALL = &[\n    a,\ntides,\n];");
    }
}
