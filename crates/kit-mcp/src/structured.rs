//! An object as the answer of a tool: as structured content, and the same as text for clients that know only that.
//!
//! Both are one piece of JSON, and it is written once. rmcp's result has structured content as a tree of values, which
//! would be built, printed and taken apart for each call; so until somebody looks, a result only notes that its text is
//! its structure, or has the structure as text. Our transports put the answer together from that ([`encode`]); where rmcp
//! writes the answer, the tree is made after all ([`complete`]).

use std::{io, sync::LazyLock};

use rmcp::{
    ErrorData,
    model::{CallToolResult, ContentBlock, RequestId},
};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

/// Stands in the place of structured content that the text has, or before structured content that is printed already.
/// Nobody can foresee it, so nothing that a caller sends and a tool gives back is taken for it.
static PRINTED: LazyLock<String> = LazyLock::new(|| Uuid::new_v4().to_string());

/// A success with `value` as its content. For tools alone: until it is answered, its structured content is not to be read.
pub fn structured(value: &impl Serialize) -> Result<CallToolResult, ErrorData> {
    let text = serde_json::to_string(value).map_err(unwritable)?;
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(Value::String(PRINTED.clone()));
    Ok(result)
}

/// The same with a text that is indented, where a specification wants it for people.
pub fn structured_indented(value: &impl Serialize) -> Result<CallToolResult, ErrorData> {
    let text = serde_json::to_string_pretty(value).map_err(unwritable)?;
    // Less than the indented one, so that it is not moved while it grows.
    let mut printed = Vec::with_capacity(PRINTED.len() + text.len());
    printed.extend_from_slice(PRINTED.as_bytes());
    serde_json::to_writer(&mut printed, value).map_err(unwritable)?;
    let printed = String::from_utf8(printed).map_err(unwritable)?;
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(Value::String(printed));
    Ok(result)
}

fn unwritable<E>(_: E) -> ErrorData {
    ErrorData::internal_error("the answer cannot be written as JSON", None)
}

/// The JSON that is the structured content, if it is printed already.
fn printed(result: &CallToolResult) -> Option<&str> {
    let Some(Value::String(content)) = &result.structured_content else { return None };
    match (content.strip_prefix(PRINTED.as_str())?, &*result.content) {
        ("", [ContentBlock::Text(block)]) => Some(&block.text),
        ("", _) => None,
        (printed, _) => Some(printed),
    }
}

/// Makes the structured content a tree, as everybody else expects it.
pub(crate) fn complete(result: &mut CallToolResult) {
    if let Some(text) = printed(result) {
        result.structured_content = serde_json::from_str(text).ok();
    }
}

/// The whole answer to request `id`, if its structured content is printed already.
pub(crate) fn encode(id: &RequestId, result: &CallToolResult) -> Option<Vec<u8>> {
    let text = printed(result)?;
    let mut json = Vec::with_capacity(2 * text.len() + 192);
    write(&mut json, id, result, text).ok()?;
    Some(json)
}

/// Field by field in the order in which rmcp has them.
fn write(
    json: &mut Vec<u8>,
    id: &RequestId,
    result: &CallToolResult,
    text: &str,
) -> io::Result<()> {
    json.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    serde_json::to_writer(&mut *json, id)?;
    json.extend_from_slice(br#","result":{"#);
    if let Some(kind) = &result.result_type {
        json.extend_from_slice(br#""resultType":"#);
        serde_json::to_writer(&mut *json, kind)?;
        json.push(b',');
    }
    json.extend_from_slice(br#""content":"#);
    serde_json::to_writer(&mut *json, &result.content)?;
    json.extend_from_slice(br#","structuredContent":"#);
    json.extend_from_slice(text.as_bytes());
    if let Some(is_error) = result.is_error {
        json.extend_from_slice(br#","isError":"#);
        serde_json::to_writer(&mut *json, &is_error)?;
    }
    if let Some(meta) = &result.meta {
        json.extend_from_slice(br#","_meta":"#);
        serde_json::to_writer(&mut *json, meta)?;
    }
    json.extend_from_slice(b"}}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use rmcp::model::{MetaObject, ServerJsonRpcMessage, ServerResult};
    use serde_json::json;

    use super::*;

    fn encoded(result: CallToolResult) -> String {
        let id = RequestId::Number(7);
        let message = ServerJsonRpcMessage::response(ServerResult::CallToolResult(result), id);
        serde_json::to_string(&message).unwrap()
    }

    #[test]
    fn an_answer_is_written_as_rmcp_would() {
        let mut result = structured(&json!({"b": "\"quoted\"\n", "a": [1, 2.5, null]})).unwrap();
        let mut meta = MetaObject::new();
        meta.0.insert("request_id".to_owned(), "r".into());
        for meta in [None, Some(meta)] {
            result.meta = meta;
            for kind in [result.result_type.clone(), None] {
                result.result_type = kind;
                let quick = encode(&RequestId::Number(7), &result).unwrap();
                let mut whole = result.clone();
                complete(&mut whole);
                assert_eq!(String::from_utf8(quick).unwrap(), encoded(whole));
            }
        }
    }

    #[test]
    fn an_indented_text_leaves_the_structure_in_one_line() {
        let value = json!({"b": "\"quoted\"\n", "a": [1, 2.5, null]});
        let mut result = structured_indented(&value).unwrap();
        let quick = encode(&RequestId::Number(7), &result).unwrap();
        assert!(!quick.contains(&b'\n'));
        complete(&mut result);
        assert_eq!(result.structured_content, Some(value.clone()));
        let text = serde_json::to_string_pretty(&value).unwrap();
        assert_eq!(result.content, [ContentBlock::text(text)]);
        assert_eq!(String::from_utf8(quick).unwrap(), encoded(result));
    }

    #[test]
    fn what_is_not_in_the_text_is_left_as_it_is() {
        let mut result = CallToolResult::success(vec![ContentBlock::text("[1]")]);
        for content in [None, Some(json!("a string")), Some(json!({"a": 1}))] {
            result.structured_content = content.clone();
            assert_eq!(encode(&RequestId::Number(7), &result), None);
            complete(&mut result);
            assert_eq!(result.structured_content, content);
        }
    }
}
