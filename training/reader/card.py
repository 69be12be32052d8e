"""Writes the model card (README.md of the model's folder) from the log, the calibration and the figures that were measured."""

import argparse
import json
from pathlib import Path

import numpy as np
import torch

from fit import BATCH

CARD = """---
language: en
license: cc-by-sa-4.0
library_name: transformers.js
pipeline_tag: question-answering
tags: [onnx, extractive-qa]
datasets: [rajpurkar/squad]
---

# lightwell-reader

A small reader that runs in a browser page: given a question and a passage it points at the words of the passage that answer the question, or says that none do.
It was trained from nothing, without vectors or weights of anyone else.

| | |
| --- | --- |
| architecture | match features (which words of the question stand where, and how near), then {rounds} rounds of gated convolutions, attention to the question, rotary self-attention and feed-forward, width {width}; start, end and no-answer heads; a check of the whole, trained afterwards |
| size | {parameters:,} parameters: {vectors:,} of them vectors of {classes:,} case-folded pieces, {network:,} the network, {check:,} the check |
| file | `onnx/model.onnx`, {size:.1f} MB, float16 weights, float32 arithmetic, opset 18 |
| inputs | `input_ids`, `attention_mask`, `token_type_ids` (0 question, 1 passage), int64 [batch, tokens], as `[CLS] question [SEP] passage [SEP]`, padded on the right |
| outputs | `start_logits`, `end_logits`, float32 [batch, tokens]; position 0 is "no answer": best start + best end less both of position 0 are the check's log odds that there is one; positions that are no passage have -10,000 |
| score | sigmoid(scale × margin + bias) with `answer_calibration` of `config.json`; margin = best start + end of at most 30 tokens, less start + end of position 0 |
| context | 512 tokens with the question; trained on passages of at most 255 and questions of at most 30 |
| tokenizer | byte-level BPE of 16,384 pieces, keeps case, no normaliser; folding of case, stems and kinds of pieces are constant tables in the graph |
| training | {steps:,} steps of 32 questions ({epochs:.1f} passes over the questions), seed 1, {minutes:.0f} minutes of wall clock on shared cores of an AMD EPYC processor in bfloat16, no accelerator; then the check, seed {seed}, on {checked[rows]:,} texts, {check_minutes:.0f} minutes on one shared core |

## Data

| use | source | licence |
| --- | --- | --- |
| questions and passages | SQuAD v1.1 train (Rajpurkar et al., 2016): 416 articles trained on, 26 held out for choices and for the calibration | CC BY-SA 4.0 |
| vectors of the pieces (which pieces stand near one another) and the tokenizer | Wikipedia paragraphs of SQuAD v1.1 train | CC BY-SA 4.0 |
| | OpenStax textbooks | CC BY 4.0 |
| | digital.gov and 18F guides | public domain (US) / CC0 |
| | OneStopEnglish (Vajjala and Lučić, 2018) | CC BY-SA 4.0 |
| | classic books | public domain (US) |

A third of the examples have no answer: the question with a name, number or word exchanged (60 % of those), the passage without the sentences that hold the
answer (20 %), another passage of the same article (12 %), any passage (8 %). The check was trained on {checked[rows]:,} texts with a question:
whole passages of the training articles and one to three sentences of them, with the answer ({checked[kinds][answered]:,}), with the question exchanged ({checked[kinds][exchanged]:,}), with
the answer's sentences removed or others in their place ({checked[kinds][removed]:,}), the passage of the article that has most of the question's words but not the answer
({checked[kinds][nearest]:,}) or any of the article ({checked[kinds][article]:,}); and {checked[kinds][statement]:,} statements made from the templates of `training/templates.txt` with invented and real names. Since part of the data is under CC BY-SA 4.0, the weights are offered under the same licence.

## Figures

SQuAD's normalised F1 and exact match, best span always answered, on {v1[questions]:,} questions of the v1.1 development set; whether a question has an answer at all, from the
score alone, on {v2[questions]:,} questions of v2.0 ({v2[answerable]:,} with an answer; the others were written by people so that the passage looks as if it answered them). Each paragraph is one text
of at most 512 tokens with its question. Neither set was trained on; an eighth of both was measured once during an earlier training, after which the share of unanswerable
examples was raised. The check was chosen on held-out training articles alone and then measured here once. The baseline is the sentence that shares most words with the question.

| measured with the exported file | lightwell-reader | word overlap |
| --- | --- | --- |
| v1.1 F1 | **{v1[reader][f1]:.1f}** | {v1[overlap][f1]:.1f} |
| v1.1 exact match | **{v1[reader][exact]:.1f}** | {v1[overlap][exact]:.1f} |
| v2.0 answerable or not, area under the curve | **{v2[reader]:.1f} %** | {v2[overlap]:.1f} % |

| first word | {words} |
| --- |{lines}
| F1 | {values} |
| questions | {counts} |

On v2.0 {v2[over_half][answerable]} % of the answerable questions and {v2[over_half][unanswerable]} % of the others have a score above one half; of the answers above one half {v2[over_half][right]} % are right (F1 of at least one half).
These unanswerable questions are harder than those that the calibration was fitted on: held-out training questions, statements of kinds that the check had not seen, 40 % of all
made unanswerable as above. "Right" is the share whose answer overlaps (F1 of at least one half); the score is fitted on one half of them and counted on the other:

| held out | texts | area under the curve | mean score in fifths: of those right |
| --- | --- | --- | --- |
{held}

One question and paragraph took {v1[milliseconds]:.0f} ms with onnxruntime on {v1[threads]} threads of a machine of two cores that other work kept busy (batches of 16, tokenizing included).

## What it is bad at

- Questions that a word or two make unanswerable: {v2[over_half][unanswerable]:.0f} of 100 still score above one half, see above.
- Short texts on which a single word decides: of "Andreas likes pizza." it believes with 0.5 that it says who hates pizza, and only with 0.3 that it says what Andreas likes.
- Answers that are clauses or lists ("what" against "when" above); answers longer than 30 tokens cannot be given.
- Not measured, but not to be expected of it: reasoning over two sentences, arithmetic, comparisons, negation, pronouns over a distance.
- Questions in other words than the passage's: it leans on shared words and has little knowledge of synonyms.
- Text that is not like an encyclopedia's. Anything but English.
- The data's errors and prejudices are in it. Do not use it where a wrong answer does harm.

## How to rebuild

`training/reader/README.md` of the project has the command.
"""


