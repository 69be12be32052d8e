"""The mean of several trainings, or of several steps of one."""

import torch


def mean_of_states(states):
    """The mean of the states of one network; tables of whole numbers are the same in all of them."""
    return {
        name: torch.stack([state[name] for state in states]).mean(0) if values.is_floating_point() else values
        for name, values in states[0].items()
    }
