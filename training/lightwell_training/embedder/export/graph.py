"""Further operators of the embedder's graph, among them look-ups that convert only the rows they need."""

import numpy as np
from onnx import TensorProto

from lightwell_training.graph.nodes import Graph


class EmbedderGraph(Graph):
    """Graph with the operators of the embedder; each method adds and returns the name of what it made."""

    def real(self, value):
        return self.constant(value, np.float32)

    def look_up(self, name, table, indices, to=None):
        """Rows of a table, cast behind the looking up, so that only what is asked for is converted."""
        found = self.add("Gather", f"/{name}/Gather", table, indices, axis=0)
        return found if to is None else self.add("Cast", f"/{name}/Cast", found, to=to)

    def sum(self, name, x, axis, keepdims=1):
        return self.add("ReduceSum", f"{name}/ReduceSum", x, self.constant([axis]), keepdims=keepdims)

    def unsqueeze(self, name, x, axes):
        return self.add("Unsqueeze", f"{name}/Unsqueeze", x, self.constant(axes))

    def cast(self, name, x, to=TensorProto.FLOAT):
        return self.add("Cast", f"{name}/Cast", x, to=to)

    def gelu(self, path, x):
        """X / 2 times (1 + erf(x / root of 2))."""
        bent = self.add("Erf", f"{path}/Erf", self.add("Mul", f"{path}/Mul", x, self.real(0.5**0.5)))
        return self.add(
            "Mul",
            f"{path}/Mul_2",
            self.add("Mul", f"{path}/Mul_1", x, self.real(0.5)),
            self.add("Add", f"{path}/Add", bent, self.real(1.0)),
        )

    def unit(self, path, x):
        """X over its length along the last axis; zeros stay zeros."""
        squares = self.sum(path, self.add("Mul", f"{path}/Square", x, x), -1)
        return self.add(
            "Div",
            f"{path}/Div",
            x,
            self.add("Sqrt", f"{path}/Sqrt", self.add("Add", f"{path}/Add", squares, self.real(1e-12))),
        )
