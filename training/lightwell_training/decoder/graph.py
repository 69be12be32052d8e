"""The decoder as a graph in plain ONNX operators, and the JSON files of its hub folder.

Past and present have the names that Optimum gives them. Weights are stored as float16 and cast to float32 in the graph;
everything is computed in float32.
"""

import json
import shutil

import numpy as np
from onnx import TensorProto, helper

from lightwell_training.graph.nodes import IR_VERSION, OPSET, Graph
from lightwell_training.text.tokenizer import END_OF_TEXT

TOTAL = "past_sequence_length + sequence_length"


def add_mask(graph):
    """Additive mask [batch, 1, tokens, total].

    It is 0 where a position is neither padding nor later, and the least float elsewhere.
    """

    def size(name, of, axis):
        return graph.add(
            "Gather",
            f"/model/{name}/Gather",
            graph.add("Shape", f"/model/{name}/Shape", of),
            graph.constant(axis),
            axis=0,
        )

    past, tokens = size("past", "past_key_values.0.key", 2), size("tokens", "input_ids", 1)
    total = graph.add("Add", "/model/total/Add", past, tokens)
    one = graph.constant(1)
    queries = graph.add(
        "Unsqueeze",
        "/model/queries/Unsqueeze",
        graph.add("Range", "/model/queries/Range", past, total, one),
        graph.constant([1]),
    )
    keys = graph.add("Range", "/model/keys/Range", graph.constant(0), total, one)
    causal = graph.add("LessOrEqual", "/model/causal/LessOrEqual", keys, queries)
    causal = graph.add("Unsqueeze", "/model/causal/Unsqueeze", causal, graph.constant([0, 1]))
    seen = graph.add(
        "Unsqueeze",
        "/model/padding/Unsqueeze",
        graph.add("Cast", "/model/padding/Cast", "attention_mask", to=TensorProto.BOOL),
        graph.constant([1, 2]),
    )
    allowed = graph.add("And", "/model/And", causal, seen)
    return graph.add(
        "Where",
        "/model/Where",
        allowed,
        graph.constant(0.0, np.float32),
        graph.constant(np.finfo(np.float32).min, np.float32),
    )


def add_rotary(graph, shape):
    """Cosines and sines of the positions, each [batch, 1, tokens, head_size]."""
    inverse = (shape.rope_theta ** (-np.arange(0, shape.head_size, 2) / shape.head_size)).reshape(1, 1, -1)
    path = "/model/rotary_emb"
    positions = graph.add(
        "Cast",
        f"{path}/Cast",
        graph.add("Unsqueeze", f"{path}/Unsqueeze", "position_ids", graph.constant([2])),
        to=TensorProto.FLOAT,
    )
    angles = graph.add("Mul", f"{path}/Mul", positions, graph.constant(inverse, np.float32))
    angles = graph.add("Concat", f"{path}/Concat", angles, angles, axis=-1)
    return [
        graph.add("Unsqueeze", f"{path}/{op}/Unsqueeze", graph.add(op, f"{path}/{op}", angles), graph.constant([1]))
        for op in ("Cos", "Sin")
    ]


def rotate(graph, path, x, tables, half):
    """Rotary positions on x [batch, heads, tokens, head_size]."""
    front = graph.add("Slice", f"{path}/Slice", x, graph.constant([0]), graph.constant([half]), graph.constant([3]))
    back = graph.add(
        "Slice", f"{path}/Slice_1", x, graph.constant([half]), graph.constant([2 * half]), graph.constant([3])
    )
    turned = graph.add("Concat", f"{path}/Concat", graph.add("Neg", f"{path}/Neg", back), front, axis=-1)
    return graph.add(
        "Add",
        f"{path}/Add",
        graph.add("Mul", f"{path}/Mul", x, tables[0]),
        graph.add("Mul", f"{path}/Mul_1", turned, tables[1]),
    )


def add_attention(graph, index, x, module, shape, tables, mask):
    """Self-attention of layer `index` with its past and present keys and values."""
    name, path = f"model.layers.{index}.self_attn", f"/model/layers.{index}/self_attn"

    def heads(part):
        flat = graph.linear(f"{name}.{part}", x, getattr(module, part))
        split = graph.add(
            "Reshape", f"{path}/{part}/Reshape", flat, graph.constant([0, 0, shape.num_heads, shape.head_size])
        )
        return graph.add("Transpose", f"{path}/{part}/Transpose", split, perm=[0, 2, 1, 3])

    half = shape.head_size // 2
    query = rotate(graph, f"{path}/query", heads("q_proj"), tables, half)
    key = rotate(graph, f"{path}/key", heads("k_proj"), tables, half)
    key = graph.add(
        "Concat", f"{path}/key/Concat_past", f"past_key_values.{index}.key", key, axis=2, output=f"present.{index}.key"
    )
    value = graph.add(
        "Concat",
        f"{path}/value/Concat_past",
        f"past_key_values.{index}.value",
        heads("v_proj"),
        axis=2,
        output=f"present.{index}.value",
    )
    turned = graph.add("Transpose", f"{path}/Transpose", key, perm=[0, 1, 3, 2])
    scores = graph.add(
        "Mul",
        f"{path}/Mul",
        graph.add("MatMul", f"{path}/MatMul", query, turned),
        graph.constant(shape.head_size**-0.5, np.float32),
    )
    weights = graph.add("Softmax", f"{path}/Softmax", graph.add("Add", f"{path}/Add", scores, mask), axis=-1)
    mixed = graph.add(
        "Transpose", f"{path}/Transpose_1", graph.add("MatMul", f"{path}/MatMul_1", weights, value), perm=[0, 2, 1, 3]
    )
    flat = graph.add("Reshape", f"{path}/Reshape", mixed, graph.constant([0, 0, shape.hidden_size]))
    return graph.linear(f"{name}.o_proj", flat, module.o_proj)


