//! What each file shall hold.

use serde::Serialize;
use spox_core::{Config, config::CONFIG_PATH};

use super::{
    Error, Standing, Tree, VersionLock, block, config, ignore, lock, mcp_json, standing,
    templates::{self, RULES, fill},
};

/// What the tool keeps beside the settings and nobody commits.
const IGNORED: [&str; 5] = ["search_index.bin", "/lock", "/pending.json", "*.new", "*.tmp"];

/// What was asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options<'a> {
    /// The version of the running tool.
    pub version: &'a str,
    /// Also keep the block in `AGENTS.md`. A block that is there is kept up to date in any case.
    pub agents_md: bool,
    /// Also enter the MCP server into `.mcp.json`.
    pub mcp_json: bool,
}

/// What is to be done, in the order in which it is told.
#[derive(Debug, Default)]
pub struct Plan {
    pub writes: Vec<Write>,
    /// What may be wrong and does not stop anything.
    pub warnings: Vec<String>,
    /// Where people say what the project is about.
    pub mission: String,
}

/// A file or a folder as it shall be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// Relative to the root, with forward slashes.
    pub path: String,
    /// What it shall hold; `None` for a folder.
    pub text: Option<String>,
    pub executable: bool,
    pub step: Step,
}

/// What becomes of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    Created,
    Updated,
    Unchanged,
}

/// Decides what a project needs. Nothing is touched.
pub fn plan(tree: &dyn Tree, options: &Options<'_>) -> Result<Plan, Error> {
    let mut plan = Planner { tree, plan: Plan::default() };
    let (text, config) = config::complete(tree)?;
    plan.file(CONFIG_PATH, text)?;
    plan.lock(options.version)?;
    plan.folder(".spox/custom")?;
    for (path, text) in templates::COPIES {
        plan.file(path, text.to_owned())?;
    }
    plan.program(".spox/setup.sh", templates::SETUP.to_owned())?;
    plan.ignored(".spox/.gitignore", &IGNORED)?;
    let places = Places::of(tree, &config)?;
    for (path, text) in templates::CLAUDE {
        plan.file(path, places.fill(text))?;
    }
    plan.ignored(".claude/.gitignore", &["settings.local.json"])?;
    plan.folder(places.changes)?;
    plan.folder(places.archive)?;
    if places.new_mission {
        plan.file(&places.mission, templates::MISSION.to_owned())?;
    }
    let body = plan.rules(&config, &places)?;
    plan.block(".claude/CLAUDE.md", &body)?;
    if options.agents_md || tree.read("AGENTS.md")?.is_some_and(|text| block::present(&text)) {
        plan.block("AGENTS.md", &body)?;
    }
    if options.mcp_json {
        let merged = mcp_json::merge(tree.read(mcp_json::PATH)?.as_deref())?;
        plan.file(mcp_json::PATH, merged)?;
    }
    Ok(Plan { mission: places.mission, ..plan.plan })
}

/// Where things are, for the texts that name them.
struct Places<'a> {
    specs: &'a str,
    changes: &'a str,
    archive: &'a str,
    mission: String,
    new_mission: bool,
}

impl<'a> Places<'a> {
    fn of(tree: &dyn Tree, config: &'a Config) -> Result<Self, Error> {
        let specs = &*config.paths.spec_folder;
        let mission = format!("{specs}/mission.md");
        // In the OpenSpec layout the same is told in a file beside the specs.
        let other = specs.rsplit_once('/').map(|(parent, _)| format!("{parent}/project.md"));
        let (mission, new_mission) = match other {
            _ if tree.read(&mission)?.is_some() => (mission, false),
            Some(other) if tree.read(&other)?.is_some() => (other, false),
            _ => (mission, true),
        };
        let (changes, archive) = (&*config.paths.changes_folder, &*config.paths.archive_folder);
        Ok(Self { specs, changes, archive, mission, new_mission })
    }

    fn fill(&self, template: &str) -> String {
        let values = [
            ("spec_folder", self.specs),
            ("changes_folder", self.changes),
            ("archive_folder", self.archive),
            ("mission", &self.mission),
        ];
        fill(template, &values)
    }
}

struct Planner<'a> {
    tree: &'a dyn Tree,
    plan: Plan,
}

