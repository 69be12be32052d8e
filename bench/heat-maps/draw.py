"""Draws one list of scores with Inseq and with SHAP: python draw.py SCORES.json FOLDER, for `npm run bench -- heat-maps`."""

import json
import sys
from pathlib import Path

import inseq
import numpy as np
import shap
import torch
from inseq.data import FeatureAttributionSequenceOutput
from inseq.utils.typing import TokenWithId

given = json.loads(Path(sys.argv[1]).read_text())
tokens, scores = given["data"], given["values"]
folder = Path(sys.argv[2])

source = [TokenWithId(token, at) for at, token in enumerate([*tokens, " yes"])]
sequence = FeatureAttributionSequenceOutput(
    source=source,
    target=source,
    source_attributions=None,
    target_attributions=torch.tensor([[score] for score in scores] + [[float("nan")]]),
    attr_pos_start=len(tokens),
    attr_pos_end=len(tokens) + 1,
)
(folder / "inseq.html").write_text(sequence.show(display=False, return_html=True, do_aggregation=False))

explanation = shap.Explanation(values=np.array(scores), base_values=0.0, data=np.array(tokens))
(folder / "shap.html").write_text(shap.plots.text(explanation, display=False))
