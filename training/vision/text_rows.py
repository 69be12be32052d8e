"""Rows of text for the second training: the first training's streams, read on from where it stopped, and further prose."""

import numpy as np
import torch

from train import ANSWER_WEIGHT, DOMAINS, Rows, domain_rows

LENGTH = 1024
FURTHER = ("novels", "reference")  # streams of prose.py
MIX = {"synthetic": 0.25, "distant": 0.16, "dialogues": 0.04, "reading": 0.17, "stories": 0.02, "news": 0.02, "books": 0.14, "novels": 0.10, "reference": 0.10}


class TextRows:
    """Batches drawn over the domains. `used` counts rows by length and domain, as train.py's Mixture does, and is all the state there is."""

    def __init__(self, folder, seed, used):
        self.seed, self.used = seed, {length: dict(counts) for length, counts in used.items()}
        self.names = [name for name in MIX if (folder / f"{name}.train.npz").exists()]
        shares = np.array([MIX[name] for name in self.names])
        self.shares = shares / shares.sum()
        self.domains: dict[str, Rows] = {name: domain_rows(folder, name, LENGTH, seed) for name in self.names}
        for name in (*DOMAINS, *FURTHER):
            for counts in self.used.values():
                counts.setdefault(name, 0)

    def batch(self, step, rows):
        """Input ids, target ids and target weights, each [rows, LENGTH]."""
        picked = []
        for name in np.random.default_rng([self.seed, 7, step]).choice(self.names, size=rows, p=self.shares):
            picked.append(self.domains[name].row(self.used[LENGTH][name]))
            self.used[LENGTH][name] += 1
        ids = torch.from_numpy(np.stack([row for row, _ in picked]))
        weights = 1.0 + (ANSWER_WEIGHT - 1.0) * torch.from_numpy(np.stack([marks for _, marks in picked])[:, 1:]).float()
        return ids[:, :-1], ids[:, 1:], weights
