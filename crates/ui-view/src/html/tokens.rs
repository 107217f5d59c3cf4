//! The tokens of an HTML text, with the bytes each was made of.
//!
//! A thin layer over `html5gum`: a start tag comes as one token that keeps the order of its attributes, as written.

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Error, Span, Tokenizer};

#[derive(Debug)]
pub(super) enum Token {
    Start(Start),
    End { name: String, at: usize },
    Text { value: String, at: usize },
    Error { error: Error, at: usize },
}

#[derive(Debug, Default)]
pub(super) struct Start {
    pub(super) name: String,
    pub(super) attributes: Vec<RawAttribute>,
    pub(super) self_closing: bool,
    pub(super) at: usize,
}

#[derive(Debug)]
pub(super) struct RawAttribute {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) at: usize,
    /// Where the value begins, if there is one.
    pub(super) value_at: Option<usize>,
}

/// All tokens of `source` in their order; comments and document types are left out.
pub(super) fn tokens(source: &str) -> Vec<Token> {
    let mut tag = Start::default();
    let mut emitter =
        CallbackEmitter::new(|event: CallbackEvent<'_>, span: Span<usize>| match event {
            CallbackEvent::OpenStartTag { name } => {
                tag = Start { name: text(name), at: span.start, ..Start::default() };
                None
            }
            CallbackEvent::AttributeName { name } => {
                tag.attributes.push(RawAttribute {
                    name: text(name),
                    value: String::new(),
                    at: span.start,
                    value_at: None,
                });
                None
            }
            CallbackEvent::AttributeValue { value } => {
                if let Some(attribute) = tag.attributes.last_mut() {
                    attribute.value = text(value);
                    attribute.value_at = Some(span.start);
                }
                None
            }
            CallbackEvent::CloseStartTag { self_closing } => {
                Some(Token::Start(Start { self_closing, ..std::mem::take(&mut tag) }))
            }
            CallbackEvent::EndTag { name } => {
                tag = Start::default();
                Some(Token::End { name: text(name), at: span.start })
            }
            CallbackEvent::String { value } => {
                Some(Token::Text { value: text(value), at: span.start })
            }
            // A quote that is never closed swallows the rest: its beginning is what helps, not the end of the text.
            CallbackEvent::Error(error @ Error::EofInTag) if !tag.name.is_empty() => {
                Some(Token::Error { error, at: tag.at + 1 })
            }
            CallbackEvent::Error(error) => Some(Token::Error { error, at: span.start }),
            CallbackEvent::Comment { .. } | CallbackEvent::Doctype { .. } => None,
        });
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(source, emitter)
        .map(|token| match token {
            Ok(token) => token,
        })
        .collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
