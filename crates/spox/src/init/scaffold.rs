//! The files of a new change, from the templates.

use super::{Error, Tree, templates, templates::fill};

/// A change to begin. Its id has been checked.
#[derive(Debug, Clone, Copy)]
pub struct Scaffold<'a> {
    pub id: &'a str,
    /// Without one, the id in words.
    pub title: Option<&'a str>,
    /// The specs that it will touch.
    pub capabilities: &'a [String],
    /// Whether there is a choice to explain.
    pub design: bool,
}

/// The files of a new change, named from its folder, with their texts. The project's own copies of the templates go before
/// those built in.
pub fn scaffold(tree: &dyn Tree, order: &Scaffold<'_>) -> Result<Vec<(String, String)>, Error> {
    let title = order.title.map_or_else(|| in_words(order.id), str::to_owned);
    let text = |template: &str, built_in: &str, capability: &str| -> Result<_, Error> {
        let own = tree.read(&format!(".spox/templates/change/{template}"))?;
        let values = [("title", &*title), ("change-id", order.id), ("capability", capability)];
        Ok(fill(own.as_deref().unwrap_or(built_in), &values))
    };
    let mut files = vec![
        ("proposal.md".to_owned(), text("proposal.md", templates::PROPOSAL, "")?),
        ("tasks.md".to_owned(), text("tasks.md", templates::TASKS, "")?),
    ];
    if order.design {
        files.push(("design.md".to_owned(), text("design.md", templates::DESIGN, "")?));
    }
    for capability in order.capabilities {
        let file = format!("specs/{capability}/spec.md");
        files.push((file, text("spec.md", templates::DELTA, capability)?));
    }
    Ok(files)
}

/// `add-two-factor-auth` as `Add two factor auth`.
fn in_words(id: &str) -> String {
    let words = id.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_change_has_its_title_and_a_delta_for_each_spec() {
        let order = Scaffold {
            id: "add-two-factor-auth",
            title: None,
            capabilities: &["auth".to_owned(), "platform/mail".to_owned()],
            design: false,
        };
        let files = scaffold(&BTreeMap::new(), &order).unwrap();
        let names: Vec<_> = files.iter().map(|(name, _)| &**name).collect();
        let expected =
            ["proposal.md", "tasks.md", "specs/auth/spec.md", "specs/platform/mail/spec.md"];
        assert_eq!(names, expected);
        assert!(files[0].1.starts_with("# Change: Add two factor auth\n"));
        assert!(files[3].1.contains("the spec `platform/mail`"));
    }

    #[test]
    fn a_template_of_the_project_goes_before_ours() {
        let tree =
            BTreeMap::from([(".spox/templates/change/design.md", "{{change-id}}: {{title}}")]);
        let order = Scaffold { id: "add-x", title: Some("X"), capabilities: &[], design: true };
        let files = scaffold(&tree, &order).unwrap();
        assert_eq!(files[2].1, "add-x: X");
    }
}
