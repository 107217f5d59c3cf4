//! draft
pub(crate) fn text() -> &'static str {
    "{}"
}
