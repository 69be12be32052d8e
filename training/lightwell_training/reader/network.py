"""The reader: all-MiniLM-L6-v2 with one layer that gives the logits of start and end of the answer."""

import torch
from torch import nn

from lightwell_training.trunk.network import HIDDEN, Trunk, TrunkShape


class Reader(nn.Module):
    """Logits of start and end over all tokens; those of position 0 are for no answer."""

    def __init__(self, trunk):
        super().__init__()
        self.trunk, self.shape = trunk, trunk.shape
        self.span = nn.Linear(trunk.shape.width, 2)

    def forward(self, ids, mask, types):
        """Logits float32 [2, batch, tokens]; tokens of the question and padding have HIDDEN."""
        logits = self.span(self.trunk(ids, mask, types)).float().permute(2, 0, 1)
        allowed = types * mask
        first = torch.zeros_like(allowed)
        first[:, 0] = 1
        return logits + (1.0 - (allowed + first).float()) * HIDDEN


def load_checkpoint(checkpoint):
    """The network of a checkpoint, ready to measure, and everything else that the checkpoint holds."""
    saved = torch.load(checkpoint, map_location="cpu", weights_only=False)
    model = Reader(Trunk(TrunkShape(**saved["shape"])))
    model.load_state_dict(saved["model"])
    return model.eval(), saved
