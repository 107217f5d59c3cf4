//! The addresses of what can be read.

use campaign_core::Refusal;

pub(super) const LIST: &str = "campaigns://list";
pub(super) const CONTEXT: &str = "context://current";

/// No id is longer.
const LONGEST: usize = 128;

/// What an address names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    Campaigns,
    Context,
    Campaign(String),
    Participants(String),
    Actors(String),
    Sessions(String),
    /// The journal of a session.
    Events(String),
    Actor(String),
}

impl Place {
    /// Reads an address. One that names nothing that there could be is `NotFound`, one with a mistake in it
    /// `InvalidArgument`.
    pub(super) fn parse(uri: &str) -> Result<Self, Refusal> {
        let Some((scheme, rest)) = uri.split_once("://") else { return Err(nothing()) };
        match (scheme, rest.trim()) {
            ("campaigns", "list") => Ok(Self::Campaigns),
            ("context", "current") => Ok(Self::Context),
            ("campaign", rest) => Self::of_campaign(rest),
            ("session", rest) => {
                let session = rest.strip_suffix("/events").ok_or_else(|| {
                    let hint = "the journal of a session is `session://{session_id}/events`";
                    malformed("session").hint(hint)
                })?;
                id(session, "session").map(Self::Events)
            }
            ("actor", rest) => Ok(Self::Actor(id(rest, "actor")?)),
            _ => Err(nothing()),
        }
    }

    fn of_campaign(rest: &str) -> Result<Self, Refusal> {
        let Some((campaign, list)) = rest.split_once('/') else {
            return id(rest, "campaign").map(Self::Campaign);
        };
        let campaign = id(campaign, "campaign")?;
        match list {
            "participants" => Ok(Self::Participants(campaign)),
            "actors" => Ok(Self::Actors(campaign)),
            "sessions" => Ok(Self::Sessions(campaign)),
            _ => Err(malformed("campaign").hint(
                "below a campaign there are `/participants`, `/actors` and `/sessions`, without anything after them",
            )),
        }
    }
}

/// Ids are judged by whether there can be such a thing, not by how ours are made: what is well formed may still be
/// nobody's.
fn id(text: &str, what: &'static str) -> Result<String, Refusal> {
    let text = text.trim();
    let odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '%' | '/' | '?' | '#');
    if text.is_empty() || text == "_" || text.chars().count() > LONGEST || text.contains(odd) {
        return Err(malformed(what));
    }
    Ok(text.to_owned())
}

fn malformed(what: &'static str) -> Refusal {
    Refusal::invalid(format!("the URI does not have a {what} id alone in its place")).field("uri")
}

fn nothing() -> Refusal {
    Refusal::not_found("no resource has this URI")
        .field("uri")
        .hint("`resources/list` and `resources/templates/list` say what there is")
}

#[cfg(test)]
mod tests {
    use campaign_core::Code;

    use super::*;

    fn refused(uri: &str) -> Code {
        Place::parse(uri).unwrap_err().code
    }

    #[test]
    fn addresses_lead_to_what_they_name() {
        let campaign = || "camp_abc123".to_owned();
        for (uri, place) in [
            ("campaigns://list", Place::Campaigns),
            ("context://current", Place::Context),
            ("campaign://camp_abc123", Place::Campaign(campaign())),
            ("campaign:// camp_abc123 ", Place::Campaign(campaign())),
            ("campaign://does-not-exist", Place::Campaign("does-not-exist".into())),
            ("campaign://camp_abc123/participants", Place::Participants(campaign())),
            ("campaign://camp_abc123/actors", Place::Actors(campaign())),
            ("campaign://camp_abc123/sessions", Place::Sessions(campaign())),
            ("session://sess_1/events", Place::Events("sess_1".into())),
            ("actor://actor_1", Place::Actor("actor_1".into())),
        ] {
            assert_eq!(Place::parse(uri), Ok(place), "{uri}");
        }
    }

    #[test]
    fn mistakes_are_invalid_and_what_is_nothing_is_not_found() {
        let long = format!("campaign://{}", "x".repeat(129));
        for uri in [
            "campaign://",
            "campaign://_",
            "campaign://   ",
            "campaign://a b",
            "campaign://a%20b",
            "campaign://a\tb",
            "campaign://a/x",
            "campaign://a/participants/",
            "campaign://a/participants/x",
            "campaign://a/",
            "campaign://a?x=1",
            "campaign://a#x",
            "campaign://a/actors?x=1",
            "campaign:///participants",
            "campaign://a/actors#x",
            &long,
            "session://a",
            "session://a/events/",
            "session:///events",
            "actor://",
            "actor://a/b",
        ] {
            assert_eq!(refused(uri), Code::InvalidArgument, "{uri}");
        }
        for uri in
            ["", "x", "http://a", "campaigns://", "campaigns://all", "context://", "Campaign:/a"]
        {
            assert_eq!(refused(uri), Code::NotFound, "{uri}");
        }
    }
}
