"""Checks that the committed graphs of lightwell-base are what the exporter writes for the weights that they hold."""

import unittest

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
onnx = pytest.importorskip("onnx", reason="onnx is not installed")

from onnx import numpy_helper

from lightwell_training.decoder.network import Decoder, Shape
from lightwell_training.repository import model_folder
from lightwell_training.vision.export.graphs import build_decoder, build_embedding, build_encoder
from lightwell_training.vision.network import PatchEncoder, VisionShape

FOLDER = model_folder("lightwell-base") / "onnx"


def committed(name):
    return (FOLDER / f"{name}.onnx").read_bytes()


def weights_of(name):
    """Initialisers of a committed graph, by name."""
    graph = onnx.load_from_string(committed(name)).graph
    return {item.name: torch.from_numpy(numpy_helper.to_array(item).copy()) for item in graph.initializer}


def fill(network, stored, renamed):
    """Gives a network the stored weights; matrices of linear layers are stored transposed."""
    linear = {f"{name}.weight" for name, part in network.named_modules() if isinstance(part, torch.nn.Linear)}
    for name, parameter in network.named_parameters():
        values = stored[renamed(name)].float()
        parameter.data.copy_(values.T if name in linear else values)
    return network.eval()


def decoder_name(name):
    for part in ("gate_proj", "up_proj", "down_proj"):
        name = name.replace(part, f"mlp.{part}")
    return f"model.{name}"


class Exports(unittest.TestCase):
    def test_the_decoder_and_the_embedding_come_out_byte_for_byte(self):
        decoder = fill(Decoder(Shape()), weights_of("decoder_model_merged"), decoder_name)
        self.assertEqual(build_decoder(decoder).SerializeToString(), committed("decoder_model_merged"))
        self.assertEqual(build_embedding(decoder).SerializeToString(), committed("embed_tokens"))

    def test_the_encoder_comes_out_byte_for_byte(self):
        encoder = fill(PatchEncoder(VisionShape()), weights_of("vision_encoder"), lambda name: f"encoder.{name}")
        self.assertEqual(build_encoder(encoder).SerializeToString(), committed("vision_encoder"))
