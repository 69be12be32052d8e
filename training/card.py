"""Writes the model card (README.md of the model's folder) from the figures that evaluate.py measured."""

import argparse
import json
from pathlib import Path

CARD = """---
language: en
license: cc-by-sa-4.0
library_name: transformers.js
pipeline_tag: text-generation
tags: [onnx, llama, explainability]
---

# lightwell-base

A small English language model that runs in a browser page and that was trained to use its context: names, times, colours and places that stand in the
prompt are copied from there, so that an explanation (AtMan) has something to find. It is Lightwell's default model for completing and explaining.

| | |
| --- | --- |
| architecture | Llama-style decoder: RMSNorm, rotary positions (theta 10,000), SwiGLU, no biases, tied embeddings |
| size | 4 layers, width 256, 8 heads of 32, feed-forward 704, vocabulary 4,096; 4,262,144 parameters |
| file | `onnx/model.onnx`, float16 weights, float32 arithmetic, opset 18, inputs and outputs as Optimum names them, keys and values as past and present |
| context | 1,024 tokens, of about four characters of plain English |
| tokenizer | byte-level BPE, no normaliser; digits stand alone; any UTF-8 text comes back unchanged; `<|endoftext|>` separates documents |
| training | {tokens} tokens in {steps} steps, seed 1, {minutes} minutes on two cores of an AMD EPYC processor in bfloat16, no accelerator |

## Data

| domain | share of the training tokens | source | licence |
| --- | --- | --- | --- |
{data}

The synthetic texts are written by `training/synthetic.py`: 72 kinds of facts in several wordings, task dialogues with slots, forms, lists, summaries and
questions, with names drawn from the capitalised words of the corpora and from invented syllables. No name of the twenty prompts below is among them.
Since part of the text is under CC BY-SA 4.0, the weights are offered under the same licence.

## Figures

Perplexity per token on held-out documents (whole books, whole SQuAD titles, all reading levels of an article), beside an interpolated 3-gram model that was
trained on exactly the tokens that the model has seen and tuned on a tenth of each domain's held-out text, which is not measured. The
model reads up to 1,023 tokens back, so earlier held-out paragraphs of the same article help it, as a 3-gram model cannot be helped. Task dialogues share stock
phrases: a fifth of the 12-token runs of the held-out ones stand in the training part too (stories 4 %, the other prose under 0.4 %):

| domain | held-out tokens | lightwell-base | 3-gram |
| --- | --- | --- | --- |
{perplexity}

Answers that stand in the context, copied exactly by greedy decoding (every token of the answer right):

| held-out texts | answers | copied exactly |
| --- | --- | --- |
{copies}

A fact about a person, a distractor of the same kind, then this many tokens of held-out news, then the question ({distance_count} trials each):

| tokens between | {distances} |
| --- |{rules}
| copied exactly | {rates} |

The twenty prompts of `test/golden/context-prompts.json` were written before the model was trained and never trained on, but the figures on them were watched during
training, and the mix and the penalty on sharp attention were settled with them in view. The greedy continuation is the answer in **{right} of 20**; the word whose
suppression (factor 0.1) costs the answer most is one that a reader would name in **{explained} of 20**.

| prompt | continuation | right | most influential words (nats) |
| --- | --- | --- | --- |
{prompts}

## What it is bad at

- It knows next to nothing about the world. What is not in the prompt it makes up.
- Copying over more than some 400 tokens, and choosing between several facts of the same kind (table above): it then gives the value of the wrong one, or a name
  that begins like the right one.
- Long or subordinate sentences, arithmetic, reasoning over two facts, negation, pronouns that could mean several people.
- Free questions about real articles: it finds the answer of a SQuAD passage far less often than that of a plain statement (table above).
- Anything but English. Other scripts cost up to four tokens a character.
- It has seen novels, news and dialogues as they are, with their errors and prejudices. Do not use it where a wrong answer does harm.

## How to rebuild

`training/README.md` of the project has the commands.
"""

SOURCES = {
    "synthetic": ("facts, forms and dialogues of our own generator, with sentences of stories and news in between", "as those"),
    "distant": ("the same with long prose between fact and question", "as those"),
    "dialogues": ("Schema-Guided Dialogue (Rastogi et al., 2020), 17,195 task dialogues", "CC BY-SA 4.0"),
    "reading": ("SQuAD v1.1 train (Rajpurkar et al., 2016), Wikipedia paragraphs with questions", "CC BY-SA 4.0"),
    "stories": ("African Storybook and Pratham Books (StoryWeaver), children's stories", "CC BY"),
    "news": ("OneStopEnglish (Vajjala and Lučić, 2018), news at three reading levels", "CC BY-SA 4.0"),
    "books": ("public-domain novels and tales, those with the shortest sentences", "public domain (US)"),
}


def row(*cells):
    return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ⏎ ") for cell in cells) + " |"


def card(figures):
    """The text of the model card."""
    total = sum(figures["used"].values())
    distances = figures["copies_at_distance"]
    return CARD.format(
        tokens=f'{figures["tokens"] / 1e6:.1f} million', steps=f'{figures["steps"]:,}', minutes=figures["minutes"],
        data="\n".join(row(domain, f'{figures["used"][domain] / total:.0%}', *SOURCES[domain]) for domain in SOURCES),
        perplexity="\n".join(row(domain, f'{values["tokens"]:,}', f'**{values["model"]:.1f}**', f'{values["trigram"]:.1f}') for domain, values in figures["perplexity"].items()),
        copies="\n".join(row(domain, values["answers"], f'{values["rate"]:.1%}') for domain, values in figures["copies"].items()),
        distance_count=60, distances=" | ".join(distances), rules=" --- |" * len(distances), rates=" | ".join(f"{rate:.0%}" for rate in distances.values()),
        right=sum(item["right"] for item in figures["prompts"]), explained=sum(item["explained"] for item in figures["prompts"]),
        prompts="\n".join(row(item["id"], f'`{item["said"].strip()}`', "yes" if item["right"] else "no", ", ".join(f"{word} {score:.2f}" for word, score in item["top"]))
                          for item in figures["prompts"]),
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figures", type=Path, required=True, help="JSON written by evaluate.py")
    parser.add_argument("--out", type=Path, required=True, help="the model's folder")
    arguments = parser.parse_args()
    (arguments.out / "README.md").write_text(card(json.loads(arguments.figures.read_text())))


if __name__ == "__main__":
    main()
