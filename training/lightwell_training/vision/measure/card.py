"""Writes the model card (README.md of the model's folder) from what its trainings recorded and measured."""

import json
from pathlib import Path

from lightwell_training.vision.scenes.scenes import COLOURS, HELD_OUT, SEEN
from lightwell_training.vision.scenes.shapes import SHAPES

CARD = Path(__file__).with_name("card.md")

DISTANCE = """\
A fact about a person, a distractor of the same kind, then this many tokens of held-out news, then the question (60 \
trials each):

| tokens between | {distances} |
| --- |{rules}
| copied exactly | {rates} |"""

SOURCES = {
    "synthetic": (
        "facts, forms and dialogues of our own generator, with sentences of stories and news in between",
        "as those",
    ),
    "distant": ("the same with long prose between fact and question", "as those"),
    "dialogues": ("Schema-Guided Dialogue (Rastogi et al., 2020), 17,195 task dialogues", "CC BY-SA 4.0"),
    "reading": ("SQuAD v1.1 train (Rajpurkar et al., 2016), Wikipedia paragraphs with questions", "CC BY-SA 4.0"),
    "stories": ("African Storybook and Pratham Books (StoryWeaver), children's stories", "CC BY"),
    "news": ("OneStopEnglish (Vajjala and Lučić, 2018), news at three reading levels", "CC BY-SA 4.0"),
    "books": ("public-domain novels and tales, those with the shortest sentences", "public domain (US)"),
    "novels": ("public-domain novels and tales beyond those", "public domain (US)"),
    "reference": (
        "22 textbooks of OpenStax (Rice University, openstax.org); pages of digital.gov and 18F",
        "CC BY 4.0; public domain (US), CC0",
    ),
    "pages": ("more of those textbooks and pages", "CC BY 4.0; public domain (US), CC0"),
    "spread": (
        "facts and questions of our generator far apart, between them sentences of novels, textbooks "
        "and government pages",
        "as those",
    ),
    "rivals": ("facts of our generator that share their kind, and questions that mean one of them", "as those"),
    "skills": (
        "negation, opinions, comparisons, counting, keys and tables, lists, code and speakers of our generator",
        "as those",
    ),
}
ATTRIBUTES = {"size": "size", "colour": "colour", "shape": "shape", "cell": "place"}


def row(*cells):
    """A row of a table; what would break it is escaped."""
    return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ⏎ ") for cell in cells) + " |"


def table(rows):
    """Rows of a table, one per tuple of cells."""
    return "\n".join(row(*cells) for cells in rows)


def data_rows(used):
    """Each stream with its share of the tokens that were read, its source and its licence."""
    total = sum(used.values())
    return [(name, f"{used[name] / total:.0%}", *SOURCES[name]) for name in SOURCES if used.get(name)]


def caption_rows(held_out, seen):
    """Each attribute, their mean, whole objects and whole captions, which no constant answer gets right."""
    for key, name in (*ATTRIBUTES.items(), ("attributes", "**all four attributes, mean**")):
        yield name, f"**{held_out[key]['right']:.1%}**", f"{held_out[key]['majority']:.1%}", f"{seen[key]['right']:.1%}"
    for key, name in (("whole_objects", "whole objects"), ("whole_captions", "whole captions")):
        yield name, f"**{held_out[key]:.1%}**", "", f"{seen[key]:.1%}"


def question_rows(held_out, seen):
    """Each kind of question, and all of them."""
    for kind in sorted(set(held_out) - {"all"}):
        values = held_out[kind]
        yield (
            f"{kind} ({values['questions']})",
            f"**{values['right']:.1%}**",
            f"{values['majority']:.1%}",
            f"{seen[kind]['right']:.1%}" if kind in seen else "",
        )
    yield "all", f"**{held_out['all']:.1%}**", "", f"{seen['all']:.1%}"


def perplexity_rows(perplexity):
    """Each domain with its number of tokens and both perplexities."""
    for domain, values in perplexity.items():
        yield (
            domain,
            f"{values['tokens']:,}",
            f"**{values['model']:.1f}**",
            f"{values['trigram']:.1f}" if "trigram" in values else "not measured",
        )


