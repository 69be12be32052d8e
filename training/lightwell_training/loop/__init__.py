"""The loop that every training shares, and its schedule."""
