"""The decoder of lightwell-base: its network, its training on text, its figures."""
