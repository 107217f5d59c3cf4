//! Which arrows there may be: dependencies point down, and the layers are these.

use super::graph::Graph;

/// What a core must not reach, at any distance: clocks, files, sockets, threads, randomness, `async`.
const NOT_IN_A_CORE: &[&str] = &[
    "async-trait",
    "axum",
    "chrono",
    "duckdb",
    "futures",
    "getrandom",
    "hyper",
    "mio",
    "mlua",
    "rand",
    "reqwest",
    "rmcp",
    "rusqlite",
    "sqlx",
    "tempfile",
    "time",
    "tokio",
    "tokio-postgres",
    "tonic",
    "tower",
];

/// Where a crate stands, told by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layer {
    /// Values in, values out.
    Core,
    /// Shared by the surfaces.
    Kit,
    /// Part of one application: generated types, an adapter.
    Part,
    App,
    Host,
    /// Measures, tests and automates; nothing stands on it.
    Tool,
    /// What tools share.
    ToolKit,
}

impl Layer {
    fn of(name: &str) -> Self {
        match name {
            "tandem" => Self::Host,
            "bench-kit" => Self::ToolKit,
            "xtask" | "campaign-bench" | "mcp-bench" | "mcp-fixture" | "spox-bench"
            | "malloy-bench" | "publisher-bench" | "ui-bench" | "universe-bench" => Self::Tool,
            "kit-core" | "kit-diag" | "malloy-syntax" | "malloy-model" | "malloy-sql"
            | "spox-search" => Self::Core,
            // The compiler over files is shared by its commands and the publisher.
            "malloy" | "malloy-engine" | "malloy-duckdb" | "malloy-postgres" | "malloy-spark"
            | "campaign-proto" | "spox-embed" | "ui-lua" | "ui-view" => Self::Part,
            _ if name.starts_with("kit-") => Self::Kit,
            _ if name.ends_with("-core") => Self::Core,
            _ => Self::App,
        }
    }

    /// Whether a crate of this layer may name one of `other`.
    fn may_name(self, other: Self) -> bool {
        match self {
            Self::Core => other == Self::Core,
            Self::Kit => matches!(other, Self::Kit | Self::Core),
            Self::Part | Self::App => matches!(other, Self::Core | Self::Kit | Self::Part),
            Self::Host => !matches!(other, Self::Host | Self::Tool | Self::ToolKit),
            Self::Tool => other != Self::Tool,
            // Measures from outside, so it needs to know none of what is measured.
            Self::ToolKit => false,
        }
    }
}

/// Every rule that an arrow breaks, in words.
pub(super) fn broken(graph: &Graph) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, arrows) in &graph.crates {
        let layer = Layer::of(name);
        for target in arrows.normal.iter().chain(&arrows.aside) {
            if let Some(why) = forbidden(name, target) {
                problems.push(format!("`{name}` names `{target}`: {why}"));
            }
        }
        if layer == Layer::Core {
            let reached = graph.reach.get(name).into_iter().flatten();
            for package in reached.filter(|package| NOT_IN_A_CORE.contains(&package.as_str())) {
                problems.push(format!(
                    "`{name}` reaches `{package}`: a core takes time, text and seeds as arguments and has no I/O"
                ));
            }
        }
    }
    problems
}

fn forbidden(name: &str, target: &str) -> Option<&'static str> {
    let (from, to) = (Layer::of(name), Layer::of(target));
    if !from.may_name(to) {
        return Some(match (from, to) {
            (Layer::App | Layer::Part, Layer::App) => {
                "an application knows of no other; share through a `kit-*` crate"
            }
            (Layer::Kit, _) => "a `kit-*` crate knows of no application",
            (Layer::Core, _) => "a core stands on cores alone",
            (Layer::ToolKit, _) => "what tools share knows of nothing that they measure",
            (_, Layer::Host) => "only `tandem` itself is above the applications",
            _ => "nothing stands on a tool",
        });
    }
    // A core belongs to its application: `universe-core` to `universe`, the vocabulary to everybody.
    let owner = target.strip_suffix("-core").filter(|owner| *owner != "kit")?;
    let theirs = name == owner || name.starts_with(&format!("{owner}-"));
    let above = matches!(from, Layer::Host | Layer::Tool);
    (!theirs && !above).then_some("this core belongs to another application")
}

#[cfg(test)]
mod tests {
    use super::{super::graph::Arrows, *};

    fn graph(arrows: &[(&str, &str)], reach: &[(&str, &str)]) -> Graph {
        let mut graph = Graph::default();
        for (from, to) in arrows {
            let entry: &mut Arrows = graph.crates.entry((*from).into()).or_default();
            entry.normal.insert((*to).into());
        }
        for (from, to) in reach {
            graph.crates.entry((*from).into()).or_default();
            graph.reach.entry((*from).into()).or_default().insert((*to).into());
        }
        graph
    }

    #[test]
    fn the_arrows_of_the_design_are_allowed() {
        let arrows = [
            ("tandem", "universe"),
            ("universe", "universe-core"),
            ("universe", "kit-http"),
            ("universe-core", "kit-core"),
            ("publisher", "malloy-duckdb"),
            ("publisher", "malloy"),
            ("malloy", "malloy-duckdb"),
            ("tandem", "malloy"),
            ("malloy-duckdb", "malloy-sql"),
            ("malloy-sql", "malloy-model"),
            ("spox", "spox-embed"),
            ("kit-app", "kit-mcp"),
            ("mcp-bench", "kit-mcp"),
            ("mcp-bench", "bench-kit"),
        ];
        assert_eq!(broken(&graph(&arrows, &[])), [""; 0]);
    }

    #[test]
    fn each_forbidden_arrow_says_why() {
        let arrows = [
            ("universe", "ui"),
            ("kit-http", "universe"),
            ("spox", "universe-core"),
            ("universe-core", "kit-store"),
            ("universe", "tandem"),
            ("ui", "xtask"),
            ("bench-kit", "kit-core"),
            ("tandem", "bench-kit"),
            ("campaign-bench", "universe-bench"),
        ];
        assert_eq!(
            broken(&graph(&arrows, &[])),
            [
                "`bench-kit` names `kit-core`: what tools share knows of nothing that they measure",
                "`campaign-bench` names `universe-bench`: nothing stands on a tool",
                "`kit-http` names `universe`: a `kit-*` crate knows of no application",
                "`spox` names `universe-core`: this core belongs to another application",
                "`tandem` names `bench-kit`: nothing stands on a tool",
                "`ui` names `xtask`: nothing stands on a tool",
                "`universe` names `tandem`: only `tandem` itself is above the applications",
                "`universe` names `ui`: an application knows of no other; share through a `kit-*` crate",
                "`universe-core` names `kit-store`: a core stands on cores alone",
            ]
        );
    }

    #[test]
    fn a_core_that_reaches_a_runtime_is_found_at_any_distance() {
        let problems = broken(&graph(&[], &[("ui-core", "tokio"), ("ui", "tokio")]));
        assert_eq!(problems.len(), 1);
        assert!(problems[0].starts_with("`ui-core` reaches `tokio`"), "{}", problems[0]);
    }
}
