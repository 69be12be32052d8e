"""Runs the command line: python -m lightwell_training."""

from lightwell_training.commands import main

if __name__ == "__main__":
    main()
