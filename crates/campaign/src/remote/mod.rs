//! A backend that is elsewhere: a client of another server's gRPC, with the same answers and the same errors.
//!
//! Inputs travel as the caller gave them and are judged over there; [`words`] carries those that protobuf has no number
//! for. [`Remote::ready`] waits until the other side serves, [`watch`] keeps its streams going when the way between
//! breaks. Start at [`Remote::call`], which every question passes.

mod backend;
mod list;
mod read;
mod watch;
mod words;

use std::{error::Error as _, sync::Arc, time::Duration};

use campaign_core::Code as Wrong;
use campaign_proto::{
    campaign::v1::campaign_service_client::CampaignServiceClient,
    duality::v1::duality_service_client::DualityServiceClient,
    session::v1::session_service_client::SessionServiceClient,
};
use percent_encoding::{CONTROLS, utf8_percent_encode};
use tonic::{
    Code, Request, Response, Status, TimeoutExpired,
    metadata::{Ascii, MetadataMap, MetadataValue},
    transport::{Channel, Endpoint},
};
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

use crate::{
    Caller, Error,
    grpc::{INVOCATION_ID, PARTICIPANT_ID, PARTICIPANT_TOKEN, REQUEST_ID, status},
};

/// How long one question may take, finding the server included.
const DEADLINE: Duration = Duration::from_secs(5);
/// How long to wait before asking again, at first and at most.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// How often a silent server is asked whether it is still there.
const PING: Duration = Duration::from_secs(20);
/// A whole table comes in one message.
const MESSAGE_BYTES: usize = 64 << 20;

/// A client of the campaigns of another server. Clones share its connection, which is made when it is needed.
#[derive(Debug, Clone)]
pub struct Remote {
    channel: Channel,
    address: Arc<str>,
    token: Option<MetadataValue<Ascii>>,
}

/// Why a server cannot even be asked.
#[derive(Debug, thiserror::Error)]
pub enum BadAddress {
    #[error("`{address}` is not the address of a server, such as `localhost:8080`")]
    Address { address: String, source: tonic::transport::Error },
    #[error("the token has characters that no header can carry")]
    Token,
}

impl Remote {
    /// A client of the server at `address`, a name or an address with a port. Must be called within a runtime.
    pub fn new(address: &str, token: Option<&str>) -> Result<Self, BadAddress> {
        let url =
            if address.contains("://") { address.into() } else { format!("http://{address}") };
        let endpoint = Endpoint::from_shared(url)
            .map_err(|source| BadAddress::Address { address: address.to_owned(), source })?;
        let channel = endpoint
            .connect_timeout(DEADLINE)
            .http2_keep_alive_interval(PING)
            .keep_alive_timeout(PING)
            .keep_alive_while_idle(true)
            .connect_lazy();
        let bearer = |token| MetadataValue::try_from(format!("Bearer {token}"));
        let token = token.map(bearer).transpose().map_err(|_| BadAddress::Token)?;
        Ok(Self { channel, address: address.into(), token })
    }

    /// Waits until the server serves, however long that takes.
    pub async fn ready(&self) {
        let (mut pause, mut told) = (Pause::default(), false);
        while let Err(why) = self.check().await {
            // Once is enough: nothing new happens until it is there.
            if !std::mem::replace(&mut told, true) {
                tracing::info!(server = %self.address, %why, "waiting for the campaign server");
            }
            pause.wait().await;
        }
    }

    /// Whether the server serves now.
    pub async fn check(&self) -> Result<(), Error> {
        let mut client = HealthClient::new(self.channel.clone());
        let mut request = Request::new(HealthCheckRequest::default());
        self.authorize(request.metadata_mut());
        let answer = within(client.check(request)).await.map_err(|status| self.fault(&status))?;
        if answer.into_inner().status() == ServingStatus::Serving {
            return Ok(());
        }
        let message = format!("the campaign server at `{}` does not serve now", self.address);
        Err(Error::new(Wrong::Unavailable, message))
    }

    /// Asks one question and waits for its answer.
    async fn call<Q, A>(
        &self,
        caller: &Caller,
        message: Q,
        ask: impl AsyncFnOnce(Request<Q>) -> Result<Response<A>, Status>,
    ) -> Result<A, Error> {
        let mut request = self.request(caller, message);
        request.set_timeout(DEADLINE);
        match within(ask(request)).await {
            Ok(answer) => Ok(answer.into_inner()),
            Err(status) => Err(self.fault(&status)),
        }
    }

    fn request<Q>(&self, caller: &Caller, message: Q) -> Request<Q> {
        let mut request = Request::new(message);
        let metadata = request.metadata_mut();
        self.authorize(metadata);
        put(metadata, REQUEST_ID, Some(&caller.request_id));
        put(metadata, INVOCATION_ID, Some(&caller.invocation_id));
        put(metadata, PARTICIPANT_ID, caller.participant_id.as_deref());
        put(metadata, PARTICIPANT_TOKEN, caller.participant_token.as_deref());
        request
    }

