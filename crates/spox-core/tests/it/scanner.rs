//! What every file has in common: lines, fences, comments.

use spox_core::{lines, lines::Line};

/// The lines that mean something: outside code, with text.
fn seen(text: &str) -> Vec<String> {
    lines(text)
        .filter(|line| !line.fenced && !line.is_blank())
        .map(|line| line.text.into_owned())
        .collect()
}

fn raw(text: &str) -> Vec<&str> {
    lines(text).map(|line: Line<'_>| line.raw).collect()
}

#[test]
fn lines_end_with_lf_or_crlf_and_a_lone_cr_is_text() {
    assert_eq!(raw("a\nb\r\nc\rd\n\ne"), ["a", "b", "c\rd", "", "e"]);
}

#[test]
fn an_empty_file_has_no_lines_and_a_last_line_needs_no_break() {
    assert!(raw("").is_empty());
    assert_eq!(raw("a\n"), ["a"]);
    assert_eq!(raw("a"), ["a"]);
}

#[test]
fn a_byte_order_mark_belongs_to_the_span_and_not_to_the_text() {
    let line = lines("\u{feff}# T\n").next();
    assert_eq!(line.as_ref().map(|line| (line.raw, line.span.clone())), Some(("# T", 0..7)));
    assert_eq!(line.map(|line| line.column()), Some(1));
    assert_eq!(raw("a\n\u{feff}b"), ["a", "\u{feff}b"], "elsewhere it is a character");
}

#[test]
fn text_is_trimmed_and_the_column_says_where_it_begins() {
    let line = lines("  \tä b \t\n").next();
    assert_eq!(
        line.map(|line| (line.text.clone().into_owned(), line.column(), line.indent())),
        Some(("ä b".to_owned(), 4, 4))
    );
}

#[test]
fn a_fence_is_closed_by_one_of_the_same_kind_that_is_at_least_as_long() {
    assert_eq!(seen("a\n````md\nx\n```\ny\n~~~~\nz\n`````\nb"), ["a", "b"]);
    assert_eq!(seen("a\n~~~\n```\n~~\nx\n~~~ \nb"), ["a", "b"]);
}

#[test]
fn a_closing_fence_has_nothing_after_it() {
    assert_eq!(seen("```\nx\n```rust\ny\n```\nb"), ["b"]);
}

#[test]
fn a_code_span_of_three_back_ticks_opens_no_fence() {
    assert_eq!(seen("```x``` y\nb"), ["```x``` y", "b"]);
    assert_eq!(seen("~~~ a`b\nx\n~~~\nb"), ["b"], "tildes may have back-ticks after them");
}

#[test]
fn a_fence_may_begin_in_a_list_item_and_be_indented() {
    assert_eq!(seen("- ```json\n  x\n  ```\nb"), ["b"]);
    assert_eq!(seen("1. ```\n   x\n   ```\nb"), ["b"]);
    assert_eq!(seen("      ```\n      x\n      ```\nb"), ["b"]);
}

#[test]
fn a_fence_indented_by_four_is_part_of_the_code() {
    assert_eq!(seen("```md\n    ```\n    x\n```\nb"), ["b"]);
}

#[test]
fn two_back_ticks_are_no_fence() {
    assert_eq!(seen("``\nb"), ["``", "b"]);
}

#[test]
fn an_open_fence_goes_to_the_end_and_the_scanner_says_where_it_began() {
    let mut scanner = lines("a\n```\nb\n# c\n");
    assert_eq!(scanner.by_ref().filter(|line| line.fenced).count(), 3);
    assert_eq!(scanner.open_fence(), Some(2));
    assert_eq!(seen("a\n```\nb\n# c\n"), ["a"]);
}

#[test]
fn comments_are_removed_from_a_line_and_across_lines() {
    assert_eq!(seen("a <!-- x --> b<!----> c"), ["a  b c"]);
    assert_eq!(seen("a <!-- x\n# y\n```\nz --> b\nc"), ["a", "b", "c"]);
    assert_eq!(seen("<!-- x --> <!-- y"), ["<!-- y"]);
}

#[test]
fn the_shortest_comments_are_comments() {
    assert_eq!(seen("a<!-->b\nc<!--->d\ne"), ["ab", "cd", "e"]);
}

#[test]
fn a_comment_that_is_never_closed_hides_nothing() {
    assert_eq!(seen("a <!-- b\n# c\n<!-- d"), ["a <!-- b", "# c", "<!-- d"]);
}

#[test]
fn a_comment_in_a_code_span_is_text() {
    assert_eq!(seen("a `<!-- b` c\nd -->"), ["a `<!-- b` c", "d -->"]);
    assert_eq!(seen("``a ` <!-- `` b <!-- x --> c"), ["``a ` <!-- `` b  c"]);
    assert_eq!(seen("a ` <!-- x --> b"), ["a `  b"], "a back-tick alone is no span");
    assert_eq!(seen("<!-- ` --> a `<!-- x -->` b"), ["a `<!-- x -->` b"]);
}

#[test]
fn a_fence_in_a_comment_and_a_comment_in_a_fence_are_nothing() {
    assert_eq!(seen("<!--\n```\n-->\na\n"), ["a"]);
    assert_eq!(seen("```\n<!--\n```\na\n"), ["a"]);
}

#[test]
fn a_fence_whose_line_ends_in_a_comment_is_none() {
    assert_eq!(seen("```js <!-- x\ny --> z\nb"), ["```js", "z", "b"]);
}

#[test]
fn the_spans_of_the_lines_tile_the_file() {
    let text = "\u{feff}a\r\n\n```\nb <!-- \n```\n<!-- \n c -->\rd\n  e";
    let joined: String = lines(text).map(|line| &text[line.span]).collect();
    assert_eq!(joined, text);
}
