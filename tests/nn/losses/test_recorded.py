"""Losses against the numbers of Keras and torch, with all reductions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import symtheano.tensor as T
from symtheano import Mode, function
from symtheano.nn import losses
from symtheano.nn.losses import LOSSES
from tests.nn.recorded import load

RECORDED = load("losses")
S = {name: np.array(value) for name, value in RECORDED.pop("samples").items()}
INTERPRET = Mode("interpret", "fast_run")

KERAS = {
    "mean_squared_error": ("x", "y"),
    "mean_absolute_error": ("x", "y"),
    "mean_absolute_percentage_error": ("x", "y"),
    "mean_squared_logarithmic_error": ("positive", "counts"),
    "huber": ("x", "y"),
    "log_cosh": ("x", "y"),
    "cosine_similarity": ("x", "y"),
    "poisson": ("positive", "counts"),
    "hinge": ("x", "bits"),
    "squared_hinge": ("x", "bits"),
    "categorical_hinge": ("x", "one_hot"),
    "binary_crossentropy": ("probability", "bits"),
    "categorical_crossentropy": ("p", "one_hot"),
    "sparse_categorical_crossentropy": ("p", "labels"),
    "kl_divergence": ("p", "q"),
    "binary_focal_crossentropy": ("probability", "bits"),
    "categorical_focal_crossentropy": ("p", "one_hot"),
}
# The factors of Tversky's loss are exchanged, because Keras takes predictions for targets there.
SMOOTH = {"from_logits": True, "label_smoothing": 0.2}
FOCAL = {**SMOOTH, "alpha": 0.3, "gamma": 1.5}
OPTIONS = {
    "huber_options": (losses.huber, "x", "y", {"delta": 0.3}),
    "binary_crossentropy_options": (losses.binary_crossentropy, "x", "bits", SMOOTH),
    "categorical_crossentropy_options": (
        losses.categorical_crossentropy, "x", "one_hot", SMOOTH,
    ),
    "binary_focal_crossentropy_options": (
        losses.binary_focal_crossentropy, "x", "bits", FOCAL,
    ),
    "categorical_focal_crossentropy_options": (
        losses.categorical_focal_crossentropy, "x", "one_hot", FOCAL,
    ),
    "tversky_options": (
        losses.tversky, "probability", "bits", {"alpha": 0.6, "beta": 0.3, "reduction": None},
    ),
    "dice_options": (losses.dice, "probability", "bits", {"reduction": None}),
}  # fmt: skip
LOGITS = {"from_logits": True}
WEIGHTED = {**LOGITS, "class_weights": S["class_weights"]}
TORCH: dict[str, Any] = {
    "mse": ("mse", "x", "y"),
    "l1": ("l1", "x", "y"),
    "smooth_l1": ("smooth_l1", "x", "y", {"beta": 0.3}),
    "huber": ("huber", "x", "y", {"delta": 0.3}),
    "poisson": ("poisson", "x", "counts", {"log_input": True}),
    "gaussian_nll": ("gaussian_nll", "x", "y", "positive"),
    "gaussian_nll_full": ("gaussian_nll", "x", "y", "positive", {"full": True}),
    "bce_logits": ("bce", "x", "bits", {**LOGITS, "positive_weight": S["class_weights"]}),
    "cross_entropy": ("cross_entropy", "x", "labels", LOGITS),
    "cross_entropy_smooth": ("cross_entropy", "x", "labels", SMOOTH),
    "cross_entropy_soft": ("cross_entropy", "x", "q", LOGITS),
    "cross_entropy_weights": (
        "cross_entropy", "x", "labels", {**WEIGHTED, "reduction": "weighted_mean"},
    ),
    "cross_entropy_sum": ("cross_entropy", "x", "labels", {**WEIGHTED, "reduction": "sum"}),
    "cross_entropy_deep": ("cross_entropy", "deep", "deep_labels", {**LOGITS, "reduction": None}),
    "nll": None,
    "kl_divergence": ("kl_divergence", "p", "q"),
    "soft_margin": ("soft_margin", "x", "bits"),
    "hinge_embedding": ("hinge_embedding", abs(S["x"]), "bits", {"margin": 1.5}),
    "margin_ranking": (
        "margin_ranking", S["x"][:, 0], S["y"][:, 0], "signs", {"margin": 0.3},
    ),
    "cosine_embedding": ("cosine_embedding", "x", "y", "signs", {"margin": 0.1}),
    "multi_margin": ("multi_margin", "x", "labels"),
    "multi_margin_square": ("multi_margin", "x", "labels", {"p": 2, "margin": 0.7}),
    "multi_label_margin": ("multi_label_margin", "x", "bits"),
    "multi_label_soft_margin": ("multi_label_soft_margin", "x", "bits"),
    "triplet_margin": ("triplet_margin", "x", "y", "z", {"margin": 2.0}),
    "triplet_margin_swap": (
        "triplet_margin", "x", "y", "z", {"margin": 2.0, "p": 3, "swap": True},
    ),
    "ctc": ("ctc", "steps", "words", "lengths", {"reduction": None}),
}  # fmt: skip
TORCH["nll"] = (
    "nll", np.log(S["p"]), "labels",
    {"class_weights": S["class_weights"], "reduction": "weighted_mean"},
)  # fmt: skip
NO_RECORD = {"quantile", "root_mean_squared_error"}


def run(loss: Any, *arguments: Any, mode: Any = INTERPRET) -> Any:
    """Return the loss of arrays or of names of samples; a dict has options."""
    options = arguments[-1] if isinstance(arguments[-1], dict) else {}
    arrays = [
        S[item] if isinstance(item, str) else item for item in arguments if item is not options
    ]
    inputs = [T.tensor(array.dtype.name, shape=(None,) * array.ndim) for array in arrays]
    return function(inputs, loss(*inputs, **options), mode=mode)(*arrays)


def test_all_are_recorded() -> None:
    names = [*KERAS, *OPTIONS, *(f"torch_{name}" for name in TORCH)]
    assert sorted(names) == sorted(RECORDED)
    used = {LOSSES[name] for name in KERAS} | {LOSSES[row[0]] for row in TORCH.values()}
    used |= {row[0] for row in OPTIONS.values()} | {LOSSES[name] for name in NO_RECORD}
    assert used == set(LOSSES.values())


@pytest.mark.parametrize("name", KERAS)
@pytest.mark.parametrize("how", ["none", "mean", "sum", "weights", "weighted_mean"])
def test_keras(name: str, how: str) -> None:
    options: dict[str, Any] = {
        "none": {"reduction": None},
        "weights": {"weights": S["weights"]},
        "weighted_mean": {"weights": S["weights"], "reduction": "weighted_mean"},
    }.get(how, {"reduction": how})
    found = run(LOSSES[name], *KERAS[name], options)
    assert_allclose(found, RECORDED[name][how], rtol=1e-6)


@pytest.mark.parametrize("name", OPTIONS)
def test_keras_with_options(name: str) -> None:
    loss, left, right, options = OPTIONS[name]
    assert_allclose(run(loss, left, right, options), RECORDED[name], rtol=1e-6)


@pytest.mark.parametrize("name", TORCH)
def test_torch(name: str) -> None:
    loss, *arguments = TORCH[name]
    found = run(LOSSES[loss], *arguments)
    # The mean of divergences of items is torch's "batchmean".
    assert_allclose(found, RECORDED[f"torch_{name}"], rtol=1e-6)


@pytest.mark.needs_cc
@pytest.mark.parametrize("name", TORCH)
def test_torch_in_c(name: str) -> None:
    loss, *arguments = TORCH[name]
    found = run(LOSSES[loss], *arguments, mode=None)
    assert_allclose(found, RECORDED[f"torch_{name}"], rtol=1e-6)


@pytest.mark.parametrize("name", ["categorical_crossentropy", "categorical_focal_crossentropy",
                                  "categorical_hinge", "multi_margin"])  # fmt: skip
def test_labels_and_one_hot_rows_are_equal(name: str) -> None:
    none = {"reduction": None}
    expected = run(LOSSES[name], "p", "one_hot", none)
    assert_allclose(run(LOSSES[name], "p", "labels", none), expected, rtol=1e-12)
    column = S["labels"][:, None].astype("int32")
    inputs = T.matrix(dtype="float64"), T.icol()
    loss = LOSSES[name](*inputs, reduction=None)
    found = function(list(inputs), loss, mode=INTERPRET)(S["p"], column)
    assert_allclose(found, expected, rtol=1e-12)
