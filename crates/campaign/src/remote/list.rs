//! Lists, put together from pages of ten.

use crate::{Page, PageRequest, grpc::MOST};

/// A list on its way: as long as a page is [wanted](Self::wanted), it is asked for and [added](Self::add).
pub(super) struct Gathering<T> {
    limit: usize,
    items: Vec<T>,
    token: String,
    done: bool,
}

impl<T> Gathering<T> {
    pub(super) fn new(wanted: PageRequest) -> Self {
        let limit = wanted.limit.unwrap_or(usize::MAX);
        let token = wanted.cursor.unwrap_or_default();
        Self { limit, items: Vec::new(), token, done: false }
    }

    /// The size and the token of the next page.
    pub(super) fn wanted(&self) -> Option<(i32, String)> {
        // There are no pages of none; but a list of which nothing is wanted may still not be there.
        let size = self.limit.saturating_sub(self.items.len()).clamp(1, MOST);
        (!self.done).then(|| (i32::try_from(size).unwrap_or_default(), self.token.clone()))
    }

    pub(super) fn add(&mut self, page: Vec<T>, next: String) {
        self.items.extend(page);
        self.done = next.is_empty() || self.items.len() >= self.limit;
        self.token = next;
    }

    pub(super) fn finish(mut self) -> Page<T> {
        self.items.truncate(self.limit);
        let next = Some(self.token).filter(|token| !token.is_empty() && self.limit > 0);
        Page { items: self.items, next }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of 25, in pages of at most ten whose tokens are where they begin.
    fn some(limit: Option<usize>, cursor: &str) -> (Vec<usize>, Option<String>) {
        let mut list = Gathering::new(PageRequest { limit, cursor: Some(cursor.to_owned()) });
        while let Some((size, token)) = list.wanted() {
            let begin = token.parse().unwrap_or(0);
            let end = 25.min(begin + usize::try_from(size).unwrap());
            let next = if end < 25 { end.to_string() } else { String::new() };
            list.add((begin..end).collect(), next);
        }
        let page = list.finish();
        (page.items, page.next)
    }

    #[test]
    fn any_number_of_records_can_be_had() {
        assert_eq!(some(None, ""), ((0..25).collect(), None));
        assert_eq!(some(Some(12), ""), ((0..12).collect(), Some("12".into())));
        assert_eq!(some(Some(13), "12"), ((12..25).collect(), None));
        assert_eq!(some(Some(0), ""), (vec![], None));
    }
}
