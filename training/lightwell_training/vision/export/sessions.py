"""The three graphs in onnxruntime, as the page runs them."""

import numpy as np
import onnxruntime

from lightwell_training.vision.network import TOKENS

GRAPHS = ("vision_encoder", "embed_tokens", "decoder_model_merged")


class Sessions:
    """The three graphs as the page runs them."""

    def __init__(self, folder, threads=1):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads

        def open_graph(name):
            return onnxruntime.InferenceSession(
                str(folder / "onnx" / f"{name}.onnx"), options, providers=["CPUExecutionProvider"]
            )

        self.encoder, self.table, self.decoder = (open_graph(name) for name in GRAPHS)

    def rows(self, pixels, ids, first):
        """Embeddings of rows with one picture each from position `first` on."""
        rows = self.table.run(None, {"input_ids": ids})[0]
        rows[:, first : first + TOKENS] = self.encoder.run(None, {"pixel_values": pixels})[0]
        return rows

    def decode(self, rows, mask, positions, past=None):
        """Logits, and keys and values."""
        heads = self.decoder.get_inputs()[3:]
        empty = np.zeros((len(rows), heads[0].shape[1], 0, heads[0].shape[3]), np.float32)
        kept = dict(zip([item.name for item in heads], past or [empty] * len(heads)))
        return self.decoder.run(
            None, {"inputs_embeds": rows, "attention_mask": mask, "position_ids": positions, **kept}
        )
