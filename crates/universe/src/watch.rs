//! Tells subscribed agents that a universe changed, whichever surface or replica changed it.

use kit_mcp::{Change, Hub};
use kit_store::{Aggregate, Appended, StoreError, Version};
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;
use tracing::warn;

use crate::{Service, resources, store::Kept};

/// Passes on what the journal says until `shutdown`.
pub(crate) async fn tell_agents(service: Service, hub: Hub, shutdown: CancellationToken) {
    let mut appends = service.universes().journal().watch();
    loop {
        let heard = tokio::select! {
            heard = appends.recv() => heard,
            () = shutdown.cancelled() => return,
        };
        match heard {
            Ok(appended) if appended.stream.category() == Kept::CATEGORY => {
                pass_on(&service, &hub, &appended).await;
            }
            Ok(_) => {}
            Err(RecvError::Lagged(_)) => everything_changed(&service, &hub).await,
            Err(RecvError::Closed) => return,
        }
    }
}

async fn pass_on(service: &Service, hub: &Hub, appended: &Appended) {
    match changes_the_list(service, appended).await {
        Ok(true) => {
            hub.tell(Change::Resources);
            hub.resource_updated(resources::LIST);
        }
        Ok(false) => {}
        Err(error) => warn!(stream = %appended.stream, %error, "cannot tell what was appended"),
    }
    tell_of(hub, appended.stream.id());
}

fn tell_of(hub: &Hub, id: &str) {
    for view in resources::views(id) {
        hub.resource_updated(view);
    }
}

/// Whether a universe came, went or got another name.
async fn changes_the_list(service: &Service, appended: &Appended) -> Result<bool, StoreError> {
    let listed = |kind: &str| matches!(kind, "created" | "replaced" | "deleted");
    if !appended.events.is_empty() {
        return Ok(appended.events.iter().any(|event| listed(&event.kind)));
    }
    // Another replica appended, and the wake does not say what. Wakes may be merged, so a new universe can
    // already be a few lines long.
    let before = Version(appended.version.0.saturating_sub(4));
    let lines = service.universes().journal().read(&appended.stream, before, 4).await?;
    Ok(lines.iter().any(|line| listed(&line.kind)))
}

/// Too much happened at once to be told one by one: whoever watches anything reads it again.
async fn everything_changed(service: &Service, hub: &Hub) {
    hub.tell(Change::Resources);
    hub.resource_updated(resources::LIST);
    match service.summaries().await {
        Ok(universes) => {
            for universe in universes {
                tell_of(hub, universe.id.as_str());
            }
        }
        Err(error) => warn!(%error, "agents were not told what changed"),
    }
}
