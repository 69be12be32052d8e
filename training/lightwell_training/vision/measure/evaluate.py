"""Measures a checkpoint of train_joint.py on pictures and on text.

On scenes of held-out pairs: captions, questions, AtMan on tiles. On text: what decoder/evaluate.py measures.
"""

import json
import time
from pathlib import Path

import torch
from tokenizers import Tokenizer

from lightwell_training.decoder.evaluate import text_figures
from lightwell_training.decoder.network import load_model
from lightwell_training.text.rows import DOMAINS, FURTHER
from lightwell_training.vision.export.hub import load_encoder
from lightwell_training.vision.export.sessions import Sessions
from lightwell_training.vision.measure.figures import attention_figures, caption_figures, question_figures
from lightwell_training.vision.network import VisionLanguage


def scene_figures(network, sessions, tokenizer, arguments):
    """Everything about scenes, on held-out pairs and beside them on pairs that were seen."""
    figures = {}
    for name, held_out in (("held_out", True), ("seen", False)):
        count = arguments.scenes if held_out else arguments.scenes // 2
        figures[name] = {
            "captions": caption_figures(sessions, tokenizer, held_out, count),
            "questions": question_figures(sessions, tokenizer, held_out, count),
        }
        print(name, json.dumps(figures[name]), flush=True)
    figures["atman"] = attention_figures(network, tokenizer, True, arguments.explained)
    print("atman", figures["atman"], flush=True)
    return figures


def sizes(decoder, encoder, state):
    """What the model card says of the network and its trainings; tokens by domain, of all of them.

    `state` is that of mean.py's file.
    """

    def count(network):
        return sum(parameter.numel() for parameter in network.parameters())

    used = {
        name: sum(length * counts.get(name, 0) for length, counts in state["used"].items())
        for name in (*DOMAINS, *FURTHER)
    }
    return {
        "layers": decoder.shape.num_layers,
        "decoder_parameters": count(decoder),
        "encoder_parameters": count(encoder),
        "trainings": [*state.get("past", []), {key: state[key] for key in ("step", "tokens", "images", "seconds")}],
        "mean_of": state["mean_of"],
        "used": used,
    }


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument(
        "--folder",
        type=Path,
        required=True,
        help="what the step export wrote of it; captions and answers are its graphs'",
    )
    parser.add_argument("--out", type=Path, help="writes the figures as JSON")
    parser.add_argument("--scenes", type=int, default=150, help="scenes for captions and questions")
    parser.add_argument("--explained", type=int, default=39, help="scenes for AtMan")
    parser.add_argument("--tokens", type=int, default=24_000, help="held-out tokens of each domain")
    parser.add_argument("--quick", action="store_true", help="no 3-gram, small samples of copies")
    parser.add_argument("--only", choices=("text", "scenes"))
    parser.add_argument("--threads", type=int, default=1)


def main(arguments):
    """Runs this step."""
    torch.set_num_threads(arguments.threads)
    decoder, state = load_model(arguments.checkpoint)
    tokenizer = Tokenizer.from_file(str(arguments.corpus / "tokenizer.json"))
    encoder, began = load_encoder(arguments.checkpoint), time.time()
    figures = sizes(decoder, encoder, state)
    if arguments.only != "text":
        network = VisionLanguage(decoder, encoder).eval()
        figures["scenes"] = scene_figures(network, Sessions(arguments.folder, arguments.threads), tokenizer, arguments)
    if arguments.only != "scenes":
        figures.update(text_figures(decoder, tokenizer, arguments.corpus, state, arguments.tokens, arguments.quick))
    print(f"measured in {time.time() - began:.0f} s")
    if arguments.out:
        arguments.out.write_text(json.dumps(figures, indent=1) + "\n")
