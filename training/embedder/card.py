"""Writes the model card (README.md of the model's folder) from the figures that evaluate.py measured."""

import argparse
import json
from pathlib import Path

from export_onnx import load_model

CARD = """---
language: en
license: cc-by-sa-4.0
library_name: sentence-transformers
pipeline_tag: sentence-similarity
tags: [onnx, sentence-similarity, feature-extraction, matryoshka]
---

# lightwell-embed

A small English text embedder that runs in a browser page: one vector of {size:,} numbers per text, made to be compared by cosine. It is Lightwell's default model
for semantic embeddings. It is a **hybrid**: the first {dense} numbers are a dense embedding of meaning, the other {lexical:,} record which words stand in the text.

| | |
| --- | --- |
| architecture | word embeddings of width {width}; {layers} transformer layer ({heads} heads of {head_size}, feed-forward {feed}); weighted mean; projection per representation |
| size | {parameters:,} parameters; {pieces:,} pieces, {rows:,} rows of word embeddings, {terms:,} terms |
| file | `onnx/model.onnx`, {megabytes:.1f} MB: word embeddings int8 with a scale per row, the rest float16; float32 arithmetic, opset 18 |
| context | {max_positions:,} tokens as declared; there are no position embeddings, so nothing breaks beyond |
| tokenizer | byte-level BPE; Latin capitals are read as small letters; any UTF-8 text can be read |
| training | {steps:,} steps, seed 1, {minutes:.0f} minutes on one core of an AMD EPYC processor in bfloat16, no accelerator; word vectors before that in a minute |

## How to use it

The representation is chosen by a prefix (`config_sentence_transformers.json`), which is one token: `<sym>` for texts of one kind that are compared with each other (also for
classification and clustering), `<query>` and `<doc>` for questions and the passages that answer them. Without a prefix a text is taken as symmetric.

| name | type | shape | |
| --- | --- | --- | --- |
| `input_ids`, `attention_mask` | int64 | [batch, tokens] | padding on the right; it changes nothing |
| `token_weights` | float32 | [batch, tokens] | ones; another value multiplies what a token counts in the pooling and among the words |
| `sentence_embedding` | float32 | [batch, {size}] | length 1; shorter for a text without words |
| `last_hidden_state` | float32 | [batch, tokens, {width}] | |

The first **{compact}** numbers stand on their own (they were trained to, as in Matryoshka representations): cut there, normalise again. The first {dense} are the whole dense part.

**The lexical part.** Pieces of one stem are one term. A term's value is its learned weight (per representation; it began as inverse document frequency) times its saturated count. It
is added, with a fixed random sign, at a fixed one of the {lexical:,} places (a count sketch), and the part is scaled to a learned share of the whole, which differs between
representations: {shares} (settled on held-out training data). Hence texts that share rare words are near at full length even where the dense part knows nothing about them, and the full length is worth most for
names and numbers.

## Data

| source | used as | licence |
| --- | --- | --- |
| SQuAD v1.1 train (Rajpurkar et al., 2016) | question, paragraph | CC BY-SA 4.0 |
| Open English WordNet | headword, gloss; example, gloss | CC BY 4.0 |
| OpenStax textbooks | term, definition; exercise, solution; sentence, rest of its paragraph; word vectors | CC BY 4.0 |
| MedQuAD (Ben Abacha and Demner-Fushman, 2019) | question, answer | CC BY 4.0 |
| WikiSplit (Botha et al., 2018) | sentence, the same split in two | CC BY-SA 4.0 |
| CLINC150 (Larson et al., 2019), HWU64 (Liu et al., 2019) | sentences of one intent | CC BY 3.0, CC BY 4.0 |
| STS Benchmark train (Cer et al., 2017) | scored pairs | CC BY-SA 4.0 |
| OneStopEnglish (Vajjala and Lučić, 2018), Schema-Guided Dialogue (Rastogi et al., 2020) | sentence, rest of its paragraph; word vectors | CC BY-SA 4.0 |
| African Storybook, Pratham Books | the same | CC BY |
| digital.gov, 18F; novels and tales | the same | public domain (US), CC0 |

Since part of the text is under CC BY-SA 4.0, the weights are offered under the same licence.

## Figures

Measured through onnxruntime on this file, on data that was never trained on. Settings were chosen on a held-out twentieth of the training data, with one
exception: the rule by which the symmetric share of the lexical part is settled, the best on held-out pairs of those with which the first {compact} numbers lose 5 % at most, was made
after STS dev had been seen, with the weights of an earlier training.

**STS Benchmark dev**, 1,500 pairs, symmetric: Spearman's rank correlation of cosines with human scores. The baseline is the mean of the word vectors that training began with.

| mean of word vectors | the same, vectors of equal length | {compact} | {dense} | {size:,} | lexical part alone |
| --- | --- | --- | --- | --- | --- |
| {sts} |

**SQuAD v1.1 dev (part a)**, {questions:,} questions, each sought among all {paragraphs:,} paragraphs; a paragraph counts as found if it is among the first 1 or 10.

| | {compact} | {dense} | {size:,} | BM25 |
| --- | --- | --- | --- | --- |
| recall@1 | {squad1} |
| recall@10 | {squad10} |

**CLINC150**, {clinc_train:,} training sentences, {clinc_test:,} test sentences, 150 intents: logistic regression on each kind of features, its strength chosen for each on the same held-out fifth of the
training sentences. The embedder saw the training sentences with their labels during its training, TF-IDF did not; a difference under one point is chance.

| features | accuracy |
| --- | --- |
{clinc}

**Speed**, onnxruntime on one thread of the same processor: 100 short texts ({speed_tokens} tokens in all) in one batch {speed_batch:.0f} ms, one short text {speed_one:.1f} ms, a text of 512 tokens {speed_long:.0f} ms.

## What it is bad at

- Symmetric cosines lie high: on STS dev four in five of the unrelated pairs come to 0.60 to 0.76, paraphrases to 0.88 and more. Their order says more than a single value. Queries and documents are spread wider.
- Order and grammar: "dog bites man" and "man bites dog" are nearly the same to it; negation hardly counts.
- Paraphrase without shared words outside the topics of its data. It has read far less than embedders of the usual size.
- Anything but English: other scripts fall into bytes, and only equal byte sequences match.
- Search where plain word matching is as good or better: the tables above show where BM25 beats it, and the dense part alone ({compact} or {dense} numbers) stays well behind.
- Captions and headlines such as those of STS: its own lexical part alone orders them better than the whole does on this set; the share was settled on a smaller, held-out set.
- Attention changes little: most of an embedding is the weighted mean of the words. An attention control acts mainly through `token_weights`.
- Two unlike words can share a place of the lexical part; with {terms:,} terms in {lexical:,} places, long documents agree a little by accident.
- It mirrors the associations of its texts, old novels among them. Do not use it where a wrong neighbour does harm.

## How to rebuild

`training/embedder/README.md` of the project has the commands.
"""


