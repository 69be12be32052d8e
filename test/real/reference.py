"""What transformers, sentence-transformers and ONNX Runtime compute for the cases: one JSON file for each model.

    python reference.py CACHE NAME OUT [STS]    STS: JSON lines with sentences "a", "b" and people's "score"

Folders in 32 bits are compared with torch on the weights that they were exported from, decoders in dynamic int8 with torch
on the weights of the file, the others with ONNX Runtime on the same file.
"""

import json
import sys
from pathlib import Path

import numpy as np
import torch
import transformers.models.gemma3.modeling_gemma3 as gemma3
import transformers.models.llama.modeling_llama as llama
from folders import MINILM, Cache
from transformers import AutoModel, AutoModelForCausalLM, AutoTokenizer

CASES = json.loads((Path(__file__).parent / "cases.json").read_text())
FACTOR = 0.1
ALTERNATIVES = 5
FLOAT32 = 1  # accuracy_level of MatMulNBits; exporters write 4, which also rounds what comes in to 8 bits


class Suppression:
    """The factors of the passes that run, [passes, tokens], and the formula they are used with."""

    factors: torch.Tensor | None = None
    adds: bool = True


def attention(module, query, key, value, attention_mask, scaling=None, dropout=0.0, **_):
    """Eager attention whose scores for a key are changed by its factor. Source: AtMan, arXiv:2301.08110, section 3."""
    key, value = (llama.repeat_kv(each, module.num_key_value_groups) for each in (key, value))
    scores = query @ key.transpose(2, 3) * (scaling or module.head_dim**-0.5)
    rows, keys = scores.shape[-2:]
    causal = torch.ones(rows, keys, dtype=torch.bool).tril(keys - rows)
    hidden = ~causal if attention_mask is None else attention_mask[:1, :1, :, :keys] < -1e4
    if Suppression.factors is not None:
        factors = Suppression.factors[:, None, None, :]
        if Suppression.adds:
            scores = scores + factors.log()
        else:
            scores = (scores - scores.masked_fill(hidden, torch.inf).amin(-1, keepdim=True)) * factors
    weights = scores.masked_fill(hidden, -torch.inf).softmax(-1)
    return (weights @ value).transpose(1, 2).contiguous(), weights


llama.eager_attention_forward = gemma3.eager_attention_forward = attention


class Torch:
    """A decoder on torch."""

    def __init__(self, folder: Path) -> None:
        self.model = AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager").eval()

    def log_probabilities(self, ids: list[int], factors: torch.Tensor | None = None, adds: bool = True) -> np.ndarray:
        """Of every next token: [passes, tokens, vocabulary]."""
        Suppression.factors, Suppression.adds = factors, adds
        batch = torch.tensor([ids] * (1 if factors is None else len(factors)))
        found = self.model(batch).logits.double().log_softmax(-1).numpy()
        Suppression.factors = None
        return found

    def layers(self, ids: list[int], first: int) -> list[list[float]]:
        """Mean over the text's tokens of each layer's states, before the final norm; layer 0 is the embeddings."""
        last = []
        hook = self.model.model.norm.register_forward_pre_hook(lambda _, given: last.append(given[0]))
        states = self.model(torch.tensor([ids]), output_hidden_states=True).hidden_states
        hook.remove()
        return [layer[0, first:].double().mean(0).tolist() for layer in (*states[:-1], *last)]


def with_int8_weights(decoder: Torch, folder: Path) -> Torch:
    """The same decoder with the weights of a graph in dynamic int8, whose activations are not rounded here."""
    import onnx

    (file,) = (folder / "onnx").glob("*.onnx")
    graph = onnx.load(file).graph
    constants = {each.name: onnx.numpy_helper.to_array(each).astype(np.float32) for each in graph.initializer}

    def weight(name: str) -> torch.Tensor:
        codes, point, scale = (constants[f"{name}_{each}"] for each in ("quantized", "zero_point", "scale"))
        return torch.tensor((codes - point) * scale)

    for node in graph.node:
        if node.op_type == "MatMulInteger":
            module = node.name.removeprefix("/").removesuffix("/MatMul_quant").replace("/", ".")
            decoder.model.get_submodule(module).weight.data = weight(node.input[1].removesuffix("_quantized")).T
    decoder.model.get_input_embeddings().weight.data = weight("model.embed_tokens.weight")
    return decoder


