//! The checks of a Lua file.

use std::collections::BTreeSet;

use super::lexer::{Token, tokens};
use super::scan::{Call, Scan, scan};
use crate::finding::{self, Finding};
use crate::html::Place;
use crate::known::nearest;

/// What the virtual machine said when it compiled the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    pub line: u32,
    pub message: String,
}

/// What is known beside the file.
#[derive(Debug, Clone, Default)]
pub struct LuaContext<'a> {
    /// The compiler's complaint, if it has one.
    pub syntax: Option<&'a SyntaxError>,
    /// Types that have a view definition. `None` where that is not known.
    pub viewed: Option<&'a BTreeSet<String>>,
}

const SESSION_METHODS: [&str; 16] = [
    "createAppVariable",
    "getApp",
    "createVariable",
    "destroyVariable",
    "prototype",
    "create",
    "removePrototype",
    "setImmediate",
    "setTimeout",
    "setInterval",
    "clearImmediate",
    "clearTimeout",
    "clearInterval",
    "log",
    "unloadModule",
    "unloadDirectory",
];

/// Called with a dot, since they take no `self`.
const PLAIN_FUNCTIONS: [(&str, &str); 7] = [
    ("mcp", "notify"),
    ("mcp", "pushState"),
    ("ui", "log"),
    ("ui", "json_encode"),
    ("ui", "json_decode"),
    ("ui", "registerPresenter"),
    ("ui", "registerWrapper"),
];

/// Of `os`, `io` and `debug`, what a session has.
const OPEN_FUNCTIONS: [(&str, &str); 5] =
    [("os", "time"), ("os", "date"), ("os", "clock"), ("os", "difftime"), ("io", "write")];

/// Checks the text of a Lua file.
pub fn audit_lua(source: &str, context: &LuaContext<'_>) -> Vec<Finding> {
    let tokens = tokens(source);
    let mut findings = Vec::new();
    if let Some(error) = context.syntax {
        let at = Place { line: error.line.max(1), column: 1 };
        findings.push(
            Finding::error("lua-syntax", at, error.message.clone())
                .fix("nothing of the file runs until it compiles"),
        );
    }
    let scan = scan(&tokens);
    for call in &scan.calls {
        findings.extend(separator(call));
        findings.extend(unknown_method(call));
        findings.extend(forbidden_notification(call, &tokens));
        findings.extend(closed_library(call));
        findings.extend(unguarded(call, &scan));
    }
    shared_tables(&scan, &mut findings);
    lost_self(&scan, &mut findings);
    if let Some(viewed) = context.viewed {
        missing_views(&scan, &tokens, viewed, &mut findings);
    }
    finding::sort(&mut findings);
    findings
}

fn separator(call: &Call<'_>) -> Option<Finding> {
    let Call { object, separator, name, at, .. } = call;
    if *object == "session" && *separator == '.' && SESSION_METHODS.contains(name) {
        let finding = Finding::error(
            "dot-call",
            *at,
            format!("`session.{name}(…)` is called without `session` itself"),
        );
        return Some(finding.fix(format!("write `session:{name}(…)`")));
    }
    if *separator == ':' && PLAIN_FUNCTIONS.contains(&(object, name)) {
        let finding = Finding::error(
            "colon-call",
            *at,
            format!("`{object}:{name}(…)` gets `{object}` as its first argument"),
        );
        return Some(finding.fix(format!("write `{object}.{name}(…)`")));
    }
    None
}

fn unknown_method(call: &Call<'_>) -> Option<Finding> {
    if call.object != "session" || SESSION_METHODS.contains(&call.name) {
        return None;
    }
    // A method of the author's own, put on the table, is his business; only what is nearly ours is told.
    let meant = nearest(call.name, SESSION_METHODS)?;
    let finding = Finding::warning(
        "unknown-method",
        call.at,
        format!("`session` has no method `{}`", call.name),
    );
    Some(finding.fix(format!("did you mean `session:{meant}(…)`?")))
}

fn forbidden_notification(call: &Call<'_>, tokens: &[Token<'_>]) -> Option<Finding> {
    if call.object != "mcp" || call.name != "notify" {
        return None;
    }
    let argument = tokens.get(call.arguments)?;
    let method = argument.string()?;
    let reserved = matches!(method, "" | "initialize" | "ping")
        || ["tools/", "resources/", "prompts/"].iter().any(|prefix| method.starts_with(prefix));
    reserved.then(|| {
        Finding::error(
            "reserved-notification",
            argument.at,
            format!("`mcp.notify` refuses the method `{method}`, which is the protocol's own"),
        )
        .fix("choose a name of the application, such as \"feedback\" or \"contact_saved\"")
    })
}

