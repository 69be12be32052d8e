"""Writes src/models/manifest.json: size and SHA-256 of every file of the models that the app ships.

The app checks what it downloads against it. Cards are left out: they are text for people, and change without the
weights.
"""

import hashlib
import json

from lightwell_training.repository import repository_root

CARD = "README.md"


def models_folder():
    """The folder with a folder for each model."""
    return repository_root() / "public" / "models"


def entry(path):
    """What is known of one file."""
    content = path.read_bytes()
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def files_of(folder):
    """Entries by path in the folder, in alphabetical order."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != CARD)
    return {path.relative_to(folder).as_posix(): entry(path) for path in paths}


def manifest():
    """Files of each model, by its name."""
    return {folder.name: files_of(folder) for folder in sorted(models_folder().iterdir()) if folder.is_dir()}


def write():
    """Writes the manifest as it is to be committed."""
    text = json.dumps(manifest(), indent=2) + "\n"
    (repository_root() / "src" / "models" / "manifest.json").write_text(text)


def update(out):
    """Writes the manifest where `out`, which was just exported, is a folder that the app ships."""
    if out.resolve().parent == models_folder().resolve():
        write()


def add_options(parser):
    """Adds no options."""


def main(_):
    """Runs this step."""
    write()
