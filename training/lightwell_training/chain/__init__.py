"""All steps of a model, one after the other, each in a process of its own."""
