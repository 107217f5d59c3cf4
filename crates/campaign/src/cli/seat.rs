//! Who speaks.

use http::Method;
use kit_cli::{Client, client::Ask};
use serde_json::Value;

/// For which participant something is done.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Seat {
    /// Speak as this participant: id, beginning of the id, or name
    #[arg(long = "as", value_name = "PARTICIPANT")]
    who: Option<String>,

    /// The participant's token, where one was issued
    #[arg(long, value_name = "TOKEN", env = "CAMPAIGN_SEAT_TOKEN", hide_env_values = true)]
    seat_token: Option<String>,
}

impl Seat {
    /// Asks as that participant.
    pub(super) async fn ask(
        &self,
        client: &Client,
        campaign: &str,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> anyhow::Result<Value> {
        let who = match &self.who {
            Some(who) => Some(super::find::participant(client, campaign, who).await?),
            None => None,
        };
        let headers: Vec<_> = [
            who.as_deref().map(|who| ("x-participant-id", who)),
            self.seat_token.as_deref().map(|token| ("x-participant-token", token)),
        ]
        .into_iter()
        .flatten()
        .collect();
        client.ask(Ask { method, path, headers: &headers, body }).await
    }

    /// The same with `POST`.
    pub(super) async fn post(
        &self,
        client: &Client,
        campaign: &str,
        path: &str,
        body: &Value,
    ) -> anyhow::Result<Value> {
        self.ask(client, campaign, Method::POST, path, Some(body)).await
    }
}
