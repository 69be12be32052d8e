"""all-MiniLM-L6-v2, which embedder and reader start from: its weights, a smaller vocabulary, its network in torch."""