class Onnx:
    """The same of a graph in native ONNX Runtime, without attention controls."""

    def __init__(self, folder: Path, config: dict) -> None:
        import onnx
        import onnxruntime

        (file,) = (folder / "onnx").glob("*.onnx")
        graph = onnx.load(file)
        for node in graph.graph.node:
            for attribute in node.attribute:
                if attribute.name == "accuracy_level":
                    attribute.i = FLOAT32
        self.session = onnxruntime.InferenceSession(graph.SerializeToString())
        self.heads = config["num_key_value_heads"]
        self.width = config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]

    def log_probabilities(self, ids: list[int]) -> np.ndarray:
        """Of every next token: [1, tokens, vocabulary]."""
        count = len(ids)
        given = {"input_ids": [ids], "attention_mask": [[1] * count], "position_ids": [list(range(count))]}
        feeds = {}
        for each in self.session.get_inputs():
            if each.name.startswith("past"):
                feeds[each.name] = np.zeros((1, self.heads, 0, self.width), np.float32)
            else:
                feeds[each.name] = np.array(given[each.name], np.int64)
        (logits,) = self.session.run(["logits"], feeds)
        return torch.tensor(logits).double().log_softmax(-1).numpy()


def decoder(cache: Cache, name: str) -> dict:
    """Tokens, likelihoods, explanations, states and texts of a decoder."""
    source = cache.source(name)
    tokenizer = AutoTokenizer.from_pretrained(source)
    found = {"places": [places(tokenizer, text) for text in CASES["strings"]]}
    config = json.loads((source / "config.json").read_text())
    model = Onnx(cache.folders / name, config) if name.endswith("-q4") else Torch(source)
    if name.endswith("-q8"):
        with_int8_weights(model, cache.folders / name)
    first = len(tokenizer("")["input_ids"])
    ends = [config["eos_token_id"]] if isinstance(config["eos_token_id"], int) else config["eos_token_id"]
    found["likelihoods"] = [likelihood(model, tokenizer, **each) for each in CASES["likelihoods"]]
    found["continued"] = [written(model, tokenizer, tokenizer(text)["input_ids"], ends) for text in CASES["continued"]]
    if tokenizer.chat_template:
        asked = tokenizer.apply_chat_template(CASES["dialogue"], add_generation_prompt=True)
        found["dialogue"] = written(model, tokenizer, asked, ends)
    if isinstance(model, Torch):
        found["layers"] = [model.layers(tokenizer(text)["input_ids"], first) for text in CASES["continued"]]
        found["explained"] = [explanation(model, tokenizer, first, **each) for each in CASES["explained"]]
    return found


def places(tokenizer, text: str) -> list[list[int]]:
    """Start and length of each token of a text, in code points.

    As the API has them: bytes of one character are one place, spaces around a word are left out, and a token of spaces
    is at its last one.
    """
    offsets = tokenizer(text, return_offsets_mapping=True, add_special_tokens=False)["offset_mapping"]
    words = [(start, end, text[start:end].strip(" ")) for start, end in offsets]
    shown = [(text.index(word, start), len(word)) if word else (end - 1, 1) for start, end, word in words]
    return [list(place) for place in dict.fromkeys(shown)]


def likelihood(model, tokenizer, prompt: str, target: str) -> dict:
    """Log-probability of the target, and those of the likeliest tokens in each of its places."""
    wanted = tokenizer(target, add_special_tokens=False)["input_ids"]
    rows = model.log_probabilities(tokenizer(prompt)["input_ids"] + wanted)[0][-len(wanted) - 1 : -1]
    best = np.sort(rows, axis=-1)[:, : -ALTERNATIVES - 1 : -1]
    return {"target": float(sum(row[each] for row, each in zip(rows, wanted))), "best": best.tolist()}


