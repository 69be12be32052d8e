"""The weights of a graph that this package wrote."""

import numpy as np
import onnx
from onnx import numpy_helper


def stored_weights(path):
    """The named weights of an ONNX file, float32; matrices of linear layers are stored transposed."""
    return {
        item.name: numpy_helper.to_array(item).astype(np.float32) for item in onnx.load(str(path)).graph.initializer
    }
