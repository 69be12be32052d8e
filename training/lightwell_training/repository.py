"""Finds the files of Lightwell's repository that the trainings read: golden prompts and model folders."""

from functools import lru_cache
from pathlib import Path

PROMPTS = Path("test", "golden", "embedded", "context-prompts.json")


class NotInRepositoryError(Exception):
    """The command runs outside Lightwell's repository."""


@lru_cache(maxsize=1)
def repository_root():
    """The nearest folder above this file, or above the current folder, that has the golden prompts.

    Raises NotInRepositoryError where neither has one. An installed package lies outside the repository, so its commands
    run inside the repository.
    """
    for start in (Path(__file__).resolve(), Path.cwd() / "here"):
        for folder in start.parents:
            if (folder / PROMPTS).is_file():
                return folder
    raise NotInRepositoryError(f"expected {PROMPTS} above {Path.cwd()}: run this command in the Lightwell repository")


def golden_prompts():
    """The path of the twenty golden prompts, whose names no training text may contain."""
    return repository_root() / PROMPTS


def everyday_prompts():
    """The path of the sixty everyday prompts; no training text may contain their names or sentences."""
    return repository_root() / "evaluation" / "data" / "everyday-prompts.json"


def office_questions():
    """The path of the questions about office texts; only those whose part is `training` may be trained on."""
    return repository_root() / "evaluation" / "data" / "contract-questions.json"


def model_folder(name):
    """The folder of a model that the app ships, such as lightwell-base."""
    return repository_root() / "public" / "models" / name
