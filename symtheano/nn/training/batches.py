"""The work of ``train_on_batch`` and ``test_on_batch``."""

from __future__ import annotations

import math
from typing import Any

from symtheano.nn.training import loop
from symtheano.nn.training.checks import check_before
from symtheano.nn.training.fit import ClassWeight, alone, gather, together
from symtheano.nn.training.measures import Measures
from symtheano.nn.training.notfinite import warn_of_loss
from symtheano.nn.training.soundness import check_data, check_dependence, check_first_rate
from symtheano.nn.training.subject import Subject


def train_batch(
    model: Subject,
    x: Any,
    y: Any,
    sample_weight: Any,
    class_weight: ClassWeight,
    distribute: Any = None,
) -> Measures:
    """Update the parameters of a model once; return the loss and the metrics before the update.

    The first loss that is not finite, though the data are, gives a warning.
    """
    model.compiled_for("train_on_batch")
    with alone(model), together(model, "train_on_batch", distribute):
        samples = gather(model, x, y, sample_weight, class_weight)
        model.network.check_batches("train_on_batch", len(samples), len(samples))
        program, ranks = model.program(samples), model.ranks
        if program.is_new and len(samples):
            check_before(model, samples, len(samples))
            check_first_rate(model.optimizer)
        finite = check_data(model.network, samples)
        if ranks is not None:
            ranks.begin_batch("train_on_batch", model, samples, program.is_new)
        step = program.train
        check_dependence(program.unused)
        if ranks is None:
            measures = Measures(loop.evaluate_batches([samples], lambda batch: step))
        else:
            measures = Measures(ranks.train_batch(model, step, samples))
        if finite and not program.has_diverged and not math.isfinite(measures["loss"]):
            program.has_diverged = True
            warn_of_loss(f"train_on_batch: the loss is {measures['loss']}")
        return measures


def measure_batch(
    model: Subject, x: Any, y: Any, sample_weight: Any, distribute: Any = None
) -> Measures:
    """Return the loss and the metrics of a batch at test."""
    model.compiled_for("test_on_batch")
    with together(model, "test_on_batch", distribute):
        samples = gather(model, x, y, sample_weight, None)
        model.network.check_batches("test_on_batch", len(samples), len(samples))
        program, ranks = model.program(samples), model.ranks
        if ranks is None:
            return Measures(loop.evaluate_batches([samples], lambda batch: program.test))
        ranks.begin_batch("test_on_batch", model, samples, False)
        step = program.test_together
        return Measures(loop.evaluate_batches([samples], lambda batch: step, ranks.total))
