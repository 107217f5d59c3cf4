//! Parts of lists, and the tokens that say where the next part begins.
//!
//! A token names the list and the last record that was shown, by time and id; the next part is what comes after that in the
//! order, so that walking on yields each record once whatever comes or goes meanwhile. The sum at its end tells a token that was mistyped or made up from one of ours.

use campaign_core::Moment;
use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest as _, Sha256};

use crate::{
    Error,
    backend::{Page, PageRequest},
};

/// Bytes of the sum.
const SUM: usize = 8;

/// Where a record stands in its list: by its creation, equal times by id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mark {
    pub(super) at: Moment,
    pub(super) id: String,
}

/// The part of `all` that was asked for. `list` names the list, `mark` a record's place in it.
pub(super) fn cut<T>(
    mut all: Vec<T>,
    list: &str,
    request: &PageRequest,
    mark: impl Fn(&T) -> Mark,
) -> Result<Page<T>, Error> {
    all.sort_by_cached_key(&mark);
    if let Some(shown) = start(request, list)? {
        all.drain(..all.partition_point(|item| mark(item) <= shown));
    }
    let limit = request.limit.unwrap_or(usize::MAX);
    let more = all.len() > limit;
    all.truncate(limit);
    let next = all.last().filter(|_| more).map(|last| print(&mark(last), list));
    Ok(Page { items: all, next })
}

pub(super) fn print(mark: &Mark, list: &str) -> String {
    let text = format!("{}.{}", mark.at.0, mark.id);
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(&sum(&bytes, list));
    BASE64URL_NOPAD.encode(&bytes)
}

/// Where the part begins that was asked for: after this record.
pub(super) fn start(request: &PageRequest, list: &str) -> Result<Option<Mark>, Error> {
    let cursor = request.cursor.as_deref().filter(|cursor| !cursor.is_empty());
    cursor.map(|cursor| read(cursor, list)).transpose()
}

fn read(cursor: &str, list: &str) -> Result<Mark, Error> {
    let read = || {
        let bytes = BASE64URL_NOPAD.decode(cursor.as_bytes()).ok()?;
        let (text, given) = bytes.split_at_checked(bytes.len().checked_sub(SUM)?)?;
        let (at, id) = std::str::from_utf8(text).ok()?.split_once('.')?;
        let mark = Mark { at: Moment(at.parse().ok()?), id: id.to_owned() };
        (given == sum(text, list)).then_some(mark)
    };
    read().ok_or_else(|| {
        Error::invalid("page token is not one of this list")
            .field("page_token")
            .hint("give the token that came with the page before, or none to begin")
    })
}

fn sum(text: &[u8], list: &str) -> [u8; SUM] {
    let sum = Sha256::new().chain_update(list).chain_update([0]).chain_update(text).finalize();
    std::array::from_fn(|place| sum[place])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(item: &(i64, &str)) -> Mark {
        Mark { at: Moment(item.0), id: item.1.to_owned() }
    }

    fn walk(
        all: &[(i64, &'static str)],
        limit: usize,
        cursor: Option<String>,
    ) -> Page<(i64, &'static str)> {
        cut(all.to_vec(), "list", &PageRequest { limit: Some(limit), cursor }, mark).unwrap()
    }

    #[test]
    fn walking_yields_each_record_once_while_records_come_and_go() {
        let mut all = vec![(1, "a"), (1, "b"), (2, "c"), (3, "d")];
        let first = walk(&all, 2, None);
        assert_eq!(first.items, [(1, "a"), (1, "b")]);
        all.push((3, "e"));
        all.remove(1);
        let second = walk(&all, 2, first.next);
        assert_eq!(second.items, [(2, "c"), (3, "d")]);
        let third = walk(&all, 2, second.next);
        assert_eq!((third.items, third.next), (vec![(3, "e")], None));
    }

    #[test]
    fn a_token_of_another_list_or_of_nobody_is_refused() {
        let all = vec![(1, "a"), (2, "b")];
        let token = walk(&all, 1, None).next.unwrap();
        let other = token.replace(|_: char| true, "A");
        let mut longer = token.clone();
        longer.push('A');
        for (list, cursor) in
            [("another", token), ("list", other), ("list", longer), ("list", "?".into())]
        {
            let request = PageRequest { limit: None, cursor: Some(cursor) };
            let refused = cut(all.clone(), list, &request, mark).unwrap_err();
            assert_eq!(refused.to_string(), "page token is not one of this list");
        }
    }
}
