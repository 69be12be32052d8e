"""Finds for each question the passage of the same article that has most of its words and not its answer."""

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

NONE = -1  # where the article has no such passage
TRIED = 5  # passages of an article that are tried


def nearest_others(rows, contexts, own):
    """The place in `contexts` of that passage for each row, int32 [rows]; `own` has the place of the row's passage."""
    vectors = TfidfVectorizer(sublinear_tf=True, stop_words="english")
    documents = vectors.fit_transform(text for _, text in contexts)
    questions = vectors.transform(row["question"] for row in rows)
    members = {}
    for place, (title, _) in enumerate(contexts):
        members.setdefault(title, []).append(place)
    found = np.full(len(rows), NONE, np.int32)
    for title, places in members.items():
        if len(places) == 1:
            continue
        asked = [index for index, row in enumerate(rows) if row["title"] == title]
        scores = (questions[asked] @ documents[places].T).toarray()
        for index, order in zip(asked, np.argsort(-scores, axis=1, kind="stable")):
            others = (places[at] for at in order[: TRIED + 1] if places[at] != own[index])
            answer = rows[index]["answers"][0]["text"].lower()
            found[index] = next((other for other in others if answer not in contexts[other][1].lower()), NONE)
    return found