def explanation(model: Torch, tokenizer, first: int, prompt: str, target: str) -> dict:
    """A score for each token of the prompt, by both formulas."""
    wanted = tokenizer(target, add_special_tokens=False)["input_ids"]
    asked = tokenizer(prompt)["input_ids"]
    ids = asked + wanted
    factors = torch.ones(len(asked) - first + 1, len(ids))
    factors[range(1, len(factors)), range(first, len(asked))] = FACTOR
    scores = {}
    for formula in ("additive", "multiplicative"):
        rows = model.log_probabilities(ids, factors, formula == "additive")[:, -len(wanted) - 1 : -1]
        losses = -sum(rows[:, at, each] for at, each in enumerate(wanted))
        scores[formula] = (losses[1:] - losses[0]).tolist()
    return scores


def written(model, tokenizer, ids: list[int], ends: list[int]) -> str:
    """The likeliest token in turn, up to the end of the text."""
    ids = list(ids)
    begun = len(ids)
    while len(ids) - begun < CASES["written"]:
        likeliest = int(model.log_probabilities(ids)[0][-1].argmax())
        if likeliest in ends:
            break
        ids.append(likeliest)
    return tokenizer.decode(ids[begun:])


def embedder(cache: Cache, name: str, sts: Path | None) -> dict:
    """Token counts, states, vectors and STS Benchmark of an embedder."""
    source = cache.source(name)
    tokenizer = AutoTokenizer.from_pretrained(source)
    encode = by_sentence_transformers(source) if name == MINILM else by_onnx(cache.folders / name, tokenizer)
    found = {
        "counts": [len(tokenizer(text, add_special_tokens=False)["input_ids"]) for text in CASES["strings"]],
        "vectors": encode(CASES["strings"]),
    }
    if name == MINILM:
        model = AutoModel.from_pretrained(source).eval()
        # /embed reads a text as decoders do: with the token before it, without the one after it
        given = [torch.tensor([tokenizer(text)["input_ids"][:-1]]) for text in CASES["continued"]]
        states = [model(ids, output_hidden_states=True).hidden_states for ids in given]
        found["layers"] = [[layer[0, 1:].double().mean(0).tolist() for layer in each] for each in states]
    if sts is not None:
        pairs = [json.loads(line) for line in sts.read_text().splitlines()]
        a, b = (np.array(encode([pair[side] for pair in pairs])) for side in ("a", "b"))
        found["sts"] = rank_correlation((a * b).sum(-1), np.array([pair["score"] for pair in pairs]))
    return found


def by_sentence_transformers(source: Path):
    """Encodes texts as sentence-transformers does."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(source), device="cpu")
    return lambda texts: model.encode(texts, normalize_embeddings=True).tolist()


def by_onnx(folder: Path, tokenizer):
    """Encodes texts one at a time: in dynamic int8 each result depends on what is computed with it."""
    import onnxruntime

    (file,) = (folder / "onnx").glob("*.onnx")
    session = onnxruntime.InferenceSession(file)
    inputs = [each.name for each in session.get_inputs()]

    def one(text: str) -> list[float]:
        read = tokenizer(text, return_tensors="np", truncation=True, max_length=512)
        states = session.run(None, {each: read[each].astype(np.int64) for each in inputs})[0][0]
        mean = states.mean(0)
        return (mean / np.linalg.norm(mean)).tolist()

    return lambda texts: [one(text) for text in texts]


def rank_correlation(a: np.ndarray, b: np.ndarray) -> float:
    """Spearman's, ties by their mean rank."""
    from scipy.stats import spearmanr

    return float(spearmanr(a, b).statistic)


if __name__ == "__main__":
    root, name, out, *sts = sys.argv[1:]
    with torch.no_grad():
        if "MiniLM" in name:
            result = embedder(Cache(Path(root)), name, Path(sts[0]) if sts else None)
        else:
            result = decoder(Cache(Path(root)), name)
    Path(out).write_text(json.dumps(result))
