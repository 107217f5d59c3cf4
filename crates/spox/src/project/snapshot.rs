//! Everything that a project holds, as it was at one moment.
//!
//! A snapshot never changes. The next one takes over every part whose file is surely the same, so that an edited file
//! costs one file ([`Snapshot::read`]); what was validated stays validated with the part that it belongs to.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
    sync::{Arc, OnceLock},
    thread,
    time::SystemTime,
};

use parking_lot::Mutex;
use spox_core::{
    Catalog, ChangeFiles, Context, Main, Outline, Parsed, ParsedChange, ParsedSpec, Report, Source,
    SpecFile, Touches,
};

use super::{
    Project,
    read::{self, Stamp, proves_unchanged, stamp},
    walk::{self, Folder, Found},
};

/// Fewer files than this are read on one thread.
const WORTH_A_THREAD: usize = 32;

/// The project at one moment.
#[derive(Debug)]
pub struct Snapshot {
    /// Grows by one with every change that is noticed.
    pub revision: u64,
    pub project: Project,
    /// By id.
    pub specs: Vec<Arc<Spec>>,
    /// By id; only the active ones.
    pub changes: Vec<Arc<Change>>,
    /// Where the specs were found. Looked at again it may be the same and better proven to be.
    walked: Mutex<Walked>,
    reports: OnceLock<Reports>,
}

#[derive(Debug, Clone)]
struct Walked {
    folders: Arc<Folder>,
    found: Arc<[Found]>,
}

/// What validation says of this very snapshot: references and deltas concern other files than their own.
#[derive(Debug)]
struct Reports {
    specs: BTreeMap<String, Report>,
    changes: BTreeMap<String, Report>,
}

/// A spec and the file it is in.
#[derive(Debug)]
pub struct Spec {
    pub file: SpecFile,
    /// Made when somebody asks for what is in the spec; a list does not.
    parsed: OnceLock<ParsedSpec>,
    outline: OnceLock<Outline>,
    stamp: Mutex<Option<Stamp>>,
}

impl Spec {
    /// Everything it says.
    pub fn parsed(&self) -> &ParsedSpec {
        self.parsed.get_or_init(|| {
            spox_core::parse_spec(&self.file.id, self.file.source.text().unwrap_or_default())
        })
    }

    /// What is wrong with it. What it says is forgotten again unless somebody has asked for it: half a million words for
    /// a thousand specs, which the next question may well not need.
    fn report(&self, catalog: &Catalog<'_>) -> Report {
        let Some(text) = self.file.source.text() else {
            return spox_core::validate_spec(&self.file);
        };
        match self.parsed.get() {
            Some(parsed) => spox_core::check_spec(&self.file.path, parsed, Some(catalog)),
            None => spox_core::check_text(&self.file, text, Some(catalog)),
        }
    }

    /// What a list says of it.
    pub fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| {
            spox_core::parse_outline(&self.file.id, self.file.source.text().unwrap_or_default())
        })
    }
}

impl Parsed for Spec {
    fn parsed(&self) -> &ParsedSpec {
        self.parsed()
    }
}

/// A change and the files it is made of.
#[derive(Debug)]
pub struct Change {
    pub folder: PathBuf,
    pub files: ChangeFiles,
    pub parsed: ParsedChange,
    /// `.approved.json`, if it is there.
    pub approval: Option<Source>,
    parts: Mutex<Vec<Part>>,
}

/// A file, and what it looked like from outside when it was read; nothing: it was not there.
type Part = (Option<Stamp>, PathBuf);

/// What is not the same in two snapshots.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    pub specs: Vec<String>,
    pub changes: Vec<String>,
    /// The settings, or the place of the project.
    pub project: bool,
    /// Whether a spec or change came or went, not only what is in them.
    pub list: bool,
}

impl Difference {
    /// The whole project came, went, or is another.
    pub fn of_project() -> Self {
        Self { project: true, list: true, ..Self::default() }
    }
}

