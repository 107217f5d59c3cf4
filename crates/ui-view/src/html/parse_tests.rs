use std::fmt::Write;

use proptest::prelude::*;

use super::*;

/// The tree in a line, and the faults below it.
fn show(source: &str) -> String {
    fn show_node(out: &mut String, node: &Node) {
        match node {
            Node::Text(text) => write!(out, "{:?}", text.value.trim()).unwrap(),
            Node::Element(element) => {
                write!(out, "{}", element.name).unwrap();
                for a in &element.attributes {
                    write!(
                        out,
                        "[{}={} {}:{}]",
                        a.written, a.value, a.value_at.line, a.value_at.column
                    )
                    .unwrap();
                }
                out.push('(');
                for (i, child) in element.children.iter().filter(|n| !n.is_blank()).enumerate() {
                    out.push_str(if i == 0 { "" } else { " " });
                    show_node(out, child);
                }
                out.push(')');
            }
        }
    }
    let parsed = parse(source);
    let mut out = String::new();
    for (i, n) in parsed.nodes.iter().filter(|n| !n.is_blank()).enumerate() {
        out.push_str(if i == 0 { "" } else { " " });
        show_node(&mut out, n);
    }
    for fault in parsed.faults {
        write!(
            out,
            "\n{}:{} {}: {}",
            fault.at.line,
            fault.at.column,
            fault.kind.code(),
            fault.kind
        )
        .unwrap();
    }
    out
}

#[test]
fn the_content_of_the_template_is_the_view() {
    insta::assert_snapshot!(show("<!-- a note -->\n<template>\n  <p class=x ui-value=\"name\">Hi &amp; bye</p><br>\n</template>"), @r#"p[class=x 3:12][ui-value=name 3:24]("Hi & bye") br()"#);
}

#[test]
fn without_a_template_the_whole_is_the_view() {
    let parsed = parse("<b>x</b>");
    assert_eq!(parsed.root, Root::Assumed);
    assert!(parsed.faults.is_empty());
    assert_eq!(with_template("<b>x</b>"), "<template><b>x</b></template>");
    assert_eq!(with_template("<template>x</template>"), "<template>x</template>");
}

#[test]
fn end_tags_that_may_be_left_out_are_not_missed() {
    insta::assert_snapshot!(show("<ul><li>a<li>b</ul><p>x<div>y</div><table><tr><td>1<td>2<tr><td>3</table>"), @r#"ul(li("a") li("b")) p("x") div("y") table(tr(td("1") td("2")) tr(td("3")))"#);
}

#[test]
fn what_is_left_open_is_told_at_its_start() {
    insta::assert_snapshot!(show("<template>\n<div>\n  <span>a\n</div>\n<section></template>"), @r#"
    div(span("a")) section()
    3:3 unclosed-element: `<span>` is still open where `</div>` closes the element around it on line 4
    5:1 unclosed-element: `<section>` is still open where `</template>` closes the element around it on line 5
    "#);
}

#[test]
fn a_template_without_end_is_told() {
    insta::assert_snapshot!(show("<template><p>a</p>"), @r#"
    p("a")
    1:1 unclosed-template: `<template>` is never closed
    "#);
}

#[test]
fn a_slash_closes_nothing_but_svg_and_void_elements() {
    insta::assert_snapshot!(show("<input/><svg><path d='M0'/></svg><div ui-view=\"a\"/><p>b</p>"), @r#"
    input() svg(path[d=M0 1:23]()) div[ui-view=a 1:48](p("b"))
    1:34 self-closing: `<div/>` does not close itself in HTML, so what follows becomes its content
    "#);
}

#[test]
fn content_beside_the_template_is_told() {
    insta::assert_snapshot!(show("<template>a</template>\n<p>lost</p>\n<template>b</template>"), @r#"
    "a"
    2:1 outside-template: this stands outside the `<template>` and is not shown
    3:1 outside-template: this stands outside the `<template>` and is not shown
    "#);
}

#[test]
fn what_a_table_throws_out_is_told() {
    insta::assert_snapshot!(show("<table><div ui-viewlist='a'></div></table><table><tbody ui-viewlist='rows'></tbody></table>"), @r#"
    table(div[ui-viewlist=a 1:26]()) table(tbody[ui-viewlist=rows 1:70]())
    1:8 moved-out-of-table: `<div>` cannot stand here inside a table, so the browser moves it out
    "#);
}

#[test]
fn broken_text_is_told_with_its_place() {
    insta::assert_snapshot!(show("<p>a\n<div title=\"x></div>"), @r#"
    p("a")
    2:1 broken-html: broken HTML: this tag never ends: a quote or `>` is missing
    "#);
    insta::assert_snapshot!(show("<p a=1 a=2></p></b>"), @r#"
    p[a=1 1:6]()
    1:8 duplicate-attribute: attribute `a` is written twice, and the second is ignored
    1:16 stray-end-tag: `</b>` closes nothing that is open
    "#);
    insta::assert_snapshot!(show("<p title='a'b=2>1 < 2</p>"), @r#"
    p[title=a 1:11][b=2 1:15]("1 < 2")
    1:13 broken-html: broken HTML: a space is missing between attributes
    1:20 broken-html: broken HTML: `<` begins no tag here
    "#);
}

#[test]
fn scripts_and_styles_are_texts() {
    insta::assert_snapshot!(show("<style>a > b { }</style><script>if (a<b) {}</script>"), @r#"style("a > b { }") script("if (a<b) {}")"#);
}

#[test]
fn lines_may_end_as_on_windows() {
    let parsed = parse("<p>\r\n  <b ui-value=\"x\"></b>\r\n</p>");
    let p = parsed.nodes[0].as_element().unwrap();
    let b = p.elements().next().unwrap();
    assert_eq!((b.at.line, b.at.column), (2, 3));
    assert_eq!((b.attributes[0].value_at.line, b.attributes[0].value_at.column), (2, 16));
}

#[test]
fn very_deep_and_very_long_texts_are_refused_calmly() {
    let deep = "<div>".repeat(20_000);
    let parsed = parse(&deep);
    assert!(parsed.faults.iter().any(|f| matches!(f.kind, FaultKind::TooDeep(_))));
    let long = "x".repeat(MAX_BYTES + 1);
    assert_eq!(parse(&long).faults[0].kind, FaultKind::TooLong(MAX_BYTES));
}

proptest! {
    #[test]
    fn any_text_is_read(source in "[<>/a-c \"'=!\\-\n&;ñ]{0,200}") {
        let parsed = parse(&source);
        for fault in parsed.faults {
            prop_assert!(fault.at.line >= 1 && fault.at.column >= 1);
        }
    }

    #[test]
    fn places_point_at_what_they_name(before in "[ \nañ]{0,20}", name in "[a-zA-Z][a-zA-Z-]{0,8}", value in "[a-z.]{1,8}") {
        let source = format!("{before}<i {name}='{value}'></i>");
        let parsed = parse(&source);
        let element = parsed.nodes.iter().find_map(Node::as_element).unwrap();
        let attribute = &element.attributes[0];
        prop_assert_eq!(&attribute.written, &name);
        let lines: Vec<&str> = source.split('\n').collect();
        let line: Vec<char> = lines[attribute.value_at.line as usize - 1].chars().collect();
        let found: String = line[attribute.value_at.column as usize - 1..].iter().take(value.len()).collect();
        prop_assert_eq!(found, value);
    }
}
