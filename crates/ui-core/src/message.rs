//! Messages between browser and server, and batches of them.
//!
//! [`Message`] is any message, in either direction; [`Message::parse`] reads one and serde writes it. [`Batch::parse`] reads what
//! a browser sends: a message that cannot be read stands in its place as a [`BadMessage`], so that the others
//! count. [`parse_frame`] reads what the server sends, for clients written in Rust and for tests. The engine writes its
//! frames without going through these types.

use std::borrow::Cow;

use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::error::Code;
use crate::ids::{ObjId, WireId};
use crate::value::Value;

/// Properties as they cross the wire: in the order given, names perhaps with a priority suffix.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Properties(pub Vec<(String, String)>);

/// One message.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "type", content = "data", rename_all = "camelCase")]
pub enum Message {
    /// A browser makes a variable.
    Create(Create),
    /// A value or properties changed; from a browser, a write.
    Update(Update),
    /// A browser wants the updates of a variable, and all of it now.
    Watch(Target),
    /// A browser wants them no more.
    Unwatch(Target),
    /// A variable goes (browser) or is gone (server).
    Destroy(Target),
    /// Something went wrong.
    Error(ErrorMessage),
    /// A browser asks for variables.
    Get(Get),
    /// The answer to it, which is also called `get`.
    #[serde(rename = "get")]
    Got(Got),
    /// A browser asks for objects.
    GetObjects(GetObjects),
    /// The answer to it, which is also called `getObjects`.
    #[serde(rename = "getObjects")]
    GotObjects(GotObjects),
}

/// `create`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Create {
    /// Chosen by the browser, from 2.
    pub id: WireId,
    /// 0 or absent: none.
    #[serde(default, deserialize_with = "null_is_default")]
    pub parent_id: WireId,
    /// `path` and the rest.
    #[serde(default, deserialize_with = "null_is_default")]
    pub properties: Properties,
    /// What to write at once.
    #[serde(default, deserialize_with = "some", skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// Do not watch it.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "is_false")]
    pub nowatch: bool,
    /// It shows no path: it keeps the value that was written to it.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "is_false")]
    pub unbound: bool,
}

/// `update`. From the server, with neither value nor properties: forget and ask again.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Update {
    /// The variable.
    pub var_id: WireId,
    /// Absent: unchanged. `Some(Value::Null)`: null.
    #[serde(default, deserialize_with = "some", skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// Changed ones only; an empty text unsets.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "Properties::is_empty"
    )]
    pub properties: Properties,
}

impl Update {
    /// Whether it says "forget and ask again".
    pub fn asks_again(&self) -> bool {
        self.value.is_none() && self.properties.is_empty()
    }
}

/// `watch`, `unwatch`, `destroy`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Target {
    /// The variable.
    pub var_id: WireId,
}

/// `error`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorMessage {
    /// 0 or absent: the whole message.
    #[serde(default)]
    pub var_id: WireId,
    /// A [`Code`]; a browser may report others.
    #[serde(default)]
    pub code: String,
    /// What happened.
    #[serde(default)]
    pub description: String,
}

/// `get`, asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Get {
    /// The variables.
    pub var_ids: Vec<WireId>,
}

/// `get`, answered.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Got {
    /// Those that exist, in the order asked.
    pub variables: Vec<GotVariable>,
}

/// One variable of an answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GotVariable {
    /// Which.
    pub id: WireId,
    /// Its last value.
    pub value: Value,
    /// All its properties.
    pub properties: Properties,
}

/// `getObjects`, asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GetObjects {
    /// The objects.
    pub obj_ids: Vec<ObjId>,
}

/// `getObjects`, answered.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GotObjects {
    /// Those that live, in the order asked.
    pub objects: Vec<GotObject>,
}

/// One object of an answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GotObject {
    /// Which.
    pub obj: ObjId,
    /// Its fields ([`Value::Record`]) or elements ([`Value::Array`]), one level deep.
    pub value: Value,
}

/// Why a message cannot be read; the engine answers it with `error`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text}")]
pub struct BadMessage {
    /// The variable it was about, if that much could be read.
    pub var_id: WireId,
    /// Always [`Code::BadMessage`] so far.
    pub code: Code,
    /// What is wrong, and with what.
    pub text: String,
}

impl Message {
    /// Reads one message.
    pub fn parse(text: &str) -> Result<Self, BadMessage> {
        /// An envelope that may hold anything.
        #[derive(Deserialize)]
        struct Envelope<'a> {
            #[serde(borrow, default, rename = "type")]
            kind: Option<Cow<'a, str>>,
            #[serde(borrow, default)]
            data: Option<&'a RawValue>,
        }
        let envelope: Envelope<'_> =
            serde_json::from_str(text).map_err(|error| bad(format!("no message: {error}")))?;
        let kind = envelope.kind.ok_or_else(|| bad("a message without `type`".to_owned()))?;
        let data = envelope.data.map_or("{}", RawValue::get);
        match &*kind {
            "create" => read(&kind, data).map(Self::Create),
            "update" => read(&kind, data).map(Self::Update),
            "watch" => read(&kind, data).map(Self::Watch),
            "unwatch" => read(&kind, data).map(Self::Unwatch),
            "destroy" => read(&kind, data).map(Self::Destroy),
            "error" => read(&kind, data).map(Self::Error),
            "get" if has_field(data, "variables") => read(&kind, data).map(Self::Got),
            "get" => read(&kind, data).map(Self::Get),
            "getObjects" if has_field(data, "objects") => read(&kind, data).map(Self::GotObjects),
            "getObjects" => read(&kind, data).map(Self::GetObjects),
            other => Err(BadMessage {
                var_id: target_of(data),
                code: Code::BadMessage,
                text: format!("no message type `{}`", shown(other)),
            }),
        }
    }
}

