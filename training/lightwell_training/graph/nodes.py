"""An ONNX graph under construction, in plain operators.

Weights are float16 in the file; the graph casts them to float32 before it computes.
"""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

OPSET, IR_VERSION = 18, 8


class Graph:
    """Nodes and initialisers under construction; each method adds and returns the name of what it made."""

    def __init__(self):
        self.nodes, self.initializers, self.constants = [], [], {}

    def add(self, op, name, *inputs, output=None, **attributes):
        """A node at path `name`, such as /model/norm/Pow."""
        output = output or f"{name}_output_0"
        self.nodes.append(helper.make_node(op, list(inputs), [output], name=name, **attributes))
        return output

    def constant(self, value, kind=np.int64):
        """An initialiser for a small constant, shared between equal values."""
        array = np.array(value, dtype=kind)
        key = (array.tobytes(), array.shape, array.dtype.str)
        if key not in self.constants:
            self.constants[key] = self.table(f"constant_{len(self.constants)}", array)
        return self.constants[key]

    def table(self, name, array):
        """An initialiser as it is."""
        self.initializers.append(numpy_helper.from_array(array, name))
        return name

    def weight(self, name, values):
        """A float16 initialiser and its Cast to float32."""
        table = self.table(name, values.detach().numpy().astype(np.float16))
        return self.add("Cast", f"/{name}/Cast", table, to=TensorProto.FLOAT)

    def norm(self, name, x, module):
        """RMSNorm by primitives."""
        weight = self.weight(f"{name}.weight", module.weight)
        path = "/" + name.replace(".", "/")
        square = self.add("Pow", f"{path}/Pow", x, self.constant(2.0, np.float32))
        mean = self.add("ReduceMean", f"{path}/ReduceMean", square, self.constant([-1]), keepdims=1)
        root = self.add(
            "Sqrt", f"{path}/Sqrt", self.add("Add", f"{path}/Add", mean, self.constant(module.eps, np.float32))
        )
        scale = self.add("Div", f"{path}/Div", self.constant(1.0, np.float32), root)
        return self.add("Mul", f"{path}/Mul_1", weight, self.add("Mul", f"{path}/Mul", x, scale))

    def linear(self, name, x, module):
        """X times the transposed weight, which is stored as [in, out], plus the bias if there is one."""
        path = "/" + name.replace(".", "/")
        product = self.add("MatMul", f"{path}/MatMul", x, self.weight(f"{name}.weight", module.weight.T))
        return (
            product
            if module.bias is None
            else self.add("Add", f"{path}/Add", product, self.weight(f"{name}.bias", module.bias))
        )
