"""The reader as a hub folder."""
