//! Givens: values that a run is passed.

use std::sync::Arc;

use malloy_syntax::Diagnostic;
use malloy_syntax::tree::{self, Name};
use serde_json::Value;

use crate::analyser::{Analyser, nearest};
use crate::build::{Build, Scope};
use crate::expr::coerce;
use crate::ir::{Expr, Literal, NumberKind, Type};
use crate::level::note_texts;
use crate::model::{Entry, Given};
use crate::source::{Origin, Source, ValueType};
use crate::sources::value_type_name;
use crate::typed::{Kind, Ty, Typed, alike};

impl Analyser<'_> {
    pub(crate) fn define_given(&mut self, item: &tree::GivenDefinition, notes: &[Arc<str>]) {
        if item.name.is_missing() {
            return;
        }
        let ty = self.value_type(&item.ty);
        if let (Some(default), Some(ty)) = (&item.default, &ty) {
            let nowhere = Arc::new(Source { origin: Origin::Stage, ..Source::error() });
            let mut check = Build::check(&nowhere);
            let value = self.expr(&mut check, &Scope::of(&nowhere), default);
            let fits = match (ty, &value.ty) {
                (_, Ty::Error) | (ValueType::Filter(_), Ty::Filter) => true,
                (ValueType::Value(wanted), Ty::Is(ty)) => {
                    alike(wanted, ty) || (wanted.is_time() && ty.is_time())
                }
                _ => false,
            };
            if !fits {
                let message = format!(
                    "the default of a {} cannot be a {}",
                    value_type_name(ty),
                    value.ty.name()
                );
                self.error("parameter-default-does-not-match-declared-type", default.span, message);
            } else if value.kind != Kind::Constant {
                self.error(
                    "given-default-not-constant",
                    default.span,
                    "the default of a given has to be a constant",
                );
            }
            if let ValueType::Filter(wanted) = ty {
                self.check_filter(default, wanted);
            }
        }
        let mut all = notes.to_vec();
        all.extend(note_texts(&item.notes));
        let entry = match ty {
            Some(ty) => Entry::Given(Arc::new(Given {
                name: Arc::clone(&item.name.text),
                ty,
                notes: all,
                default: item.default.clone().map(Arc::new),
                file: self.file,
                own: true,
            })),
            None => Entry::Error,
        };
        self.define_entry(&item.name, entry);
    }

    /// `$NAME`
    pub(crate) fn given_value(&mut self, b: &mut Build, s: &Scope, name: &Name) -> Typed {
        let Some(given) = self.given(&name.text) else {
            if !matches!(self.lookup(&name.text), Some(Entry::Error)) {
                let mut diagnostic = Diagnostic::error(
                    "given-not-found",
                    name.span,
                    format!("there is no given `${}`", name.text),
                );
                let names: Vec<Arc<str>> = self
                    .file_scope(self.file)
                    .entries
                    .iter()
                    .filter(|(_, entry)| matches!(entry, Entry::Given(_)))
                    .map(|(name, _)| Arc::clone(name))
                    .collect();
                if let Some(near) = nearest(&name.text, names.iter().map(|name| &**name)) {
                    diagnostic = diagnostic.with_help(format!("did you mean `${near}`?"));
                }
                self.report(diagnostic);
            }
            return Typed::error();
        };
        let ValueType::Value(ty) = &given.ty else {
            return Typed::constant(Expr::Literal(Literal::Null), Ty::Filter);
        };
        if let Some(value) = self.givens.and_then(|givens| givens.get(&*given.name)) {
            return match json_value(value, ty, s.zone.as_deref()) {
                Some(expr) => Typed::constant(expr, Ty::Is(ty.clone())),
                None => Typed::error(),
            };
        }
        if let Some(default) = &given.default {
            let default = Arc::clone(default);
            let value = self.within(given.file, |a| a.expr(b, s, &default));
            let mut value = coerce(value, ty, s.zone.as_deref());
            value.ty = Ty::Is(ty.clone());
            return value;
        }
        if self.givens.is_some() {
            // Whatever reads it, it is asked for now.
            let quiet = std::mem::take(&mut self.quiet);
            self.report(
                Diagnostic::error(
                    "compiler-given-no-value",
                    name.span,
                    format!("the given `${}` has no value", name.text),
                )
                .with_help("pass one, or give it a default"),
            );
            self.quiet = quiet;
        }
        Typed::constant(Expr::Literal(Literal::Null), Ty::Is(ty.clone()))
    }
}

