"""Measures a checkpoint of train_vision.py: captions and questions on scenes of held-out pairs, AtMan on tiles, and what evaluate.py measures of text."""

import argparse
import json
import math
import time
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from evaluate import DOMAINS, copy_at_distance, copy_rate, load_model, prompt_rows, token_losses
from export_vision import Sessions, load_encoder
from scene_figures import attention_figures, caption_figures, question_figures
from text_rows import FURTHER
from train import tokens_drawn
from trigram import Trigram
from vision_model import VisionLanguage


def perplexities(decoder, corpus, state, tokens, with_trigram):
    """Per domain, of the model and of a 3-gram trained on exactly the tokens that the model has seen in both trainings."""
    figures = {}
    if with_trigram:
        seen = [name for name in (*DOMAINS, *FURTHER) if any(counts.get(name) for counts in state["used"].values())]
        baseline = Trigram([tokens_drawn(corpus, name, {length: {name: 0, **counts} for length, counts in state["used"].items()}, state["seed"]) for name in seen])
    for domain in DOMAINS:
        ids = np.load(corpus / f"{domain}.held.npz")["ids"]
        cut = len(ids) // 10  # the first tenth tunes the 3-gram
        test = ids[cut:cut + tokens]
        figures[domain] = {"tokens": len(test) - 2, "model": round(math.exp(token_losses(decoder, test)[1:].mean()), 2)}
        if with_trigram:
            baseline.tune(ids[:cut])
            figures[domain]["trigram"] = round(math.exp(baseline.losses(test).mean()), 2)
        print(domain, figures[domain], flush=True)
    return figures


def text_figures(decoder, tokenizer, corpus, state, arguments):
    """Perplexity, copies, and the golden prompts."""
    figures = {"perplexity": perplexities(decoder, corpus, state, arguments.tokens, not arguments.quick), "copies": {}}
    for domain in ("synthetic", "distant", "reading"):
        rate, total = copy_rate(decoder, dict(np.load(corpus / f"{domain}.held.npz")), 100 if arguments.quick else 800)
        figures["copies"][domain] = {"rate": round(rate, 4), "answers": total}
    print("copies", figures["copies"], flush=True)
    if not arguments.quick:
        figures["copies_at_distance"] = copy_at_distance(decoder, tokenizer, dict(np.load(corpus / "news.held.npz")))
    figures["prompts"] = list(prompt_rows(decoder, tokenizer))
    right, explained = (sum(row[key] for row in figures["prompts"]) for key in ("right", "explained"))
    print(f"answers {right} of 20, explanations {explained} of 20", flush=True)
    return figures


def scene_figures(network, sessions, tokenizer, arguments):
    """Everything about scenes, on held-out pairs and beside them on pairs that were seen."""
    figures = {}
    for name, held_out in (("held_out", True), ("seen", False)):
        count = arguments.scenes if held_out else arguments.scenes // 2
        figures[name] = {"captions": caption_figures(sessions, tokenizer, held_out, count), "questions": question_figures(sessions, tokenizer, held_out, count)}
        print(name, json.dumps(figures[name]), flush=True)
    figures["atman"] = attention_figures(network, tokenizer, True, arguments.explained)
    print("atman", figures["atman"], flush=True)
    return figures


def sizes(decoder, encoder, state):
    """What the model card says of the network and its training; tokens by domain, of both trainings."""
    count = lambda network: sum(parameter.numel() for parameter in network.parameters())
    used = {name: sum(length * counts.get(name, 0) for length, counts in state["used"].items()) for name in (*DOMAINS, *FURTHER)}
    return {"layers": decoder.shape.num_layers, "decoder_parameters": count(decoder), "encoder_parameters": count(encoder),
            "minutes": round((state["ends"] - state["began"]) / 60), "share": state.get("share", 1.0), "used": used}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True, help="what export_vision.py wrote of it; captions and answers are its graphs'")
    parser.add_argument("--out", type=Path, help="writes the figures as JSON")
    parser.add_argument("--scenes", type=int, default=400, help="scenes for captions and questions")
    parser.add_argument("--explained", type=int, default=100, help="scenes for AtMan")
    parser.add_argument("--tokens", type=int, default=80_000, help="held-out tokens of each domain")
    parser.add_argument("--quick", action="store_true", help="no 3-gram, small samples of copies")
    parser.add_argument("--only", choices=("text", "scenes"))
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    decoder, state = load_model(arguments.checkpoint)
    tokenizer = Tokenizer.from_file(str(arguments.corpus / "tokenizer.json"))
    encoder, began = load_encoder(arguments.checkpoint), time.time()
    figures = {**{key: state[key] for key in ("step", "tokens", "images")}, **sizes(decoder, encoder, state)}
    if arguments.only != "text":
        network = VisionLanguage(decoder, encoder).eval()
        figures["scenes"] = scene_figures(network, Sessions(arguments.folder, arguments.threads), tokenizer, arguments)
    if arguments.only != "scenes":
        figures.update(text_figures(decoder, tokenizer, arguments.corpus, state, arguments))
    print(f"measured in {time.time() - began:.0f} s")
    if arguments.out:
        arguments.out.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
