"""Lightwell's heat map in notebooks."""

from pathlib import Path

import anywidget
import traitlets


class HeatMap(anywidget.AnyWidget):
    """Scores over a text, as a heat map.

    ``HeatMap(text, scores)`` with ``[{"start", "length", "score"}]`` in code points, or one such list for each of ``targets``;
    ``HeatMap(value)`` with what another tool has written, as docs/heat-map.md has it.
    """

    _esm = Path(__file__).parent / "widget.js"

    #: What is drawn; another value is drawn in its place.
    value = traitlets.Dict().tag(sync=True)
    #: The section that is selected, ``{"id", "start", "length"}``, or None.
    selected = traitlets.Dict(default_value=None, allow_none=True).tag(sync=True)

    def __init__(self, value, scores=None, targets=(), **options):
        """Draws a value, or a text and its scores; options are those of ipywidgets."""
        if isinstance(value, str):
            if scores is None:
                raise TypeError("scores: expected a list for a text, got None")
            value = {"text": value, "scores": list(scores), "targets": list(targets)}
        elif scores is not None:
            raise TypeError(f"value: expected a text where there are scores, got {type(value).__name__}")
        super().__init__(value=value, **options)
