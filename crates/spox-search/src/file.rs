//! The index file: how [`Vectors`] are written down, and why a file may be refused.
//!
//! ```text
//! magic 8 · version u32 · length of the rest u64 · checksum 16, of the rest
//! model: name text, hash 32, dimensions u32
//! rows u32 · hashes 16 each · scales f32 each · cells i8, dimensions each
//! places u32 · for each: spec text, change text?, requirement text?, main row u32, long row u32
//! ```
//!
//! Numbers are little-endian; a text is its length in bytes as u32 and then UTF-8; `?` is one byte, 0 or 1, before what
//! may be missing; `0xffff_ffff` is no row. Reading trusts nothing: a count is compared with the bytes that are left
//! before anything is made of it. The file can always be built again, so a change of format raises [`VERSION`] and old
//! files are refused.

use std::collections::BTreeMap;

use kit_core::{Fault, Kind};
use sha2::{Digest, Sha256};

use crate::document::TextHash;
use crate::model::ModelId;
use crate::rows::Rows;
use crate::vectors::{Place, Slots, Vectors};

/// Not text, and broken by a transfer that converts line ends.
const MAGIC: [u8; 8] = *b"\x8espox\r\n\x1a";
const VERSION: u32 = 1;
const HEADER: usize = 8 + 4 + 8 + 16;
const NO_ROW: u32 = u32::MAX;

/// Why a file is not an index that can be used. Building it again is the way out of all of them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadIndex {
    #[error("the file is not a search index of this tool")]
    Foreign,
    #[error("the index has format {found}, older than {VERSION}")]
    Older { found: u32 },
    #[error("the index has format {found}, newer than {VERSION}")]
    Newer { found: u32 },
    #[error("the index ends after {found} bytes of {wanted}")]
    Truncated { found: u64, wanted: u64 },
    #[error("the index is damaged: {0}")]
    Damaged(&'static str),
    #[error("the index was made with model `{found}`, not `{wanted}`")]
    OtherModel { found: String, wanted: String },
}

impl Fault for BadIndex {
    fn kind(&self) -> Kind {
        Kind::Unavailable
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Newer { .. } => {
                "use the newer tool, or build the index again with `spox index`".into()
            }
            _ => "build it again with `spox index`".into(),
        })
    }
}

impl Vectors {
    /// The index file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut rest = Writer(Vec::with_capacity(self.rows.cells.len() + 64 * self.len() + 256));
        rest.text(&self.model.name);
        rest.0.extend(self.model.hash);
        rest.count(self.model.dimensions);
        rest.count(self.len());
        self.hashes.iter().for_each(|hash| rest.0.extend(hash.0));
        self.rows.scales.iter().for_each(|scale| rest.0.extend(scale.to_le_bytes()));
        rest.0.extend(self.rows.cells.iter().map(|cell| cell.to_le_bytes()[0]));
        rest.count(self.places.len());
        for (place, slots) in &self.places {
            rest.text(&place.spec_id);
            rest.maybe(place.change_id.as_deref());
            rest.maybe(place.requirement.as_deref());
            rest.0.extend(slots.main.unwrap_or(NO_ROW).to_le_bytes());
            rest.0.extend(slots.long.unwrap_or(NO_ROW).to_le_bytes());
        }
        let rest = rest.0;
        let mut bytes = Vec::with_capacity(HEADER + rest.len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((rest.len() as u64).to_le_bytes());
        bytes.extend(checksum(&rest));
        bytes.extend(rest);
        bytes
    }

    /// Reads an index file that was made with `model`.
    pub fn from_bytes(bytes: &[u8], model: &ModelId) -> Result<Self, BadIndex> {
        let mut rest = Reader { bytes: checked(bytes)? };
        let found = ModelId {
            name: rest.text()?,
            hash: rest.array()?,
            dimensions: rest.number()? as usize,
        };
        if found != *model {
            return Err(other_model(found, model));
        }
        let count = rest.number()? as usize;
        let hashes = rest.many(count)?.iter().copied().map(TextHash).collect();
        let rows = rest.rows(count, model.dimensions)?;
        let places = rest.places(count)?;
        if !rest.bytes.is_empty() {
            return Err(BadIndex::Damaged("there is more than it tells of"));
        }
        Self::from_parts(found, hashes, rows, places)
            .ok_or(BadIndex::Damaged("two vectors for the same text"))
    }
}

