"""The embedder as a hub folder."""
