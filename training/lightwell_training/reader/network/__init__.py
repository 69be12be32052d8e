"""The reader's network and its check."""
