//! Wall clocks of zones, for databases that have `AT TIME ZONE`.

use malloy_model::ir::Type;

/// The wall clock of the zone.
pub(crate) fn local(value: &str, ty: &Type, zone: &str) -> String {
    match ty {
        Type::Timestamptz(_) => format!("({value} AT TIME ZONE {zone})"),
        Type::Timestamp(_) => format!("({value} AT TIME ZONE 'UTC' AT TIME ZONE {zone})"),
        _ => value.to_owned(),
    }
}

/// From the wall clock of the zone to the type it came from.
pub(crate) fn back(local: &str, ty: &Type, zone: &str) -> String {
    match ty {
        Type::Timestamptz(_) => format!("({local} AT TIME ZONE {zone})"),
        Type::Timestamp(_) => utc(local, zone),
        _ => format!("CAST({local} AS DATE)"),
    }
}

/// From the wall clock of the zone to that of UTC.
pub(crate) fn utc(local: &str, zone: &str) -> String {
    format!("({local} AT TIME ZONE {zone} AT TIME ZONE 'UTC')")
}

/// Between types of time in a zone; `None` where a plain cast does it.
pub(crate) fn cast(value: &str, from: &Type, to: &Type, zone: &str) -> Option<String> {
    Some(match (from, to) {
        (Type::Timestamp(_) | Type::Timestamptz(_), Type::Date(_)) => {
            format!("CAST({} AS DATE)", local(value, from, zone))
        }
        (Type::Date(_), Type::Timestamp(_)) => utc(&format!("CAST({value} AS TIMESTAMP)"), zone),
        (Type::Date(_), Type::Timestamptz(_)) => {
            format!("(CAST({value} AS TIMESTAMP) AT TIME ZONE {zone})")
        }
        (Type::Timestamptz(_), Type::Timestamp(_)) => format!("({value} AT TIME ZONE {zone})"),
        // A timestamp is a clock of UTC, whatever the zone of the query.
        (Type::Timestamp(_), Type::Timestamptz(_)) => format!("({value} AT TIME ZONE 'UTC')"),
        _ => return None,
    })
}
