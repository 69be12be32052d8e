"""Writes tokens and places of the tokenizers library, the reference of `places.test.ts`.

    LIGHTWELL_TOKENIZERS=IN npx vitest run test/unit/workers/engine/tokenizer/places.test.ts
    python make-places.py IN test/support/tokenizers/places.json

IN is a file that the first command writes. Needs tokenizers.
"""

import hashlib
import json
import sys
from pathlib import Path

import tokenizers


def encode(tokenizer, text):
    encoding = tokenizer.encode(text, add_special_tokens=False)
    return {"ids": encoding.ids, "places": [unit for place in encoding.offsets for unit in place]}


def digest(tokenizer, texts):
    """The checksum of the ids of all texts; None where the library fails at one of them."""
    opened = tokenizers.Tokenizer.from_str(json.dumps(tokenizer))
    try:
        ids = [opened.encode(text, add_special_tokens=False).ids for text in texts]
    except BaseException as failure:  # its panics are no exceptions
        print(f"no reference: {failure}")
        return None
    return hashlib.sha256(json.dumps(ids, separators=(",", ":")).encode()).hexdigest()


def main(source, target):
    given = Path(source).read_bytes()
    content = json.loads(given)
    rows = []
    for name, tokenizer in content["tokenizers"].items():
        opened = tokenizers.Tokenizer.from_str(json.dumps(tokenizer))
        texts = [json.dumps(encode(opened, text), separators=(",", ":")) for text in content["strings"]]
        rows.append(f"{json.dumps(name)}: [\n" + ",\n".join(texts) + "\n]")
    head = {"library": f"tokenizers {tokenizers.__version__}", "sha256": hashlib.sha256(given).hexdigest()}
    composed = content["composed"]
    head["composed"] = [digest(tokenizer, composed["strings"]) for tokenizer in composed["tokenizers"]]
    body = ",\n".join([*(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items())])
    Path(target).write_text("{\n" + body + ',\n"tokenizers": {\n' + ",\n".join(rows) + "\n}\n}\n")


main(*sys.argv[1:])
