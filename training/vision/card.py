"""Writes the model card (README.md of the model's folder) from what its trainings recorded and measured."""

import argparse
import json
from pathlib import Path

from scenes import COLOURS, HELD_OUT, SEEN
from shapes import SHAPES

CARD = """---
language: en
license: cc-by-sa-4.0
library_name: transformers.js
pipeline_tag: image-text-to-text
tags: [onnx, llama, vision-language, explainability]
datasets: [rajpurkar/squad]
---

# lightwell-base

A small English language model that runs in a browser page and reads text and pictures of simple scenes. It was trained to use its context: names, times, colours
and places that stand in the prompt, or in its picture, are taken from there, so that an explanation (AtMan) has something to find. It is Lightwell's default
model for completing and explaining.

| | |
| --- | --- |
| architecture | Llama-style decoder: RMSNorm, rotary positions (theta 10,000), SwiGLU, no biases, tied embeddings; for pictures a convolutional encoder without attention, whose 144 outputs stand among the word embeddings |
| size | decoder: {layers} layers, width 256, 8 heads of 32, feed-forward 704, vocabulary 4,096, {decoder_parameters} parameters; encoder: {encoder_parameters} parameters |
| files | `onnx/decoder_model_merged.onnx`, `onnx/embed_tokens.onnx`, `onnx/vision_encoder.onnx`; float16 weights, float32 arithmetic, opset 18, inputs and outputs as Optimum names them, keys and values as past and present |
| context | 1,024 tokens: a picture takes 144, plain English one for about four characters |
| pictures | 96 × 96 pixels, 12 × 12 tiles of 8 × 8; others are resized |
| tokenizer | byte-level BPE, no normaliser; digits stand alone; any UTF-8 text comes back unchanged; `<\\|endoftext\\|>` separates documents, and stands for a picture's tokens |

## Trainings

On two cores of an AMD EPYC processor in bfloat16, no accelerator, one after the other, each as a schedule of steps says (seed 1). The weights are the
mean of those after {mean_of} and {last} steps of the last.

| training | steps | tokens of text | pictures | minutes of wall clock |
| --- | --- | --- | --- | --- |
{trainings}

## Data

| domain | share of the training tokens of text | source | licence |
| --- | --- | --- | --- |
{data}

Pictures and what is said about them come from a generator of our own (`training/vision/scenes.py`, `scene_texts.py`): one to four of {shapes} shapes, digits and icons
in {colours} colours and three sizes on plain or striped grounds, with captions and questions. Of the {pairs} pairs of shape and colour {held_out} were held out: no training
picture or text about one shows or names them, every shape and every colour is seen in other pairs.

The synthetic texts are written by `training/synthetic.py`: 72 kinds of facts in several wordings, task dialogues with slots, forms, lists, summaries and
questions, with names drawn from the capitalised words of the corpora and from invented syllables. No name of the twenty prompts below is among them.
Since part of the text is under CC BY-SA 4.0, the weights are offered under the same licence.

## Figures on pictures

Scenes of held-out pairs only, {objects} objects; beside them scenes of pairs that were seen. Captions are the model's greedy continuation of `Describe the picture.`; the
n-th object it names is compared with the n-th in reading order, and what is missing counts as wrong. The baseline gives each attribute's most frequent value.

| exact in captions | held-out pairs | most frequent value | seen pairs |
| --- | --- | --- | --- |
{captions}

| questions answered exactly | held-out pairs | most frequent answer | seen pairs |
| --- | --- | --- | --- |
{questions}

AtMan on tiles, each suppressed alone (factor 0.1), for {explained} questions about one object of a held-out pair: **{mass:.0%}** of the positive scores lie on the tiles of that
object, which cover {area:.1%} of the picture: **{ratio:.1f} times** its share. The highest tile lies on the object in {top:.0%}.

## Figures on text

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
{distance}
The twenty prompts of `test/golden/context-prompts.json` were written before the model was trained and never trained on, but earlier models of this kind were watched on them, and the
mix and the penalty on sharp attention settled with them in view, the mix also with the perplexity of 6,000 held-out tokens of news, books and reading; and a mean of checkpoints
is taken because the end alone answered fewer (`training/README.md`). The greedy continuation is the answer in **{right} of 20**; the word whose
suppression (factor 0.1) costs the answer most is one that a reader would name in **{supported} of 20**.

| prompt | continuation | right | most influential words (nats) |
| --- | --- | --- | --- |
{prompts}

These figures are from Python, on the exported files or the checkpoint behind them. `npm run evaluate` measures through the app; the project's README has its figures.

## What it is bad at

- It knows next to nothing about the world. What is not in the prompt it makes up.
- Counting things in a picture, and saying that something is not in it.
- Pictures of anything but its own flat shapes: a photograph it describes as some shapes, with confidence.
- Copying over more than some 400 tokens, and choosing between several facts of the same kind: it then gives the value of the wrong one, or a name
  that begins like the right one.
- Long or subordinate sentences, arithmetic, reasoning over two facts, negation, pronouns that could mean several people.
- Free questions about real articles: it finds the answer of a SQuAD passage far less often than that of a plain statement (table above).
- Anything but English. Other scripts cost up to four tokens a character.
- It has seen novels, news and dialogues as they are, with their errors and prejudices. Do not use it where a wrong answer does harm.

## How to rebuild

`training/README.md` of the project has the command.
"""

