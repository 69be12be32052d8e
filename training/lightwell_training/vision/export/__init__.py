"""Decoder and encoder as a hub folder of three graphs."""
