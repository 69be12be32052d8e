"""Checks that the committed graphs of lightwell-base are what the exporter writes for the weights that they hold."""

import unittest

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
onnx = pytest.importorskip("onnx", reason="onnx is not installed")

from lightwell_training.decoder.network import Decoder, Shape
from lightwell_training.graph.stored import stored_weights
from lightwell_training.repository import model_folder
from lightwell_training.vision.earlier import load
from lightwell_training.vision.export.graphs import build_decoder, build_embedding, build_encoder
from lightwell_training.vision.network import PatchEncoder, VisionShape

FOLDER = model_folder("lightwell-base") / "onnx"


def committed(name):
    return (FOLDER / f"{name}.onnx").read_bytes()


def weights_of(name):
    return stored_weights(FOLDER / f"{name}.onnx")


class Exports(unittest.TestCase):
    def test_the_decoder_and_the_embedding_come_out_byte_for_byte(self):
        decoder = load(Decoder(Shape()), weights_of("decoder_model_merged"), "model.")
        self.assertEqual(build_decoder(decoder).SerializeToString(), committed("decoder_model_merged"))
        self.assertEqual(build_embedding(decoder).SerializeToString(), committed("embed_tokens"))

    def test_the_encoder_comes_out_byte_for_byte(self):
        encoder = load(PatchEncoder(VisionShape()), weights_of("vision_encoder"), "encoder.")
        self.assertEqual(build_encoder(encoder).SerializeToString(), committed("vision_encoder"))
