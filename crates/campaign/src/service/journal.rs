//! What happened, read from the journal.

use campaign_core::{CampaignId, Entry, Fact, SessionId, Table, Walker, markdown};
use kit_store::{Aggregate as _, Recorded, Version};

use super::{Service, no_campaign};
use crate::{
    Caller, Error,
    backend::{Backend as _, EventQuery},
    store::Kept,
    wire,
};

/// How many entries a page has unless it is told otherwise, and at most.
const USUAL_PAGE: usize = 50;
const LONGEST_PAGE: usize = 1000;
/// Entries read at once where not all of them are wanted.
const STRIDE: u64 = 512;

/// An entry as surfaces show it, at a table that knows who wrote it.
pub(super) fn event(id: &CampaignId, entry: &Entry, table: &Table) -> wire::Event {
    let who = table.participant(&(&*entry.by.id).into());
    wire::Event {
        campaign_id: id.clone(),
        seq: entry.seq,
        ts: entry.at,
        kind: entry.kind().to_owned(),
        request_id: entry.request_id.to_string(),
        invocation_id: entry.invocation_id.to_string(),
        actor: wire::Said {
            kind: entry.by.kind.name().to_owned(),
            id: entry.by.id.to_string(),
            name: who.map(|participant| participant.display_name.clone()),
        },
        session_id: entry.session_id.clone(),
        entity: wire::Entity {
            kind: entry.entity.kind.name().to_owned(),
            id: entry.entity.id.to_string(),
        },
        payload: entry.payload().clone(),
        undone: table.is_undone(entry.seq),
        event_hash: entry.hash.to_string(),
        prev_hash: entry.prev_hash.to_string(),
    }
}

/// A line of the journal.
pub(super) fn decode(line: &Recorded) -> Result<Entry, Error> {
    Kept::decode(&line.kind, &line.data).map_err(|source| {
        let (stream, version) = (line.stream.clone(), line.version);
        kit_store::StoreError::Unreadable { stream, version, source: source.into() }.into()
    })
}

impl Service {
    /// Entries `first` to `last`, both included.
    pub(super) async fn read(
        &self,
        id: &CampaignId,
        first: u64,
        last: u64,
    ) -> Result<Vec<Entry>, Error> {
        let count = usize::try_from((last + 1).saturating_sub(first)).unwrap_or(usize::MAX);
        if count == 0 {
            return Ok(Vec::new());
        }
        let stream = self.tables.stream(id.as_str());
        let lines = self.tables.journal().read(&stream, Version(first - 1), count).await?;
        lines.iter().map(decode).collect()
    }

