"""The reader of a checkpoint, alone and with its check."""

import numpy as np
import torch

from lightwell_training.reader.network.check import Check, Checked
from lightwell_training.reader.network.network import Reader, Shape


def load_reader(checkpoint, corpus):
    """The network of a checkpoint, without dropout, and the training's state."""
    saved = torch.load(checkpoint, weights_only=False)
    model = Reader(Shape(**saved["shape"]), dict(np.load(corpus / "tables.npz")))
    model.load_state_dict(saved["model"])
    return model.eval(), saved["state"]


def load_checked(checkpoint, check, corpus):
    """The network with its check, and the states of both trainings."""
    reader, state = load_reader(checkpoint, corpus)
    saved, checking = torch.load(check, weights_only=False), Check()
    checking.load_state_dict(saved["model"])
    return Checked(reader, checking).eval(), state | {"check": saved["state"]}
