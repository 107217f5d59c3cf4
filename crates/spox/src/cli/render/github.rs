//! `validate --format github`: workflow commands, which GitHub shows beside the lines of a pull request.

use spox_core::{Issue, Severity};

use super::report::Item;

pub(in crate::cli) fn github(items: &[Item]) -> String {
    let lines = items.iter().flat_map(|item| item.problems().map(|issue| line(item, issue)));
    lines.collect()
}

fn line(item: &Item, issue: &Issue) -> String {
    let command = if issue.severity == Severity::Error { "error" } else { "warning" };
    let mut properties = vec![format!("file={}", property(&item.path(issue)))];
    properties.extend(issue.line.map(|line| format!("line={line}")));
    properties.extend(issue.column.map(|column| format!("col={column}")));
    properties.push(format!("title={}", property(&format!("spox {}", issue.code))));
    let fix = issue.fix.as_ref().map(|fix| format!("\n{fix}")).unwrap_or_default();
    let message = data(&format!("{}{fix}", issue.message));
    format!("::{command} {}::{message}\n", properties.join(","))
}

/// A message as it may stand in a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property, which ends at a comma or a colon.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::{super::report::tests as items, *};

    #[test]
    fn every_problem_is_a_command() {
        assert_snapshot!(github(&[
            items::auth(),
            items::clean_item(),
            items::warned(),
            items::change(Severity::Warning),
        ]));
    }
}
