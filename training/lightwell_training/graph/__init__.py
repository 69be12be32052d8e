"""ONNX graphs, written node by node, and the folders that they come in."""
