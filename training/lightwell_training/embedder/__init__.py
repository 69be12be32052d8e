"""The semantic embedder lightwell-embed."""
