//! `init` on real folders.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use spox::init::{Disk, Options, Step, plan, write};
use tempfile::TempDir;

const ALL: Options<'_> = Options { version: "0.5.0", agents_md: true, mcp_json: true };

/// Sets a project up; says how many things were created, updated, unchanged.
fn init(root: &Path, options: Options<'_>) -> [usize; 3] {
    let plan = plan(&Disk(root.to_owned()), &options).unwrap();
    write(root, &plan).unwrap();
    [Step::Created, Step::Updated, Step::Unchanged]
        .map(|step| plan.writes.iter().filter(|write| write.step == step).count())
}

/// Every file below `root` with its text; folders have none.
fn files(root: &Path) -> BTreeMap<PathBuf, Option<String>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_owned();
            if path.is_dir() {
                all.insert(name, None);
                folders.push(path);
            } else {
                all.insert(name, Some(fs::read_to_string(path).unwrap()));
            }
        }
    }
    all
}

fn put(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn every_file_of_the_contract_is_there() {
    let dir = TempDir::new().unwrap();
    init(dir.path(), Options { agents_md: false, mcp_json: false, ..ALL });
    let files = files(dir.path());
    let expected = [
        ".spox/config.toml",
        ".spox/version.lock",
        ".spox/custom",
        ".spox/templates/spec.md",
        ".spox/templates/change/proposal.md",
        ".spox/templates/change/tasks.md",
        ".spox/templates/change/design.md",
        ".spox/templates/change/spec.md",
        ".spox/templates/change/verification.md",
        ".spox/setup.sh",
        ".spox/.gitignore",
        ".claude/agents/spox-implementer.md",
        ".claude/agents/spox-reviewer.md",
        ".claude/agents/spox-verifier.md",
        ".claude/commands/spox/archive.md",
        ".claude/commands/spox/implement.md",
        ".claude/commands/spox/propose.md",
        ".claude/commands/spox/setup.md",
        ".claude/commands/spox/vibe.md",
        ".claude/.gitignore",
        ".claude/CLAUDE.md",
        "specs/_changes",
        "specs/_archive",
        "specs/mission.md",
    ];
    for path in expected {
        assert!(files.contains_key(Path::new(path)), "{path} is missing");
    }
    assert!(!files.contains_key(Path::new("AGENTS.md")));
    assert!(!files.contains_key(Path::new(".mcp.json")));
}

#[test]
fn a_second_run_changes_nothing() {
    let dir = TempDir::new().unwrap();
    let [created, updated, unchanged] = init(dir.path(), ALL);
    assert!(created > 25 && updated == 0 && unchanged == 0, "{created} {updated} {unchanged}");
    let before = files(dir.path());
    // The mission is not looked at again.
    assert_eq!(init(dir.path(), ALL), [0, 0, created - 1]);
    assert_eq!(files(dir.path()), before);
}

#[test]
fn tooling_is_brought_up_to_date_and_what_people_wrote_stays() {
    let dir = TempDir::new().unwrap();
    let root = dir.path();
    init(root, ALL);
    let config = fs::read_to_string(root.join(".spox/config.toml")).unwrap() + "\n# mine\n";
    put(root, ".spox/config.toml", &config);
    put(root, "specs/mission.md", "To the moon.\n");
    put(root, "specs/auth/spec.md", "# Auth\n");
    put(root, ".spox/custom/ours.md", "Always greet.\n");
    put(root, ".spox/.gitignore", "mine\nsearch_index.bin\n");
    put(root, ".claude/agents/spox-reviewer.md", "stale\n");
    put(root, ".claude/agents/other.md", "other\n");
    let [created, updated, _] = init(root, ALL);
    assert_eq!([created, updated], [0, 2], "the ignore rules and the stale agent");
    let files = files(root);
    let text = |path: &str| files[Path::new(path)].as_deref().unwrap();
    assert_eq!(text(".spox/config.toml"), config);
    assert_eq!(text("specs/mission.md"), "To the moon.\n");
    assert_eq!(text("specs/auth/spec.md"), "# Auth\n");
    assert_eq!(text(".spox/custom/ours.md"), "Always greet.\n");
    assert_eq!(
        text(".spox/.gitignore"),
        "mine\nsearch_index.bin\n\n# spox\n/lock\n/pending.json\n*.new\n*.tmp\n"
    );
    assert_eq!(text(".claude/agents/other.md"), "other\n");
    assert!(text(".claude/agents/spox-reviewer.md").contains("name: spox-reviewer"));
    assert_eq!(init(root, ALL)[1], 0);
}

#[test]
fn another_version_is_recorded_once() {
    let dir = TempDir::new().unwrap();
    init(dir.path(), ALL);
    let next = Options { version: "0.6.0", ..ALL };
    assert_eq!(init(dir.path(), next)[1], 1);
    assert_eq!(init(dir.path(), next)[1], 0);
    let lock = fs::read_to_string(dir.path().join(".spox/version.lock")).unwrap();
    assert_eq!(lock, "initialized_version = \"0.5.0\"\nupdated_versions = [\"0.6.0\"]\n");
}

#[test]
fn a_file_in_the_place_of_a_folder_stops_everything() {
    let dir = TempDir::new().unwrap();
    put(dir.path(), "specs/_changes", "a file\n");
    let error = plan(&Disk(dir.path().to_owned()), &ALL).unwrap_err();
    assert_eq!(error.to_string(), "`specs/_changes` is a file and has to be a folder");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn a_file_that_is_not_text_stops_everything() {
    let dir = TempDir::new().unwrap();
    fs::create_dir(dir.path().join(".claude")).unwrap();
    fs::write(dir.path().join(".claude/CLAUDE.md"), [0xff, 0xfe]).unwrap();
    let error = plan(&Disk(dir.path().to_owned()), &ALL).unwrap_err();
    assert_eq!(error.to_string(), "cannot read `.claude/CLAUDE.md`");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[cfg(unix)]
mod on_unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: PathBuf) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn the_setup_script_can_be_run() {
        let dir = TempDir::new().unwrap();
        let script = dir.path().join(".spox/setup.sh");
        init(dir.path(), ALL);
        assert_eq!(mode(script.clone()), 0o755);
        fs::set_permissions(&script, fs::Permissions::from_mode(0o644)).unwrap();
        assert_eq!(init(dir.path(), ALL)[1], 1);
        assert_eq!(mode(script), 0o755);
        assert_eq!(init(dir.path(), ALL)[1], 0);
    }

    #[test]
    fn a_link_stays_a_link_and_both_names_stay_up_to_date() {
        let dir = TempDir::new().unwrap();
        put(dir.path(), "AGENTS.md", "# Mine\n");
        fs::create_dir(dir.path().join(".claude")).unwrap();
        let link = dir.path().join(".claude/CLAUDE.md");
        symlink("../AGENTS.md", &link).unwrap();
        init(dir.path(), ALL);
        assert!(link.is_symlink());
        let text = fs::read_to_string(dir.path().join("AGENTS.md")).unwrap();
        assert_eq!(text.matches(spox::init::START).count(), 1);
        assert_eq!(init(dir.path(), ALL)[..2], [0, 0]);
    }

    #[test]
    fn a_file_keeps_its_permissions() {
        let dir = TempDir::new().unwrap();
        put(dir.path(), "AGENTS.md", "# Mine\n");
        let path = dir.path().join("AGENTS.md");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        init(dir.path(), ALL);
        assert_eq!(mode(path), 0o600);
        assert_eq!(mode(dir.path().join(".mcp.json")), 0o644);
    }
}
