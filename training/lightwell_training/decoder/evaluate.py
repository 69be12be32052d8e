"""Measures a checkpoint on text: perplexity beside a 3-gram, copies from the context, the golden prompts.

Copies are also measured at a distance, and each answer to a prompt is explained by AtMan.
"""

import math
from pathlib import Path
from random import Random

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

from lightwell_training.decoder.network import load_model
from lightwell_training.decoder.prompts import everyday_figures, prompt_rows
from lightwell_training.decoder.trigram import Trigram
from lightwell_training.facts.pools import Pools
from lightwell_training.text.rows import DOMAINS, FURTHER, tokens_drawn

COPIED = ("synthetic", "distant", "reading", "skills")  # held-out streams with answers


@torch.no_grad()
def token_losses(model, ids, window=1024):
    """Negative log-likelihood in nats of ids[1:], float64 [tokens - 1].

    Each token sees at least half a window unless it is near the front.
    """
    losses, stride, scored = [], window // 2, 1
    for start in range(0, max(1, len(ids) - 1), stride):
        row = torch.from_numpy(ids[start : start + window].astype(np.int64))[None]
        logits = model(row[:, :-1])[0].float()
        row_losses = F.cross_entropy(logits, row[0, 1:], reduction="none").numpy()
        losses.append(row_losses[scored - 1 - start :].astype(np.float64))
        scored = start + row.shape[1]
        if start + window >= len(ids):
            break
    return np.concatenate(losses)


def marked_spans(stream, limit):
    """Answers of a held-out stream with their documents: (document ids, first, stop), up to `limit` documents."""
    stops = [*list(stream["starts"][1:]), len(stream["ids"])]
    for start, stop in list(zip(stream["starts"], stops))[:limit]:
        flags = np.concatenate([[False], stream["marked"][start:stop], [False]]).astype(int)
        edges = np.flatnonzero(np.diff(flags))
        yield stream["ids"][start:stop][:1024], [(a, b) for a, b in zip(edges[::2], edges[1::2]) if b <= 1024]


@torch.no_grad()
def copy_rate(model, stream, limit):
    """Share of answers that greedy decoding gives exactly, and their number."""
    right = total = 0
    for ids, spans in marked_spans(stream, limit):
        if spans:
            best = model(torch.from_numpy(ids.astype(np.int64))[None])[0].argmax(-1).numpy()
            right += sum((best[a - 1 : b - 1] == ids[a:b]).all() for a, b in spans)
            total += len(spans)
    return float(right / max(1, total)), total


def copy_at_distance(model, tokenizer, held, distances=(50, 100, 200, 400, 700, 900), count=60):
    """Share of exact copies by distance: tokens of held-out news between a fact and its question."""
    random, prose = Random(5), list(held["ids"])
    rates = {}
    for distance in distances:
        right = 0
        for _ in range(count):
            pools = Pools(random, ["Bergen", "Verona", "Kofi", "Salma", "Toledo", "Quentin", "Ulrika", "Yusuf"])
            (person, place), (other, elsewhere) = ((pools.proper("person"), pools.proper("place")) for _ in range(2))
            start = random.randrange(len(prose) - distance)
            facts = tokenizer.encode(f"{person} lives in {place}. {other} lives in {elsewhere}.").ids
            question = tokenizer.encode(f"\nQuestion: Where does {person} live?\nAnswer:").ids
            target = tokenizer.encode(f" {place}").ids
            ids = (facts + [int(token) for token in prose[start : start + distance]] + question + target)[-1024:]
            with torch.no_grad():
                best = model(torch.tensor([ids]))[0].argmax(-1).tolist()
            right += best[-len(target) - 1 : -1] == target
        rates[distance] = round(right / count, 3)
    return rates


def perplexities(decoder, corpus, state, tokens, with_trigram):
    """Perplexity per domain, of the model and of a 3-gram.

    The 3-gram is trained on exactly the tokens that the model has read in all its trainings.
    """
    figures = {}
    if with_trigram:
        drawn = (tokens_drawn(corpus, name, state["used"], state["seed"]) for name in (*DOMAINS, *FURTHER))
        baseline = Trigram([ids for ids in drawn if len(ids)])
    for domain in DOMAINS:
        ids = np.load(corpus / f"{domain}.held.npz")["ids"]
        cut = len(ids) // 10  # the first tenth tunes the 3-gram
        test = ids[cut : cut + tokens]
        figures[domain] = {"tokens": len(test) - 2, "model": round(math.exp(token_losses(decoder, test)[1:].mean()), 2)}
        if with_trigram:
            baseline.tune(ids[:cut])
            figures[domain]["trigram"] = round(math.exp(baseline.losses(test).mean()), 2)
        print(domain, figures[domain], flush=True)
    return figures


def text_figures(decoder, tokenizer, corpus, state, tokens, quick=False):
    """Perplexity on `tokens` of each domain, copies, and the golden prompts.

    `quick` leaves out the 3-gram and measures small samples of copies.
    """
    figures = {"perplexity": perplexities(decoder, corpus, state, tokens, not quick), "copies": {}}
    for domain in COPIED:
        rate, total = copy_rate(decoder, dict(np.load(corpus / f"{domain}.held.npz")), 100 if quick else 800)
        figures["copies"][domain] = {"rate": round(rate, 4), "answers": total}
    print("copies", figures["copies"], flush=True)
    if not quick:
        figures["copies_at_distance"] = copy_at_distance(decoder, tokenizer, dict(np.load(corpus / "news.held.npz")))
    figures["prompts"] = list(prompt_rows(decoder, tokenizer))
    for row in figures["prompts"]:
        print(
            "+" if row["right"] else "-",
            "+" if row["explained"] else "-",
            row["id"],
            repr(row["said"]),
            row["top"],
            flush=True,
        )
    right, explained = (sum(row[key] for row in figures["prompts"]) for key in ("right", "explained"))
    print(f"answers {right} of 20, explanations {explained} of 20", flush=True)
    figures["everyday"] = everyday_figures(decoder, tokenizer)
    print("everyday", figures["everyday"], flush=True)
    return figures


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--tokens", type=int, default=80_000, help="held-out tokens of each domain")
    parser.add_argument("--quick", action="store_true", help="no 3-gram, small samples of copies")
    parser.add_argument("--threads", type=int, default=1)


def main(arguments):
    """Runs this step."""
    torch.set_num_threads(arguments.threads)
    model, state = load_model(arguments.checkpoint)
    tokenizer = Tokenizer.from_file(str(arguments.corpus / "tokenizer.json"))
    print(f"step {state['step']}, {state['tokens']} tokens")
    text_figures(model, tokenizer, arguments.corpus, state, arguments.tokens, arguments.quick)
