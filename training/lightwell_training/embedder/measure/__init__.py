"""The embedder's figures, the balance of its two parts, and its model card."""
