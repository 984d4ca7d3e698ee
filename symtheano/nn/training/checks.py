"""All warnings about a model and its samples that are due before the first step of training."""

from __future__ import annotations

from symtheano.nn.training.data import Samples
from symtheano.nn.training.probabilities import check_probabilities, check_targets
from symtheano.nn.training.soundness import check_rate, check_units, check_weights
from symtheano.nn.training.subject import Subject
from symtheano.nn.training.trainable import (
    check_batch_of_one,
    check_registered,
    check_trained,
)


def check_before(model: Subject, samples: Samples, batch_size: int) -> None:
    """Warn of what the model and its samples, or the first batch of them, show before a step.

    Parameters
    ----------
    model
        A model that is built and compiled.
    samples
        All samples, or the first batch of an iterable.
    batch_size
        The number of samples in a batch.
    """
    check_units(model)
    check_rate(model.optimizer)
    check_probabilities(model)
    check_trained(model.applied)
    check_registered(model.network)
    check_batch_of_one(model.network, min(batch_size, len(samples)))
    check_targets(model, samples)
    check_weights(samples)
