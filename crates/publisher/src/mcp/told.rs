//! Changes, passed on to agents that keep a connection.

use std::collections::HashSet;

use kit_mcp::{Change as Told, Hub};
use publisher_core::uri::{Part, Place};
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio_util::sync::CancellationToken;

use super::contents;
use crate::{Change, Service};

/// Tells agents what changes until the server stops. `changes` is from before anything could change.
pub(crate) async fn tell(
    service: Service,
    hub: Hub,
    mut changes: Receiver<Change>,
    shutdown: CancellationToken,
) {
    let mut loaded = HashSet::new();
    loop {
        let change = tokio::select! {
            change = changes.recv() => change,
            () = shutdown.cancelled() => return,
        };
        match change {
            // What is loaded for the first time is as it was listed: nobody has read it yet.
            Ok(Change::Loaded { project, package, .. }) => {
                if !loaded.insert((project.clone(), package.clone())) {
                    of_package(&service, &hub, &project, &package).await;
                }
            }
            // What was there before keeps serving, and says from now on that it is not what the files say.
            Ok(Change::Failed { project, package, stale: true, .. }) => {
                of_package(&service, &hub, &project, &package).await;
            }
            // Where some were missed, whoever lists anew is right again.
            Ok(Change::Packages { .. } | Change::Projects) | Err(RecvError::Lagged(_)) => {
                hub.tell(Told::Resources);
            }
            Ok(Change::Failed { .. } | Change::Connections { .. } | Change::Query(_)) => {}
            Err(RecvError::Closed) => return,
        }
    }
}

/// A package is not what it was: neither is the list, nor anything that can be read of it.
async fn of_package(service: &Service, hub: &Hub, project: &str, package: &str) {
    hub.tell(Told::Resources);
    if !hub.has_subscribers() {
        return;
    }
    let place = Place::of_package(project, package);
    hub.resource_updated(place.uri());
    hub.resource_updated(place.with(Part::Contents { package: package.to_owned() }).uri());
    if let Ok(package) = service.package(project, package).await {
        for entry in contents::of(&package) {
            if let Some(uri) = entry["uri"].as_str() {
                hub.resource_updated(uri);
            }
        }
    }
}
