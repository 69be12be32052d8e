"""Checks that the package stays small to read: short files, small rooms, names that say something."""

from pathlib import Path

import lightwell_training

TRAINING = Path(lightwell_training.__file__).parents[1]
FILES = [path for folder in ("lightwell_training", "tests") for path in (TRAINING / folder).rglob("*.py")]
FOLDERS = {path.parent for path in FILES}
MAX_LINES, MAX_ENTRIES = 250, 15


def test_files_are_short():
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}
    assert {path: length for path, length in lengths.items() if length > MAX_LINES} == {}


def test_folders_are_small():
    entries = {folder: [path for path in folder.iterdir() if path.name != "__pycache__"] for folder in FOLDERS}
    assert {folder: len(paths) for folder, paths in entries.items() if len(paths) > MAX_ENTRIES} == {}


def test_names_say_what_is_inside():
    assert not {path.stem for path in FILES} & {"util", "utils", "helper", "helpers", "common", "misc"}
