//! Why a call was refused, as gRPC says it: the code and the exact message; the field and the way out in metadata.

use std::error::Error as _;

use campaign_core::Code;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use tonic::{Status, metadata::MetadataMap};

use crate::Error;

const FIELD: &str = "x-duality-error-field";
const HINT: &str = "x-duality-error-hint";
/// As gRPC escapes messages: readable wherever a header allows it.
const ESCAPED: &AsciiSet = &CONTROLS.add(b'%');

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        if error.code == Code::Internal {
            tracing::error!(causes = causes(&error), "internal fault");
        }
        let mut status = Self::new(number(error.code), error.message);
        write(status.metadata_mut(), FIELD, error.field.as_deref());
        write(status.metadata_mut(), HINT, error.hint.as_deref());
        status
    }
}

/// What a server of ours meant by a status; nothing for one that our services never give.
pub(crate) fn error(status: &Status) -> Option<Error> {
    let code = Code::ALL.into_iter().find(|code| number(*code) == status.code())?;
    let mut error = Error::new(code, status.message().to_owned());
    error.field = read(status.metadata(), FIELD).map(Into::into);
    error.hint = read(status.metadata(), HINT).map(Into::into);
    Some(error)
}

/// The error and everything below it, which only the log may tell.
fn causes(error: &Error) -> String {
    let below = std::iter::successors(error.source(), |&cause| cause.source());
    below.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

fn number(code: Code) -> tonic::Code {
    match code {
        Code::InvalidArgument => tonic::Code::InvalidArgument,
        Code::NotFound => tonic::Code::NotFound,
        Code::FailedPrecondition => tonic::Code::FailedPrecondition,
        Code::ResourceExhausted => tonic::Code::ResourceExhausted,
        Code::PermissionDenied => tonic::Code::PermissionDenied,
        Code::Internal => tonic::Code::Internal,
        Code::Unavailable => tonic::Code::Unavailable,
    }
}

fn write(metadata: &mut MetadataMap, name: &'static str, text: Option<&str>) {
    let escaped = text.map(|text| utf8_percent_encode(text, ESCAPED).to_string());
    if let Some(Ok(value)) = escaped.map(TryInto::try_into) {
        metadata.insert(name, value);
    }
}

fn read(metadata: &MetadataMap, name: &str) -> Option<String> {
    let text = metadata.get(name)?.to_str().ok()?;
    percent_decode_str(text).decode_utf8().ok().map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_survives_the_way_there_and_back() {
        for code in Code::ALL {
            let sent = Error::new(code, "`name` is 100 % wrong…").field("name").hint("try é");
            let got = error(&Status::from(sent.clone())).unwrap();
            assert_eq!((got.code, &got.message), (sent.code, &sent.message));
            assert_eq!((got.field, got.hint), (sent.field, sent.hint));
        }
    }

    #[test]
    fn a_status_of_somebody_else_is_no_refusal_of_ours() {
        assert!(error(&Status::cancelled("gone")).is_none());
    }
}
