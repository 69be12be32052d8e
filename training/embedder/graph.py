"""An ONNX graph under construction, in plain operators; weights are float16 or int8 in the file and float32 in the computing."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

OPSET, IR_VERSION = 18, 8


class Graph:
    """Nodes and initialisers under construction; each method adds and returns the name of what it made."""

    def __init__(self):
        self.nodes, self.initializers, self.constants = [], [], {}

    def add(self, op, name, *inputs, output=None, **attributes):
        """A node at path `name`, such as /pool/Div."""
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

    def real(self, value):
        return self.constant(value, np.float32)

    def table(self, name, array):
        """An initialiser as it is."""
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def weight(self, name, values):
        """A float16 initialiser and its Cast to float32."""
        table = self.table(name, values.detach().numpy().astype(np.float16))
        return self.add("Cast", f"/{name}/Cast", table, to=TensorProto.FLOAT)

    def look_up(self, name, table, indices, to=None):
        """Rows of a table, cast behind the looking up, so that only what is asked for is converted."""
        found = self.add("Gather", f"/{name}/Gather", table, indices, axis=0)
        return found if to is None else self.add("Cast", f"/{name}/Cast", found, to=to)

    def linear(self, name, x, module):
        """x times the transposed weight, which is stored as [in, out], plus the bias if there is one."""
        product = self.add("MatMul", f"/{name}/MatMul", x, self.weight(f"{name}.weight", module.weight.T))
        return product if module.bias is None else self.add("Add", f"/{name}/Add", product, self.weight(f"{name}.bias", module.bias))

    def sum(self, name, x, axis, keepdims=1):
        return self.add("ReduceSum", f"{name}/ReduceSum", x, self.constant([axis]), keepdims=keepdims)

    def unsqueeze(self, name, x, axes):
        return self.add("Unsqueeze", f"{name}/Unsqueeze", x, self.constant(axes))

    def cast(self, name, x, to=TensorProto.FLOAT):
        return self.add("Cast", f"{name}/Cast", x, to=to)

    def norm(self, name, x, module):
        """RMSNorm by primitives."""
        path = "/" + name
        mean = self.add("ReduceMean", f"{path}/ReduceMean", self.add("Mul", f"{path}/Square", x, x), self.constant([-1]), keepdims=1)
        root = self.add("Sqrt", f"{path}/Sqrt", self.add("Add", f"{path}/Add", mean, self.real(module.eps)))
        return self.add("Mul", f"{path}/Mul", self.weight(f"{name}.weight", module.weight), self.add("Div", f"{path}/Div", x, root))

    def gelu(self, path, x):
        """x / 2 times (1 + erf(x / root of 2))."""
        bent = self.add("Erf", f"{path}/Erf", self.add("Mul", f"{path}/Mul", x, self.real(0.5 ** 0.5)))
        return self.add("Mul", f"{path}/Mul_2", self.add("Mul", f"{path}/Mul_1", x, self.real(0.5)), self.add("Add", f"{path}/Add", bent, self.real(1.0)))

    def unit(self, path, x):
        """x over its length along the last axis; zeros stay zeros."""
        squares = self.sum(path, self.add("Mul", f"{path}/Square", x, x), -1)
        return self.add("Div", f"{path}/Div", x, self.add("Sqrt", f"{path}/Sqrt", self.add("Add", f"{path}/Add", squares, self.real(1e-12))))
