//! The part of a document that a program writes.

use std::{fs, path::Path};

use anyhow::{Context as _, Result};

/// Replaces what stands between `<!-- begin PART -->` and `<!-- end PART -->` in `file`.
pub(super) fn write(file: &Path, part: &str, text: &str) -> Result<()> {
    let old =
        fs::read_to_string(file).with_context(|| format!("cannot read `{}`", file.display()))?;
    let new = replaced(&old, part, text)
        .with_context(|| format!("`{}` has no place for `{part}`", file.display()))?;
    fs::write(file, new).with_context(|| format!("cannot write `{}`", file.display()))
}

fn replaced(document: &str, part: &str, text: &str) -> Option<String> {
    let begin = format!("<!-- begin {part} -->");
    let end = format!("<!-- end {part} -->");
    let (before, rest) = document.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}\n\n{}\n\n{end}{after}", text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_named_part_changes() {
        let old = "a\n<!-- begin x -->\nold\n<!-- end x -->\nb <!-- begin y --><!-- end y -->\n";
        let new = replaced(old, "x", "new\n").unwrap();
        assert_eq!(
            new,
            "a\n<!-- begin x -->\n\nnew\n\n<!-- end x -->\nb <!-- begin y --><!-- end y -->\n"
        );
        assert_eq!(replaced(&new, "x", "new").unwrap(), new);
    }

    #[test]
    fn a_document_without_the_part_is_left_alone() {
        assert_eq!(replaced("a", "x", "new"), None);
    }
}
