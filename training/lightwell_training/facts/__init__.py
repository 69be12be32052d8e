"""Synthetic texts: facts, questions, forms and dialogues that only looking back can continue."""