DISTANCE = """
A fact about a person, a distractor of the same kind, then this many tokens of held-out news, then the question (60 trials each):

| tokens between | {distances} |
| --- |{rules}
| copied exactly | {rates} |
"""

SOURCES = {
    "synthetic": ("facts, forms and dialogues of our own generator, with sentences of stories and news in between", "as those"),
    "distant": ("the same with long prose between fact and question", "as those"),
    "dialogues": ("Schema-Guided Dialogue (Rastogi et al., 2020), 17,195 task dialogues", "CC BY-SA 4.0"),
    "reading": ("SQuAD v1.1 train (Rajpurkar et al., 2016), Wikipedia paragraphs with questions", "CC BY-SA 4.0"),
    "stories": ("African Storybook and Pratham Books (StoryWeaver), children's stories", "CC BY"),
    "news": ("OneStopEnglish (Vajjala and Lučić, 2018), news at three reading levels", "CC BY-SA 4.0"),
    "books": ("public-domain novels and tales, those with the shortest sentences", "public domain (US)"),
    "novels": ("public-domain novels and tales beyond those", "public domain (US)"),
    "reference": ("22 textbooks of OpenStax (Rice University, openstax.org); pages of digital.gov and 18F", "CC BY 4.0; public domain (US), CC0"),
    "pages": ("more of those textbooks and pages", "CC BY 4.0; public domain (US), CC0"),
    "spread": ("facts and questions of our generator far apart, between them sentences of novels, textbooks and government pages", "as those"),
    "rivals": ("facts of our generator that share their kind, and questions that mean one of them", "as those"),
}
ATTRIBUTES = {"size": "size", "colour": "colour", "shape": "shape", "cell": "place"}


def row(*cells):
    return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ⏎ ") for cell in cells) + " |"


def table(rows):
    return "\n".join(row(*cells) for cells in rows)


def data_rows(used):
    total = sum(used.values())
    return [(name, f"{used[name] / total:.0%}", *SOURCES[name]) for name in SOURCES if used.get(name)]


def caption_rows(held_out, seen):
    """Each attribute, their mean, whole objects and whole captions, which no constant answer gets right."""
    for key, name in (*ATTRIBUTES.items(), ("attributes", "**all four attributes, mean**")):
        yield name, f'**{held_out[key]["right"]:.1%}**', f'{held_out[key]["majority"]:.1%}', f'{seen[key]["right"]:.1%}'
    for key, name in (("whole_objects", "whole objects"), ("whole_captions", "whole captions")):
        yield name, f"**{held_out[key]:.1%}**", "", f"{seen[key]:.1%}"


