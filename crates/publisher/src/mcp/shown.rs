//! What agents are shown beside what every surface shows.

use publisher_core::{
    envelope::{self, MOST_CHARACTERS, envelope},
    result::{raw::Raw, stable::Stable},
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{Answer, LimitSource, Package, wire};

/// What a package says of itself, or why it could not be loaded.
pub(super) fn description(package: &Package) -> String {
    match &package.error {
        Some(why) => format!("Unable to load package: {why}"),
        None => package.description.clone().unwrap_or_default(),
    }
}

/// A package by itself.
pub(super) fn package(package: &Package) -> Value {
    let resource = format!("/api/v0/projects/{}/packages/{}", package.project, package.name);
    let description = description(package);
    let mut made = json!({"name": package.name, "description": description, "resource": resource});
    if let Some(error) = &package.error {
        made["error"] = json!(error);
    }
    if let Some(stale) = &package.stale {
        made["stale"] = json!(stale);
    }
    made
}

/// A result as the first servers sent it.
pub(super) fn raw(answer: &Answer) -> String {
    encoded(answer, &Raw(wire::rows(answer)))
}

/// A result as later ones do.
pub(super) fn stable(answer: &Answer) -> String {
    encoded(answer, &Stable(wire::rows(answer)))
}

/// Plain rows first.
pub(super) fn rows(answer: &Answer) -> String {
    let source = match answer.limit_source {
        LimitSource::Query | LimitSource::Request => envelope::LimitSource::Query,
        LimitSource::ServerDefault => envelope::LimitSource::ServerDefault,
    };
    encoded(answer, &envelope(&wire::rows(answer), source, MOST_CHARACTERS))
}

/// A result, and what has to be known of it beside its rows: that they are not from now, or of a model that is not.
fn encoded(answer: &Answer, result: &impl Serialize) -> String {
    if answer.cached_age.is_none() && answer.model.stale.is_none() {
        return serde_json::to_string(result).unwrap_or_default();
    }
    let mut value = serde_json::to_value(result).unwrap_or_default();
    if let Some(age) = answer.cached_age {
        value["cachedAgeMs"] = json!(u64::try_from(age.as_millis()).unwrap_or(u64::MAX));
    }
    if let Some(stale) = &answer.model.stale {
        value["stale"] = json!(stale);
    }
    value.to_string()
}
