"""The figures and the model card of lightwell-base."""