/// What follows the header, if it is what was written.
fn checked(bytes: &[u8]) -> Result<&[u8], BadIndex> {
    if !bytes.starts_with(&MAGIC) {
        return Err(BadIndex::Foreign);
    }
    let found = bytes.len() as u64;
    let mut header = Reader { bytes: &bytes[MAGIC.len()..] };
    let too_short = |_| BadIndex::Truncated { found, wanted: HEADER as u64 };
    match header.number().map_err(too_short)? {
        VERSION => {}
        found if found < VERSION => return Err(BadIndex::Older { found }),
        found => return Err(BadIndex::Newer { found }),
    }
    let length = u64::from_le_bytes(header.array().map_err(too_short)?);
    let sum: [u8; 16] = header.array().map_err(too_short)?;
    let rest = header.bytes;
    match (rest.len() as u64).cmp(&length) {
        std::cmp::Ordering::Less => {
            Err(BadIndex::Truncated { found, wanted: length.saturating_add(HEADER as u64) })
        }
        std::cmp::Ordering::Greater => Err(BadIndex::Damaged("there is more than it tells of")),
        std::cmp::Ordering::Equal if checksum(rest) != sum => {
            Err(BadIndex::Damaged("its checksum does not fit"))
        }
        std::cmp::Ordering::Equal => Ok(rest),
    }
}

fn checksum(bytes: &[u8]) -> [u8; 16] {
    let mut sum = [0; 16];
    sum.copy_from_slice(&Sha256::digest(bytes)[..16]);
    sum
}

/// Names the difference: two builds of one model share its name.
fn other_model(found: ModelId, wanted: &ModelId) -> BadIndex {
    let full = |model: &ModelId| {
        let [a, b, c, d, ..] = model.hash;
        format!("{} {a:02x}{b:02x}{c:02x}{d:02x}", model.name)
    };
    if found.name == wanted.name {
        BadIndex::OtherModel { found: full(&found), wanted: full(wanted) }
    } else {
        BadIndex::OtherModel { found: found.name, wanted: wanted.name.clone() }
    }
}

struct Writer(Vec<u8>);

impl Writer {
    /// Counts are of what is in memory, each at least a byte wide there; four billion do not come.
    fn count(&mut self, count: usize) {
        let count = u32::try_from(count).expect("a count of fewer than four billion");
        self.0.extend(count.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.0.extend(text.as_bytes());
    }

    fn maybe(&mut self, text: Option<&str>) {
        self.0.push(u8::from(text.is_some()));
        if let Some(text) = text {
            self.text(text);
        }
    }
}

/// Takes from the front; whatever asks for more than there is gets an error, and nothing is allocated for it.
struct Reader<'bytes> {
    bytes: &'bytes [u8],
}

const SHORT: BadIndex = BadIndex::Damaged("it tells of more than there is");

impl<'bytes> Reader<'bytes> {
    fn take(&mut self, length: usize) -> Result<&'bytes [u8], BadIndex> {
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or(SHORT)?;
        self.bytes = rest;
        Ok(taken)
    }

    /// `count` things of `N` bytes each.
    fn many<const N: usize>(&mut self, count: usize) -> Result<&'bytes [[u8; N]], BadIndex> {
        Ok(self.take(count.checked_mul(N).ok_or(SHORT)?)?.as_chunks().0)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], BadIndex> {
        self.many(1)?.first().copied().ok_or(SHORT)
    }

    fn number(&mut self) -> Result<u32, BadIndex> {
        self.array().map(u32::from_le_bytes)
    }

    fn text(&mut self) -> Result<String, BadIndex> {
        let length = self.number()? as usize;
        let text = std::str::from_utf8(self.take(length)?);
        text.map(str::to_owned).map_err(|_| BadIndex::Damaged("a name is not UTF-8"))
    }

    fn maybe(&mut self) -> Result<Option<String>, BadIndex> {
        match self.array()? {
            [0] => Ok(None),
            [1] => self.text().map(Some),
            _ => Err(BadIndex::Damaged("a name is neither there nor missing")),
        }
    }

    fn rows(&mut self, count: usize, dimensions: usize) -> Result<Rows, BadIndex> {
        let scales: Vec<f32> = self.many(count)?.iter().copied().map(f32::from_le_bytes).collect();
        let cells = self.take(count.checked_mul(dimensions).ok_or(SHORT)?)?;
        let cells = cells.iter().map(|cell| i8::from_le_bytes([*cell])).collect();
        let rows = Rows { dimensions, cells, scales };
        if rows.is_sound() {
            Ok(rows)
        } else {
            Err(BadIndex::Damaged("a vector without its length"))
        }
    }

    fn places(&mut self, rows: usize) -> Result<BTreeMap<Place, Slots>, BadIndex> {
        let mut places = BTreeMap::new();
        for _ in 0..self.number()? {
            let place = Place {
                spec_id: self.text()?,
                change_id: self.maybe()?,
                requirement: self.maybe()?,
            };
            let slots = Slots { main: self.slot(rows)?, long: self.slot(rows)? };
            places.insert(place, slots);
        }
        Ok(places)
    }

    fn slot(&mut self, rows: usize) -> Result<Option<u32>, BadIndex> {
        match self.number()? {
            NO_ROW => Ok(None),
            row if (row as usize) < rows => Ok(Some(row)),
            _ => Err(BadIndex::Damaged("a place without its vector")),
        }
    }
}
