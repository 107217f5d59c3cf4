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

/// Repeats the last line that holds `sample`, with `sample` in it replaced by `new`.
pub(super) fn repeat_last(
    text: &str,
    sample: &str,
    change: impl Fn(&str) -> String,
) -> Result<String> {
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    let last = lines
        .iter()
        .rposition(|line| line.contains(sample))
        .with_context(|| format!("there is no line with `{sample}`"))?;
    let line = change(&lines[last]);
    lines.insert(last + 1, line);
    Ok(lines.join("\n") + "\n")
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
    fn a_line_is_repeated_for_the_new_name() {
        let text = "[\n    universe::mount(deps)?,\n]\n";
        let text = repeat_last(text, "::mount(", |line| line.replace("universe", "tides")).unwrap();
        assert_eq!(text, "[\n    universe::mount(deps)?,\n    tides::mount(deps)?,\n]\n");
    }
}
