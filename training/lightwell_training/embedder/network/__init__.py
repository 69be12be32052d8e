"""The embedder's network, where it starts, and its losses."""
