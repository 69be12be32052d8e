"""Tasks of the synthetic dialogues, from tasks.json: what a user asks for, and how each slot is said and asked for."""

import json
from pathlib import Path
from typing import NamedTuple


class Slot(NamedTuple):
    """One thing that a task needs to know.

    `phrases` say the value in a request, `asks` request it, `fields` are its names in a form, `questions` ask for it
    afterwards; `pool` is the pool of its values.
    """

    pool: str
    phrases: tuple
    asks: tuple
    fields: tuple
    questions: tuple = ()


class Task(NamedTuple):
    """`wants` begin the request, `done` reports success, `slots` follow in any order."""

    wants: tuple
    done: tuple
    slots: tuple


def slot_of(values):
    """A slot from its JSON object; lists become tuples, so that slots are keys of dictionaries."""
    return Slot(**{name: value if name == "pool" else tuple(value) for name, value in values.items()})


def read_tasks(values):
    """The tasks of the JSON text's object; a slot that several tasks share is named there and described once."""
    shared = {name: slot_of(slot) for name, slot in values["slots"].items()}
    for task in values["tasks"]:
        slots = tuple(shared[slot] if isinstance(slot, str) else slot_of(slot) for slot in task["slots"])
        yield Task(tuple(task["wants"]), tuple(task["done"]), slots)


_TEXT = json.loads(Path(__file__).with_name("tasks.json").read_text(encoding="utf-8"))
TASKS = tuple(read_tasks(_TEXT))
OPENERS, CONFIRMS, THANKS, MORE = (tuple(_TEXT[name]) for name in ("openers", "confirms", "thanks", "more"))
