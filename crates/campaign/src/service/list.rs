//! Lists. The one of all campaigns reads no journal: each campaign's record stands in the head of its stream.

use campaign_core::{self as core, CampaignId, Moment};
use kit_store::StreamInfo;

use super::{
    Service,
    page::{self, Mark, cut},
};
use crate::{
    Error,
    backend::{Page, PageRequest},
    wire,
};

/// The name of the list in its tokens.
const CAMPAIGNS: &str = "campaigns";

impl Service {
    pub(super) async fn campaigns(
        &self,
        request: &PageRequest,
    ) -> Result<Page<wire::Campaign>, Error> {
        let after = page::start(request, CAMPAIGNS)?;
        let after = after.as_ref().map(|mark| (mark.at.0, &*mark.id));
        let limit = request.limit.unwrap_or(usize::MAX);
        // One more than is shown, so that it is known whether there are more.
        let mut infos = self.tables.list_after(after, limit.saturating_add(1)).await?;
        let more = infos.len() > limit;
        infos.truncate(limit);
        let next = infos
            .last()
            .filter(|_| more)
            .map(|last| page::print(&mark(Moment(last.created_at), &last.stream.id()), CAMPAIGNS));
        let mut items = Vec::with_capacity(infos.len());
        for info in infos {
            items.push(self.campaign(info).await?);
        }
        Ok(Page { items, next })
    }

    async fn campaign(&self, info: StreamInfo) -> Result<wire::Campaign, Error> {
        if let Ok(campaign) = serde_json::from_value::<core::Campaign>(info.head) {
            return Ok((&campaign).into());
        }
        // Written by another version of this program: the journal knows.
        let (_, live) = self.load(info.stream.id()).await?;
        live.0.campaign().map(Into::into).ok_or_else(super::no_campaign)
    }
}

pub(super) fn participants(
    id: &CampaignId,
    table: &core::Table,
    request: &PageRequest,
) -> Result<Page<wire::Participant>, Error> {
    let all = table.participants().map(|one| wire::Participant::of(id, one)).collect();
    cut(all, &format!("participants of {id}"), request, |one| mark(one.created_at, &one.id))
}

pub(super) fn actors(
    id: &CampaignId,
    table: &core::Table,
    request: &PageRequest,
) -> Result<Page<wire::Actor>, Error> {
    let all = table.actors().map(|one| wire::Actor::of(id, one)).collect();
    cut(all, &format!("actors of {id}"), request, |one| mark(one.created_at, &one.id))
}

pub(super) fn sessions(
    id: &CampaignId,
    table: &core::Table,
    request: &PageRequest,
) -> Result<Page<wire::Session>, Error> {
    let all = table.sessions().map(|one| wire::Session::of(id, one)).collect();
    cut(all, &format!("sessions of {id}"), request, |one| mark(one.started_at, &one.id))
}

fn mark(at: Moment, id: &impl ToString) -> Mark {
    Mark { at, id: id.to_string() }
}

/// A whole table, its lists in the order that all lists have.
pub(super) fn table(id: &CampaignId, table: &core::Table) -> Result<wire::Table, Error> {
    let all = PageRequest::default();
    Ok(wire::Table {
        campaign: table.campaign().map(Into::into).ok_or_else(super::no_campaign)?,
        participants: participants(id, table, &all)?.items,
        actors: actors(id, table, &all)?.items,
        sessions: sessions(id, table, &all)?.items,
        active_session: table.active_session().map(|session| session.id.clone()),
        gm_fear: table.gm_fear(),
        guarded: table.guarded(),
        seq: table.seq(),
        head_hash: table.last_hash().to_owned(),
    })
}
