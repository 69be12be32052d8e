"""Word vectors to start from, by counting.

They are the positive pointwise mutual information of neighbouring rows, reduced to a few dimensions (Levy and Goldberg
2014).

Writes OUT/vectors.npz: `vectors` float32 [rows, WIDTH], `counts` int64 [rows] (in prose), `document_counts` int64
[terms] and `documents` (in the training texts).
"""

import itertools
import time
from pathlib import Path

import numpy as np
from scipy import sparse
from scipy.linalg import eigh
from tokenizers import Tokenizer

from lightwell_training.embedder.data.tokenizer import fold_pieces

WIDTH, WINDOW = 256, 5
OVERSAMPLED, POWER_STEPS = 24, 2
CONTEXT_POWER = 0.75
VALUE_POWER = 0.125  # of the eigenvalues of M M', so the fourth root of singular values
FEWEST = 2.0  # weighted co-occurrences below this say nothing


def count_neighbours(stream, rows):
    """Symmetric co-occurrence counts of a token stream, weighted by 1 / distance, sparse [rows, rows]."""
    total = sparse.csr_matrix((rows, rows), dtype=np.float32)
    for distance in range(1, WINDOW + 1):
        for start in range(0, len(stream), 12_000_000):
            part = stream[start : start + 12_000_000 + distance]
            weights = np.full(len(part) - distance, 1 / distance, np.float32)
            total = (
                total + sparse.coo_matrix((weights, (part[:-distance], part[distance:])), shape=(rows, rows)).tocsr()
            )
    return total + total.T


def mutual_information(counts):
    """Positive PMI with smoothed context probabilities."""
    counts.data[counts.data < FEWEST] = 0
    counts.eliminate_zeros()
    sums = np.asarray(counts.sum(1)).ravel() + 1e-9
    smooth = sums**CONTEXT_POWER
    found = counts.tocoo()
    values = np.log(found.data * smooth.sum() / (sums[found.row] * smooth[found.col]))
    positive = values > 0
    return sparse.csr_matrix(
        (values[positive].astype(np.float32), (found.row[positive], found.col[positive])), shape=counts.shape
    )


def reduce(matrix, width, random):
    """Left singular vectors of a sparse matrix times a power of their values, [rows, width], by random projection."""
    basis = np.linalg.qr(matrix @ random.standard_normal((matrix.shape[1], width + OVERSAMPLED), dtype=np.float32))[0]
    for _ in range(POWER_STEPS):
        basis = np.linalg.qr(matrix @ (matrix.T @ basis))[0]
    small = (matrix.T @ basis).T
    values, turn = eigh(small @ small.T)
    kept = np.argsort(-values)[:width]
    return (basis @ turn[:, kept]) * np.maximum(values[kept], 0) ** VALUE_POWER


def count_documents(folder, terms):
    """In how many of the training texts each term stands, and of how many."""
    stored = np.load(folder / "texts.npz")
    ids, offsets = stored["ids"], stored["offsets"]
    counts = np.zeros(terms.max() + 1, np.int64)
    for start, stop in itertools.pairwise(offsets):
        counts[np.unique(terms[ids[start:stop]])] += 1
    return counts, len(offsets) - 1


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--out", type=Path, required=True, help="folder that the step prepare wrote")


def main(arguments):
    """Runs this step."""
    out, began = arguments.out, time.time()
    row_of, term_of = (np.array(table) for table in fold_pieces(Tokenizer.from_file(str(out / "tokenizer.json"))))
    rows = row_of.max() + 1
    stream = row_of[np.load(out / "prose.npy")]
    counts = np.bincount(stream, minlength=rows)
    print(f"{time.time() - began:.0f} s: {rows} rows, {term_of.max() + 1} terms", flush=True)
    information = mutual_information(count_neighbours(stream, rows))
    print(f"{time.time() - began:.0f} s: {information.nnz} pairs of rows", flush=True)
    vectors = reduce(information, WIDTH, np.random.default_rng(1))
    document_counts, documents = count_documents(out, term_of)
    np.savez(
        out / "vectors.npz",
        vectors=vectors.astype(np.float32),
        counts=counts,
        document_counts=document_counts,
        documents=documents,
    )
    print(f"{time.time() - began:.0f} s", flush=True)