impl Planner<'_> {
    fn folder(&mut self, path: &str) -> Result<(), Error> {
        let there = self.tree.is_folder(path);
        if !there && self.tree.read(path)?.is_some() {
            return Err(Error::NotAFolder { path: path.to_owned() });
        }
        let step = if there { Step::Unchanged } else { Step::Created };
        let path = format!("{path}/");
        self.plan.writes.push(Write { path, text: None, executable: false, step });
        Ok(())
    }

    fn file(&mut self, path: &str, text: String) -> Result<(), Error> {
        self.write(path, text, false)
    }

    fn program(&mut self, path: &str, text: String) -> Result<(), Error> {
        self.write(path, text, true)
    }

    fn write(&mut self, path: &str, text: String, executable: bool) -> Result<(), Error> {
        let step = match self.tree.read(path)? {
            None => Step::Created,
            Some(_) if executable && !self.tree.is_executable(path) => Step::Updated,
            Some(existing) if existing == text => Step::Unchanged,
            Some(_) => Step::Updated,
        };
        self.plan.writes.push(Write { path: path.to_owned(), text: Some(text), executable, step });
        Ok(())
    }

    fn ignored(&mut self, path: &str, rules: &[&str]) -> Result<(), Error> {
        let merged = ignore::merge(self.tree.read(path)?.as_deref(), rules);
        self.file(path, merged)
    }

    fn block(&mut self, path: &str, body: &str) -> Result<(), Error> {
        let text = block::put(path, self.tree.read(path)?.as_deref(), body)?;
        self.file(path, text)
    }

    fn lock(&mut self, version: &str) -> Result<(), Error> {
        let existing = self.tree.read(lock::PATH)?;
        let Some(text) = lock::touch(existing.as_deref(), version) else {
            let path = lock::PATH;
            self.plan.warnings.push(format!("`{path}` is not a version lock and stays as it is"));
            return Ok(());
        };
        if let Some(lock) = existing.as_deref().and_then(VersionLock::parse)
            && standing(version, lock.last()) == Standing::Older
        {
            let last = lock.last();
            let warning = format!("this is version {version}; {last} worked on the project last");
            self.plan.warnings.push(warning);
        }
        self.file(lock::PATH, text)
    }

    /// The text of the block: system rules and custom rules in the order of the config, the workflow, the mission.
    fn rules(&mut self, config: &Config, places: &Places<'_>) -> Result<String, Error> {
        let find = |name: &String| RULES.iter().find(|(known, _)| known == name);
        let system = config.rules.system.iter().filter_map(find);
        let mut parts: Vec<_> = system.map(|(_, text)| text.trim().to_owned()).collect();
        for name in &config.rules.custom {
            let path = format!(".spox/custom/{}.md", name.strip_suffix(".md").unwrap_or(name));
            match self.tree.read(&path)? {
                Some(text) => parts.push(text.trim().to_owned()),
                None => self.plan.warnings.push(format!("custom rule file not found: {path}")),
            }
        }
        parts.push(places.fill(templates::WORKFLOW).trim().to_owned());
        parts.push(format!("@{}", places.mission));
        Ok(parts.join("\n\n"))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use insta::assert_snapshot;

    use super::*;

    const NOW: Options<'_> = Options { version: "0.5.0", agents_md: false, mcp_json: false };

    fn told(plan: &Plan) -> String {
        let line = |write: &Write| {
            format!("{} {}\n", format!("{:?}", write.step).to_lowercase(), write.path)
        };
        plan.writes.iter().map(line).collect()
    }

    fn text<'a>(plan: &'a Plan, path: &str) -> &'a str {
        let write = plan.writes.iter().find(|write| write.path == path);
        write.and_then(|write| write.text.as_deref()).unwrap_or_else(|| panic!("no {path}"))
    }

    /// The lines by which the parts of a block are known, in their order.
    fn headings(block: &str) -> Vec<&str> {
        let mut fenced = false;
        let line = |line: &&str| {
            fenced ^= line.starts_with("```");
            !fenced && (line.starts_with("## ") || line.starts_with('@'))
        };
        block.lines().filter(line).collect()
    }

    #[test]
    fn a_new_project_gets_everything() {
        assert_snapshot!(told(&plan(&BTreeMap::new(), &NOW).unwrap()));
    }

    #[test]
    fn the_block_has_the_rules_in_config_order_then_custom_then_workflow_then_mission() {
        let config = "[paths]\nspec_folder='specs/'\nchanges_folder='specs/_changes'\narchive_folder='specs/_archive'\n\
            [rules]\nsystem=['vcs','mcp']\ncustom=['ours', 'gone']\n";
        let tree = BTreeMap::from([
            (".spox/config.toml", config),
            (".spox/custom/ours.md", "## Ours\n\nAlways greet.\n"),
        ]);
        let plan = plan(&tree, &NOW).unwrap();
        let block = text(&plan, ".claude/CLAUDE.md");
        assert_eq!(
            headings(block),
            [
                "## Version control",
                "## Asking the specs",
                "## Ours",
                "## Spec-driven work with spox",
                "@specs/mission.md"
            ]
        );
        assert!(block.ends_with("@specs/mission.md\n\n<!-- SPOX:END -->\n"), "{block}");
        assert!(!block.contains("{{"), "{block}");
        assert_eq!(plan.warnings, ["custom rule file not found: .spox/custom/gone.md"]);
    }

    #[test]
    fn config_and_mission_are_only_ever_created() {
        let config = "[paths]\nspec_folder='docs/specs'\nchanges_folder='c'\narchive_folder='a'\n[rules]\nsystem=['vcs']\n";
        let tree =
            BTreeMap::from([(".spox/config.toml", config), ("docs/specs/mission.md", "Fly.")]);
        let plan = plan(&tree, &NOW).unwrap();
        assert_eq!(text(&plan, ".spox/config.toml"), config);
        assert!(plan.writes.iter().all(|write| write.path != "docs/specs/mission.md"));
        assert!(text(&plan, ".claude/CLAUDE.md").contains("\n@docs/specs/mission.md\n"));
        assert!(told(&plan).contains("created c/\ncreated a/\n"));
    }

    #[test]
    fn an_open_spec_project_keeps_its_folders_and_its_description() {
        let tree = BTreeMap::from([
            ("openspec/specs/auth/spec.md", "# Auth"),
            ("openspec/project.md", "# Ours"),
        ]);
        let plan = plan(&tree, &NOW).unwrap();
        assert!(text(&plan, ".spox/config.toml").contains("openspec/changes/archive"));
        assert!(text(&plan, ".claude/CLAUDE.md").contains("\n@openspec/project.md\n"));
        assert!(!told(&plan).contains("mission"));
    }

    #[test]
    fn other_agents_and_the_mcp_entry_come_on_request() {
        let told = |options| told(&plan(&BTreeMap::new(), &options).unwrap());
        assert!(!told(NOW).contains("AGENTS.md"));
        assert!(!told(NOW).contains(".mcp.json"));
        let all = told(Options { agents_md: true, mcp_json: true, ..NOW });
        assert!(all.ends_with("created AGENTS.md\ncreated .mcp.json\n"), "{all}");
    }

    #[test]
    fn a_block_in_agents_md_is_kept_up_to_date_without_asking() {
        let old = format!("# Mine\n\n{}\nold\n{}\n", block::START, block::END);
        let plan = plan(&BTreeMap::from([("AGENTS.md", &*old)]), &NOW).unwrap();
        assert!(text(&plan, "AGENTS.md").starts_with("# Mine\n"));
        assert!(text(&plan, "AGENTS.md").contains("## Spec-driven work"));
    }

    #[test]
    fn an_older_binary_is_warned_and_not_stopped() {
        let lock = "initialized_version = \"0.6.0\"\nupdated_versions = []\n";
        let plan = plan(&BTreeMap::from([(".spox/version.lock", lock)]), &NOW).unwrap();
        assert_eq!(plan.warnings, ["this is version 0.5.0; 0.6.0 worked on the project last"]);
        assert!(text(&plan, ".spox/version.lock").contains("updated_versions = [\"0.5.0\"]"));
    }

    #[test]
    fn a_bad_config_stops_everything() {
        let tree = BTreeMap::from([(".spox/config.toml", "[rules]\nsystem = []\n")]);
        assert_eq!(
            plan(&tree, &NOW).unwrap_err().to_string(),
            "config parse error: rules.system must contain at least one template"
        );
    }

    #[test]
    fn every_tool_that_the_texts_name_exists() {
        const TOOLS: [&str; 9] = [
            "list_specs",
            "get_spec_requirements",
            "get_scenario",
            "search_specs",
            "list_changes",
            "get_change",
            "validate_spec",
            "validate_change",
            "rebuild_index",
        ];
        let plan = plan(&BTreeMap::new(), &NOW).unwrap();
        let all: String = plan.writes.iter().filter_map(|write| write.text.as_deref()).collect();
        let tool = |c: char| c.is_ascii_lowercase() || c == '_';
        let code = all.split('`').skip(1).step_by(2);
        let named: Vec<_> =
            code.filter(|code| code.contains('_') && code.chars().all(tool)).collect();
        assert!(named.len() > 20, "{named:?}");
        for name in named {
            assert!(TOOLS.contains(&name), "there is no tool `{name}`");
        }
    }
}
