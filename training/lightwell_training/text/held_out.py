"""Writes what `npm run evaluate` needs for perplexity: held-out documents, and the tokens that the trainings have read.

held.jsonl   {domain, part, text}: part `tune` sets the weights of the 3-gram beside the model, `test` is measured
seen.bin     token ids, little-endian uint16, domain after domain, as often as they were read
"""

import json
import re
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from lightwell_training.text.rows import DOMAINS, tokens_drawn

LONGEST = 1000  # tokens of a measured document; the model reads 1,024
WANTED = 12_000  # tokens that are measured of a domain
SHORTEST = 30  # tokens below which a document is left out: hardly anything would follow its first line
END = re.compile(r"(?<=[.!?\"'”’])\s|\n")


def documents_of(stream):
    """Token ids of each document, the mark at its end left out."""
    stops = [*stream["starts"][1:], len(stream["ids"])]
    return [stream["ids"][start : stop - 1] for start, stop in zip(stream["starts"], stops)]


def cut(tokenizer, ids):
    """The document's text up to the last end of a line or sentence within LONGEST tokens, and its number of tokens."""
    text = tokenizer.decode(ids[:LONGEST].tolist(), skip_special_tokens=False)
    if len(ids) > LONGEST:
        ends = [match.start() for match in END.finditer(text)]
        text = text[: ends[-1]] if ends else text
    text = text.strip()
    return text, len(tokenizer.encode(text).ids)


def parts_of(tokenizer, stream):
    """Texts to tune on, texts to measure, and the number of tokens to measure.

    Those to tune on are the whole documents of the first tenth of the stream; the others come from behind it.
    """
    tune, test, tokens = [], [], 0
    tenth, read = len(stream["ids"]) // 10, 0
    for ids in documents_of(stream):
        read += len(ids)
        if read - len(ids) < tenth:
            tune.append(tokenizer.decode(ids.tolist(), skip_special_tokens=False))
        elif tokens < WANTED:
            text, count = cut(tokenizer, ids)
            if count >= SHORTEST:
                test.append(text)
                tokens += count
    return tune, test, tokens


def write_held(tokenizer, corpus, out):
    """Writes held.jsonl into the folder `out`."""
    with open(out / "held.jsonl", "w", encoding="utf-8") as file:
        for domain in DOMAINS:
            tune, test, tokens = parts_of(tokenizer, np.load(corpus / f"{domain}.held.npz"))
            rows = [*(("tune", text) for text in tune), *(("test", text) for text in test)]
            file.writelines(
                json.dumps({"domain": domain, "part": part, "text": text}, ensure_ascii=False) + "\n"
                for part, text in rows
            )
            print(
                f"{domain}: {len(tune)} documents to tune on, {len(test)} with {tokens} tokens to measure", flush=True
            )


def write_seen(corpus, saved, out):
    """The ids of every stream of which the checkpoint says that rows were used, in whichever training."""
    with open(out / "seen.bin", "wb") as file:
        for name in sorted({name for counts in saved["used"].values() for name, rows in counts.items() if rows}):
            ids = tokens_drawn(corpus, name, saved["used"], saved["seed"])
            file.write(ids.astype("<u2").tobytes())
            print(f"{name}: {len(ids)} tokens seen", flush=True)


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--corpus", type=Path, required=True, help="folder that the steps corpus and further wrote")
    parser.add_argument(
        "--checkpoint", type=Path, required=True, help="of the last training: it holds what was read in all of them"
    )
    parser.add_argument("--out", type=Path, required=True)


def main(arguments):
    """Runs this step."""
    arguments.out.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer.from_file(str(arguments.corpus / "tokenizer.json"))
    write_held(tokenizer, arguments.corpus, arguments.out)
    write_seen(
        arguments.corpus, torch.load(arguments.checkpoint, weights_only=False, map_location="cpu"), arguments.out
    )
