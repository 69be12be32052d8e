"""What is known of the words before the training: their public vectors, and how common they are.

Writes OUT/vectors.npz: `vectors` float32 [rows, 100], zeros where a row has none, `shares` float64 [rows] of all tokens
and `document_shares` float64 [terms] of all texts that have the term.
"""

import time
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from lightwell_training.embedder.data.tokenizer import bare_pieces, bytes_of, fold_pieces
from lightwell_training.embedder.data.vocabulary import zipf

PLAIN_COMPONENTS = 3  # of the vectors, which only tell how common a word is
FREQUENT = 30_000  # words whose components are taken
LENGTH = 100  # words of the imagined texts in which a word's rank says how many have it
IMAGINED = 0.1  # how much these count beside the training texts


def spread(vectors):
    """Unit vectors without their mean and first components, [words, WIDTH].

    What is left out is common to all words, and says nothing of what they mean (Mu and Viswanath 2018).
    """
    shares = np.sqrt(zipf(len(vectors)))[:, None]
    centred = vectors - (vectors * shares).sum(0) / shares.sum()
    turn = np.linalg.svd(centred[:FREQUENT], full_matrices=False)[2]
    rest = centred - centred @ turn[:PLAIN_COMPONENTS].T @ turn[:PLAIN_COMPONENTS]
    return rest / (np.linalg.norm(rest, axis=1, keepdims=True) + 1e-9)


def count_texts(folder, rows, terms):
    """How often each row stands in the training texts, in how many of them each term does, and how many there are."""
    stored = np.load(folder / "texts.npz")
    ids, lengths = stored["ids"], np.diff(stored["offsets"])
    numbers = np.repeat(np.arange(len(lengths)), lengths)
    seen = np.unique(numbers * (terms.max() + 1) + terms[ids])
    documents = np.bincount(seen % (terms.max() + 1), minlength=terms.max() + 1)
    return np.bincount(rows[ids], minlength=rows.max() + 1), documents, len(lengths)


def look_up(bare, row_of, words, vectors):
    """Vectors [rows, WIDTH] and ranks [rows] of the rows that are words; others have zeros and the last rank."""
    place = {bytes_of(word): index for index, word in enumerate(words)}
    found, ranks = np.zeros((row_of.max() + 1, vectors.shape[1]), np.float32), np.full(row_of.max() + 1, len(words) - 1)
    for piece, row in zip(bare, row_of):
        if piece in place:
            found[row], ranks[row] = vectors[place[piece]], place[piece]
    return found, ranks


def blend(counted, documents, texts, shares, row_of, term_of):
    """Shares of rows among tokens and of terms among texts: counted ones, and those that ranks suggest."""
    by_row, by_term = (counted / counted.sum() + shares) / 2, np.zeros(term_of.max() + 1)
    first = np.unique(row_of, return_index=True)[1]
    np.add.at(by_term, term_of[first], shares)
    suggested = 1 - (1 - np.minimum(by_term, 0.5)) ** LENGTH
    return by_row, (documents + IMAGINED * texts * suggested) / (texts * (1 + IMAGINED))


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--vectors", type=Path, required=True, help="file that corpora word-vectors wrote")
    parser.add_argument("--out", type=Path, required=True, help="folder that the step prepare wrote")


def main(arguments):
    """Runs this step."""
    out, began, public = arguments.out, time.time(), np.load(arguments.vectors)
    tokenizer = Tokenizer.from_file(str(out / "tokenizer.json"))
    row_of, term_of = (np.array(table) for table in fold_pieces(tokenizer))
    counted, documents, texts = count_texts(out, row_of, term_of)
    vectors, ranks = look_up(
        bare_pieces(tokenizer), row_of, public["words"].tolist(), spread(public["vectors"].astype(np.float32))
    )
    shares, document_shares = blend(counted, documents, texts, zipf(len(public["words"]))[ranks], row_of, term_of)
    np.savez(out / "vectors.npz", vectors=vectors, shares=shares, document_shares=document_shares)
    known = int(vectors.any(1).sum())
    print(
        f"{time.time() - began:.0f} s: {known} of {len(vectors)} rows have vectors, {len(documents)} terms", flush=True
    )