    pub(super) async fn page_of_events(
        &self,
        campaign_id: &str,
        query: EventQuery,
    ) -> Result<wire::Events, Error> {
        let (id, live) = self.load(campaign_id).await?;
        let table = &live.0;
        let limit = query.limit.unwrap_or(USUAL_PAGE);
        if !(1..=LONGEST_PAGE).contains(&limit) {
            let message = format!("`limit` must be 1 to {LONGEST_PAGE}");
            return Err(Error::invalid(message).field("limit"));
        }
        let session =
            query.session_id.as_deref().map(|text| session_of(table, text)).transpose()?;
        let before = query.before.unwrap_or(u64::MAX).min(table.seq().saturating_add(1));
        let mut back = Back { service: self, id: &id, after: query.after.unwrap_or(0), before };
        let mut events = Vec::new();
        let mut next = None;
        'pages: while let Some(entries) = back.next(session.as_ref(), limit).await? {
            for entry in entries.iter().rev() {
                if session.is_some() && entry.session_id != session {
                    continue;
                }
                if events.len() == limit {
                    next = events.last().map(|last: &wire::Event| last.seq);
                    break 'pages;
                }
                events.push(event(&id, entry, table));
                if session.is_some() && matches!(entry.fact(), Fact::SessionStarted(_)) {
                    break 'pages;
                }
            }
        }
        Ok(wire::Events { events, next })
    }

    /// Every entry of a session, in order.
    async fn entries_of(
        &self,
        id: &CampaignId,
        table: &Table,
        session: &SessionId,
    ) -> Result<Vec<Entry>, Error> {
        let mut back = Back { service: self, id, after: 0, before: table.seq() + 1 };
        let mut found = Vec::new();
        while let Some(entries) = back.next(Some(session), 0).await? {
            let mine = entries.into_iter().rev();
            found.extend(mine.filter(|entry| entry.session_id.as_ref() == Some(session)));
            if found.last().is_some_and(|entry| matches!(entry.fact(), Fact::SessionStarted(_))) {
                break;
            }
        }
        found.reverse();
        Ok(found)
    }

    /// A session as Markdown, for people.
    pub async fn export(&self, caller: &Caller, session_id: &str) -> Result<String, Error> {
        let none = || Error::not_found("session not found").field("session_id");
        let owner = self.owner_of(caller, session_id).await?.ok_or_else(none)?;
        let (id, live) = self.load(owner.as_str()).await?;
        let session = session_of(&live.0, session_id)?;
        let entries = self.entries_of(&id, &live.0, &session).await?;
        // What was taken back is not part of the story.
        let kept = entries.iter().filter(|entry| !live.0.is_undone(entry.seq));
        let session = live.0.session(&session).ok_or_else(none)?;
        Ok(markdown(&live.0, session, kept))
    }

    /// Walks the journal from its first entry to the last, as the store has them, and compares with what is remembered.
    pub(super) async fn check(&self, id: &CampaignId) -> Result<wire::Verdict, Error> {
        let stream = self.tables.stream(id.as_str());
        let journal = self.tables.journal();
        let info = journal.info(&stream).await?.ok_or_else(no_campaign)?;
        // A journal that cannot be read has no table; walking it tells where it is broken.
        let table = self.tables.load(id.as_str()).await.ok().flatten();
        let mut walker = Walker::new(id.clone());
        let mut seen = 0;
        while seen < info.version.0 {
            let lines =
                journal.read(&stream, Version(seen), usize::try_from(STRIDE).unwrap_or(1)).await?;
            if lines.is_empty() {
                let why = format!("it is missing, {} were written", info.version);
                return Ok(wire::Verdict::broken(seen + 1, why));
            }
            for line in &lines {
                let entry = match walker.read(line.data.get()) {
                    Ok(entry) => entry,
                    Err(broken) => return Ok(wire::Verdict::broken(broken.seq, broken.why)),
                };
                seen = entry.seq;
                if *line.kind != *entry.kind() {
                    let why = format!("the store files it as a `{}`", line.kind);
                    return Ok(wire::Verdict::broken(seen, why));
                }
                let remembered = table.as_ref().filter(|table| table.0.seq() == seen);
                if remembered.is_some_and(|table| table.0.last_hash() != &*entry.hash) {
                    let why = "its hash is not the one that was remembered".to_owned();
                    return Ok(wire::Verdict::broken(seen, why));
                }
            }
        }
        let verified = walker.finish();
        Ok(wire::Verdict::valid(verified.events, verified.head_hash.to_string()))
    }
}

/// A session of this table.
fn session_of(table: &Table, text: &str) -> Result<SessionId, Error> {
    let id = SessionId::from(text.trim());
    match table.session(&id) {
        Some(_) => Ok(id),
        None => Err(Error::not_found("session not found").field("session_id")),
    }
}

/// Goes through a journal from its end.
struct Back<'a> {
    service: &'a Service,
    id: &'a CampaignId,
    /// Everything up to here is left out.
    after: u64,
    /// Everything from here on was read.
    before: u64,
}

impl Back<'_> {
    /// The entries before those that were read, in order; one more than `limit`, so that it is known whether there are
    /// more, or a whole stride where only some are wanted.
    async fn next(
        &mut self,
        only: Option<&SessionId>,
        limit: usize,
    ) -> Result<Option<Vec<Entry>>, Error> {
        let last = self.before.saturating_sub(1);
        if last <= self.after {
            return Ok(None);
        }
        let count = if only.is_some() { STRIDE } else { limit as u64 + 1 };
        let first = last.saturating_sub(count - 1).max(self.after + 1);
        self.before = first;
        self.service.read(self.id, first, last).await.map(Some)
    }
}
