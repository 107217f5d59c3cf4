//! Lists in pages of ten. A page's token is the backend's cursor, which it checks.

use crate::{Page, PageRequest};

/// The longest page, and what a client gets that does not say.
pub(crate) const MOST: usize = 10;

/// The page that a client asks for.
pub(super) fn request(page_size: i32, page_token: String) -> PageRequest {
    let size = usize::try_from(page_size).ok().filter(|size| (1..=MOST).contains(size));
    PageRequest {
        limit: Some(size.unwrap_or(MOST)),
        cursor: (!page_token.is_empty()).then_some(page_token),
    }
}

/// A page's records, and the token of the one that goes on.
pub(super) fn split<T, P: From<T>>(page: Page<T>) -> (Vec<P>, String) {
    (page.items.into_iter().map(Into::into).collect(), page.next.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_ten_records_unless_fewer_are_asked_for() {
        let size = |size| request(size, String::new()).limit.unwrap();
        assert_eq!([0, -1, 11, i32::MAX].map(size), [MOST; 4]);
        assert_eq!([1, 9, 10].map(size), [1, 9, 10]);
    }
}
