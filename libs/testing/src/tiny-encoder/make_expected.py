"""Makes the encoder of the specs, a BERT of 13,000 random parameters, and what others compute with it.

    pip install numpy onnx onnxruntime tokenizers
    python make_expected.py

Writes model.onnx, tokenizer.json and expected.json beside itself: token ids by Hugging Face's tokenizers, and embeddings
by onnxruntime in Python. The same forward pass in NumPy has to agree with the graph.
"""

import json
import random
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

FOLDER = Path(__file__).parent
HIDDEN, LAYERS, HEADS, INNER, POSITIONS, TYPES, EPSILON = 24, 2, 3, 48, 40, 2, 1e-12

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = "the cat sat on a mat dog ran fast hello world embed text password reset naive cafe strasse".split()
PIECES = ["##" + piece for piece in "s ed ing er ly world fast cat".split()]
LETTERS = list("abcdefghijklmnopqrstuvwxyzß0123456789ıςσжй漢字日本語가ᄀ") + ["ก", "😀", "€"]
PUNCTUATION = list(".,;:!?-_'\"()[]{}<>|~`^$+=@#%&*/\\«»—…")
VOCABULARY = SPECIAL + WORDS + PIECES + LETTERS + ["##" + letter for letter in LETTERS] + PUNCTUATION


def make_tokenizer():
    vocabulary = {token: index for index, token in enumerate(dict.fromkeys(VOCABULARY))}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=30))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(SPECIAL)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(token, vocabulary[token]) for token in ("[CLS]", "[SEP]")],
    )
    return tokenizer


def make_weights(vocabulary):
    draw = np.random.default_rng(3407)
    shapes = {"word": (vocabulary, HIDDEN), "position": (POSITIONS, HIDDEN), "type": (TYPES, HIDDEN)}
    norms = ["norm"]
    for layer in range(LAYERS):
        for name in "qkvo":
            shapes |= {f"{layer}.{name}.w": (HIDDEN, HIDDEN), f"{layer}.{name}.b": (HIDDEN,)}
        shapes |= {f"{layer}.up.w": (HIDDEN, INNER), f"{layer}.up.b": (INNER,)}
        shapes |= {f"{layer}.down.w": (INNER, HIDDEN), f"{layer}.down.b": (HIDDEN,)}
        norms += [f"{layer}.norm1", f"{layer}.norm2"]
    weights = {name: (draw.standard_normal(shape) * 0.4).astype(np.float32) for name, shape in shapes.items()}
    for name in norms:
        weights[name + ".w"] = (1 + 0.1 * draw.standard_normal(HIDDEN)).astype(np.float32)
        weights[name + ".b"] = (0.1 * draw.standard_normal(HIDDEN)).astype(np.float32)
    return weights


