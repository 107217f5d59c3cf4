//! How the publisher is.

use std::sync::Arc;

use serde::Serialize;

use super::{Service, package::Package};

/// How the publisher is, for people and programs that watch it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// Milliseconds since 1970.
    pub timestamp: i64,
    pub initialized: bool,
    pub operational_state: Operational,
    pub frozen_config: bool,
    /// Whether only the samples are served, since the server root has nothing.
    pub samples: bool,
    pub projects: Vec<String>,
    /// Packages that were loaded so far.
    #[serde(skip)]
    pub loaded: Vec<Arc<Package>>,
    pub load_errors: Vec<LoadError>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Operational {
    Serving,
    /// All turns for queries are taken.
    Throttled,
}

/// Something that could not be loaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LoadError {
    pub project: String,
    pub package: String,
    /// The model, if it is one and not the package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_path: Option<String>,
    pub message: String,
    /// Whether what was there before is served.
    pub stale: bool,
    /// Milliseconds since 1970.
    pub failed_at: i64,
}

impl Service {
    /// How the publisher is. Loads nothing.
    pub fn status(&self) -> Status {
        let registry = self.0.registry.read();
        let projects = registry.projects();
        let frozen_config = self.0.config.frozen || registry.config.frozen;
        let samples = registry.samples;
        drop(registry);
        let slots = projects.iter().flat_map(|project| project.loaded());
        let loaded: Vec<_> = slots.filter_map(|slot| slot.current()).collect();
        let throttled = self.0.queries.is_full();
        Status {
            timestamp: self.0.clock.now_ms(),
            initialized: true,
            operational_state: if throttled {
                Operational::Throttled
            } else {
                Operational::Serving
            },
            frozen_config,
            samples,
            projects: projects.iter().map(|project| project.name.clone()).collect(),
            load_errors: loaded.iter().flat_map(|package| errors(package)).collect(),
            loaded,
        }
    }
}

fn errors(package: &Package) -> Vec<LoadError> {
    let error =
        |model_path: Option<String>, message: String, stale: bool, failed_at: i64| LoadError {
            project: package.project.clone(),
            package: package.name.clone(),
            model_path,
            message,
            stale,
            failed_at,
        };
    let mut errors = Vec::new();
    if let Some(why) = &package.error {
        errors.push(error(None, why.clone(), false, package.loaded_at));
    }
    if let Some(stale) = package.stale.as_ref().filter(|stale| stale.of_package) {
        errors.push(error(None, stale.message.clone(), true, stale.failed_at));
    }
    for model in package.models.values() {
        let path = Some(model.path.clone());
        match (&model.stale, &model.compiled) {
            (Some(stale), _) => {
                errors.push(error(path, stale.message.clone(), true, stale.failed_at));
            }
            (None, Err(failure)) => {
                errors.push(error(path, failure.to_string(), false, package.loaded_at));
            }
            (None, Ok(_)) => {}
        }
    }
    errors
}
