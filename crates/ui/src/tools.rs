//! The tools, apart from how they are asked for: arguments in, answer out.
//!
//! MCP and `POST /api/TOOL` both come here, so that the same question has the same answer. Arguments are judged by hand,
//! because the words of their faults are fixed. Start at [`call`].

use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{Error, Service};

/// All tools, in the order in which an agent needs them.
pub(crate) const NAMES: [&str; 8] = [
    "ui_configure",
    "ui_start",
    "ui_status",
    "ui_run",
    "ui_upload_viewdef",
    "ui_look",
    "ui_wait",
    "ui_open_browser",
];

/// Agents read the resource; programs that have only HTTP ask for the same by this name.
pub(crate) const STATE: &str = "ui_get_state";

/// The session that is meant when none is named.
pub(crate) const FIRST: &str = "1";

/// Seconds that somebody waits for events who does not say how long.
pub(crate) const WAIT: u64 = 30;
/// The longest that anybody may wait for events.
pub(crate) const LONGEST_WAIT: u64 = 120;

/// What a tool gives: what was asked for, and what else should be known.
#[derive(Debug, PartialEq)]
pub(crate) struct Answer {
    pub(crate) result: Given,
    /// Each a remark of its own, for the agent.
    pub(crate) notes: Vec<String>,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Given {
    Text(String),
    Json(Value),
}

impl Answer {
    fn text(text: impl Into<String>) -> Self {
        Self { result: Given::Text(text.into()), notes: Vec::new() }
    }

    fn json(value: impl Serialize) -> Self {
        let value = serde_json::to_value(value).unwrap_or_default();
        Self { result: Given::Json(value), notes: Vec::new() }
    }

    fn noting(self, notes: Vec<String>) -> Self {
        Self { notes, ..self }
    }
}

/// Runs the tool `name`.
pub(crate) async fn call(
    service: &Service,
    name: &str,
    arguments: &Map<String, Value>,
) -> Result<Answer, Error> {
    let arguments = Arguments(arguments);
    // Whether it can be asked at all comes before how it was asked.
    if !NAMES.contains(&name) && name != STATE {
        return Err(Error::UnknownTool(name.to_owned()));
    }
    if !["ui_configure", "ui_start", "ui_status"].contains(&name) {
        service.running()?;
    }
    match name {
        "ui_configure" => {
            let logs = service.configure(arguments.required("base_dir")?).await?;
            let text = format!("Server configured. Log files created at {}", logs.display());
            Ok(Answer::text(text))
        }
        "ui_start" => {
            let started = service.start().await?;
            Ok(Answer::text(started.url).noting(started.notes))
        }
        "ui_status" => Ok(Answer::json(service.status())),
        "ui_run" => {
            // In the order in which an agent sees what is missing: what to run, then where.
            let code = arguments.required_even_empty("code")?;
            let session = arguments.session()?;
            let (result, notes) = service.run(session, code).await?;
            Ok(Answer::json(result).noting(notes))
        }
        "ui_upload_viewdef" => {
            let (kind, namespace) = (arguments.required("type")?, arguments.required("namespace")?);
            let content = arguments.required_even_empty("content")?;
            let notes = service.upload(kind, namespace, content).await?;
            Ok(Answer::text(format!("Viewdef {kind}.{namespace} uploaded")).noting(notes))
        }
        STATE => Ok(Answer::json(service.state(arguments.session()?).await?)),
        "ui_look" => {
            let session = arguments.session()?;
            Ok(Answer::text(service.look(session).await?))
        }
        "ui_wait" => {
            let (session, longest) = (arguments.session()?, arguments.seconds("timeout")?);
            Ok(Answer::json(service.wait(session, longest).await?))
        }
        "ui_open_browser" => {
            let session = arguments.session()?;
            let path = arguments.optional("path")?.unwrap_or("/");
            let conserve = arguments.truth("conserve")?.unwrap_or(true);
            let url = service.open_browser(session, path, conserve).await?;
            Ok(Answer::text(format!("Opened {url}")))
        }
        unknown => Err(Error::UnknownTool(unknown.to_owned())),
    }
}

/// What a caller gave.
struct Arguments<'a>(&'a Map<String, Value>);

impl<'a> Arguments<'a> {
    fn optional(&self, name: &'static str) -> Result<Option<&'a str>, Error> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Error::Argument { name, kind: "a string" }),
        }
    }

    fn required_even_empty(&self, name: &'static str) -> Result<&'a str, Error> {
        self.optional(name)?.ok_or(Error::Argument { name, kind: "a string" })
    }

    fn required(&self, name: &'static str) -> Result<&'a str, Error> {
        let text = self.required_even_empty(name)?;
        if text.is_empty() {
            return Err(Error::Argument { name, kind: "a string that is not empty" });
        }
        Ok(text)
    }

    fn session(&self) -> Result<&'a str, Error> {
        let named = self.optional("sessionId")?;
        Ok(named.filter(|id| !id.is_empty()).unwrap_or(FIRST))
    }

    fn truth(&self, name: &'static str) -> Result<Option<bool>, Error> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(truth)) => Ok(Some(*truth)),
            Some(_) => Err(Error::Argument { name, kind: "a boolean" }),
        }
    }

    fn seconds(&self, name: &'static str) -> Result<Duration, Error> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(Duration::from_secs(WAIT)),
            Some(value) => {
                let seconds = value.as_f64().filter(|seconds| seconds.is_finite());
                let seconds = seconds.ok_or(Error::Argument { name, kind: "a number" })?;
                #[expect(clippy::cast_precision_loss, reason = "two minutes")]
                let longest = LONGEST_WAIT as f64;
                Ok(Duration::from_secs_f64(seconds.clamp(1.0, longest)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn given(value: &Value) -> Arguments<'_> {
        Arguments(value.as_object().unwrap())
    }

    #[test]
    fn an_empty_session_is_the_first() {
        for value in [json!({}), json!({"sessionId": ""}), json!({"sessionId": null})] {
            assert_eq!(given(&value).session().unwrap(), "1");
        }
        let error = given(&json!({"sessionId": 2})).session().unwrap_err();
        assert_eq!(error.to_string(), "sessionId must be a string");
    }

    #[test]
    fn nobody_waits_longer_than_two_minutes_or_less_than_a_second() {
        let wait = |value: Value| given(&json!({"timeout": value})).seconds("timeout");
        assert_eq!(wait(Value::Null).unwrap().as_secs(), 30);
        assert_eq!(wait(json!(0)).unwrap().as_secs(), 1);
        assert_eq!(wait(json!(1e9)).unwrap().as_secs(), 120);
        assert_eq!(wait(json!("x")).unwrap_err().to_string(), "timeout must be a number");
    }
}
