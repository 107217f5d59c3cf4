//! The document for people: one page without scripts, as light or dark as its reader likes.

use std::fmt::Write as _;

use serde_json::Value;

const STYLE: &str = "
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
code { font-family: ui-monospace, monospace; font-size: .95em; overflow-wrap: anywhere; }
details { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: .4rem 0; }
summary { cursor: pointer; }
summary b { display: inline-block; min-width: 4.5rem; text-transform: uppercase; font-size: .8rem; }
dt { font-weight: 600; } dd { margin: 0 0 .4rem 1rem; }
";

pub(super) fn write(document: &Value) -> String {
    let mut out = String::from("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">");
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{0} API</title>\
         <style>{STYLE}</style></head><body><main><h1>{0} API</h1><p>{1}</p>\
         <p><a href=\"openapi.json\">openapi.json</a> · <a href=\"api-doc.yaml\">api-doc.yaml</a></p>",
        escaped(&document["info"]["title"]),
        escaped(&document["info"]["description"]),
    );
    for tag in document["tags"].as_array().into_iter().flatten() {
        let _ = write!(
            out,
            "<h2>{}</h2><p>{}</p>",
            escaped(&tag["name"]),
            escaped(&tag["description"])
        );
        for (path, methods) in document["paths"].as_object().into_iter().flatten() {
            for (method, operation) in methods.as_object().into_iter().flatten() {
                if operation["tags"][0] == tag["name"] {
                    route(&mut out, document, method, path, operation);
                }
            }
        }
    }
    out.push_str("</main></body></html>");
    out
}

fn route(out: &mut String, document: &Value, method: &str, path: &str, operation: &Value) {
    let _ = write!(
        out,
        "<details><summary><b>{method}</b> <code>{}</code> {}</summary>",
        escaped_text(path),
        escaped(&operation["summary"]),
    );
    if operation["description"].is_string() {
        let _ = write!(out, "<p>{}</p>", escaped(&operation["description"]));
    }
    out.push_str("<dl>");
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let pointer = parameter["$ref"].as_str().unwrap_or_default().trim_start_matches('#');
        let found = document.pointer(pointer).unwrap_or(parameter);
        let _ = write!(
            out,
            "<dt><code>{}</code> ({})</dt><dd>{}</dd>",
            escaped(&found["name"]),
            escaped(&found["in"]),
            escaped(&found["description"]),
        );
    }
    for (status, reply) in operation["responses"].as_object().into_iter().flatten() {
        let _ = write!(out, "<dt>{status}</dt><dd>{}</dd>", escaped(&reply["description"]));
    }
    out.push_str("</dl></details>");
}

fn escaped(value: &Value) -> String {
    escaped_text(value.as_str().unwrap_or_default())
}

fn escaped_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
