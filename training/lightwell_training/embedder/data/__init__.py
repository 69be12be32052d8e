"""What the embedder is trained on: texts, tokenizer, word vectors, batches."""
