//! Telling subscribed agents that a session's state is another.

use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use kit_mcp::Hub;

use super::{Effect, Session, Stage};
use crate::{mcp, tools};

/// At most four times a second, whatever happens.
const PAUSE: Duration = Duration::from_millis(250);

/// What was last told of a session's state.
#[derive(Default)]
pub(super) struct Told {
    /// Somebody will look when the pause is over.
    pending: AtomicBool,
    /// Of the state that was last looked at; 0 before the first.
    hash: AtomicU64,
}

impl Told {
    /// Something happened in the session. Looks at the state after the pause, and tells if it is another.
    pub(super) fn changed(&self, session: &Arc<Session>, hub: &Hub) {
        if !hub.has_subscribers() || self.pending.swap(true, Ordering::AcqRel) {
            return;
        }
        let (session, hub) = (Arc::downgrade(session), hub.clone());
        tokio::spawn(async move {
            tokio::time::sleep(PAUSE).await;
            let Some(session) = session.upgrade() else { return };
            // First: what happens while we look is looked at again.
            session.told.pending.store(false, Ordering::Release);
            let hash = session.hash_of_state().await;
            let Some(hash) = hash else { return };
            if session.told.hash.swap(hash, Ordering::AcqRel) != hash {
                hub.resource_updated(mcp::state_uri(&session.id));
                if session.id == tools::FIRST {
                    hub.resource_updated(mcp::STATE);
                }
            }
        });
    }
}

impl Session {
    async fn hash_of_state(self: &Arc<Self>) -> Option<u64> {
        let look = |stage: &mut Option<Stage>| Some(stage.as_mut()?.state_text());
        let state = self.work(Effect::Looks, look).await.ok()??;
        let mut hasher = DefaultHasher::new();
        // A state that cannot be written is one state too.
        state.unwrap_or_default().hash(&mut hasher);
        Some(hasher.finish().max(1))
    }
}
