"""The extractive reader lightwell-reader."""
