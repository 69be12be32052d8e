"""Runs the steps of a model in order.

A step whose product exists is left out, and a training continues from its checkpoint.
"""

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from lightwell_training.corpora.sources import add_data_option
from lightwell_training.repository import model_folder

# Settings of the processes that train; they are read when a process starts.
SETTINGS = {
    "TOKENIZERS_PARALLELISM": "false",
    # A thread that waits leaves its core to others, so that a busy machine slows a training but does not stall it.
    "OMP_WAIT_POLICY": "PASSIVE",
    # Freed memory is kept: to give it back and fetch it again at each step costs more time than the arithmetic.
    "MALLOC_MMAP_THRESHOLD_": "8589934592",
    "MALLOC_TRIM_THRESHOLD_": "17179869184",
    "MALLOC_TOP_PAD_": "268435456",
}


class Step(NamedTuple):
    """The words behind `python -m lightwell_training`; the step is left out where the file `unless` exists."""

    words: tuple
    unless: Path | None = None


def step(model, name, /, *, unless=None, **options):
    """A step with its options: `step("base", "mean", training=folder)` is `base mean --training folder`.

    A tuple gives an option several words.
    """
    words = [model, name]
    for option, value in options.items():
        words += [f"--{option}", *map(str, value if isinstance(value, tuple) else (value,))]
    return Step(tuple(words), unless)


def add_chain_options(parser, model):
    """Adds --data, --out, --model and --list; `model` is the name of the folder that is written unless told."""
    add_data_option(parser)
    parser.add_argument(
        "--out", type=Path, required=True, help="folder for what is made on the way, outside the repository"
    )
    parser.add_argument("--model", type=Path, help=f"folder to write (default: public/models/{model})")
    parser.add_argument("--list", action="store_true", help="print the steps and run none")
    parser.set_defaults(name=model)


def run(steps_of, arguments, settings=SETTINGS):
    """Runs what `steps_of(data, out, model)` lists.

    Exits at the first step that fails.
    """
    model = arguments.model or model_folder(arguments.name)
    for words, unless in steps_of(arguments.data.resolve(), arguments.out.resolve(), model.resolve()):
        print(shlex.join(words), flush=True)
        if not arguments.list and not (unless and unless.exists()):
            command = [sys.executable, "-m", "lightwell_training", *words]
            status = subprocess.run(command, check=False, env={**os.environ, **settings}).returncode
            if status:
                raise SystemExit(f"{shlex.join(words[:2])} ended with status {status}")
