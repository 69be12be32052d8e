"""Task dialogues of the synthetic texts."""

from lightwell_training.facts.kinds import answer
from lightwell_training.facts.tasks import CONFIRMS, MORE, OPENERS, TASKS, THANKS


def write_dialogue(writer):
    """A request with slots, perhaps confirmed, then a form or questions about what was said.

    `writer` draws the values.
    """
    task, used = writer.one(TASKS), set()
    slots = [slot for slot in task.slots if writer.chance(0.75)] or list(task.slots)
    values = {slot: writer.new_value(slot.pool, used) for slot in slots}
    order = writer.random.sample(slots, len(slots)) if writer.chance(0.4) else slots
    first = [slot for slot in order if writer.chance(0.75)]
    want = writer.one(task.wants)

    def say(chosen):
        return "".join(writer.one(slot.phrases).format(values[slot]) for slot in chosen)

    lines = [f"User: {writer.one(OPENERS)} {want}{say(first)}{writer.one(['.', '.', ', please.'])}"]
    missing = [slot for slot in order if slot not in first]
    for slot in missing:
        reply = say([slot]).strip(" ,.") if writer.chance(0.5) else values[slot]
        lines += [
            f"Assistant: {writer.one(slot.asks)}",
            f"User: {reply[0].upper()}{reply[1:]}{writer.one(['.', '.', ', please.'])}",
        ]
    if writer.chance(0.45):
        told = "".join(writer.one(slot.phrases).format(answer(values[slot])) for slot in order if writer.chance(0.85))
        lines += [f"Assistant: {writer.one(CONFIRMS)} {want}{told}.", f"User: {writer.one(THANKS)}"]
    if writer.chance(0.8):
        lines.append(f"Assistant: {writer.one(task.done)} {writer.one(MORE) if writer.chance(0.7) else ''}".strip())
        if writer.chance(0.6):
            lines.append(f"User: {writer.one(THANKS)}")
    asked = writer.random.sample(slots, writer.random.randint(min(2, len(slots)), len(slots)))
    if writer.chance(0.75):
        lines += [writer.field(writer.one(slot.fields), full(slot, values[slot])) for slot in asked]
    else:
        lines += [
            f"Question: {writer.one(slot.questions)}\nAnswer: {answer(full(slot, values[slot]))}"
            for slot in asked
            if slot.questions
        ]
    return "\n".join(lines)


def full(slot, value):
    """The value as a form has it: doctors keep their title."""
    return f"Dr. {value}" if slot.pool == "surname" else value