def prompt_rows(prompts):
    """Each golden prompt with its continuation and the words that count most."""
    for item in prompts:
        yield (
            item["id"],
            f"`{item['said'].strip()}`",
            "yes" if item["right"] else "no",
            ", ".join(f"{word} {score:.2f}" for word, score in item["top"]),
        )


def everyday_rows(kinds):
    """Each kind of everyday prompt, and all of them."""
    for kind, values in kinds.items():
        yield kind, values["prompts"], values["right"]
    yield "all", *(sum(values[key] for values in kinds.values()) for key in ("prompts", "right"))


def distance_text(rates):
    """Left out where it was not measured, as with the option --quick of evaluate."""
    if not rates:
        return ""
    return DISTANCE.format(
        distances=" | ".join(rates),
        rules=" --- |" * len(rates),
        rates=" | ".join(f"{rate:.0%}" for rate in rates.values()),
    )


def millions(count):
    """A number of tokens for a reader."""
    return f"{count / 1e6:.1f} million"


TRAININGS = ("decoder on text", "decoder and encoder", "decoder on skills, too")


def training_rows(trainings, tiles):
    """Rows of the table of trainings; the encoder's own is second.

    The state of a training also counts the tokens and pictures of those before it.
    """
    before, rows = {"tokens": 0, "images": 0}, []
    for name, state in zip(TRAININGS, trainings, strict=True):
        rows.append(
            (
                name,
                f"{state['step']:,}",
                millions(state["tokens"] - before["tokens"]),
                f"{state['images'] - before['images']:,}",
                round(state["seconds"] / 60),
            )
        )
        before = state
    rows.insert(1, ("encoder", f"{tiles['step']:,}", "", f"{tiles['images']:,}", round(tiles["seconds"] / 60)))
    return rows


def card(figures, tiles):
    """The text of the card, of the figures of the step evaluate and the encoder phase's last line."""
    scenes, atman = figures["scenes"], figures["scenes"]["atman"]
    held_out, seen = scenes["held_out"], scenes["seen"]
    return CARD.read_text(encoding="utf-8").format(
        layers=figures["layers"],
        mean_of=", ".join(f"{step:,}" for step in figures["mean_of"][:-1]),
        last=f"{figures['mean_of'][-1]:,}",
        trainings=table(training_rows(figures["trainings"], tiles)),
        decoder_parameters=f"{figures['decoder_parameters']:,}",
        encoder_parameters=f"{figures['encoder_parameters']:,}",
        data=table(data_rows(figures["used"])),
        shapes=len(SHAPES),
        colours=len(COLOURS),
        pairs=len(SEEN) + len(HELD_OUT),
        held_out=len(HELD_OUT),
        objects=held_out["captions"]["objects"],
        captions=table(caption_rows(held_out["captions"], seen["captions"])),
        questions=table(question_rows(held_out["questions"], seen["questions"])),
        explained=atman["scenes"],
        mass=atman["mass"],
        area=atman["area"],
        ratio=atman["mass_over_area"],
        top=atman["top_tile_on_object"],
        perplexity=table(perplexity_rows(figures["perplexity"])),
        copies=table(
            (domain, values["answers"], f"{values['rate']:.1%}") for domain, values in figures["copies"].items()
        ),
        distance=distance_text(figures.get("copies_at_distance")),
        right=sum(item["right"] for item in figures["prompts"]),
        supported=sum(item["explained"] for item in figures["prompts"]),
        prompts=table(prompt_rows(figures["prompts"])),
        everyday=table(everyday_rows(figures["everyday"])),
    )


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--figures", type=Path, required=True, help="JSON that the step evaluate wrote")
    parser.add_argument(
        "--tiles", type=Path, required=True, help="log of the step train-tiles, whose last line sums it up"
    )
    parser.add_argument("--out", type=Path, required=True, help="the model's folder")


def main(arguments):
    """Runs this step."""
    tiles = json.loads(arguments.tiles.read_text().splitlines()[-1])
    (arguments.out / "README.md").write_text(card(json.loads(arguments.figures.read_text()), tiles))
