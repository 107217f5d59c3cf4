//! Streams that outlive the connection they came over.

use campaign_core::{CampaignId, Code};
use campaign_proto::campaign::v1 as pb;
use futures::{
    StreamExt as _,
    stream::{self, BoxStream},
};
use tonic::{Request, Status, Streaming};

use super::{Pause, Remote, within};
use crate::{
    Backend as _, Caller, Change, ChangeStream, Error, EventStream, PageRequest, wire::Event,
};

/// Entries of a campaign after the one with the number `after`. When the connection ends, another one goes on after the
/// last that arrived, so that each comes once.
pub(super) async fn events(
    remote: &Remote,
    caller: &Caller,
    campaign_id: &str,
    after: u64,
) -> Result<EventStream, Error> {
    let source = Entries { campaign_id: campaign_id.to_owned(), after };
    follow(remote, caller, source).await
}

/// What happens in all campaigns. What happened while there was no connection is not told again: after another one is
/// made, every campaign counts as missed.
pub(super) async fn changes(remote: &Remote, caller: &Caller) -> Result<ChangeStream, Error> {
    follow(remote, caller, All).await
}

/// Something that can be watched.
trait Source: Send + Sync + 'static {
    type Message: Send + 'static;
    type Item: Send + 'static;

    /// Begins, or goes on after what was read.
    fn open(
        &self,
        remote: &Remote,
        caller: &Caller,
    ) -> impl Future<Output = Result<Streaming<Self::Message>, Status>> + Send;

    fn read(&mut self, message: Self::Message) -> Result<Self::Item, Error>;

    /// What has to be told after a gap.
    fn missed(
        &self,
        remote: &Remote,
        caller: &Caller,
    ) -> impl Future<Output = Result<Vec<Self::Item>, Error>> + Send;
}

struct Entries {
    campaign_id: String,
    after: u64,
}

impl Source for Entries {
    type Message = pb::WatchEventsResponse;
    type Item = Event;

    async fn open(
        &self,
        remote: &Remote,
        caller: &Caller,
    ) -> Result<Streaming<Self::Message>, Status> {
        let (campaign_id, after) = (self.campaign_id.clone(), self.after);
        let message = pb::WatchEventsRequest { campaign_id, after };
        let request = remote.request(caller, message);
        Ok(within(remote.campaigns().watch_events(request)).await?.into_inner())
    }

    fn read(&mut self, message: Self::Message) -> Result<Event, Error> {
        let event: Event = super::read::needed(message.event, "event")?.try_into()?;
        self.after = event.seq;
        Ok(event)
    }

    async fn missed(&self, _: &Remote, _: &Caller) -> Result<Vec<Event>, Error> {
        Ok(Vec::new())
    }
}

struct All;

impl Source for All {
    type Message = pb::WatchCampaignsResponse;
    type Item = Change;

    async fn open(
        &self,
        remote: &Remote,
        caller: &Caller,
    ) -> Result<Streaming<Self::Message>, Status> {
        let request: Request<_> = remote.request(caller, pb::WatchCampaignsRequest {});
        Ok(within(remote.campaigns().watch_campaigns(request)).await?.into_inner())
    }

    fn read(&mut self, message: Self::Message) -> Result<Change, Error> {
        message.try_into()
    }

    async fn missed(&self, remote: &Remote, caller: &Caller) -> Result<Vec<Change>, Error> {
        let all = remote.list_campaigns(caller, PageRequest::default()).await?;
        let missed = |id: CampaignId| Change::Missed { campaign_id: id };
        Ok(all.items.into_iter().map(|campaign| missed(campaign.id)).collect())
    }
}

/// A stream and what is needed to begin it again.
struct Following<S: Source> {
    remote: Remote,
    caller: Caller,
    source: S,
    /// Nothing after the last error.
    stream: Option<Streaming<S::Message>>,
}

/// Begins at once, so that a refusal is an answer and not the first thing in a stream.
async fn follow<S: Source>(
    remote: &Remote,
    caller: &Caller,
    source: S,
) -> Result<BoxStream<'static, Result<S::Item, Error>>, Error> {
    let stream = source.open(remote, caller).await.map_err(|status| remote.fault(&status))?;
    let (remote, caller) = (remote.clone(), caller.clone());
    let following = Following { remote, caller, source, stream: Some(stream) };
    let parts = stream::unfold(following, async |mut following| {
        let part = following.next().await?;
        Some((part, following))
    });
    Ok(parts.flat_map(stream::iter).boxed())
}

impl<S: Source> Following<S> {
    /// What comes next: one item, all that a gap makes necessary, or the error that it ends with.
    async fn next(&mut self) -> Option<Vec<Result<S::Item, Error>>> {
        let stream = self.stream.as_mut()?;
        let item = match stream.message().await {
            Ok(Some(message)) => self.source.read(message).map(|item| vec![Ok(item)]),
            // The other side stops, or the way to it broke.
            Ok(None) => self.again().await,
            Err(status) => match self.remote.fault(&status) {
                error if error.code == Code::Unavailable => self.again().await,
                error => Err(error),
            },
        };
        Some(item.unwrap_or_else(|error| {
            self.stream = None;
            vec![Err(error)]
        }))
    }

    /// Tries until the other side is there, or refuses.
    async fn again(&mut self) -> Result<Vec<Result<S::Item, Error>>, Error> {
        let mut pause = Pause::default();
        loop {
            match self.reopened().await {
                Ok(missed) => return Ok(missed.into_iter().map(Ok).collect()),
                Err(error) if error.code == Code::Unavailable => pause.wait().await,
                Err(error) => return Err(error),
            }
        }
    }

    async fn reopened(&mut self) -> Result<Vec<S::Item>, Error> {
        let stream = self.source.open(&self.remote, &self.caller).await;
        self.stream = Some(stream.map_err(|status| self.remote.fault(&status))?);
        self.source.missed(&self.remote, &self.caller).await
    }
}
