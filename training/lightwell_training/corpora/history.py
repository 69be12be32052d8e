"""Takes the folder of an earlier model from the repository's history."""

import subprocess
import tarfile
from io import BytesIO

from lightwell_training.corpora.sources import WrongCorpusError, checksum
from lightwell_training.repository import repository_root


def fetch(commit, path, sha256, folder):
    """The folder at `path` of a commit, extracted into `folder`; `sha256` has the checksums of the files that count.

    Raises WrongCorpusError where a file is not the one that is wanted.
    """
    command = ["git", "archive", "--format=tar", commit, path]
    archive = subprocess.run(command, check=True, capture_output=True, cwd=repository_root()).stdout
    with tarfile.open(fileobj=BytesIO(archive)) as files:
        files.extractall(folder, filter="data")
    for name, wanted in sha256.items():
        if (got := checksum(folder / path / name)) != wanted:
            raise WrongCorpusError(f"{path}/{name} of commit {commit}: expected SHA-256 {wanted}, got {got}")
    return folder / path
