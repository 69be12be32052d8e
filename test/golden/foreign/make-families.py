"""Writes small graphs of the families that people use, with random weights, as exporters write them.

    python make-families.py OUT

Needs torch, transformers, onnx, onnxscript and onnxruntime. OUT gets a folder with `model.onnx` for each, and `families.json`:
its exporter, the operator set and how many layers it has. Nothing is downloaded.
"""

import json
import sys
import warnings
from pathlib import Path

import onnx
import torch
from onnx import TensorProto, helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from transformers import AutoConfig, AutoModel, AutoModelForCausalLM, AutoModelForQuestionAnswering, DynamicCache

LAYERS, WIDTH, HEADS, VOCABULARY = 2, 64, 4, 97
HEAD = WIDTH // HEADS
AUTO = torch.export.Dim.AUTO

SIZES = {"vocab_size": VOCABULARY, "hidden_size": WIDTH, "intermediate_size": 96, "max_position_embeddings": 128}
MARKS = {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 1}
COMMON = {**SIZES, **MARKS, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS}
GROUPED = {**COMMON, "num_key_value_heads": 2}
GPT = {"vocab_size": VOCABULARY, "n_embd": WIDTH, "n_layer": LAYERS, "n_head": HEADS, "n_positions": 128}

# name, model type, configuration, TorchScript or dynamo, operator set, attention
DECODERS = [
    ("llama", "llama", GROUPED, False, 17, "eager"),
    ("llama-dynamo", "llama", GROUPED, True, 18, "eager"),
    ("llama-attention23", "llama", GROUPED, True, 23, "sdpa"),
    ("qwen2", "qwen2", GROUPED, False, 17, "eager"),
    ("qwen3", "qwen3", {**GROUPED, "head_dim": HEAD}, False, 17, "eager"),
    ("mistral-window", "mistral", {**GROUPED, "sliding_window": 6}, True, 18, "eager"),
    ("gemma", "gemma", {**GROUPED, "head_dim": HEAD}, False, 17, "eager"),
    ("gemma2", "gemma2", {**GROUPED, "head_dim": HEAD, "sliding_window": 6}, True, 18, "eager"),
    ("gemma3", "gemma3_text", {**GROUPED, "head_dim": HEAD, "sliding_window": 6}, True, 18, "eager"),
    ("gpt2", "gpt2", GPT, False, 17, "eager"),
    ("gpt2-dynamo", "gpt2", GPT, True, 18, "eager"),
    ("gpt-neox", "gpt_neox", COMMON, False, 17, "eager"),
    ("gptj", "gptj", {**GPT, "rotary_dim": 8}, True, 18, "eager"),
    ("opt", "opt", {**COMMON, "ffn_dim": 96, "word_embed_proj_dim": WIDTH}, True, 18, "eager"),
    ("bloom-alibi", "bloom", {**COMMON, "n_layer": LAYERS, "n_head": HEADS}, False, 17, "eager"),
    ("phi", "phi", {**COMMON, "partial_rotary_factor": 0.5}, False, 17, "eager"),
    ("phi3", "phi3", GROUPED, False, 17, "eager"),
    ("stablelm", "stablelm", GROUPED, False, 17, "eager"),
    ("starcoder2", "starcoder2", GROUPED, False, 17, "eager"),
    ("olmo2", "olmo2", GROUPED, False, 17, "eager"),
    ("cohere", "cohere", GROUPED, True, 18, "eager"),
    ("granite", "granite", GROUPED, False, 17, "eager"),
    ("smollm3", "smollm3", {**GROUPED, "no_rope_layers": [1, 0]}, True, 18, "eager"),
]
ENCODERS = [
    ("bert", "bert", COMMON, False, 17),
    ("roberta", "roberta", {**COMMON, "max_position_embeddings": 130}, False, 17),
    ("xlm-roberta", "xlm-roberta", {**COMMON, "max_position_embeddings": 130}, True, 18),
    ("mpnet", "mpnet", {**COMMON, "max_position_embeddings": 130}, False, 17),
    ("distilbert", "distilbert", {"vocab_size": VOCABULARY, "dim": WIDTH, "hidden_dim": 96, "n_layers": LAYERS, "n_heads": HEADS}, False, 17),
    ("electra", "electra", {**COMMON, "embedding_size": 32}, False, 17),
    ("albert", "albert", {**COMMON, "embedding_size": 32}, False, 17),
    ("deberta-v2", "deberta-v2", {**COMMON, "relative_attention": True, "pos_att_type": ["p2c", "c2p"]}, False, 17),
    ("modernbert", "modernbert", {**COMMON, "local_attention": 8, "global_attn_every_n_layers": 2}, True, 18),
    ("camembert", "camembert", {**COMMON, "max_position_embeddings": 130}, True, 18),
]