def make_graph(weights):
    nodes, constants = [], {}

    def add(kind, inputs, **attributes):
        output = f"v{len(nodes)}"
        nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def constant(values, kind=np.float32):
        name = f"c{len(constants)}"
        constants[name] = np.array(values, kind)
        return name

    def linear(value, name):
        return add("Add", [add("MatMul", [value, name + ".w"]), name + ".b"])

    def norm(value, name):
        return add("LayerNormalization", [value, name + ".w", name + ".b"], axis=-1, epsilon=EPSILON)

    def heads(value, order):
        split = add("Reshape", [value, constant([0, 0, HEADS, HIDDEN // HEADS], np.int64)])
        return add("Transpose", [split], perm=order)

    shape = add("Shape", ["input_ids"])
    length = add("Gather", [shape, constant(1, np.int64)])
    positions = add("Range", [constant(0, np.int64), length, constant(1, np.int64)])
    words = add("Add", [add("Gather", ["word", "input_ids"]), add("Gather", ["type", "token_type_ids"])])
    state = norm(add("Add", [words, add("Gather", ["position", positions])]), "norm")
    mask = add("Unsqueeze", ["attention_mask", constant([1, 2], np.int64)])
    masked = add("Mul", [add("Sub", [constant(1), add("Cast", [mask], to=TensorProto.FLOAT)]), constant(-1e9)])
    for layer in range(LAYERS):
        query, keys, values = (linear(state, f"{layer}.{name}") for name in "qkv")
        scores = add("MatMul", [heads(query, [0, 2, 1, 3]), heads(keys, [0, 2, 3, 1])])
        scaled = add("Mul", [scores, constant((HIDDEN // HEADS) ** -0.5)])
        shares = add("Softmax", [add("Add", [scaled, masked])], axis=-1)
        mixed = add("Transpose", [add("MatMul", [shares, heads(values, [0, 2, 1, 3])])], perm=[0, 2, 1, 3])
        joined = add("Reshape", [mixed, constant([0, 0, HIDDEN], np.int64)])
        state = norm(add("Add", [state, linear(joined, f"{layer}.o")]), f"{layer}.norm1")
        inner = linear(state, f"{layer}.up")
        error = add("Erf", [add("Mul", [inner, constant(2**-0.5)])])
        gelu = add("Mul", [add("Mul", [inner, constant(0.5)]), add("Add", [error, constant(1)])])
        state = norm(add("Add", [state, linear(gelu, f"{layer}.down")]), f"{layer}.norm2")
    nodes.append(helper.make_node("Identity", [state], ["last_hidden_state"]))
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "sequence", HIDDEN])
    stored = [numpy_helper.from_array(value, name) for name, value in (weights | constants).items()]
    graph = helper.make_graph(nodes, "bert", inputs, [output], stored)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model


def forward(weights, ids):
    """The same in NumPy, with 64 bits."""
    w = {name: value.astype(np.float64) for name, value in weights.items()}

    def norm(value, name):
        mean, variance = value.mean(-1, keepdims=True), value.var(-1, keepdims=True)
        return (value - mean) / np.sqrt(variance + EPSILON) * w[name + ".w"] + w[name + ".b"]

    def linear(value, name):
        return value @ w[name + ".w"] + w[name + ".b"]

    erf = np.vectorize(__import__("math").erf)
    state = norm(w["word"][ids] + w["type"][0] + w["position"][: len(ids)], "norm")
    for layer in range(LAYERS):
        query, keys, values = (
            linear(state, f"{layer}.{name}").reshape(len(ids), HEADS, -1).transpose(1, 0, 2) for name in "qkv"
        )
        scores = query @ keys.transpose(0, 2, 1) / np.sqrt(HIDDEN // HEADS)
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        mixed = (shares @ values).transpose(1, 0, 2).reshape(len(ids), HIDDEN)
        state = norm(state + linear(mixed, f"{layer}.o"), f"{layer}.norm1")
        inner = linear(state, f"{layer}.up")
        state = norm(state + linear(inner * 0.5 * (1 + erf(inner / np.sqrt(2))), f"{layer}.down"), f"{layer}.norm2")
    return state


TEXTS = [
    "The cat sat on a mat.",
    "A dog ran fast",
    "hello world",
    "reset password",
    "naïve café Straße",
    "漢字 日本語",
    "😀 hello 😀",
    "cats worlding",
    "x",
    "the cat sat on a mat the dog ran fast",
]
HOSTILE = [
    "",
    "   ",
    "\t\n\r\u00a0\u2003\u3000\u2028hello\u0085world",
    "a\u0000b\u0007c\u200bd\u00ade\ufefff\ufffdg",
    "e\u0301 \u0301a \u0308 ïéàç",
    "ΟΔΥΣΣΕΥΣ ΣΑΣ Ж й Й",
    "İstanbul I ı",
    "hello漢字world日本語가나다한국어",
    "[CLS] a [SEP] [MASK] [PAD] [UNK] [cls] [unk]",
    "[SEP][SEP]cat[MASK]dog",
    "##ing ##s # #",
    "a" * 30,
    "a" * 31,
    "é" * 30,
    "😀" * 30,
    "😀" * 31,
    "x" * 500,
    "qqqq zzz§ catz§ cat§",
    "hello,world!it's(a)«text»—…",
    "$a+b=c<d>e|f~g`h^i",
    "👩‍👩‍👧‍👦 🇩🇪 🥰 ﬁ ½ ²",
    "مرحبا שלום ก็้",
    "catworldfastlying",
]


def random_texts(count):
    draw = random.Random(3407)
    pools = ["catsdogrunembed   ", "".join(LETTERS) + " ", "".join(PUNCTUATION) + "ab ", "ÉÀÏÇ\u0301\u0308éß漢ΣςİI \u200d\u0000"]
    for _ in range(count):
        pool = "".join(draw.sample(pools, draw.randint(1, 3)))
        yield "".join(draw.choice(pool) for _ in range(draw.randint(1, 40)))


def main():
    tokenizer = make_tokenizer()
    vocabulary = tokenizer.get_vocab_size()
    weights = make_weights(vocabulary)
    model = make_graph(weights)
    onnx.save(model, FOLDER / "model.onnx")
    tokenizer.save(str(FOLDER / "tokenizer.json"), pretty=False)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    embeddings = []
    for text in TEXTS:
        ids = tokenizer.encode(text).ids
        row = np.array([ids], np.int64)
        feeds = {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.zeros_like(row)}
        (states,) = session.run(["last_hidden_state"], feeds)
        assert np.abs(states[0] - forward(weights, ids)).max() < 1e-4
        pooled = {"mean": states[0].mean(0), "cls": states[0][0]}
        unit = {name: (value / np.linalg.norm(value)).tolist() for name, value in pooled.items()}
        embeddings.append({"text": text, "ids": ids, **{k: [round(x, 8) for x in v] for k, v in unit.items()}})
    tokens = [{"text": text, "ids": tokenizer.encode(text).ids} for text in [*HOSTILE, *random_texts(150)]]
    lines = lambda items: "[\n" + ",\n".join(json.dumps(item) for item in items) + "\n]"
    (FOLDER / "expected.json").write_text(
        f'{{"vocabSize": {vocabulary}, "embeddings": {lines(embeddings)}, "tokens": {lines(tokens)}}}\n'
    )


if __name__ == "__main__":
    main()
