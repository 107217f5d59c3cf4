//! The model: a packed file, ready to embed. Start at [`Model::builtin`].

use std::{borrow::Cow, fmt};

use sha2::{Digest as _, Sha256};

use crate::{
    Vector, encoder,
    format::{self, BadModel, Layout},
    tokenizer::Tokenizer,
};

/// Part of [`ModelId`]: raised when the same weights would give other vectors than before, so that indexes are made anew.
const REVISION: u32 = 1;

/// A sentence-embedding model, ready to use. It never changes; threads share it by reference.
pub struct Model {
    /// The packed file, where its weights are used as they lie.
    pub(crate) file: Cow<'static, [u8]>,
    pub(crate) layout: Layout,
    tokenizer: Tokenizer,
    id: ModelId,
}

impl Model {
    /// The model that the program brings: all-MiniLM-L6-v2. Its weights stay in the program file, from which the system
    /// reads the pages that are used.
    #[cfg(feature = "builtin")]
    #[expect(clippy::missing_panics_doc, reason = "tests read the file that is in the repository")]
    pub fn builtin() -> Self {
        static FILE: &[u8] = include_bytes!("../model/all-minilm-l6-v2.bin");
        // No more likely to be damaged than the code that would check it, so the checksum is left to a test.
        Self::open(Cow::Borrowed(FILE)).expect("the model in the repository can be read")
    }

    /// A model from the content of a packed file; [`pack::pack`](crate::pack::pack) makes these.
    ///
    /// Whatever the bytes are, there is an answer: a model that embeds any text, or the reason why not.
    pub fn read(file: &[u8]) -> Result<Self, BadModel> {
        format::verify(file)?;
        Self::open(Cow::Owned(file.to_vec()))
    }

    fn open(file: Cow<'static, [u8]>) -> Result<Self, BadModel> {
        let layout = Layout::read(&file)?;
        let vocabulary =
            str::from_utf8(&file[layout.vocabulary.clone()]).map_err(|_| BadModel::Damaged)?;
        let entries = vocabulary.split('\n').count();
        if entries > layout.words.rows() {
            return Err(BadModel::Shape(format!(
                "{entries} words and vectors for {} of them",
                layout.words.rows()
            )));
        }
        let tokenizer = Tokenizer::read(vocabulary)?;
        let id = ModelId::new(&layout);
        Ok(Self { file, layout, tokenizer, id })
    }

    /// Which model this is, for an index to store.
    pub fn id(&self) -> &ModelId {
        &self.id
    }

    /// The ids of a text's tokens, as the encoder reads them: at most [`MAX_TOKENS`](crate::MAX_TOKENS).
    pub fn tokenize(&self, text: &str) -> Vec<u32> {
        self.tokenizer.tokenize(text)
    }

    /// The vector of one text: a query. For many texts, [`Model::embed_all`] is faster.
    pub fn embed(&self, text: &str) -> Vector {
        encoder::vector(self, &self.tokenize(text))
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Names a model and what it computes. Vectors can be compared when the ids that they were made under are equal.
///
/// Its text (`all-minilm-l6-v2:` and 64 hexadecimal digits) is what an index stores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelId {
    pub name: String,
    /// Of the weights, the vocabulary, and the revision of the encoder.
    pub hash: [u8; 32],
}

impl ModelId {
    fn new(layout: &Layout) -> Self {
        let hash = Sha256::new().chain_update(layout.seal).chain_update(REVISION.to_le_bytes());
        Self { name: layout.name.clone(), hash: hash.finalize().into() }
    }
}

impl fmt::Display for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.name)?;
        self.hash.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
