"""Rows of a table as they are stored: int8 numbers and a scale per row."""

import numpy as np


def quantise(rows):
    """int8 rows and their float16 scales [rows, 1]."""
    scales = (np.maximum(np.abs(rows).max(1, keepdims=True), 1e-3) / 127).astype(np.float16)
    return np.clip(np.round(rows / scales.astype(np.float32)), -127, 127).astype(np.int8), scales


def restored(whole, scales):
    """The float32 rows that a file holds as int8 rows and their scales."""
    return whole * scales.astype(np.float32)
