"""What a training does at each of its steps, read from a JSON file.

The same file and seed ask for the same steps again on any clock.
"""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Phase:
    """Part of a training: rows of text per step, tokens in each, and the share of each stream.

    The shares add up to 1.
    """

    until: float  # share of the training's steps at which the phase ends
    rows: int
    length: int
    mix: dict[str, float]


@dataclass(frozen=True)
class Schedule:
    """`steps` optimiser steps, and the learning rate of each group of weights between the warm-up and the fall."""

    steps: int
    rates: dict[str, float]
    warm_up: float = 0.01  # share of the steps in which the rates rise
    # Share of the steps after which they fall, linearly to 0; 1.0: they stay, for a training that another continues.
    decay_from: float = 0.4
    phases: tuple[Phase, ...] = ()  # none where no stream of text is read
    image_rows: int = 0  # rows with a picture in every step
    kept: tuple[int, ...] = ()  # steps after which a checkpoint is kept beside the last one, see mean.py
    answer_weight: float = (
        3.0  # of a token of an answer that stands in the context, in the loss of a row of text; the others weigh 1
    )
    first_weight: float | None = None  # of an answer's first token, where it differs

    def phase(self, step: int) -> Phase:
        return next(phase for phase in self.phases if step < phase.until * self.steps)

    def factor(self, step: int) -> float:
        """Factor on the rates: a warm-up, a plateau, the fall."""
        progress = step / self.steps
        fall = (1.0 - progress) / (1.0 - self.decay_from) if self.decay_from < 1.0 else 1.0
        return min(1.0, progress / self.warm_up + 0.02, fall)


def read_schedule(path: Path) -> Schedule:
    """The schedule of a JSON file.

    Raises ValueError where the shares of a phase do not add up to 1, no phase reaches the end, or a step to keep lies
    behind it.
    """
    values = json.loads(path.read_text(encoding="utf-8"))
    phases = tuple(Phase(**phase) for phase in values.pop("phases", ()))
    for phase in phases:
        if abs(sum(phase.mix.values()) - 1.0) > 1e-6:
            raise ValueError(
                f"{path}: the shares of the phase until {phase.until} add up to {sum(phase.mix.values())}, not to 1"
            )
    if phases and phases[-1].until != 1.0:
        raise ValueError(f"{path}: the last phase must have until = 1.0")
    schedule = Schedule(phases=phases, kept=tuple(values.pop("kept", ())), **values)
    if schedule.kept and max(schedule.kept) > schedule.steps:
        raise ValueError(f"{path}: step {max(schedule.kept)} cannot be kept, there are {schedule.steps}")
    return schedule
