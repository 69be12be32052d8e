"""What the reader is trained on: questions, pieces, changed questions, statements."""
