"""Finds for each query the documents that match its words best and are not its own, by BM25.

Writes OUT/negatives.npz: per set of pairs [pairs, KEPT] numbers of texts, the best first.
"""

import time
from pathlib import Path

import numpy as np
from scipy import sparse
from tokenizers import Tokenizer

from lightwell_training.embedder.data.tokenizer import fold_pieces

SEARCHED = ("squad", "pairs.medquad", "pairs.openstax-exercises", "pairs.openstax-definitions")
KEPT = 8
QUERIES_AT_ONCE = 256
SATURATION, LENGTH_SHARE = 1.2, 0.75
COMMON = 0.1  # share of the documents above which a term is not searched for, since it says little and costs most


def count_terms(ids, offsets, numbers, terms):
    """Sparse counts [texts, terms] of some texts."""
    lengths = offsets[numbers + 1] - offsets[numbers]
    stops = np.cumsum(lengths)
    places = np.repeat(offsets[numbers] - stops + lengths, lengths) + np.arange(stops[-1])
    found = terms[ids[places]]
    counts = sparse.csr_matrix(
        (np.ones(len(found), np.float32), found, np.r_[0, stops]), shape=(len(numbers), terms.max() + 1)
    )
    counts.sum_duplicates()
    return counts


def weigh(counts):
    """BM25 weights of the terms of documents, in place of their counts (Robertson and Zaragoza 2009)."""
    lengths = np.asarray(counts.sum(1)).ravel()
    seen = np.bincount(counts.indices, minlength=counts.shape[1])
    inverse = np.log(1 + (counts.shape[0] - seen + 0.5) / (seen + 0.5)) * (seen <= COMMON * counts.shape[0])
    damping = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * lengths / lengths.mean())
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    counts.data = counts.data * (SATURATION + 1) / (counts.data + damping[rows]) * inverse[counts.indices]
    counts.eliminate_zeros()
    return counts


def best_others(queries, documents, own, kept=KEPT):
    """Indices [queries, kept] of the documents that score best, `own` [queries] left out."""
    found = np.empty((len(own), kept), np.int64)
    turned = documents.T.tocsr()
    for start in range(0, len(own), QUERIES_AT_ONCE):
        stop = min(start + QUERIES_AT_ONCE, len(own))
        scores = (queries[start:stop] @ turned).toarray()
        scores[np.arange(stop - start), own[start:stop]] = -1
        near = np.argpartition(-scores, kept, axis=1)[:, :kept]
        order = np.argsort(-np.take_along_axis(scores, near, 1), axis=1, kind="stable")
        found[start:stop] = np.take_along_axis(near, order, 1)
    return found


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--out", type=Path, required=True, help="folder that the step prepare wrote")


def main(arguments):
    """Runs this step."""
    out, began, mined = arguments.out, time.time(), {}
    terms = np.array(fold_pieces(Tokenizer.from_file(str(out / "tokenizer.json")))[1])
    stored, sets = np.load(out / "texts.npz"), np.load(out / "sets.npz")
    ids, offsets = stored["ids"], stored["offsets"]
    for name in (name for name in SEARCHED if name in sets):
        rows = sets[name]
        numbers, own = np.unique(rows[:, 1], return_inverse=True)
        documents = weigh(count_terms(ids, offsets, numbers, terms))
        queries = count_terms(ids, offsets, rows[:, 0], terms)
        mined[name] = numbers[best_others(queries, documents, own)].astype(np.int32)
        print(f"{time.time() - began:.0f} s: {name}", flush=True)
    np.savez(out / "negatives.npz", **mined)
