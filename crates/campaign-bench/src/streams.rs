//! gRPC as bytes: as many calls in flight as the others have, on streams of one connection.
//!
//! A comfortable client costs as much as the server and would be what is measured, so this one knows just enough of
//! HTTP/2. It does what every client does: headers that repeat are sent by their number, and what is ready at the same
//! time is written at once. Every answer is read whole.

use std::{
    collections::HashMap,
    io::{ErrorKind, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    time::Instant,
};

use anyhow::{Context as _, bail, ensure};
use bench_kit::{Limits, Placement, Sample};
use campaign_proto::{
    campaign::v1::{CreateParticipantRequest, CreateParticipantResponse, ParticipantRole},
    duality::v1::{ActionRollRequest, ActionRollResponse},
};
use prost::Message;

use crate::task::{DIFFICULTY, MODIFIER, PLAYER, Task};

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const WINDOW_UPDATE: u8 = 8;
const ACK: u8 = 1;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
/// Before each message: not compressed, and its length.
const PREFIX: usize = 5;
const HEAD: usize = 9;

/// Repeats one call.
pub(crate) struct GrpcLoad {
    address: SocketAddr,
    placement: Placement,
    task: Task,
    /// What tells the server the headers by their numbers, and the message.
    body: Vec<u8>,
}

/// A run on a connection of its own: while the others are measured, nobody would answer the server's pings.
struct Run<'a> {
    load: &'a GrpcLoad,
    stream: TcpStream,
    /// To be written at once.
    out: Vec<u8>,
    /// When each call was sent, by its stream; nothing once its answer is there.
    flying: HashMap<u32, Option<Instant>>,
    next_stream: u32,
    sample: Sample,
}

impl GrpcLoad {
    pub(crate) fn new(
        address: SocketAddr,
        task: Task,
        campaign: &str,
        placement: Placement,
    ) -> Self {
        let message = match task {
            Task::Roll => ActionRollRequest {
                modifier: MODIFIER,
                difficulty: Some(DIFFICULTY),
                ..ActionRollRequest::default()
            }
            .encode_to_vec(),
            Task::Join => CreateParticipantRequest {
                campaign_id: campaign.to_owned(),
                display_name: PLAYER.to_owned(),
                role: ParticipantRole::Player.into(),
                ..CreateParticipantRequest::default()
            }
            .encode_to_vec(),
        };
        let length = u32::try_from(message.len()).unwrap_or(u32::MAX);
        let body = [&[0], &length.to_be_bytes()[..], &message].concat();
        Self { address, placement, task, body }
    }

    pub(crate) fn run(&mut self, limits: Limits) -> anyhow::Result<Sample> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_nodelay(true)?;
        let mut hello = PREFACE.to_vec();
        frame(&mut hello, SETTINGS, 0, 0, &[]);
        // More than all answers together, so that the server never has to wait for room.
        frame(&mut hello, WINDOW_UPDATE, 0, 0, &0x7fff_0000_u32.to_be_bytes());
        stream.write_all(&hello)?;
        // A load that has a core of its own stays awake on it, as the one over HTTP does.
        stream.set_nonblocking(self.placement.is_apart())?;
        let (out, flying, sample) = (Vec::new(), HashMap::new(), Sample::default());
        Run { load: self, stream, out, flying, next_stream: 1, sample }.go(limits)
    }

    fn path(&self) -> &'static str {
        match self.task {
            Task::Roll => "/duality.v1.DualityService/ActionRoll",
            Task::Join => "/campaign.v1.CampaignService/CreateParticipant",
        }
    }

    /// Fails unless the message is one that only a success has.
    fn check(&self, data: &[u8]) -> anyhow::Result<()> {
        let message = data.get(PREFIX..).context("an answer without a message")?;
        let right = match self.task {
            Task::Roll => ActionRollResponse::decode(message)?.hope > 0,
            Task::Join => CreateParticipantResponse::decode(message)?.participant.is_some(),
        };
        ensure!(right, "not the answer to the call");
        Ok(())
    }
}

