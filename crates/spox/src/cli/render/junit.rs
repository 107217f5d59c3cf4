//! `validate --format junit`: a test for each spec and change, as continuous integration reads tests.

use std::fmt::Write as _;

use spox_core::{Issue, Severity};

use super::{
    layout::count,
    report::{Item, Noun},
};

pub(in crate::cli) fn junit(items: &[Item], strict: bool) -> String {
    let failed = |items: &[&Item]| items.iter().filter(|item| !item.passes(strict)).count();
    let everything: Vec<_> = items.iter().collect();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"spox\" tests=\"{}\" failures=\"{}\">\n",
        everything.len(),
        failed(&everything),
    );
    for noun in [Noun::Spec, Noun::Change] {
        let suite: Vec<_> = items.iter().filter(|item| item.noun == noun).collect();
        if suite.is_empty() {
            continue;
        }
        let (word, tests, failures) = (noun.word(), suite.len(), failed(&suite));
        let _ = writeln!(
            text,
            "  <testsuite name=\"spox.{word}s\" tests=\"{tests}\" failures=\"{failures}\">"
        );
        for item in suite {
            case(&mut text, item, strict);
        }
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

fn case(text: &mut String, item: &Item, strict: bool) {
    let head =
        format!("    <testcase classname=\"spox.{}\" name=\"{}\"", item.noun.word(), xml(&item.id));
    let lines: Vec<_> = item.problems().map(|issue| line(item, issue)).collect();
    let body = xml(&lines.join("\n"));
    let summary =
        format!("{}, {}", count(item.errors(), "error"), count(item.warnings(), "warning"));
    let _ = match lines.is_empty() {
        true => writeln!(text, "{head}/>"),
        false if item.passes(strict) => {
            writeln!(text, "{head}>\n      <system-out>{body}</system-out>\n    </testcase>")
        }
        false => {
            writeln!(
                text,
                "{head}>\n      <failure type=\"validation\" message=\"{summary}\">{body}</failure>\n    </testcase>"
            )
        }
    };
}

fn line(item: &Item, issue: &Issue) -> String {
    let level = if issue.severity == Severity::Error { "error" } else { "warning" };
    let place = issue.line.map(|line| format!(":{line}")).unwrap_or_default();
    format!("{}{place}: {level} {}: {}", item.path(issue), issue.code, issue.message)
}

/// Text as it may stand in XML 1.0, which knows no way to write most control characters.
fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(c),
            '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            c if c.is_control() => escaped.push(char::REPLACEMENT_CHARACTER),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::{super::report::tests as items, *};

    #[test]
    fn every_item_is_a_test() {
        let items = [items::auth(), items::clean_item(), items::warned()];
        assert_snapshot!(junit(&items, false));
        assert!(junit(&items, true).contains("failures=\"2\">\n  <testsuite"));
    }

    #[test]
    fn what_xml_cannot_say_is_replaced() {
        assert_eq!(xml("a<b>&\"\u{1}\u{1b}ü\u{ffff}"), "a&lt;b&gt;&amp;&quot;��ü�");
    }
}