    fn authorize(&self, metadata: &mut MetadataMap) {
        if let Some(token) = &self.token {
            metadata.insert("authorization", token.clone());
        }
    }

    /// What a status says to our callers. The names of the call come back with every answer of the application; without
    /// them somebody on the way has spoken.
    fn fault(&self, status: &Status) -> Error {
        let refused = status.metadata().get(REQUEST_ID).and_then(|_| status::error(status));
        if let Some(refusal) = refused {
            return refusal;
        }
        let server = format!("the campaign server at `{}`", self.address);
        let (code, message) = match status.code() {
            Code::Unauthenticated | Code::PermissionDenied => {
                (Wrong::PermissionDenied, format!("{server} refuses: {}", status.message()))
            }
            Code::ResourceExhausted => {
                (Wrong::ResourceExhausted, format!("{server} refuses: {}", status.message()))
            }
            _ if is_late(status) => {
                let seconds = DEADLINE.as_secs();
                (Wrong::Unavailable, format!("{server} did not answer within {seconds} s"))
            }
            Code::Unimplemented => {
                (Wrong::Internal, format!("{server} does not know what it was asked"))
            }
            _ => (Wrong::Unavailable, format!("{server} cannot be reached")),
        };
        Error::new(code, message).caused_by(status.clone())
    }

    fn campaigns(&self) -> CampaignServiceClient<Channel> {
        CampaignServiceClient::new(self.channel.clone()).max_decoding_message_size(MESSAGE_BYTES)
    }

    fn sessions(&self) -> SessionServiceClient<Channel> {
        SessionServiceClient::new(self.channel.clone())
    }

    fn duality(&self) -> DualityServiceClient<Channel> {
        DualityServiceClient::new(self.channel.clone())
    }
}

/// The deadline also holds for finding the server, which the library does not count.
async fn within<A>(
    answer: impl Future<Output = Result<Response<A>, Status>>,
) -> Result<Response<A>, Status> {
    let answer = tokio::time::timeout(DEADLINE, answer).await;
    answer.unwrap_or_else(|_| Err(Status::deadline_exceeded("no answer")))
}

/// Whether the time was up, by our own clock or by the library's, which calls it cancelled.
fn is_late(status: &Status) -> bool {
    let mut causes = std::iter::successors(status.source(), |&cause| cause.source());
    let cut_off = causes.any(|cause| cause.downcast_ref::<TimeoutExpired>().is_some());
    cut_off || status.code() == Code::DeadlineExceeded
}

/// What a header cannot carry is escaped: an odd id must stay the id of nobody, not become no id at all.
fn put(metadata: &mut MetadataMap, name: &'static str, text: Option<&str>) {
    let Some(text) = text.filter(|text| !text.is_empty()) else { return };
    if let Ok(value) = utf8_percent_encode(text, CONTROLS).to_string().parse() {
        metadata.insert(name, value);
    }
}

/// Longer and longer pauses between tries.
#[derive(Debug)]
struct Pause(Duration);

impl Default for Pause {
    fn default() -> Self {
        Self(FIRST_PAUSE)
    }
}

impl Pause {
    async fn wait(&mut self) {
        tokio::time::sleep(self.0).await;
        self.0 = (self.0 * 2).min(LONGEST_PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remote() -> Remote {
        Remote::new("localhost:1", None).unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_says_nothing_is_given_five_seconds() {
        let start = tokio::time::Instant::now();
        let silence = within(std::future::pending::<Result<Response<()>, Status>>()).await;
        assert_eq!(start.elapsed(), Duration::from_secs(5));
        let fault = remote().fault(&silence.unwrap_err());
        assert_eq!(fault.code, Wrong::Unavailable);
        let wanted = "the campaign server at `localhost:1` did not answer within 5 s";
        assert_eq!(fault.message, wanted);
    }

    #[tokio::test(start_paused = true)]
    async fn the_pauses_between_tries_grow_to_a_second() {
        let (mut pause, mut waited) = (Pause::default(), Vec::new());
        for _ in 0..5 {
            let start = tokio::time::Instant::now();
            pause.wait().await;
            waited.push(start.elapsed().as_millis());
        }
        assert_eq!(waited, [200, 400, 800, 1000, 1000]);
    }

    #[tokio::test]
    async fn what_somebody_on_the_way_says_is_not_taken_for_a_refusal() {
        let lost = remote().fault(&Status::not_found("no such page"));
        assert_eq!(lost.code, Wrong::Unavailable);
        let mut ours = Status::not_found("campaign not found");
        ours.metadata_mut().insert("x-duality-request-id", "req-1".parse().unwrap());
        assert_eq!(remote().fault(&ours).code, Wrong::NotFound);
    }
}
