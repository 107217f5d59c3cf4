//! Members of an answer that a specification wants and the protocol's types do not have.
//!
//! rmcp's types are closed: a resource has no `type`, a result of `resources/read` no `isError`. An application hangs
//! such a member on the value it belongs to ([`Members::with_member`]); it travels in `_meta`, under a name that nobody
//! can foresee, and takes its own place when the message is written ([`lift`]). The value of nobody who does not use
//! this is looked at.

use std::sync::OnceLock;

use memchr::memmem::Finder;
use rmcp::model::{MetaObject, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::{Map, Value, value::RawValue};
use uuid::Uuid;

/// A value of the protocol that can be given further members.
pub trait Members: Sized {
    /// Adds a member beside those that the protocol knows.
    #[must_use]
    fn with_member(mut self, name: &str, value: impl Into<Value>) -> Self {
        if let Some(meta) = self.meta_mut() {
            let mark = Mark::get();
            let meta = &mut meta.get_or_insert_default().0;
            if !meta.contains_key(&mark.name) {
                // In front, which is where it is looked for.
                meta.shift_insert(0, mark.name.clone(), Value::Object(Map::new()));
            }
            if let Some(members) = meta.get_mut(&mark.name) {
                members[name] = value.into();
            }
        }
        self
    }

    #[doc(hidden)]
    fn meta_mut(&mut self) -> Option<&mut Option<MetaObject>>;
}

macro_rules! with_meta {
    ($($kind:ty),*) => {$(
        impl Members for $kind {
            fn meta_mut(&mut self) -> Option<&mut Option<MetaObject>> {
                Some(&mut self.meta)
            }
        }
    )*};
}

with_meta!(ReadResourceResult, Resource, ResourceTemplate);

impl Members for ResourceContents {
    fn meta_mut(&mut self) -> Option<&mut Option<MetaObject>> {
        match self {
            Self::TextResourceContents { meta, .. } | Self::BlobResourceContents { meta, .. } => {
                Some(meta)
            }
            _ => None,
        }
    }
}

/// A title that stands for members, for the one value that has no `_meta`: what a server says of itself.
pub(crate) fn as_title(members: Map<String, Value>) -> String {
    format!("{}{}", Mark::get().name, Value::Object(members))
}

struct Mark {
    name: String,
    /// `"_meta":{"<name>":`
    meta: Finder<'static>,
    /// `"title":"<name>`
    title: Finder<'static>,
}

static MARK: OnceLock<Mark> = OnceLock::new();

impl Mark {
    fn get() -> &'static Self {
        MARK.get_or_init(|| {
            let name = Uuid::new_v4().to_string();
            // A quotation mark inside of a JSON string is escaped, so neither is ever found in one.
            let meta = Finder::new(&format!("\"_meta\":{{\"{name}\":")).into_owned();
            let title = Finder::new(&format!("\"title\":\"{name}")).into_owned();
            Self { name, meta, title }
        })
    }
}

/// Whether anything has been given members.
pub(crate) fn in_use() -> bool {
    MARK.get().is_some()
}

/// Puts members into their places in an encoded message.
pub(crate) fn lift(json: Vec<u8>) -> Vec<u8> {
    let Some(mark) = MARK.get() else { return json };
    if mark.meta.find(&json).is_none() && mark.title.find(&json).is_none() {
        return json;
    }
    let json = splice(&json, &mark.meta, |rest| {
        let members: &RawValue = first(rest)?;
        let length = members.get().len();
        let after = match rest.get(length)? {
            b',' => ",\"_meta\":{",
            _ => "",
        };
        Some((format!("{}{after}", inside(members.get())), mark.meta.needle().len() + length + 1))
    });
    splice(&json, &mark.title, |rest| {
        // The needle ends inside of the string; what follows is the rest of it.
        let quoted = [b"\"", rest].concat();
        let raw: &RawValue = first(&quoted)?;
        let members: String = serde_json::from_str(raw.get()).ok()?;
        let length = mark.title.needle().len() + raw.get().len() - 1;
        Some((inside(&members).to_owned(), length))
    })
}

/// Replaces what begins at each place of `needle`: told what follows the needle, `with` gives the text instead and how
/// many bytes, those of the needle counted, it stands for.
fn splice(
    json: &[u8],
    needle: &Finder<'_>,
    with: impl Fn(&[u8]) -> Option<(String, usize)>,
) -> Vec<u8> {
    let mut lifted = Vec::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = needle.find(rest) {
        let after = at + needle.needle().len();
        let Some((text, length)) = with(&rest[after..]) else { break };
        lifted.extend_from_slice(&rest[..at]);
        lifted.extend_from_slice(text.as_bytes());
        rest = &rest[at + length..];
    }
    lifted.extend_from_slice(rest);
    lifted
}

/// The JSON value that `json` begins with.
fn first(json: &[u8]) -> Option<&RawValue> {
    serde_json::Deserializer::from_slice(json).into_iter().next()?.ok()
}

fn inside(object: &str) -> &str {
    object.trim().trim_start_matches('{').strip_suffix('}').unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn lifted(value: &impl serde::Serialize) -> Value {
        let json = lift(serde_json::to_vec(value).unwrap());
        serde_json::from_slice(&json).unwrap_or_else(|error| {
            panic!("{error}: {}", String::from_utf8_lossy(&json));
        })
    }

    #[test]
    fn a_member_stands_beside_those_of_the_protocol() {
        let contents = ResourceContents::text("{\"a\":1}", "x://y")
            .with_member("type", "application/json")
            .with_member("metadata", json!({"usage": "say \"}\""}));
        let result = ReadResourceResult::new(vec![contents.clone(), contents]);
        let value = lifted(&result.with_member("isError", true));
        assert_eq!(value["isError"], true);
        for part in value["contents"].as_array().unwrap() {
            assert_eq!(part["type"], "application/json");
            assert_eq!(part["metadata"]["usage"], "say \"}\"");
            assert_eq!(part["text"], "{\"a\":1}");
            assert_eq!(part.get("_meta"), None);
        }
    }

    #[test]
    fn metadata_of_the_protocol_stays_where_it_is() {
        let mut resource = Resource::new("x://y", "y");
        resource.meta.get_or_insert_default().0.insert("mine".to_owned(), json!(1));
        let value = lifted(&resource.with_member("type", "package"));
        assert_eq!((&value["type"], &value["_meta"]), (&json!("package"), &json!({"mine": 1})));
    }

    #[test]
    fn a_server_has_members_too() {
        let mut server = rmcp::model::Implementation::new("a", "1");
        let Value::Object(members) = json!({"displayName": "A \"server\"", "title": "A"}) else {
            unreachable!()
        };
        server.title = Some(as_title(members));
        let value = lifted(&server);
        assert_eq!(value["displayName"], "A \"server\"");
        assert_eq!((&value["title"], &value["version"]), (&json!("A"), &json!("1")));
    }

    #[test]
    fn what_has_no_members_is_left_alone() {
        let said = "\"_meta\":{\"x\":{}} \"title\":\"y\"";
        let plain = serde_json::to_vec(&ResourceContents::text(said, "x://y")).unwrap();
        assert_eq!(lift(plain.clone()), plain);
    }
}