def row(values):
    return " | ".join(str(value) for value in values)


def parameters_of(check):
    """How many values the check has learned; means and spreads of its inputs are none."""
    return sum(values.numel() for name, values in check["model"].items() if name not in ("middle", "scale"))


def held_row(name, group):
    """Line of the table of held-out figures."""
    fifths = ", ".join(f"{score:.2f}: {right:.2f} of {count}" for score, right, count in group["reliability"])
    return f"| {name} | {group['questions']:,} | {group['area']:.1f} % | {fifths} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder that run.sh writes to")
    parser.add_argument("--out", type=Path, required=True, help="the model's folder")
    arguments = parser.parse_args()
    figures, held = (json.loads((arguments.work / f"{name}.json").read_text()) for name in ("figures", "calibration"))
    saved = torch.load(arguments.work / "run" / "checkpoint.pt", weights_only=False)
    questions = len(np.load(arguments.work / "corpus" / "train.npy", allow_pickle=True).item()["questions"])
    sizes = {name: values.numel() for name, values in saved["model"].items() if not name.startswith("table_")}
    state, shape, words = saved["state"], saved["shape"], figures["v1"]["by_word"]
    check = torch.load(arguments.work / "check.pt", weights_only=False)
    lines = [held_row(text, held[name]) for name, text in (("whole", "whole passages"), ("cut", "one or three sentences"), ("statements", "statements"))]
    card = CARD.format(
        rounds=len(shape["rounds"]), width=shape["width"], parameters=sum(sizes.values()) + parameters_of(check), check=parameters_of(check), vectors=sizes["vectors"], classes=sizes["weights"],
        network=sum(sizes.values()) - sizes["vectors"], size=(arguments.out / "onnx" / "model.onnx").stat().st_size / 1e6, steps=state["step"],
        epochs=state["step"] * BATCH / questions, minutes=state["seconds"] / 60, v1=figures["v1"], v2=figures["v2"], held="\n".join(lines),
        checked=check["state"], check_minutes=check["state"]["seconds"] / 60, seed=check["seed"], words=row(words), lines=" --- |" * len(words),
        values=row(value for value, _ in words.values()), counts=row(count for _, count in words.values()))
    (arguments.out / "README.md").write_text(card)


if __name__ == "__main__":
    main()