def add_layer(graph, index, x, module, shape, tables, mask):
    """One decoder layer."""
    name, path = f"model.layers.{index}", f"/model/layers.{index}"
    normed = graph.norm(f"{name}.input_layernorm", x, module.input_layernorm)
    x = graph.add("Add", f"{path}/Add", x, add_attention(graph, index, normed, module.self_attn, shape, tables, mask))
    normed = graph.norm(f"{name}.post_attention_layernorm", x, module.post_attention_layernorm)
    gate = graph.linear(f"{name}.mlp.gate_proj", normed, module.gate_proj)
    gate = graph.add("Mul", f"{path}/mlp/act_fn/Mul", gate, graph.add("Sigmoid", f"{path}/mlp/act_fn/Sigmoid", gate))
    product = graph.add("Mul", f"{path}/mlp/Mul", gate, graph.linear(f"{name}.mlp.up_proj", normed, module.up_proj))
    return graph.add("Add", f"{path}/Add_1", x, graph.linear(f"{name}.mlp.down_proj", product, module.down_proj))


def build(model):
    """The ONNX model of a decoder."""
    shape, graph = model.shape, Graph()
    embedding = graph.weight("model.embed_tokens.weight", model.embed_tokens.weight)
    x = graph.add("Gather", "/model/embed_tokens/Gather", embedding, "input_ids", axis=0)
    mask, tables = add_mask(graph), add_rotary(graph, shape)
    for index, layer in enumerate(model.layers):
        x = add_layer(graph, index, x, layer, shape, tables, mask)
    x = graph.norm("model.norm", x, model.norm)
    graph.add(
        "MatMul",
        "/lm_head/MatMul",
        x,
        graph.add("Transpose", "/lm_head/Transpose", embedding, perm=[1, 0]),
        output="logits",
    )

    def ids(name, length):
        return helper.make_tensor_value_info(name, TensorProto.INT64, ["batch_size", length])

    def cache(name, length):
        return helper.make_tensor_value_info(
            name, TensorProto.FLOAT, ["batch_size", shape.num_heads, length, shape.head_size]
        )

    parts = [(index, part) for index in range(shape.num_layers) for part in ("key", "value")]
    inputs = [ids("input_ids", "sequence_length"), ids("attention_mask", TOTAL), ids("position_ids", "sequence_length")]
    inputs += [cache(f"past_key_values.{index}.{part}", "past_sequence_length") for index, part in parts]
    outputs = [
        helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch_size", "sequence_length", shape.vocab_size])
    ]
    outputs += [cache(f"present.{index}.{part}", TOTAL) for index, part in parts]
    body = helper.make_graph(graph.nodes, "main_graph", inputs, outputs, graph.initializers)
    return helper.make_model(
        body, producer_name="lightwell", ir_version=IR_VERSION, opset_imports=[helper.make_opsetid("", OPSET)]
    )


def write_configs(out, tokenizer, shape, end):
    """The JSON files that a hub folder has beside the graph."""
    config = {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "attention_bias": False,
        "attention_dropout": 0.0,
        "mlp_bias": False,
        "bos_token_id": end,
        "eos_token_id": end,
        "hidden_act": "silu",
        "hidden_size": shape.hidden_size,
        "head_dim": shape.head_size,
        "initializer_range": 0.02,
        "intermediate_size": shape.intermediate_size,
        "max_position_embeddings": shape.max_positions,
        "num_attention_heads": shape.num_heads,
        "num_hidden_layers": shape.num_layers,
        "num_key_value_heads": shape.num_heads,
        "pretraining_tp": 1,
        "rms_norm_eps": shape.norm_eps,
        "rope_scaling": None,
        "rope_theta": shape.rope_theta,
        "tie_word_embeddings": True,
        "torch_dtype": "float32",
        "use_cache": True,
        "vocab_size": shape.vocab_size,
    }
    generation = {"_from_model_config": True, "bos_token_id": end, "eos_token_id": end, "pad_token_id": end}
    tokens = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": shape.max_positions,
        "clean_up_tokenization_spaces": False,
        "bos_token": END_OF_TEXT,
        "eos_token": END_OF_TEXT,
        "pad_token": END_OF_TEXT,
        "add_bos_token": False,
        "add_eos_token": False,
        "added_tokens_decoder": {
            str(end): {
                "content": END_OF_TEXT,
                "lstrip": False,
                "normalized": False,
                "rstrip": False,
                "single_word": False,
                "special": True,
            }
        },
    }
    for name, values in (("config", config), ("generation_config", generation), ("tokenizer_config", tokens)):
        (out / f"{name}.json").write_text(json.dumps(values, indent=2) + "\n")
    shutil.copyfile(tokenizer, out / "tokenizer.json")
