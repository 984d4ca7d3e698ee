"""Losses, and data for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano import Mode

INTERPRET = Mode("interpret", "fast_run")


RNG = np.random.default_rng(8)


LABELS = np.array([0, 2, 1, 2, 0])


ONE_HOT = np.eye(3)[LABELS]


BITS = RNG.integers(0, 2, size=(5, 3)).astype("float64")


OTHER = RNG.normal(size=(5, 3))


PROBABLE = RNG.dirichlet(np.ones(3), 5)


# The targets of each loss, and what is differentiated.
CASES: dict[str, tuple[list[Any], Any]] = {
    "binary_crossentropy": ([BITS], PROBABLE),
    "binary_focal_crossentropy": ([BITS], PROBABLE),
    "categorical_crossentropy": ([ONE_HOT], PROBABLE),
    "categorical_focal_crossentropy": ([LABELS], PROBABLE),
    "categorical_hinge": ([LABELS], OTHER),
    "cosine_embedding": ([OTHER[::-1].copy(), np.array([1, -1, 1, -1, 0])], OTHER),
    "cosine_similarity": ([OTHER[::-1].copy()], OTHER),
    "dice": ([BITS], PROBABLE),
    "gaussian_nll": ([OTHER[::-1].copy(), PROBABLE + 0.1], OTHER),
    "hinge": ([BITS], OTHER),
    "hinge_embedding": ([BITS], OTHER),
    "huber": ([OTHER[::-1].copy()], OTHER),
    "kl_divergence": ([PROBABLE[::-1].copy()], PROBABLE),
    "log_cosh": ([OTHER[::-1].copy()], OTHER),
    "margin_ranking": ([OTHER[::-1].copy() + 0.1, BITS], OTHER),
    "mean_absolute_error": ([OTHER[::-1].copy() + 0.1], OTHER),
    "mean_absolute_percentage_error": ([OTHER[::-1].copy() + 0.1], OTHER),
    "mean_squared_error": ([OTHER[::-1].copy()], OTHER),
    "mean_squared_logarithmic_error": ([PROBABLE[::-1].copy()], PROBABLE),
    "multi_label_margin": ([BITS], OTHER),
    "multi_margin": ([LABELS], OTHER),
    "nll": ([LABELS], OTHER),
    "poisson": ([np.round(5 * PROBABLE)], PROBABLE),
    "quantile": ([OTHER[::-1].copy() + 0.1], OTHER),
    "root_mean_squared_error": ([OTHER[::-1].copy()], OTHER),
    "smooth_l1": ([OTHER[::-1].copy() + 0.1], OTHER),
    "soft_margin": ([BITS], OTHER),
    "sparse_categorical_crossentropy": ([LABELS], PROBABLE),
    "squared_hinge": ([BITS], OTHER),
    "triplet_margin": ([OTHER[::-1].copy(), OTHER + 1], OTHER),
    "tversky": ([BITS], PROBABLE),
    "ctc": ([np.array([[1, 2], [2, -1]])], RNG.normal(size=(2, 4, 3))),
}