impl Snapshot {
    /// Reads the project. Parts of `earlier` whose files are surely the same are taken from there; when all are, so is the
    /// whole.
    pub fn read(project: Project, earlier: Option<&Arc<Self>>) -> Arc<Self> {
        let now = SystemTime::now();
        let known = earlier.filter(|earlier| earlier.project.root == project.root);
        // With other settings the specs may be in other folders.
        let walked = known.filter(|earlier| earlier.project == project);
        let walked =
            Walked::again(&project, walked.map(|earlier| earlier.walked.lock().clone()), now);
        let specs = parallel(walked.found.iter().collect(), |found: &Found| {
            let before = known.and_then(|earlier| earlier.spec(&found.id));
            spec(found, &project, before, now)
        });
        let changes = walk::changes(&project).into_iter().map(|found| {
            let before = known.and_then(|earlier| earlier.change(&found.id));
            change(found, &project, before, now)
        });
        let changes: Vec<_> = changes.collect();
        if let Some(earlier) = known
            && earlier.project == project
            && same(&earlier.specs, &specs)
            && same(&earlier.changes, &changes)
        {
            *earlier.walked.lock() = walked;
            return earlier.clone();
        }
        let revision = earlier.map_or(0, |earlier| earlier.revision) + 1;
        let (walked, reports) = (Mutex::new(walked), OnceLock::new());
        Arc::new(Self { revision, project, specs, changes, walked, reports })
    }

    pub fn spec(&self, id: &str) -> Option<&Arc<Spec>> {
        let at = self.specs.binary_search_by(|spec| spec.file.id.as_str().cmp(id)).ok()?;
        self.specs.get(at)
    }

    pub fn change(&self, id: &str) -> Option<&Arc<Change>> {
        let at = self.changes.binary_search_by(|change| change.files.id.as_str().cmp(id)).ok()?;
        self.changes.get(at)
    }

    /// The texts of the main specs, by id; those that cannot be read are not among them.
    pub fn texts(&self) -> BTreeMap<String, Arc<str>> {
        let text = |spec: &Arc<Spec>| match &spec.file.source {
            Source::Text(text) => Some((spec.file.id.clone(), text.clone())),
            Source::Unreadable(_) => None,
        };
        self.specs.iter().filter_map(text).collect()
    }

    /// What is wrong with a spec.
    pub fn spec_report(&self, id: &str) -> Option<&Report> {
        self.reports().specs.get(id)
    }

    /// What is wrong with a change.
    pub fn change_report(&self, id: &str) -> Option<&Report> {
        self.reports().changes.get(id)
    }

    fn reports(&self) -> &Reports {
        self.reports.get_or_init(|| {
            let catalog = Catalog::new(self.specs.iter().map(|spec| {
                let readable = spec.file.source.text().map(|_| &**spec as &dyn Parsed);
                (&*spec.file.id, &*spec.file.path, readable)
            }));
            let specs = parallel(self.specs.iter().collect(), |spec: &Arc<Spec>| {
                (spec.file.id.clone(), spec.report(&catalog))
            });
            let touches = Touches::of(self.changes.iter().map(|change| &change.parsed));
            // Of the specs that nobody wants to change nothing needs to be known.
            let deltas = self.changes.iter().flat_map(|change| change.files.deltas.keys());
            let wanted = deltas.filter_map(|id| self.spec(id));
            let context = Context::new(wanted.map(|spec| {
                let text = spec.file.source.text();
                (&*spec.file.id, text.map(|text| Main { text, spec: spec.parsed() }))
            }));
            let context = context.with_changes(&touches);
            let changes = parallel(self.changes.clone(), |change| {
                let report = spox_core::validate_change(&change.files, &context);
                (change.files.id.clone(), report)
            });
            Reports { specs: specs.into_iter().collect(), changes: changes.into_iter().collect() }
        })
    }

    /// What a list says of each spec, with its id.
    pub(crate) fn outlines(&self) -> Vec<(&str, &Outline)> {
        parallel(self.specs.iter().collect(), |spec: &Arc<Spec>| (&*spec.file.id, spec.outline()))
    }

    /// What changed since `earlier`.
    pub fn since(&self, earlier: &Self) -> Difference {
        let (specs, specs_list) = differing(&earlier.specs, &self.specs, |spec| &spec.file.id);
        let (changes, changes_list) =
            differing(&earlier.changes, &self.changes, |change| &change.files.id);
        let project = self.project != earlier.project;
        Difference { specs, changes, project, list: specs_list || changes_list }
    }
}

impl Walked {
    fn again(project: &Project, before: Option<Self>, now: SystemTime) -> Self {
        let folders = walk::specs(project, before.as_ref().map(|before| &before.folders), now);
        match before {
            Some(before) if Arc::ptr_eq(&before.folders, &folders) => before,
            _ => Self { found: folders.specs(&project.specs()).into(), folders },
        }
    }
}

fn same<T>(before: &[Arc<T>], after: &[Arc<T>]) -> bool {
    before.len() == after.len() && before.iter().zip(after).all(|(a, b)| Arc::ptr_eq(a, b))
}

