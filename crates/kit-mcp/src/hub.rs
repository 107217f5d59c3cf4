//! Where changes are told to the agents that asked to hear of them.
//!
//! One broadcast per process: `GET` streams, `subscriptions/listen` and stdio all read it, each with its own
//! filter. Nobody is waited for: a reader that falls behind loses its stream and resumes by number.

use std::{collections::VecDeque, sync::Arc};

use parking_lot::Mutex;
use rmcp::model::{
    CustomNotification, NotificationNoParam, ResourceUpdatedNotification,
    ResourceUpdatedNotificationParam, ServerNotification,
};
use serde_json::Value;
use tokio::sync::broadcast;

/// How many changes a reader may be behind, and how many can be asked for again by `Last-Event-ID`.
const KEPT: usize = 1024;

/// Something that agents may have asked to hear of.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    Tools,
    Prompts,
    /// The list of resources, not what is in them.
    Resources,
    /// What is in one resource.
    Resource {
        uri: String,
    },
    /// An application's own notification.
    Custom {
        method: String,
        params: Value,
    },
}

/// A change with its place in the order of this process.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub(crate) number: u64,
    pub(crate) app: Arc<str>,
    /// The one session that it concerns; `None`: everybody.
    pub(crate) session: Option<Arc<str>>,
    pub(crate) change: Change,
}

impl Told {
    /// Whether a client with this session may hear of it.
    pub(crate) fn concerns(&self, session: Option<&str>) -> bool {
        self.session.as_deref().is_none_or(|only| session == Some(only))
    }

    /// The change as the protocol says it.
    pub(crate) fn notification(&self) -> ServerNotification {
        match &self.change {
            Change::Tools => {
                ServerNotification::ToolListChangedNotification(NotificationNoParam::default())
            }
            Change::Prompts => {
                ServerNotification::PromptListChangedNotification(NotificationNoParam::default())
            }
            Change::Resources => {
                ServerNotification::ResourceListChangedNotification(NotificationNoParam::default())
            }
            Change::Resource { uri } => ServerNotification::ResourceUpdatedNotification(
                ResourceUpdatedNotification::new(ResourceUpdatedNotificationParam::new(uri)),
            ),
            Change::Custom { method, params } => ServerNotification::CustomNotification(
                CustomNotification::new(method.clone(), Some(params.clone())),
            ),
        }
    }
}

/// Tells changes. Cloning is cheap; [`Hub::of`] gives one that speaks for an application.
#[derive(Clone)]
pub struct Hub {
    app: Arc<str>,
    shared: Arc<Shared>,
}

struct Shared {
    order: Mutex<Order>,
    sender: broadcast::Sender<Arc<Told>>,
}

struct Order {
    last: u64,
    /// Somebody has listened: from then on changes are kept, since a reader may come back for what it missed.
    heard: bool,
    /// Somebody has asked to hear of what is in a resource.
    subscribed: bool,
    recent: VecDeque<Arc<Told>>,
}

impl Default for Hub {
    fn default() -> Self {
        let order =
            Mutex::new(Order { last: 0, heard: false, subscribed: false, recent: VecDeque::new() });
        let shared = Arc::new(Shared { order, sender: broadcast::channel(KEPT).0 });
        Self { app: "".into(), shared }
    }
}

impl Hub {
    /// The same hub, speaking for `app`: only endpoints that serve it pass the changes on.
    #[must_use]
    pub fn of(&self, app: &str) -> Self {
        Self { app: app.into(), shared: self.shared.clone() }
    }

    pub fn tell(&self, change: Change) {
        self.send(None, change);
    }

    /// Tells one session alone, see [`Call::session`](crate::Call::session).
    pub fn tell_session(&self, session: &str, change: Change) {
        self.send(Some(session.into()), change);
    }

    fn send(&self, session: Option<Arc<str>>, change: Change) {
        // Sent under the lock, so that the order of the broadcast is the order of the numbers.
        let mut order = self.shared.order.lock();
        order.last += 1;
        if !order.heard {
            return;
        }
        let told = Arc::new(Told { number: order.last, app: self.app.clone(), session, change });
        if order.recent.len() == KEPT {
            order.recent.pop_front();
        }
        order.recent.push_back(told.clone());
        // No receiver is no error: nobody listens yet.
        drop(self.shared.sender.send(told));
    }

    pub fn resource_updated(&self, uri: impl Into<String>) {
        self.tell(Change::Resource { uri: uri.into() });
    }

    /// Whether anybody has ever listened. Until then nothing that is told reaches anyone, so whoever has to go to
    /// lengths to find out what changed may leave it.
    pub fn is_heard(&self) -> bool {
        self.shared.order.lock().heard
    }

    /// Whether anybody subscribed to a resource or listened since this process began. Until then whoever has to go to
    /// lengths to find out what changed in one may leave it.
    pub fn has_subscribers(&self) -> bool {
        self.shared.order.lock().subscribed
    }

    pub(crate) fn subscribed(&self) {
        self.shared.order.lock().subscribed = true;
    }

    /// The number of the last change, for somebody who will ask for what comes after it.
    pub(crate) fn last(&self) -> u64 {
        let mut order = self.shared.order.lock();
        order.heard = true;
        order.last
    }

    /// Everything from now on, and what is still kept after number `after`.
    pub(crate) fn listen(
        &self,
        after: Option<u64>,
    ) -> (Vec<Arc<Told>>, broadcast::Receiver<Arc<Told>>) {
        let mut order = self.shared.order.lock();
        order.heard = true;
        let receiver = self.shared.sender.subscribe();
        let missed = match after {
            Some(after) => {
                order.recent.iter().filter(|told| told.number > after).cloned().collect()
            }
            None => Vec::new(),
        };
        (missed, receiver)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_resumes_after_the_number_it_saw() {
        let hub = Hub::default().of("universe");
        drop(hub.listen(None));
        hub.resource_updated("a");
        hub.resource_updated("b");
        let (missed, _) = hub.listen(Some(1));
        assert_eq!(missed.len(), 1);
        assert_eq!(missed[0].change, Change::Resource { uri: "b".into() });
    }

    #[test]
    fn a_reader_that_was_told_a_number_misses_nothing_after_it() {
        let hub = Hub::default();
        hub.tell(Change::Tools);
        assert!(!hub.is_heard());
        let last = hub.last();
        hub.tell(Change::Prompts);
        let (missed, _) = hub.listen(Some(last));
        assert_eq!(missed.iter().map(|told| told.number).collect::<Vec<_>>(), [2]);
        assert!(hub.is_heard());
    }

    #[tokio::test]
    async fn changes_arrive_in_the_order_told() {
        let hub = Hub::default();
        let (_, mut receiver) = hub.listen(None);
        hub.tell(Change::Tools);
        hub.of("ui").tell(Change::Prompts);
        assert_eq!(receiver.recv().await.unwrap().number, 1);
        assert_eq!(&*receiver.recv().await.unwrap().app, "ui");
    }

    #[tokio::test]
    async fn what_concerns_one_session_is_for_no_other() {
        let hub = Hub::default();
        let (_, mut receiver) = hub.listen(None);
        hub.tell_session("a", Change::Resource { uri: "context://current".into() });
        let told = receiver.recv().await.unwrap();
        assert!(told.concerns(Some("a")));
        assert!(!told.concerns(Some("b")) && !told.concerns(None));
    }
}
