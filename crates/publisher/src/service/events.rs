//! What is told to whoever listens.

use std::sync::Arc;

use super::history::Run;

/// Something is no longer as it was.
#[derive(Debug, Clone)]
pub enum Change {
    /// A package was loaded, or loaded anew.
    Loaded { project: String, package: String, generation: u64, models: usize },
    /// A package, or models of it, could not be loaded. What worked before keeps serving if `stale`.
    Failed { project: String, package: String, message: String, stale: bool },
    /// Packages of a project came or went.
    Packages { project: String },
    /// Projects came or went.
    Projects,
    /// Connections of a project or package are not what they were.
    Connections { project: String, package: Option<String> },
    /// Somebody ran a query.
    Query(Arc<Run>),
}