class Decoder(torch.nn.Module):
    """Logits, keys and values, from inputs in the order of the exported graph."""

    def __init__(self, model: torch.nn.Module, axes: int = 2, has_past: bool = True) -> None:
        super().__init__()
        self.model = model
        self.axes = axes
        self.has_past = has_past

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, positions: torch.Tensor, *past: torch.Tensor):
        cache = DynamicCache()
        for layer in range(len(past) // 2):
            cache.update(past[2 * layer], past[2 * layer + 1], layer)
        where = positions[0] if self.axes == 3 else positions
        names = {"input_ids": ids, "attention_mask": mask, "past_key_values": cache, "use_cache": True}
        if self.model.config.model_type not in ("bloom", "opt"):
            names["position_ids"] = where
        out = self.model(**names)
        present = [part for layer in out.past_key_values.layers for part in (layer.keys, layer.values)]
        return (out.logits, *present)


class Encoder(torch.nn.Module):
    """Results of one kind, from inputs in the order of the exported graph."""

    def __init__(self, model: torch.nn.Module, names: list[str], outputs: list[str]) -> None:
        super().__init__()
        self.model = model
        self.names = names
        self.outputs = outputs

    def forward(self, *inputs: torch.Tensor):
        out = self.model(**dict(zip(self.names, inputs)))
        return tuple(out[name] for name in self.outputs)


def random_model(kind, model_type: str, values: dict, attention: str) -> torch.nn.Module:
    """Weights large enough that every part of the network matters."""
    torch.manual_seed(7)
    config = AutoConfig.for_model(model_type, **values)
    model = kind.from_config(config, attn_implementation=attention).eval().float()
    for name, parameter in model.named_parameters():
        if parameter.dim() > 1:
            torch.nn.init.normal_(parameter, std=0.08)
        elif "bias" in name:
            torch.nn.init.normal_(parameter, std=0.05)
    return model


def heads_of(model: torch.nn.Module) -> tuple[int, int]:
    """Heads and head size of the retained keys."""
    config = model.config
    heads = getattr(config, "num_key_value_heads", None) or HEADS
    return heads, getattr(config, "head_dim", None) or HEAD


def kept(word: str) -> list[str]:
    return [f"{word}.{layer}.{part}" for layer in range(LAYERS) for part in ("key", "value")]


def export_decoder(model: torch.nn.Module, path: Path, dynamo: bool, opset: int, axes: int = 2, has_past: bool = True) -> None:
    """As Optimum does: ids, mask and positions, then keys and values by layer."""
    batch, tokens, past = 2, 5, 3 if has_past else 0
    heads, size = heads_of(model)
    positions = torch.arange(past, past + tokens).expand(batch, tokens).contiguous()
    if axes == 3:
        positions = positions.expand(3, batch, tokens).contiguous()
    inputs = [torch.randint(3, VOCABULARY, (batch, tokens)), torch.ones(batch, past + tokens, dtype=torch.long), positions]
    names = ["input_ids", "attention_mask", "position_ids"]
    if has_past:
        inputs += [torch.randn(batch, heads, past, size) for _ in range(2 * LAYERS)]
        names += kept("past_key_values")
    outputs = ["logits", *kept("present")]
    free = {name: {0: "batch_size", 1: "sequence_length"} for name in ("input_ids", "attention_mask", "position_ids", "logits")}
    if axes == 3:
        free["position_ids"] = {1: "batch_size", 2: "sequence_length"}
    free |= {name: {0: "batch_size", 2: "past_length"} for name in names[3:] + outputs[1:]}
    write(Decoder(model, axes, has_past), inputs, path, names, outputs, free, dynamo, opset)


def write(module, inputs, path: Path, names, outputs, free, dynamo: bool, opset: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    options = {"input_names": names, "output_names": outputs, "opset_version": opset, "dynamo": dynamo}
    if dynamo:
        shapes = [{axis: AUTO for axis in free[name]} for name in names]
        variadic = isinstance(module, Decoder)
        options["dynamic_shapes"] = (*shapes[:3], tuple(shapes[3:])) if variadic else (tuple(shapes),)
        options["external_data"] = False
    else:
        options["dynamic_axes"] = {name: free[name] for name in names + outputs if name in free}
    torch.onnx.export(module, tuple(inputs), str(path), **options)


def export_encoder(model: torch.nn.Module, path: Path, dynamo: bool, opset: int, outputs: list[str]) -> None:
    has_segments = model.config.model_type in ("bert", "electra", "albert")
    names = ["input_ids", "attention_mask"] + (["token_type_ids"] if has_segments else [])
    ids = torch.randint(3, VOCABULARY, (2, 11))
    inputs = [ids, torch.ones_like(ids), torch.zeros_like(ids)][: len(names)]
    free = {name: {0: "batch_size", 1: "sequence_length"} for name in [*names, *outputs]}
    write(Encoder(model, names, outputs), inputs, path, names, outputs, free, dynamo, opset)


def merge(first: Path, second: Path, path: Path) -> None:
    """Two decoders as one, as Optimum's merge_decoders does: an If over `use_cache_branch`, weights outside."""
    branches = []
    weights = []
    with_past = onnx.load(second)
    for label, source in (("else_branch", first), ("then_branch", second)):
        model = onnx.load(source)
        graph = model.graph
        given = {each.name for each in with_past.graph.input}
        rename = lambda name: name if name in given or name == "" else f"{label}/{name}"
        for tensor in graph.initializer:
            tensor.name = rename(tensor.name)
            weights.append(tensor)
        for node in graph.node:
            node.input[:] = [rename(name) for name in node.input]
            node.output[:] = [rename(name) for name in node.output]
            node.name = f"{label}/{node.name}"
        results = [helper.make_tensor_value_info(rename(each.name), TensorProto.FLOAT, None) for each in graph.output]
        branches.append(helper.make_graph(graph.node, label, [], results))
    choice = helper.make_tensor_value_info("use_cache_branch", TensorProto.BOOL, [1])
    outputs = [each.name for each in with_past.graph.output]
    node = helper.make_node("If", ["use_cache_branch"], outputs, name="optimum::if", else_branch=branches[0], then_branch=branches[1])
    graph = helper.make_graph([node], "merged", [*with_past.graph.input, choice], list(with_past.graph.output), weights)
    path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(helper.make_model(graph, opset_imports=with_past.opset_import, ir_version=with_past.ir_version), path)


def quantise(source: Path, path: Path) -> None:
    """q8, as transformers.js' own script makes it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    quantize_dynamic(source, path, weight_type=QuantType.QUInt8, extra_options={"EnableSubgraph": True, "MatMulConstBOnly": True})


def main(out: Path) -> None:
    warnings.simplefilter("ignore")
    made = []
    def attempt(name: str, exporter: str, kind: str, make) -> None:
        path = out / name / "model.onnx"
        try:
            make(path)
            versions = {each.domain: each.version for each in onnx.load(path).opset_import}
            made.append({"name": name, "exporter": exporter, "kind": kind, "layers": LAYERS, "opset": versions.get("", 0)})
            print("made", name, path.stat().st_size)
        except Exception as error:  # a family that this exporter cannot write is said, and left out
            path.unlink(missing_ok=True)
            print("left out", name, f"{type(error).__name__}: {error}".replace("\n", " ")[:300])

    def exporter_of(dynamo: bool) -> str:
        return f"PyTorch {torch.__version__.split('+')[0]} {'dynamo' if dynamo else 'TorchScript'}"

    for name, model_type, values, dynamo, opset, attention in DECODERS:
        model = lambda: random_model(AutoModelForCausalLM, model_type, values, attention)
        attempt(name, exporter_of(dynamo), "decoder", lambda path: export_decoder(model(), path, dynamo, opset))
    for name, model_type, values, dynamo, opset in ENCODERS:
        model = lambda: random_model(AutoModel, model_type, values, "eager")
        attempt(name, exporter_of(dynamo), "encoder", lambda path: export_encoder(model(), path, dynamo, opset, ["last_hidden_state"]))
    def three_axes(path: Path) -> None:
        export_decoder(random_model(AutoModelForCausalLM, "qwen2", GROUPED, "eager"), path, False, 17, axes=3)

    def merged(path: Path) -> None:
        model = random_model(AutoModelForCausalLM, "gpt2", GPT, "eager")
        first, second = out / "parts" / "first.onnx", out / "parts" / "second.onnx"
        export_decoder(model, first, False, 17, has_past=False)
        export_decoder(model, second, False, 17)
        merge(first, second, path)

    def reader(path: Path) -> None:
        model = random_model(AutoModelForQuestionAnswering, "bert", COMMON, "eager")
        export_encoder(model, path, False, 17, ["start_logits", "end_logits"])

    attempt("bert-qa", exporter_of(False), "reader", reader)
    attempt("qwen2-three-axes", exporter_of(False), "decoder", three_axes)
    attempt("gpt2-merged", "Optimum's merge_decoders", "decoder", merged)
    for name, kind in (("llama", "decoder"), ("gpt2", "decoder"), ("bert", "encoder"), ("roberta", "encoder")):
        attempt(f"{name}-q8", "ONNX Runtime quantize_dynamic", kind, lambda path: quantise(out / name / "model.onnx", path))
    (out / "families.json").write_text(json.dumps(made, indent=1))


main(Path(sys.argv[1]))
