"""The work of ``train_on_batch`` and ``test_on_batch``."""

from __future__ import annotations

import math
from typing import Any

from symtheano.nn.training import loop
from symtheano.nn.training.checks import check_before
from symtheano.nn.training.fit import ClassWeight, alone, gather
from symtheano.nn.training.measures import Measures
from symtheano.nn.training.notfinite import warn_of_loss
from symtheano.nn.training.soundness import check_data, check_dependence, check_first_rate
from symtheano.nn.training.subject import Subject


def train_batch(
    model: Subject, x: Any, y: Any, sample_weight: Any, class_weight: ClassWeight
) -> Measures:
    """Update the parameters of a model once; return the loss and the metrics before the update.

    The first loss that is not finite, though the data are, gives a warning.
    """
    model.compiled_for("train_on_batch")
    with alone(model):
        samples = gather(model, x, y, sample_weight, class_weight)
        model.network.check_batches("train_on_batch", len(samples), len(samples))
        program = model.program(samples)
        if program.is_new:
            check_before(model, samples, len(samples))
            check_first_rate(model.optimizer)
        finite = check_data(model.network, samples)
        step = program.train
        check_dependence(program.unused)
        measures = Measures(loop.evaluate_batches([samples], lambda batch: step))
        if finite and not program.has_diverged and not math.isfinite(measures["loss"]):
            program.has_diverged = True
            warn_of_loss(f"train_on_batch: the loss is {measures['loss']}")
        return measures


def measure_batch(model: Subject, x: Any, y: Any, sample_weight: Any) -> Measures:
    """Return the loss and the metrics of a batch at test."""
    model.compiled_for("test_on_batch")
    samples = gather(model, x, y, sample_weight, None)
    model.network.check_batches("test_on_batch", len(samples), len(samples))
    return Measures(loop.evaluate_batches([samples], lambda batch: model.program(batch).test))
