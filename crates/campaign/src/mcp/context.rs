//! What a session has said it is about.
//!
//! In memory and one for each MCP session, so that two agents never play at each other's table by accident.

use std::{num::NonZeroUsize, sync::Arc};

use campaign_core::Refusal;
use kit_mcp::{Call, Change, Hub};
use lru::LruCache;
use parking_lot::Mutex;

use super::resources::CONTEXT;

/// Sessions whose context is remembered. A session that is used is never among the oldest.
const MOST: NonZeroUsize = NonZeroUsize::new(100_000).expect("not zero");

/// What later calls mean when they do not say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Context {
    pub(super) campaign_id: String,
    pub(super) session_id: Option<String>,
    pub(super) participant_id: Option<String>,
    /// Proves it. Never shown.
    pub(super) participant_token: Option<String>,
}

/// The contexts of all sessions. Clones share them.
#[derive(Clone)]
pub(super) struct Contexts {
    kept: Arc<Mutex<LruCache<Arc<str>, Context>>>,
    hub: Hub,
}

impl Contexts {
    pub(super) fn new(hub: Hub) -> Self {
        Self { kept: Arc::new(Mutex::new(LruCache::new(MOST))), hub }
    }

    pub(super) fn of(&self, call: &Call) -> Option<Context> {
        self.kept.lock().get(call.session()?).cloned()
    }

    /// Replaces the whole context, and tells the session's own subscription of it.
    pub(super) fn set(&self, call: &Call, context: Context) -> Result<(), Refusal> {
        let Some(session) = call.session() else {
            return Err(Refusal::invalid("this connection has no session to keep a context in")
                .hint("give `campaign_id` with each call"));
        };
        self.kept.lock().put(session.into(), context);
        self.hub.tell_session(session, Change::Resource { uri: CONTEXT.to_owned() });
        Ok(())
    }
}