impl Run<'_> {
    fn go(mut self, limits: Limits) -> anyhow::Result<Sample> {
        let began = Instant::now();
        let most = u32::try_from(limits.calls)?;
        let mut buffer = vec![0; 64 * 1024];
        let mut filled = 0;
        (0..limits.in_flight).for_each(|_| self.call());
        while !self.flying.is_empty() {
            let out = std::mem::take(&mut self.out);
            self.write(&out)?;
            filled += self.read(&mut buffer[filled..])?;
            let mut used = 0;
            while let Some(end) = whole_frame(&buffer[used..filled]) {
                if self.take(&buffer[used..used + end])?
                    && self.next_stream / 2 < most
                    && began.elapsed() < limits.time
                {
                    self.call();
                }
                used += end;
            }
            buffer.copy_within(used..filled, 0);
            filled -= used;
        }
        self.sample.elapsed = began.elapsed();
        Ok(self.sample)
    }

    fn call(&mut self) {
        let id = self.next_stream;
        let block = if id == 1 { first_headers(self.load) } else { REPEATED.to_vec() };
        frame(&mut self.out, HEADERS, END_HEADERS, id, &block);
        frame(&mut self.out, DATA, END_STREAM, id, &self.load.body);
        self.flying.insert(id, Some(Instant::now()));
        self.next_stream += 2;
    }

    /// Looks at one frame; `true` if it ends a call.
    fn take(&mut self, whole: &[u8]) -> anyhow::Result<bool> {
        let (kind, flags) = (whole[3], whole[4]);
        let id = u32::from_be_bytes([whole[5] & 0x7f, whole[6], whole[7], whole[8]]);
        let payload = &whole[HEAD..];
        match kind {
            DATA if !payload.is_empty() => {
                self.load.check(payload)?;
                let sent = self.flying.get_mut(&id).and_then(Option::take);
                self.sample.latencies.push(sent.context("an answer to nothing")?.elapsed());
            }
            HEADERS if flags & END_STREAM != 0 => {
                // A failure has no message before its trailers.
                ensure!(self.flying.remove(&id) == Some(None), "a call failed");
                return Ok(true);
            }
            SETTINGS if flags & ACK == 0 => frame(&mut self.out, SETTINGS, ACK, 0, &[]),
            PING if flags & ACK == 0 => frame(&mut self.out, PING, ACK, 0, payload),
            DATA | HEADERS | SETTINGS | PING | WINDOW_UPDATE => {}
            other => bail!("the server sent a frame of type {other}"),
        }
        Ok(false)
    }

    fn read(&mut self, room: &mut [u8]) -> anyhow::Result<usize> {
        match self.stream.read(room) {
            Ok(0) => bail!("the server closed the connection"),
            Ok(read) => Ok(read),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
            Err(error) => Err(error.into()),
        }
    }

    fn write(&mut self, mut bytes: &[u8]) -> anyhow::Result<()> {
        while !bytes.is_empty() {
            match self.stream.write(bytes) {
                Ok(written) => bytes = &bytes[written..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

/// How long the frame at the start of `bytes` is, if it is there to its end.
fn whole_frame(bytes: &[u8]) -> Option<usize> {
    let length = u32::from_be_bytes([0, *bytes.first()?, *bytes.get(1)?, *bytes.get(2)?]);
    let end = HEAD + usize::try_from(length).ok()?;
    (bytes.len() >= end).then_some(end)
}

fn frame(out: &mut Vec<u8>, kind: u8, flags: u8, stream: u32, payload: &[u8]) {
    let length = u32::try_from(payload.len()).unwrap_or(u32::MAX).to_be_bytes();
    out.extend_from_slice(&[length[1], length[2], length[3], kind, flags]);
    out.extend_from_slice(&stream.to_be_bytes());
    out.extend_from_slice(payload);
}

/// `POST` over `http`, then the five headers below by the numbers that they got, the first the highest.
const REPEATED: [u8; 7] = [0x83, 0x86, 0xc2, 0xc1, 0xc0, 0xbf, 0xbe];

/// The headers in full, each to be remembered by the server.
fn first_headers(load: &GrpcLoad) -> Vec<u8> {
    let mut block = REPEATED[..2].to_vec();
    let mut text = |name: u8, values: &[&str]| {
        block.push(0x40 | name);
        for value in values {
            block.push(u8::try_from(value.len()).unwrap_or(u8::MAX));
            block.extend_from_slice(value.as_bytes());
        }
    };
    // The numbers that HTTP/2 itself gives to the names of headers; `te` has none.
    let (authority, path, content_type, user_agent) = (1, 4, 31, 58);
    text(path, &[load.path()]);
    text(authority, &[&load.address.to_string()]);
    text(content_type, &["application/grpc"]);
    text(0, &["te", "trailers"]);
    text(user_agent, &["campaign-bench/1.0"]);
    block
}
