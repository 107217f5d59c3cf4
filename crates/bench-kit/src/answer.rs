//! Reads HTTP answers: just enough of HTTP/1.1 for the servers measured here.

use anyhow::{Context, bail};

const HEADERS: usize = 32;

/// A complete answer at the start of a buffer.
#[derive(Debug)]
pub struct Answer<'a> {
    pub status: u16,
    pub session: Option<&'a str>,
    /// Everything after the headers; chunks keep their framing.
    pub body: &'a [u8],
}

impl<'a> Answer<'a> {
    /// `None` if more has to be read first.
    pub fn parse(buffer: &'a [u8]) -> anyhow::Result<Option<Self>> {
        let mut headers = [httparse::EMPTY_HEADER; HEADERS];
        let mut head = httparse::Response::new(&mut headers);
        let httparse::Status::Complete(start) = head.parse(buffer)? else {
            return Ok(None);
        };
        let status = head.code.context("an answer without a status")?;
        let header = |name: &str| {
            let found = head.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
            found.and_then(|header| std::str::from_utf8(header.value).ok())
        };
        let length = if let Some(length) = header("content-length") {
            Some(length.parse()?)
        } else if header("transfer-encoding").is_some() {
            chunked_len(&buffer[start..])?
        } else {
            Some(0)
        };
        let end = length.map(|length| start + length).filter(|end| *end <= buffer.len());
        let session = header("mcp-session-id");
        Ok(end.map(|end| Answer { status, session, body: &buffer[start..end] }))
    }

    pub fn expect_success(&self) -> anyhow::Result<()> {
        if !(200..300).contains(&self.status) {
            bail!("status {}: {}", self.status, String::from_utf8_lossy(self.body));
        }
        Ok(())
    }
}

/// The length of a chunked body up to and including its last chunk, if that is there.
fn chunked_len(body: &[u8]) -> anyhow::Result<Option<usize>> {
    let mut at = 0;
    loop {
        let Some((size, digits)) = chunk_size(&body[at..])? else {
            return Ok(None);
        };
        at += digits + size + 2;
        if at > body.len() {
            return Ok(None);
        }
        if size == 0 {
            return Ok(Some(at));
        }
    }
}

fn chunk_size(bytes: &[u8]) -> anyhow::Result<Option<(usize, usize)>> {
    match httparse::parse_chunk_size(bytes) {
        Ok(httparse::Status::Complete((digits, size))) => {
            Ok(Some((usize::try_from(size)?, digits)))
        }
        Ok(httparse::Status::Partial) => Ok(None),
        Err(_) => bail!("a chunk without a size"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHUNKED: &[u8] =
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nMcp-Session-Id: s1\r\n\r\n3\r\nabc\r\n0\r\n\r\n";

    #[test]
    fn an_answer_is_complete_only_with_its_last_byte() {
        let counted = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc";
        for whole in [&counted[..], CHUNKED] {
            for cut in 0..whole.len() {
                assert!(Answer::parse(&whole[..cut]).unwrap().is_none(), "cut at {cut}");
            }
            assert!(Answer::parse(whole).unwrap().is_some());
        }
    }

    #[test]
    fn the_session_is_found_whatever_the_case() {
        assert_eq!(Answer::parse(CHUNKED).unwrap().unwrap().session, Some("s1"));
    }
}
