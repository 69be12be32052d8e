"""Measures on embeddings alone, whatever made them."""

import numpy as np
from scipy import sparse
from scipy.optimize import minimize
from scipy.stats import spearmanr

STEPS = 200  # of L-BFGS


def unit(vectors):
    """The rows of `vectors` [texts, width] at length 1; a row of zeros stays zero."""
    return vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9)


def order_agreement(a, b, scores):
    """Spearman's rank correlation of cosines and scores."""
    return float(spearmanr((unit(a) * unit(b)).sum(1), scores).statistic)


def recall(queries, documents, right, among=10):
    """Share of queries whose document is among the nearest by cosine."""
    return recall_of_scores(unit(queries) @ unit(documents).T, right, among)


def recall_of_scores(scores, right, among=10):
    """The same on a matrix [queries, documents]; ties count against the right document."""
    own = scores[np.arange(len(scores)), right][:, None]
    return float(((scores >= own).sum(1) <= among).mean())


def gain_of_scores(scores, right, among=10):
    """Mean nDCG of queries with one right document each: 1 / log2(1 + its place) among the first, else 0."""
    own = scores[np.arange(len(scores)), right][:, None]
    places = (scores >= own).sum(1)
    return float(np.where(places <= among, 1 / np.log2(1 + places), 0).mean())


def standard(scores):
    """Each query's scores with mean 0 and deviation 1, so that scores of two methods can be added."""
    return (scores - scores.mean(1, keepdims=True)) / (scores.std(1, keepdims=True) + 1e-9)


def split_columns(features):
    """(dense columns as an array, the rest as a sparse matrix), so that mostly empty columns cost little."""
    features = sparse.csc_matrix(features, dtype=np.float32)
    full = np.diff(features.indptr) > features.shape[0] / 4
    return (
        features[:, full].toarray(),
        features[:, ~full].tocsr(),
        np.concatenate([np.flatnonzero(full), np.flatnonzero(~full)]),
    )


def fit_probe(features, labels, strength):
    """Multinomial logistic regression by L-BFGS: weights [features, labels] and bias [labels].

    The objective is scikit-learn's: strength times the sum of the losses, plus half the squared weights.
    """
    dense, rest, order = split_columns(features)
    shape, right = (len(order), labels.max() + 1), np.arange(len(labels))
    one_hot = np.zeros((len(labels), shape[1]), np.float32)
    one_hot[right, labels] = 1

    def objective(flat):
        weights, bias = flat[: -shape[1]].reshape(shape).astype(np.float32), flat[-shape[1] :]
        scores = dense @ weights[: dense.shape[1]] + rest @ weights[dense.shape[1] :] + bias.astype(np.float32)
        scores -= scores.max(1, keepdims=True)
        total = np.log(np.exp(scores).sum(1, keepdims=True))
        wrong = strength * (np.exp(scores - total) - one_hot)
        slope = np.concatenate([dense.T @ wrong, rest.T @ wrong]) + weights
        loss = strength * float((total[:, 0] - scores[right, labels]).sum(dtype=np.float64)) + 0.5 * float(
            np.square(weights).sum(dtype=np.float64)
        )
        return loss, np.concatenate([slope.ravel(), wrong.sum(0)]).astype(np.float64)

    found = minimize(
        objective,
        np.zeros((shape[0] + 1) * shape[1]),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": STEPS, "maxfun": 2 * STEPS},
    ).x
    weights = np.empty(shape, np.float32)
    weights[order] = found[: -shape[1]].reshape(shape)
    return weights, found[-shape[1] :]


def bm25_scores(queries, documents, saturation=1.2, length_share=0.75):
    """Okapi BM25 [queries, documents] of lists of words."""
    numbers = {}

    def count(lists):
        return sparse.csr_matrix(
            (
                np.ones(sum(map(len, lists)), np.float32),
                np.array([numbers.setdefault(word, len(numbers)) for words in lists for word in words]),
                np.cumsum([0, *map(len, lists)]),
            ),
            shape=(len(lists), 1_000_000),
        )

    counts = count(documents)
    counts.sum_duplicates()
    lengths = np.asarray(counts.sum(1)).ravel()
    seen = np.bincount(counts.indices, minlength=counts.shape[1])
    inverse = np.log(1 + (len(documents) - seen + 0.5) / (seen + 0.5))
    damping = saturation * (1 - length_share + length_share * lengths / lengths.mean())
    row = np.repeat(np.arange(len(documents)), np.diff(counts.indptr))
    counts.data = counts.data * (saturation + 1) / (counts.data + damping[row]) * inverse[counts.indices]
    return np.asarray((count(queries) @ counts.T).todense())