def percent_row(figures, keys):
    return " | ".join(f"{figures[key]:.3f}" for key in keys)


def fill(figures, model, state):
    """The values of the card's fields."""
    shape, sts, squad, clinc, speed = model.shape, *(figures[name] for name in ("sts", "squad", "clinc", "speed"))
    sizes = (shape.compact, shape.dense, shape.size)
    shares = model.share.exp().square()
    accuracies = {name.removeprefix("accuracy."): value for name, value in clinc.items() if name.startswith("accuracy.")}
    return {
        **vars(shape), "lexical": shape.lexical, "parameters": sum(item.numel() for item in model.parameters()), "steps": state["state"]["step"], "minutes": state["state"]["seconds"] / 60,
        "megabytes": figures["bytes"]["model.onnx"] / 1e6, "questions": squad["questions"], "paragraphs": squad["paragraphs"],
        "shares": ", ".join(f"{name} {share / (1 + share):.0%}" for name, share in zip(("symmetric", "query", "document"), shares.tolist())) + " of the squared length",
        "sts": percent_row(sts, ["spearman.mean of word vectors", "spearman.mean of word vectors of equal length", *(f"spearman.{size}" for size in sizes), "spearman.lexical"]),
        **{f"squad{among}": percent_row(squad, [*(f"recall@{among}.{size}" for size in sizes), f"recall@{among}.BM25"]) for among in (1, 10)},
        "clinc_train": clinc["train"], "clinc_test": clinc["test"],
        "clinc": "\n".join(f"| {'first ' if name.isdigit() else ''}{name}{' numbers' if name.isdigit() else ''} | {value:.1%} |" for name, value in accuracies.items()),
        "speed_tokens": speed["tokens of 100 short texts"], "speed_batch": 1e3 * speed["100 short texts"], "speed_one": 1e3 * speed["one short text"],
        "speed_long": 1e3 * speed["one text of 512 tokens"],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figures", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="the model's folder")
    arguments = parser.parse_args()
    model, state = load_model(arguments.checkpoint)
    figures = json.loads(arguments.figures.read_text())
    (arguments.out / "README.md").write_text(CARD.format(**fill(figures, model, state)))


if __name__ == "__main__":
    main()
