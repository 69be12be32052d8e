"""The encoder of lightwell-base, and its training together with the decoder."""
