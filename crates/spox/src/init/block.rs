//! Our part of a file that belongs to somebody else, between two marker lines.

use super::Error;

/// The line before our part.
pub const START: &str = "<!-- SPOX:START -->";
/// The line after our part.
pub const END: &str = "<!-- SPOX:END -->";

/// `existing` with `body` between the markers: appended where there are none, else only what is between them replaced.
pub(super) fn put(path: &str, existing: Option<&str>, body: &str) -> Result<String, Error> {
    let existing = existing.unwrap_or_default();
    let newline = newline(existing);
    let body = sanitised(body).join(newline);
    let block = format!("{START}{newline}{newline}{body}{newline}{newline}{END}{newline}");
    let Some(start) = line(existing, START, 0) else {
        return Ok(match existing.trim_end() {
            "" => block,
            kept => format!("{kept}{newline}{newline}{block}"),
        });
    };
    let end = line(existing, END, start.end).ok_or_else(|| Error::OpenBlock {
        path: path.to_owned(),
        line: existing[..start.start].matches('\n').count() + 1,
    })?;
    let (before, after) = (&existing[..start.end], &existing[end.start..]);
    Ok(format!("{before}{newline}{newline}{body}{newline}{newline}{after}"))
}

/// Whether a file has a block already.
pub(super) fn present(text: &str) -> bool {
    line(text, START, 0).is_some()
}

/// How the lines of a file end.
pub(super) fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// The body's lines without any that would be read as a marker the next time.
fn sanitised(body: &str) -> Vec<&str> {
    body.trim().lines().filter(|line| ![START, END].contains(&line.trim())).collect()
}

/// Where a line that consists of `marker` stands, from `from` on. A marker inside a sentence is a sentence.
fn line(text: &str, marker: &str, from: usize) -> Option<std::ops::Range<usize>> {
    let found =
        text[from..].match_indices(marker).map(|(at, _)| from + at..from + at + marker.len());
    let mut alone = found.filter(|range| {
        let before = text[..range.start].rsplit('\n').next().unwrap_or_default();
        let after = text[range.end..].split('\n').next().unwrap_or_default();
        before.trim().is_empty() && after.trim().is_empty()
    });
    alone.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(existing: Option<&str>, body: &str) -> String {
        super::put("F", existing, body).unwrap()
    }

    #[test]
    fn without_a_file_the_block_is_the_file() {
        assert_eq!(put(None, "rules\n"), format!("{START}\n\nrules\n\n{END}\n"));
    }

    #[test]
    fn without_markers_the_block_is_appended() {
        assert_eq!(put(Some("# Mine"), "rules"), format!("# Mine\n\n{START}\n\nrules\n\n{END}\n"));
    }

    #[test]
    fn with_markers_only_what_is_between_them_is_replaced() {
        let existing = format!("a\n  {START}\nold\n{END}\nb\n\n\nc");
        let expected = format!("a\n  {START}\n\nnew\n\n{END}\nb\n\n\nc");
        assert_eq!(put(Some(&existing), "new"), expected);
        assert_eq!(put(Some(&expected), "new"), expected);
    }

    #[test]
    fn a_marker_in_a_sentence_is_no_marker() {
        let existing = format!("Text between `{START}` and `{END}` is not mine.\n");
        let text = put(Some(&existing), "new");
        assert!(text.starts_with(&existing), "{text}");
        assert_eq!(put(Some(&text), "new"), text);
    }

    #[test]
    fn a_rule_that_holds_a_marker_does_not_break_the_next_run() {
        let body = format!("one\n{END}\ntwo");
        let text = put(None, &body);
        assert_eq!(put(Some(&text), &body), text);
        assert!(text.contains("one\ntwo"), "{text}");
    }

    #[test]
    fn lines_end_as_they_did() {
        let text = put(Some("# Mine\r\n"), "a\nb");
        assert_eq!(text, format!("# Mine\r\n\r\n{START}\r\n\r\na\r\nb\r\n\r\n{END}\r\n"));
        assert_eq!(put(Some(&text), "a\nb"), text);
    }

    #[test]
    fn a_block_without_an_end_is_refused_by_its_line() {
        let error =
            super::put("CLAUDE.md", Some(&format!("a\n\n{START}\nmine?\n")), "x").unwrap_err();
        assert_eq!(
            error.to_string(),
            "`CLAUDE.md` line 3: `<!-- SPOX:START -->` without `<!-- SPOX:END -->`"
        );
    }
}
