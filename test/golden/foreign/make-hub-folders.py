"""Puts networks with random weights where the hub folders have Git LFS pointers, and notes what sentence-transformers makes of them.

    python make-hub-folders.py DATA/hub DATA/hub-made

Needs torch, transformers, sentence-transformers and onnx. OUT gets a folder in the hub's layout for each embedder whose tokenizer
is there, with `onnx/model.onnx` of its own configuration and `expected.json`: texts and vectors, by representation.
"""

import json
import shutil
import sys
from pathlib import Path

import torch
from sentence_transformers import SentenceTransformer, models
from transformers import AutoConfig, AutoModel

SEED = 20
TEXTS = [
    "The ferry to the island leaves at nine in the morning.",
    "Bread",
    "When does the boat go?",
    "A recipe for bread: mix flour, water, salt and yeast, let the dough rest for an hour, then bake it in a hot oven.",
]
FOLDERS = [
    "Xenova/all-MiniLM-L6-v2",
    "Supabase/gte-small",
    "avsolatorio/NoInstruct-small-Embedding-v0",
    "sentence-transformers/all-mpnet-base-v2",
]


def random_model(folder: Path) -> torch.nn.Module:
    """A network of the folder's configuration; weights large enough that every part of it matters."""
    torch.manual_seed(SEED)
    config = AutoConfig.from_pretrained(folder)
    model = AutoModel.from_config(config, attn_implementation="eager").eval()
    for name, parameter in model.named_parameters():
        if parameter.dim() > 1:
            torch.nn.init.normal_(parameter, std=0.06)
        elif "bias" in name:
            torch.nn.init.normal_(parameter, std=0.05)
    return model


class States(torch.nn.Module):
    """The last states alone, from inputs in the order of the exported graph."""

    def __init__(self, model: torch.nn.Module, names: list[str]) -> None:
        super().__init__()
        self.model = model
        self.names = names

    def forward(self, *inputs: torch.Tensor) -> torch.Tensor:
        return self.model(**dict(zip(self.names, inputs))).last_hidden_state


def export(model: torch.nn.Module, path: Path) -> None:
    """Writes the graph as the TorchScript exporter does, for any batch and length."""
    names = ["input_ids", "attention_mask"] + (["token_type_ids"] if model.config.model_type == "bert" else [])
    ids = torch.tensor([[5, 6, 7, 8, 9, 10, 11]] * 2)
    inputs = [ids, torch.ones_like(ids), torch.zeros_like(ids)][: len(names)]
    output = "last_hidden_state"
    axes = {name: {0: "batch_size", 1: "sequence_length"} for name in [*names, output]}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    torch.onnx.export(
        States(model, names),
        tuple(inputs),
        path,
        input_names=names,
        output_names=[output],
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )


def pooled(folder: Path, mode: str) -> list[list[float]]:
    """Vectors of one pooling, of length 1. sentence-transformers refuses `output_key`, which says what a pooling is for."""
    transformer = models.Transformer(str(folder))
    modules = [transformer, models.Pooling(transformer.get_embedding_dimension(), mode), models.Normalize()]
    return SentenceTransformer(modules=modules, device="cpu").encode(TEXTS).tolist()


def expected(folder: Path) -> dict[str, list[list[float]]]:
    """Vectors by representation."""
    if (folder / "2_Pooling").exists():
        return {"document": pooled(folder, "cls"), "query": pooled(folder, "mean")}
    model = SentenceTransformer(str(folder), device="cpu")
    return {"symmetric": model.encode(TEXTS, normalize_embeddings=True).tolist()}


def main(data: Path, out: Path) -> None:
    """Makes every folder."""
    for name in FOLDERS:
        folder = out / name
        shutil.copytree(data / name, folder, dirs_exist_ok=True)
        model = random_model(folder)
        model.save_pretrained(folder)
        export(model, folder / "onnx" / "model.onnx")
        note = {"seed": SEED, "torch": torch.__version__, "texts": TEXTS, "vectors": expected(folder)}
        (folder / "model.safetensors").unlink()
        shutil.copy(data / name / "config.json", folder / "config.json")
        (folder / "expected.json").write_text(json.dumps(note))
        print(name, flush=True)


main(Path(sys.argv[1]), Path(sys.argv[2]))
