//! `.spox/config.toml` as `init` sees it: written when missing, completed when a table is missing, else read.

use spox_core::{
    Config,
    config::{CONFIG_PATH, SYSTEM_RULES},
};
use toml_edit::DocumentMut;

use super::{Error, Tree, block::newline};

/// The config's text as it shall be, and what it says.
pub(super) fn complete(tree: &dyn Tree) -> Result<(String, Config), Error> {
    let existing = tree.read(CONFIG_PATH)?;
    let mut text = existing.unwrap_or_default();
    let bare = text.trim_start_matches('\u{feff}');
    // What is no TOML is refused below, in the words that every command has for it.
    let document = bare.parse::<DocumentMut>().unwrap_or_default();
    for (name, table) in [("paths", paths(tree)), ("rules", rules())] {
        if !document.contains_key(name) {
            let newline = newline(&text);
            let gap = if text.trim().is_empty() { "" } else { newline };
            let end = if text.is_empty() || text.ends_with('\n') { "" } else { newline };
            text = format!("{text}{end}{gap}{}", table.replace('\n', newline));
        }
    }
    let (config, _) = Config::parse(&text)?;
    config.check_rules()?;
    Ok((text, config))
}

/// The folders of a new config: those of the `OpenSpec` layout where it is in use.
fn paths(tree: &dyn Tree) -> String {
    let open_spec = tree.is_folder("openspec/specs") || tree.is_folder("openspec/changes");
    let [specs, changes, archive] = if open_spec {
        ["openspec/specs", "openspec/changes", "openspec/changes/archive"]
    } else {
        ["specs/", "specs/_changes", "specs/_archive"]
    };
    format!(
        "[paths]\nspec_folder = \"{specs}\"\nchanges_folder = \"{changes}\"\narchive_folder = \"{archive}\"\n"
    )
}

fn rules() -> String {
    let names = SYSTEM_RULES.map(|name| format!("\"{name}\"")).join(", ");
    format!("[rules]\nsystem = [{names}]\ncustom = []\n")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use insta::assert_snapshot;

    use super::*;

    fn completed(text: &str) -> Result<String, String> {
        let tree = BTreeMap::from([(CONFIG_PATH, text)]);
        complete(&tree).map(|(text, _)| text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_new_config_names_the_usual_folders_and_all_rules() {
        let (text, config) = complete(&BTreeMap::new()).unwrap();
        assert_snapshot!(text, @r#"
        [paths]
        spec_folder = "specs/"
        changes_folder = "specs/_changes"
        archive_folder = "specs/_archive"

        [rules]
        system = ["mcp", "global", "coding", "testing", "backend", "frontend", "vcs"]
        custom = []
        "#);
        assert_eq!(config.paths.spec_folder, "specs");
    }

    #[test]
    fn the_open_spec_layout_is_found() {
        for file in ["openspec/specs/auth/spec.md", "openspec/changes/add-x/proposal.md"] {
            let (text, config) = complete(&BTreeMap::from([(file, "")])).unwrap();
            assert!(text.contains("spec_folder = \"openspec/specs\""), "{text}");
            assert_eq!(config.paths.changes_folder, "openspec/changes");
            assert_eq!(config.paths.archive_folder, "openspec/changes/archive");
        }
    }

    #[test]
    fn a_missing_table_is_added_and_the_rest_stays() {
        let mine = "# mine\n[rules]\nsystem = [\"vcs\"]  # only this";
        let text = completed(mine).unwrap();
        assert!(
            text.starts_with(&format!("{mine}\n\n[paths]\nspec_folder = \"specs/\"\n")),
            "{text}"
        );
        assert_eq!(completed(&text).unwrap(), text);

        let mine =
            "[paths]\r\nspec_folder = 'a'\r\nchanges_folder = 'b'\r\narchive_folder = 'c'\r\n";
        let text = completed(mine).unwrap();
        assert!(text.starts_with(&format!("{mine}\r\n[rules]\r\nsystem = [\"mcp\", ")), "{text}");
        assert_eq!(completed(&text).unwrap(), text);
    }

    #[test]
    fn what_cannot_be_is_refused_in_the_words_of_config_show() {
        let paths = "[paths]\nspec_folder='a'\nchanges_folder='b'\narchive_folder='c'\n";
        let refused = |text: &str| completed(text).unwrap_err();
        assert_eq!(
            refused(&format!("{paths}[rules]\nsystem=[]\n")),
            "config parse error: rules.system must contain at least one template"
        );
        assert_eq!(
            refused(&format!("{paths}[rules]\nsystem=['mpc']\n")),
            "config parse error: invalid system template 'mpc', valid templates are: mcp, global, coding, testing, backend, frontend, vcs"
        );
        assert_eq!(refused("[paths]\n"), "config missing field: paths.spec_folder");
        assert_eq!(refused("[rules]\n"), "config missing field: rules.system");
        assert!(refused("[paths").starts_with("config parse error: "));
    }
}
