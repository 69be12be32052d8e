"""ONNX graphs, written node by node."""