fn closed_library(call: &Call<'_>) -> Option<Finding> {
    let Call { object, name, at, .. } = call;
    let closed =
        matches!(*object, "os" | "io" | "debug") && !OPEN_FUNCTIONS.contains(&(object, name));
    closed.then(|| {
        let way_out = match (*object, *name) {
            ("io", _) => "keep data in Lua objects; `print` writes to the log; configuration may open files below the project",
            ("os", "getenv") => "there is no environment; pass values with `ui_run`",
            _ => "there is no replacement inside a session",
        };
        Finding::warning("closed-library", *at, format!("`{object}.{name}` is closed in a session unless the configuration opens it"))
            .fix(way_out)
    })
}

/// At the top level of a file that never asks whether it is being reloaded.
fn unguarded(call: &Call<'_>, scan: &Scan<'_>) -> Option<Finding> {
    if call.object != "session" || call.depth > 0 || scan.mentions_reloading {
        return None;
    }
    let message = match call.name {
        "createAppVariable" => {
            "each time this file is saved the application starts anew and its state is lost"
        }
        "setInterval" => "each time this file is saved one more interval is started",
        _ => return None,
    };
    let finding = Finding::warning("reload-guard", call.at, message);
    Some(finding.fix("put it into `if not session.reloading then … end`"))
}

fn shared_tables(scan: &Scan<'_>, findings: &mut Vec<Finding>) {
    for prototype in &scan.prototypes {
        for (field, at) in &prototype.tables {
            if scan.assigned_fields.contains(field) {
                continue;
            }
            let message = format!(
                "the table in `{field}` is one and the same for every `{}`",
                prototype.name
            );
            let fix = format!(
                "declare `{field} = EMPTY` and set `self.{field} = {{}}` where the instance is made"
            );
            findings.push(Finding::warning("shared-table", *at, message).fix(fix));
        }
    }
}

/// `function Person.save() self.x = 1 end`: `self` is nobody.
fn lost_self(scan: &Scan<'_>, findings: &mut Vec<Finding>) {
    for d in &scan.definitions {
        let is_prototype = scan.prototypes.iter().any(|p| p.variable == Some(d.object));
        if is_prototype && d.separator == '.' && d.uses_self && d.first_parameter != Some("self") {
            let message = format!("`self` is nil in `function {}.{}(…)`", d.object, d.name);
            let fix = format!("write `function {}:{}(…)`", d.object, d.name);
            findings.push(Finding::error("lost-self", d.at, message).fix(fix));
        }
    }
}

fn missing_views(
    scan: &Scan<'_>,
    tokens: &[Token<'_>],
    viewed: &BTreeSet<String>,
    findings: &mut Vec<Finding>,
) {
    let mut apps = BTreeSet::new();
    for call in scan.calls.iter().filter(|c| c.object == "session" && c.name == "createAppVariable")
    {
        let Some(variable) = app_prototype(scan, tokens, call) else { continue };
        let Some(prototype) = scan.prototypes.iter().find(|p| p.variable == Some(variable)) else {
            continue;
        };
        apps.insert(prototype.name);
        if !viewed.contains(prototype.name) {
            let message = format!(
                "the application has type `{0}`, and there is no view `{0}.DEFAULT`: the page stays empty",
                prototype.name
            );
            let near = nearest(prototype.name, viewed.iter().map(String::as_str));
            let fix = match near {
                Some(near) => format!("there is one of `{near}`; give both the same name"),
                None => {
                    format!("upload a view of type `{}` and namespace `DEFAULT`", prototype.name)
                }
            };
            findings.push(Finding::warning("missing-viewdef", call.at, message).fix(fix));
        }
    }
    for prototype in
        scan.prototypes.iter().filter(|p| !viewed.contains(p.name) && !apps.contains(p.name))
    {
        // Objects that are never shown need no view; only one that nearly has one is told.
        let Some(near) = nearest(prototype.name, viewed.iter().map(String::as_str)) else {
            continue;
        };
        if scan.prototypes.iter().any(|other| other.name == near) {
            continue;
        }
        let message = format!(
            "no view is for the type `{}`, but one is for `{near}`, which this file does not define",
            prototype.name
        );
        findings.push(
            Finding::warning("unviewed-type", prototype.at, message).fix("give both the same name"),
        );
    }
}

/// The prototype's variable behind the first argument of `createAppVariable`: `App:new()`, or a variable that was made so.
fn app_prototype<'a>(scan: &Scan<'a>, tokens: &[Token<'a>], call: &Call<'a>) -> Option<&'a str> {
    let name = tokens.get(call.arguments)?.word()?;
    let after = tokens.get(call.arguments + 1)?;
    if after.is(':') && tokens.get(call.arguments + 2)?.is_word("new") {
        return Some(name);
    }
    if after.is(')') || after.is(',') { scan.instances.get(name).copied() } else { None }
}

#[cfg(test)]
#[path = "audit_tests.rs"]
mod tests;