/// The ids that are not in both or not the same in both, and whether any came or went.
fn differing<T>(
    before: &[Arc<T>],
    after: &[Arc<T>],
    id: impl Fn(&T) -> &String,
) -> (Vec<String>, bool) {
    let old: BTreeMap<_, _> = before.iter().map(|part| (id(part), part)).collect();
    let new: BTreeMap<_, _> = after.iter().map(|part| (id(part), part)).collect();
    let ids: BTreeSet<_> = old.keys().chain(new.keys()).copied().collect();
    let mut list = false;
    let mut differ = Vec::new();
    for id in ids {
        match (old.get(id), new.get(id)) {
            (Some(a), Some(b)) if Arc::ptr_eq(a, b) => continue,
            (Some(_), Some(_)) => {}
            _ => list = true,
        }
        differ.push(id.clone());
    }
    (differ, list)
}

fn spec(
    found: &Found,
    project: &Project,
    before: Option<&Arc<Spec>>,
    now: SystemTime,
) -> Arc<Spec> {
    let stamp = stamp(&found.path, now);
    if let Some(before) = before
        && proves_unchanged(*before.stamp.lock(), stamp)
    {
        return before.clone();
    }
    let source = read::source(&found.path);
    if let Some(before) = before.filter(|before| before.file.source == source) {
        // Written again with the same content, or read too soon after it was written: now it can be proven.
        *before.stamp.lock() = stamp;
        return before.clone();
    }
    let file = SpecFile { id: found.id.clone(), path: project.relative(&found.path), source };
    let (parsed, outline) = (OnceLock::new(), OnceLock::new());
    Arc::new(Spec { file, parsed, outline, stamp: Mutex::new(stamp) })
}

fn change(
    found: Found,
    project: &Project,
    before: Option<&Arc<Change>>,
    now: SystemTime,
) -> Arc<Change> {
    let deltas = walk::deltas(&found.path, project, now);
    let named = ["proposal.md", "tasks.md", "design.md", "verification.md", ".base.json", APPROVAL];
    let paths = named.iter().map(|name| found.path.join(name));
    let paths = paths.chain(deltas.iter().map(|delta| delta.path.clone()));
    let parts: Vec<_> = paths.map(|path| (stamp(&path, now), path)).collect();
    let unchanged = |before: &&Arc<Change>| {
        let then = before.parts.lock();
        let same =
            |((then, old), (now, new)): (&Part, &Part)| old == new && proves_unchanged(*then, *now);
        then.len() == parts.len() && then.iter().zip(&parts).all(same)
    };
    if let Some(before) = before.filter(unchanged) {
        return before.clone();
    }
    let (files, approval) = change_files(&found, deltas);
    if let Some(before) =
        before.filter(|before| before.files == files && before.approval == approval)
    {
        *before.parts.lock() = parts;
        return before.clone();
    }
    let parsed = spox_core::parse_change(&files);
    Arc::new(Change { folder: found.path, files, parsed, approval, parts: Mutex::new(parts) })
}

fn change_files(found: &Found, deltas: Vec<Found>) -> (ChangeFiles, Option<Source>) {
    let part = |name: &str| {
        let path = found.path.join(name);
        fs::symlink_metadata(&path).is_ok().then(|| read::source(&path))
    };
    let (stray, deltas): (Vec<_>, Vec<_>) =
        deltas.into_iter().partition(|delta| delta.id.is_empty());
    let files = ChangeFiles {
        id: found.id.clone(),
        proposal: part("proposal.md"),
        tasks: part("tasks.md"),
        design: part("design.md"),
        verification: part("verification.md"),
        deltas: deltas.into_iter().map(|delta| (delta.id, read::source(&delta.path))).collect(),
        stray: stray.iter().map(|_| "specs/spec.md".to_owned()).collect(),
        base: part(".base.json"),
    };
    (files, part(APPROVAL))
}

/// Where the approval of a change is written down, in its folder.
pub(crate) const APPROVAL: &str = ".approved.json";

/// Does `work` for all items, on all cores when there are many; the results keep their order.
fn parallel<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    if cores == 1 || items.len() < WORTH_A_THREAD {
        return items.into_iter().map(work).collect();
    }
    let each = items.len().div_ceil(cores);
    let mut items = items.into_iter();
    let shares = (0..cores).map(|_| items.by_ref().take(each).collect::<Vec<_>>());
    let shares: Vec<_> = shares.collect();
    let work = &work;
    thread::scope(|scope| {
        let running: Vec<_> = shares
            .into_iter()
            .map(|share| scope.spawn(move || share.into_iter().map(work).collect::<Vec<_>>()))
            .collect();
        let join = |thread: thread::ScopedJoinHandle<'_, Vec<R>>| match thread.join() {
            Ok(results) => results,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        running.into_iter().flat_map(join).collect()
    })
}