/// What a browser sends at once.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Batch {
    /// A person did something: answer at once.
    pub user_event: bool,
    /// In the order sent.
    pub messages: Vec<Result<Message, BadMessage>>,
}

impl Batch {
    /// Reads `{"userEvent": bool, "messages": [...]}`, a bare message, or a bare array of messages. What cannot be read at
    /// all is a batch of one bad message.
    pub fn parse(text: &str) -> Self {
        /// A batch, seen from outside.
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Envelope<'a> {
            #[serde(default, deserialize_with = "null_is_default")]
            user_event: bool,
            #[serde(borrow, default)]
            messages: Option<Vec<&'a RawValue>>,
        }
        let broken = |error: serde_json::Error| Self {
            user_event: false,
            messages: vec![Err(bad(format!("no batch: {error}")))],
        };
        let parse =
            |raw: Vec<&RawValue>| raw.into_iter().map(|raw| Message::parse(raw.get())).collect();
        if text.trim_start().starts_with('[') {
            return match serde_json::from_str::<Vec<&RawValue>>(text) {
                Ok(raw) => Self { user_event: false, messages: parse(raw) },
                Err(error) => broken(error),
            };
        }
        match serde_json::from_str::<Envelope<'_>>(text) {
            Ok(Envelope { user_event, messages: Some(raw) }) => {
                Self { user_event, messages: parse(raw) }
            }
            Ok(_) => Self { user_event: false, messages: vec![Message::parse(text)] },
            Err(error) => broken(error),
        }
    }
}

impl FromIterator<Message> for Batch {
    fn from_iter<I: IntoIterator<Item = Message>>(messages: I) -> Self {
        Self { user_event: false, messages: messages.into_iter().map(Ok).collect() }
    }
}

/// Reads a frame of the server: one message, or an array of them.
pub fn parse_frame(text: &str) -> Result<Vec<Message>, BadMessage> {
    Batch::parse(text).messages.into_iter().collect()
}

impl Properties {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of `name`; the last one counts.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Properties {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(properties: I) -> Self {
        Self(properties.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

impl Serialize for Properties {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for Properties {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Map;
        impl<'de> Visitor<'de> for Map {
            type Value = Properties;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object of strings")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Properties, A::Error> {
                let mut properties = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Option<Loose>>()? {
                    properties.push((name, value.map_or(String::new(), |Loose(text)| text)));
                }
                Ok(Properties(properties))
            }
        }
        deserializer.deserialize_map(Map)
    }
}

/// A property's value: a string; booleans and numbers are taken by their text.
struct Loose(String);

impl<'de> Deserialize<'de> for Loose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Text(text) => Ok(Self(text.into())),
            Value::Null => Ok(Self(String::new())),
            value @ (Value::Bool(_) | Value::Int(_) | Value::Float(_)) => {
                Ok(Self(value.to_string()))
            }
            _ => Err(serde::de::Error::custom("the value of a property is a string")),
        }
    }
}

fn read<T: DeserializeOwned>(kind: &str, data: &str) -> Result<T, BadMessage> {
    serde_json::from_str(data).map_err(|error| BadMessage {
        var_id: target_of(data),
        code: Code::BadMessage,
        text: format!("`{kind}` cannot be read: {error}"),
    })
}

/// The variable that unreadable data is about, as far as it says.
fn target_of(data: &str) -> WireId {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Target<'a> {
        #[serde(borrow, default)]
        var_id: Option<&'a RawValue>,
        #[serde(borrow, default)]
        id: Option<&'a RawValue>,
    }
    let Ok(target) = serde_json::from_str::<Target<'_>>(data) else { return WireId::NONE };
    let id = target.var_id.or(target.id).and_then(|raw| raw.get().parse().ok());
    id.map_or(WireId::NONE, WireId)
}

/// Whether `text` is an object that has `field`, without reading what it holds.
fn has_field(text: &str, field: &str) -> bool {
    struct Fields<'a>(&'a str);
    impl<'de> Visitor<'de> for Fields<'_> {
        type Value = bool;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<bool, A::Error> {
            let mut found = false;
            while let Some(name) = map.next_key::<Cow<'_, str>>()? {
                found |= name == self.0;
                map.next_value::<serde::de::IgnoredAny>()?;
            }
            Ok(found)
        }
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    Deserializer::deserialize_map(&mut deserializer, Fields(field)).unwrap_or(false)
}

fn bad(text: String) -> BadMessage {
    BadMessage { var_id: WireId::NONE, code: Code::BadMessage, text }
}

/// A name for a message: cut, since it may be anything.
fn shown(name: &str) -> String {
    name.chars().take(60).collect()
}

/// Tells `null` from absent: a field with this is `Some` when it is there.
fn some<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

fn null_is_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_false(flag: &bool) -> bool {
    !*flag
}