/// A value of a type from JSON, if it is one.
pub(crate) fn json_value(value: &Value, ty: &Type, zone: Option<&str>) -> Option<Expr> {
    if value.is_null() {
        return Some(Expr::Literal(Literal::Null));
    }
    let literal = match (ty, value) {
        (Type::String, Value::String(text)) => Literal::String(text.clone()),
        (Type::Boolean, Value::Bool(value)) => Literal::Boolean(*value),
        (Type::Number(_), Value::Number(number)) => Literal::Number(number.to_string()),
        (Type::Number(_), Value::String(text)) if text.parse::<f64>().is_ok_and(f64::is_finite) => {
            Literal::Number(text.trim().to_owned())
        }
        (Type::Date(_), Value::String(text)) => Literal::Date(date_text(text)?),
        (Type::Timestamp(_), Value::String(text)) => {
            let (text, is_utc) = timestamp_text(text)?;
            Literal::Timestamp { text, zone: zone.filter(|_| !is_utc).map(str::to_owned) }
        }
        (Type::Timestamptz(_), Value::String(text)) => {
            let (text, is_utc) = timestamp_text(text)?;
            let zone = if is_utc { "UTC" } else { zone.unwrap_or("UTC") };
            Literal::Timestamptz { text, zone: zone.to_owned() }
        }
        (Type::Array(element), Value::Array(items)) => {
            let items = items
                .iter()
                .map(|item| json_value(item, element, zone))
                .collect::<Option<Vec<_>>>()?;
            return Some(Expr::Array { items, element: (**element).clone() });
        }
        _ => return None,
    };
    Some(Expr::Literal(literal))
}

fn date_text(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let digits = |range: std::ops::Range<usize>| {
        bytes.get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit))
    };
    let shaped = bytes.len() >= 10
        && digits(0..4)
        && bytes[4] == b'-'
        && digits(5..7)
        && bytes[7] == b'-'
        && digits(8..10);
    let (month, day) = (text.get(5..7)?.parse::<u8>().ok()?, text.get(8..10)?.parse::<u8>().ok()?);
    let real = shaped && (1..=12).contains(&month) && (1..=31).contains(&day);
    let ended = bytes.len() == 10 || matches!(bytes[10], b'T' | b' ');
    (real && ended).then(|| text[..10].to_owned())
}

/// A timestamp as literals have it, and whether it said that it is UTC.
fn timestamp_text(text: &str) -> Option<(String, bool)> {
    let date = date_text(text)?;
    let rest = text.get(10..)?.trim_start_matches(['T', ' ']);
    let is_utc = rest.ends_with('Z') || rest.ends_with("+00:00");
    let rest = rest.trim_end_matches('Z').trim_end_matches("+00:00");
    if rest.is_empty() {
        return Some((format!("{date} 00:00:00"), is_utc));
    }
    let (clock, fraction) =
        rest.split_once('.').map_or((rest, None), |(clock, fraction)| (clock, Some(fraction)));
    let parts: Vec<u8> = clock.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let (hour, minute, second) = match parts.as_slice() {
        [hour, minute] => (*hour, *minute, 0),
        [hour, minute, second] => (*hour, *minute, *second),
        _ => return None,
    };
    let fine = hour < 24
        && minute < 60
        && second < 60
        && fraction
            .is_none_or(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()));
    let fraction = fraction.map(|digits| format!(".{digits}")).unwrap_or_default();
    fine.then(|| (format!("{date} {hour:02}:{minute:02}:{second:02}{fraction}"), is_utc))
}

/// Whether a number written in JSON fits what is known of a given.
pub(crate) fn fits(value: &Value, ty: &ValueType) -> bool {
    match ty {
        ValueType::Filter(_) => value.is_string(),
        ValueType::Value(Type::Number(NumberKind::Unknown)) => {
            value.is_number() || json_value(value, &Type::NUMBER, None).is_some()
        }
        ValueType::Value(ty) => json_value(value, ty, None).is_some(),
    }
}