def question_rows(held_out, seen):
    for kind in sorted(set(held_out) - {"all"}):
        values = held_out[kind]
        yield f'{kind} ({values["questions"]})', f'**{values["right"]:.1%}**', f'{values["majority"]:.1%}', f'{seen[kind]["right"]:.1%}' if kind in seen else ""
    yield "all", f'**{held_out["all"]:.1%}**', "", f'{seen["all"]:.1%}'


def perplexity_rows(perplexity):
    for domain, values in perplexity.items():
        yield domain, f'{values["tokens"]:,}', f'**{values["model"]:.1f}**', f'{values["trigram"]:.1f}' if "trigram" in values else "not measured"


def prompt_rows(prompts):
    for item in prompts:
        yield item["id"], f'`{item["said"].strip()}`', "yes" if item["right"] else "no", ", ".join(f"{word} {score:.2f}" for word, score in item["top"])


def distance_text(rates):
    """Left out where it was not measured, as with evaluate_vision.py --quick."""
    if not rates:
        return ""
    return DISTANCE.format(distances=" | ".join(rates), rules=" --- |" * len(rates), rates=" | ".join(f"{rate:.0%}" for rate in rates.values()))


def millions(count):
    return f"{count / 1e6:.1f} million"


TRAININGS = ("decoder on text", "decoder and encoder")


def training_rows(trainings, tiles):
    """Rows of the table; the state of a training counts tokens and pictures of those before it too. The encoder's own comes second."""
    before, rows = {"tokens": 0, "images": 0}, []
    for name, state in zip(TRAININGS, trainings, strict=True):
        rows.append((name, f'{state["step"]:,}', millions(state["tokens"] - before["tokens"]), f'{state["images"] - before["images"]:,}', round(state["seconds"] / 60)))
        before = state
    rows.insert(1, ("encoder", f'{tiles["step"]:,}', "", f'{tiles["images"]:,}', round(tiles["seconds"] / 60)))
    return rows


def card(figures, tiles):
    """The text of the card, of the figures of evaluate_vision.py and the encoder phase's last line."""
    scenes, atman = figures["scenes"], figures["scenes"]["atman"]
    held_out, seen = scenes["held_out"], scenes["seen"]
    return CARD.format(
        layers=figures["layers"], mean_of=", ".join(f"{step:,}" for step in figures["mean_of"][:-1]), last=f'{figures["mean_of"][-1]:,}', trainings=table(training_rows(figures["trainings"], tiles)), decoder_parameters=f'{figures["decoder_parameters"]:,}', encoder_parameters=f'{figures["encoder_parameters"]:,}',
        data=table(data_rows(figures["used"])), shapes=len(SHAPES), colours=len(COLOURS), pairs=len(SEEN) + len(HELD_OUT), held_out=len(HELD_OUT),
        objects=held_out["captions"]["objects"], captions=table(caption_rows(held_out["captions"], seen["captions"])),
        questions=table(question_rows(held_out["questions"], seen["questions"])),
        explained=atman["scenes"], mass=atman["mass"], area=atman["area"], ratio=atman["mass_over_area"], top=atman["top_tile_on_object"],
        perplexity=table(perplexity_rows(figures["perplexity"])),
        copies=table((domain, values["answers"], f'{values["rate"]:.1%}') for domain, values in figures["copies"].items()),
        distance=distance_text(figures.get("copies_at_distance")),
        right=sum(item["right"] for item in figures["prompts"]), supported=sum(item["explained"] for item in figures["prompts"]),
        prompts=table(prompt_rows(figures["prompts"])),
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figures", type=Path, required=True, help="JSON written by evaluate_vision.py")
    parser.add_argument("--tiles", type=Path, required=True, help="log of train_tiles.py, whose last line sums it up")
    parser.add_argument("--out", type=Path, required=True, help="the model's folder")
    arguments = parser.parse_args()
    tiles = json.loads(arguments.tiles.read_text().splitlines()[-1])
    (arguments.out / "README.md").write_text(card(json.loads(arguments.figures.read_text()), tiles))


if __name__ == "__main__":
    main()
