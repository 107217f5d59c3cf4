//! The tools and resources of agents.
//!
//! Which campaign, session and participant a call means is settled here ([`Tools::at`]): what the call says, else what its
//! session has set ([`context`]). Everything else is the backend's.

mod answer;
mod context;
mod dice;
mod failure;
mod given;
mod journal;
mod output;
mod people;
mod play;
mod resources;
mod shape;
mod uri;

use std::sync::Arc;

use kit_mcp::{App, ArgumentErrors, Call, Hub};
use uuid::{Uuid, fmt::Simple};

use self::{
    context::{Context, Contexts},
    resources::Library,
    shape::InCampaign,
};
use crate::{Backend, Caller, Error, NAME};

/// What an agent must know before it plays.
const INSTRUCTIONS: &str = "\
Tabletop campaigns with Duality dice, played by people and agents at one table that everybody sees live. \
`campaigns://list` has the campaigns; `campaign_state` has one whole: participants, actors with their sheets, sessions, Fear. \
Begin with `set_context` (campaign, session, and the participant you speak as): later calls may then leave `campaign_id` out, \
and rolls in an active session are written into the journal for everybody. To play: `session_start`, then \
`session_action_roll` for an actor's trait against a difficulty, then `session_roll_outcome_apply` once, which gives Hope, \
Fear and Stress; `note_add` tells the story. `duality_probability` says the odds beforehand. Every failure begins with a code such as \
`NotFound` or `PermissionDenied` and says the way out. Subscribe to `campaign://{id}/…` and `session://{id}/events` to hear what others do.";

/// The MCP surface over a backend.
pub(crate) fn app(backend: Arc<dyn Backend>, hub: &Hub) -> App {
    let contexts = Contexts::new(hub.clone());
    let tools = Tools { backend: backend.clone(), contexts: contexts.clone() };
    let router = Tools::people() + Tools::play() + Tools::dice() + Tools::journal();
    App::new(NAME, env!("CARGO_PKG_VERSION"))
        .title("Campaign")
        .instructions(INSTRUCTIONS)
        .argument_errors(ArgumentErrors::ByTheTool)
        .tools(tools, router)
        .resources(Library { backend, contexts })
}

#[derive(Clone)]
struct Tools {
    backend: Arc<dyn Backend>,
    contexts: Contexts,
}

/// Where a call is to happen, and who asks.
struct At {
    caller: Caller,
    campaign_id: String,
    context: Context,
}

impl Tools {
    /// Settles the campaign of a call: its own argument goes before the context.
    fn at(&self, call: &Call, given: InCampaign) -> Result<At, Error> {
        let context = self.contexts.of(call).unwrap_or_default();
        let campaign_id = match given.campaign_id {
            Some(id) => id,
            None if context.campaign_id.is_empty() => {
                return Err(Error::invalid("campaign id is required")
                    .field("campaign_id")
                    .hint("give `campaign_id`, or call `set_context` first"));
            }
            None => context.campaign_id.clone(),
        };
        // Whoever names another campaign does not sit at this one's table.
        let context =
            if campaign_id.trim() == context.campaign_id { context } else { Context::default() };
        Ok(At { caller: caller(call, &context), campaign_id, context })
    }
}

/// Who asks, speaking as the participant of the session's context. Each call of a tool is an invocation, by which the
/// journal tells what an agent did from what a person did.
fn caller(call: &Call, context: &Context) -> Caller {
    let caller = Caller::new(call.principal().clone(), "mcp")
        .speaking_as(context.participant_id.clone(), context.participant_token.clone());
    let mut name = [0; Simple::LENGTH];
    let name = Uuid::new_v4().simple().encode_lower(&mut name);
    Caller { invocation_id: ["inv_", name].concat(), ..caller }
}
