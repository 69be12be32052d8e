"""Writes synthetic documents in parallel; seed, count and way fix them, whatever the number of processes."""

import re
from multiprocessing import Pool
from random import Random

from lightwell_training.facts.names import held_out_from_skills
from lightwell_training.facts.pools import Pools
from lightwell_training.facts.skills.writer import SkillWriter
from lightwell_training.facts.writer import Writer


def write_part(job):
    """Documents of one seed, separated by a zero byte."""
    seed, count, found, fillers, way = job
    random = Random(seed)
    if way == "skills":
        writer = SkillWriter(random, Pools(random, found, held_out_from_skills()), fillers)
    else:
        writer = Writer(random, Pools(random, found), fillers)
    return "\0".join(getattr(writer, way)() for _ in range(count))


def generate(names, prose, count, seed, way="document", processes=2):
    """`count` documents with these proper `names`, and with sentences of `prose` between the facts.

    `way` is a method of Writer, document, distant or rivals, or skills of SkillWriter. Values of `seed` and `way` fix
    the documents; `processes` only says how many write at a time.
    """
    fillers = [
        " ".join(text.split())
        for text in re.split(r"(?<=[.!?])\s+", prose)
        if 20 < len(text) < 140 and not re.search(r"[#|]", text)
    ]
    parts = 64
    jobs = [(seed * 1000 + part, count // parts, names, fillers, way) for part in range(parts)]
    with Pool(processes) as pool:
        return [document for part in pool.map(write_part, jobs, chunksize=1) for document in part.split("\0")]
