"""Record what torch, Keras and scikit-learn compute, for tests that have none of them.

Run by hand, where they are installed; it writes the JSON files beside it:

    KERAS_BACKEND=torch python tests/nn/data/record.py
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
STEPS = 10


def plain(value: Any) -> Any:
    """Return numbers with 12 digits, and arrays as lists of them."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if hasattr(value, "detach"):
        value = value.detach().numpy()
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    return float(f"{value:.12g}") if isinstance(value, float) else value


def write(name: str, recorded: Any) -> None:
    text = json.dumps(plain(recorded), separators=(",", ":"))
    (HERE / f"{name}.json").write_text(text.replace('},"', '},\n"') + "\n")


# -- schedules -------------------------------------------------------------------------------------

STEP_COUNTS = [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 13, 20, 29, 30, 31, 50]


def schedules() -> Iterator[tuple[str, Any]]:
    from keras.optimizers import schedules as keras

    rows = {
        "exponential": keras.ExponentialDecay(0.3, 7, 0.6),
        "exponential_stairs": keras.ExponentialDecay(0.3, 7, 0.6, staircase=True),
        "inverse_time": keras.InverseTimeDecay(0.3, 7, 0.6),
        "inverse_time_stairs": keras.InverseTimeDecay(0.3, 7, 0.6, staircase=True),
        "piecewise": keras.PiecewiseConstantDecay([3, 10], [0.3, 0.2, 0.1]),
        "polynomial": keras.PolynomialDecay(0.3, 20, 0.01, power=1.5),
        "polynomial_cycle": keras.PolynomialDecay(0.3, 7, 0.01, power=1.5, cycle=True),
        "cosine": keras.CosineDecay(0.3, 20, alpha=0.1),
        "cosine_warmup": keras.CosineDecay(0.0, 20, alpha=0.1, warmup_target=0.3, warmup_steps=5),
        "cosine_restarts": keras.CosineDecayRestarts(0.3, 7, t_mul=1.5, m_mul=0.8, alpha=0.1),
        "cosine_restarts_equal": keras.CosineDecayRestarts(0.3, 7, t_mul=1.0, m_mul=0.8),
    }
    for name, schedule in rows.items():
        yield name, [float(schedule(step)) for step in STEP_COUNTS]
    import torch

    for anneal in ("cos", "linear"):
        rule = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
        schedule = torch.optim.lr_scheduler.OneCycleLR(
            rule, 0.3, total_steps=31, anneal_strategy=anneal
        )
        rates = []
        for _ in range(31):
            rates.append(schedule.get_last_lr()[0])
            rule.step()
            if len(rates) < 31:
                schedule.step()
        yield f"one_cycle_{anneal}", [rates[min(step, 30)] for step in STEP_COUNTS]


# -- constraints and regularizers ------------------------------------------------------------------


def constraints() -> Iterator[tuple[str, Any]]:
    import keras

    rng = np.random.default_rng(11)
    dense, filters = rng.normal(size=(3, 4)), rng.normal(size=(2, 3, 2, 2))
    dense[:, 1] *= 0.1
    yield "dense", dense
    yield "filters", filters
    for name, x, axis in [("dense", dense, 0), ("filters", filters, [1, 2, 3])]:
        rows = {
            "max_norm": keras.constraints.MaxNorm(0.9, axis=axis),
            "unit_norm": keras.constraints.UnitNorm(axis=axis),
            "min_max_norm": keras.constraints.MinMaxNorm(0.6, 0.9, 0.7, axis=axis),
            "non_negative": keras.constraints.NonNeg(),
            "l1": keras.regularizers.L1(0.3),
            "l2": keras.regularizers.L2(0.3),
            "l1_l2": keras.regularizers.L1L2(0.3, 0.2),
        }
        yield f"{name}_expected", {key: rule(keras.ops.array(x)) for key, rule in rows.items()}


# -- optimizers ------------------------------------------------------------------------------------


def problem() -> dict[str, Any]:
    """Return data and parameters of a small regression; each update has a batch of its own."""
    rng = np.random.default_rng(5)
    return {
        "x": rng.normal(size=(STEPS, 4, 3)),
        "y": rng.normal(size=(STEPS, 4, 2)),
        "w": rng.normal(size=(3, 2)),
        "b": rng.normal(size=(2,)),
    }


def torch_rules() -> dict[str, tuple[Callable[..., Any], dict[str, Any]]]:
    from torch import optim

    return {
        "sgd": (optim.SGD, {"lr": 0.1}),
        "sgd_decay": (optim.SGD, {"lr": 0.1, "weight_decay": 0.2}),
        "momentum": (optim.SGD, {"lr": 0.1, "momentum": 0.8}),
        "nesterov": (optim.SGD, {"lr": 0.1, "momentum": 0.8, "nesterov": True}),
        "dampening": (
            optim.SGD,
            {"lr": 0.1, "momentum": 0.8, "dampening": 0.3, "weight_decay": 0.2},
        ),
        "adagrad": (optim.Adagrad, {}),
        "adagrad_options": (
            optim.Adagrad,
            {"lr": 0.2, "lr_decay": 0.1, "initial_accumulator_value": 0.3, "weight_decay": 0.2},
        ),
        "adadelta": (optim.Adadelta, {}),
        "adadelta_options": (
            optim.Adadelta,
            {"lr": 0.5, "rho": 0.7, "eps": 1e-3, "weight_decay": 0.2},
        ),
        "rmsprop": (optim.RMSprop, {}),
        "rmsprop_momentum": (optim.RMSprop, {"alpha": 0.8, "momentum": 0.7, "eps": 1e-3}),
        "rmsprop_centered": (
            optim.RMSprop,
            {"alpha": 0.8, "centered": True, "momentum": 0.7, "weight_decay": 0.2},
        ),
        "adam": (optim.Adam, {}),
        "adam_options": (
            optim.Adam,
            {"lr": 0.1, "betas": (0.7, 0.8), "eps": 1e-2, "weight_decay": 0.2},
        ),
        "amsgrad": (optim.Adam, {"lr": 0.1, "betas": (0.7, 0.8), "amsgrad": True}),
        "adamw": (optim.AdamW, {}),
        "adamw_options": (
            optim.AdamW,
            {"lr": 0.1, "betas": (0.7, 0.8), "weight_decay": 0.3, "amsgrad": True},
        ),
        "adamax": (optim.Adamax, {}),
        "adamax_options": (
            optim.Adamax,
            {"lr": 0.1, "betas": (0.7, 0.8), "eps": 1e-2, "weight_decay": 0.2},
        ),
        "nadam": (optim.NAdam, {}),
        "nadam_options": (
            optim.NAdam,
            {"lr": 0.1, "betas": (0.7, 0.8), "momentum_decay": 0.3, "weight_decay": 0.2},
        ),
    }


def keras_rules() -> dict[str, Any]:
    from keras import optimizers as keras

    return {
        "keras_sgd": keras.SGD(0.1),
        "keras_momentum": keras.SGD(0.1, momentum=0.8),
        "keras_nesterov": keras.SGD(0.1, momentum=0.8, nesterov=True),
        "keras_clipvalue": keras.SGD(0.1, clipvalue=0.3),
        "keras_clipnorm": keras.SGD(0.1, clipnorm=0.5),
        "keras_global_clipnorm": keras.SGD(0.1, global_clipnorm=0.5),
        "keras_adagrad": keras.Adagrad(0.1, initial_accumulator_value=0.1, epsilon=1e-30),
        "keras_adadelta": keras.Adadelta(0.5, rho=0.7, epsilon=1e-3),
        "keras_rmsprop": keras.RMSprop(0.1, rho=0.8, momentum=0.7, epsilon=1e-30),
        "keras_rmsprop_centered": keras.RMSprop(0.1, rho=0.8, centered=True, epsilon=1e-30),
        "keras_adam": keras.Adam(0.1, beta_1=0.7, beta_2=0.8, epsilon=1e-30),
        "keras_amsgrad": keras.Adam(0.1, beta_1=0.7, beta_2=0.8, epsilon=1e-30, amsgrad=True),
        "keras_adamw": keras.AdamW(0.1, beta_1=0.7, beta_2=0.8, epsilon=1e-30, weight_decay=0.3),
        "keras_adamax": keras.Adamax(0.1, beta_1=0.7, beta_2=0.8, epsilon=1e-30),
        "keras_nadam": keras.Nadam(0.1, beta_1=0.7, beta_2=0.8, epsilon=1e-30),
        "keras_lion": keras.Lion(0.1, beta_1=0.7, beta_2=0.8),
        "keras_lion_decay": keras.Lion(0.1, beta_1=0.7, beta_2=0.8, weight_decay=0.3),
    }


def slopes(x: Any, y: Any, w: Any, b: Any) -> tuple[Any, Any]:
    """Return the gradients of ``mean((tanh(x @ w + b) - y)**2)``."""
    import torch

    w, b = (torch.tensor(item, requires_grad=True) for item in (w, b))
    out = torch.tanh(torch.tensor(x) @ w + b)
    ((out - torch.tensor(y)) ** 2).mean().backward()
    return w.grad, b.grad


def optimizers() -> Iterator[tuple[str, Any]]:
    import keras
    import torch

    data = problem()
    yield "problem", data
    for name, (kind, options) in torch_rules().items():
        w, b = (torch.tensor(data[key].copy(), requires_grad=True) for key in "wb")
        rule = kind([w, b], **options)
        path = []
        for x, y in zip(data["x"], data["y"], strict=True):
            w.grad, b.grad = slopes(x, y, w.detach().numpy(), b.detach().numpy())
            rule.step()
            path.append([*w.detach().numpy().ravel(), *b.detach().numpy()])
        yield name, np.array(path)
    for name, rule in keras_rules().items():
        own = [keras.Variable(data[key]) for key in "wb"]
        rule.build(own)
        path = []
        for x, y in zip(data["x"], data["y"], strict=True):
            now = [item.value.detach().numpy().copy() for item in own]
            rule.apply(list(slopes(x, y, *now)))
            w, b = (item.value.detach().numpy() for item in own)
            path.append([*w.ravel(), *b])
        yield name, np.array(path)


# -- losses ----------------------------------------------------------------------------------------


def samples() -> dict[str, np.ndarray]:
    """Return predictions and targets of all kinds."""
    rng = np.random.default_rng(21)
    scores = rng.normal(size=(5, 4)) * 2
    softmax = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    labels = np.array([0, 3, 1, 1, 2])
    other = rng.uniform(0.1, 1, size=(5, 4))
    return {
        "x": scores,
        "y": rng.normal(size=(5, 4)) * 2,
        "z": rng.normal(size=(5, 4)),
        "positive": rng.uniform(0.1, 3, size=(5, 4)),
        "counts": rng.poisson(2.0, size=(5, 4)).astype("float64"),
        "p": softmax,
        "q": other / other.sum(1, keepdims=True),
        "probability": 1 / (1 + np.exp(-scores)),
        "bits": rng.integers(0, 2, size=(5, 4)).astype("float64"),
        "signs": np.sign(rng.normal(size=(5,))),
        "labels": labels,
        "one_hot": np.eye(4)[labels],
        "weights": rng.uniform(0.2, 2, size=5),
        "class_weights": np.array([0.5, 2.0, 1.0, 3.0]),
        "deep": rng.normal(size=(3, 2, 4)),
        "deep_labels": rng.integers(0, 4, size=(3, 2)),
        "steps": rng.normal(size=(3, 8, 5)),
        "words": np.array([[1, 2, 2], [4, 1, -1], [3, -1, -1]]),
        "lengths": np.array([8, 5, 6]),
    }


def losses() -> Iterator[tuple[str, Any]]:
    yield "samples", samples()
    yield from keras_losses()
    yield from torch_losses()


def keras_losses() -> Iterator[tuple[str, Any]]:
    import keras

    s, k = samples(), keras.losses
    rows: dict[str, tuple[Any, str, str]] = {
        "mean_squared_error": (k.MeanSquaredError, "x", "y"),
        "mean_absolute_error": (k.MeanAbsoluteError, "x", "y"),
        "mean_absolute_percentage_error": (k.MeanAbsolutePercentageError, "x", "y"),
        "mean_squared_logarithmic_error": (k.MeanSquaredLogarithmicError, "positive", "counts"),
        "huber": (k.Huber, "x", "y"),
        "log_cosh": (k.LogCosh, "x", "y"),
        "cosine_similarity": (k.CosineSimilarity, "x", "y"),
        "poisson": (k.Poisson, "positive", "counts"),
        "hinge": (k.Hinge, "x", "bits"),
        "squared_hinge": (k.SquaredHinge, "x", "bits"),
        "categorical_hinge": (k.CategoricalHinge, "x", "one_hot"),
        "binary_crossentropy": (k.BinaryCrossentropy, "probability", "bits"),
        "categorical_crossentropy": (k.CategoricalCrossentropy, "p", "one_hot"),
        "sparse_categorical_crossentropy": (k.SparseCategoricalCrossentropy, "p", "labels"),
        "kl_divergence": (k.KLDivergence, "p", "q"),
        "binary_focal_crossentropy": (k.BinaryFocalCrossentropy, "probability", "bits"),
        "categorical_focal_crossentropy": (k.CategoricalFocalCrossentropy, "p", "one_hot"),
    }
    for name, (kind, left, right) in rows.items():
        pair = (s[right], s[left])
        yield (
            name,
            {
                "none": kind(reduction=None)(*pair),
                "mean": kind()(*pair),
                "sum": kind(reduction="sum")(*pair),
                "weights": kind()(*pair, sample_weight=s["weights"]),
                "weighted_mean": kind(reduction="mean_with_sample_weight")(
                    *pair, sample_weight=s["weights"]
                ),
            },
        )
    options = {
        "huber": (k.Huber(0.3), "x", "y"),
        "binary_crossentropy": (
            k.BinaryCrossentropy(from_logits=True, label_smoothing=0.2),
            "x",
            "bits",
        ),
        "categorical_crossentropy": (
            k.CategoricalCrossentropy(from_logits=True, label_smoothing=0.2),
            "x",
            "one_hot",
        ),
        "binary_focal_crossentropy": (
            k.BinaryFocalCrossentropy(True, 0.3, 1.5, from_logits=True, label_smoothing=0.2),
            "x",
            "bits",
        ),
        "categorical_focal_crossentropy": (
            k.CategoricalFocalCrossentropy(0.3, 1.5, from_logits=True, label_smoothing=0.2),
            "x",
            "one_hot",
        ),
        "tversky": (k.Tversky(0.3, 0.6, axis=(1,), reduction=None), "probability", "bits"),
        "dice": (k.Dice(axis=(1,), reduction=None), "probability", "bits"),
    }
    for name, (loss, left, right) in options.items():
        yield f"{name}_options", loss(s[right], s[left])


def torch_losses() -> Iterator[tuple[str, Any]]:
    import torch
    from torch.nn import functional as f

    s = {name: torch.tensor(value) for name, value in samples().items()}
    x, y, z, labels, table = s["x"], s["y"], s["z"], s["labels"], s["class_weights"]
    deep, deep_labels = s["deep"].transpose(1, 2), s["deep_labels"]
    signs, bits = s["signs"], s["bits"] * 2 - 1
    distance = x.abs()
    lists = torch.full((5, 4), -1)
    for row, own in zip(lists, s["bits"], strict=True):
        row[: int(own.sum())] = own.nonzero()[:, 0]
    rows = {
        "mse": f.mse_loss(x, y),
        "l1": f.l1_loss(x, y),
        "smooth_l1": f.smooth_l1_loss(x, y, beta=0.3),
        "huber": f.huber_loss(x, y, delta=0.3),
        "poisson": f.poisson_nll_loss(x, s["counts"]),
        "gaussian_nll": f.gaussian_nll_loss(x, y, s["positive"]),
        "gaussian_nll_full": f.gaussian_nll_loss(x, y, s["positive"], full=True),
        "bce_logits": f.binary_cross_entropy_with_logits(x, s["bits"], pos_weight=table),
        "cross_entropy": f.cross_entropy(x, labels),
        "cross_entropy_smooth": f.cross_entropy(x, labels, label_smoothing=0.2),
        "cross_entropy_soft": f.cross_entropy(x, s["q"]),
        "cross_entropy_weights": f.cross_entropy(x, labels, weight=table),
        "cross_entropy_sum": f.cross_entropy(x, labels, weight=table, reduction="sum"),
        "cross_entropy_deep": f.cross_entropy(deep, deep_labels, reduction="none"),
        "nll": f.nll_loss(f.log_softmax(x, 1), labels, weight=table),
        "kl_divergence": f.kl_div(f.log_softmax(x, 1), s["q"], reduction="batchmean"),
        "soft_margin": f.soft_margin_loss(x, bits),
        "hinge_embedding": f.hinge_embedding_loss(distance, bits, margin=1.5),
        "margin_ranking": f.margin_ranking_loss(x[:, 0], y[:, 0], signs, margin=0.3),
        "cosine_embedding": f.cosine_embedding_loss(x, y, signs, margin=0.1),
        "multi_margin": f.multi_margin_loss(x, labels),
        "multi_margin_square": f.multi_margin_loss(x, labels, p=2, margin=0.7),
        "multi_label_margin": f.multilabel_margin_loss(x, lists),
        "multi_label_soft_margin": f.multilabel_soft_margin_loss(x, s["bits"]),
        "triplet_margin": f.triplet_margin_loss(x, y, z, margin=2.0),
        "triplet_margin_swap": f.triplet_margin_loss(x, y, z, margin=2.0, p=3, swap=True),
        "ctc": f.ctc_loss(
            f.log_softmax(s["steps"], 2).transpose(0, 1),
            s["words"],
            s["lengths"],
            (s["words"] >= 0).sum(1),
            reduction="none",
        ),
    }
    for name, value in rows.items():
        yield f"torch_{name}", value


# -- metrics ---------------------------------------------------------------------------------------


def batches() -> dict[str, np.ndarray]:
    """Return predictions of three batches of ten items."""
    rng = np.random.default_rng(31)
    scores = rng.normal(size=(30, 4)) * 2
    return {
        "scores": scores,
        "labels": rng.integers(0, 4, size=30),
        "probability": np.round(rng.uniform(size=30), 2),
        "bits": rng.integers(0, 2, size=30),
        "numbers": rng.normal(size=(30, 2)),
        "targets": rng.normal(size=(30, 2)) + 3,
        "weights": rng.uniform(0.2, 2, size=30),
    }


def metrics() -> Iterator[tuple[str, Any]]:
    import keras
    import sklearn.metrics as sk
    import torch

    torch.set_default_dtype(torch.float32)  # the histograms of Keras need it
    data, m = batches(), keras.metrics
    yield "batches", data
    scores, labels, bits, p = (data[k] for k in ("scores", "labels", "bits", "probability"))
    one_hot, found = np.eye(4)[labels], scores.argmax(1)
    rows: dict[str, tuple[Any, Any, Any]] = {
        "binary_accuracy": (m.BinaryAccuracy(threshold=0.4), bits[:, None], p[:, None]),
        "categorical_accuracy": (m.CategoricalAccuracy(), one_hot, scores),
        "sparse_categorical_accuracy": (m.SparseCategoricalAccuracy(), labels, scores),
        "top_k_accuracy": (m.TopKCategoricalAccuracy(k=2), one_hot, scores),
        "precision": (m.Precision(thresholds=0.4), bits, p),
        "recall": (m.Recall(thresholds=0.4), bits, p),
        "auc": (m.AUC(), bits, p),
        "auc_few": (m.AUC(num_thresholds=7), bits, p),
        "auc_pr": (m.AUC(curve="PR"), bits, p),
        "mean_iou": (m.MeanIoU(num_classes=4), labels, found),
        "r2": (m.R2Score(), data["targets"], data["numbers"]),
        "cosine_similarity": (m.CosineSimilarity(), data["targets"], data["numbers"]),
        "rmse": (m.RootMeanSquaredError(), data["targets"], data["numbers"]),
        "mse": (m.MeanSquaredError(), data["targets"], data["numbers"]),
        "log_cosh": (m.LogCoshError(), data["targets"], data["numbers"]),
    }
    for name, (metric, true, predicted) in rows.items():
        metric.update_state(true, predicted)
        yield f"keras_{name}", float(metric.result())
        if name == "mean_iou":
            continue  # Keras rounds the weights to integers
        metric.reset_state()
        metric.update_state(true, predicted, sample_weight=data["weights"])
        yield f"keras_{name}_weights", float(metric.result())
    over, own = (p > 0.4).astype(int), {"sample_weight": data["weights"]}
    yield "sklearn_f1", sk.f1_score(bits, over)
    yield "sklearn_f2_weights", sk.fbeta_score(bits, over, beta=2, **own)
    yield "sklearn_specificity", sk.recall_score(bits, over, pos_label=0)
    yield "sklearn_roc", sk.roc_auc_score(bits, p)
    yield "sklearn_roc_weights", sk.roc_auc_score(bits, p, **own)
    yield "sklearn_confusion", sk.confusion_matrix(labels, found).astype("float64")
    yield "sklearn_confusion_weights", sk.confusion_matrix(labels, found, **own)
    yield "sklearn_iou", sk.jaccard_score(labels, found, average=None)
    yield "sklearn_mean_iou_weights", sk.jaccard_score(labels, found, average="macro", **own)
    yield "sklearn_r2", sk.r2_score(data["targets"], data["numbers"])
    yield "sklearn_r2_weights", sk.r2_score(data["targets"], data["numbers"], **own)
    for average in ("macro", "micro", "weighted", None):
        yield (
            f"sklearn_{average}",
            {
                "precision": sk.precision_score(labels, found, average=average),
                "recall": sk.recall_score(labels, found, average=average, **own),
                "f1": sk.f1_score(labels, found, average=average),
            },
        )


def main() -> None:
    """Write all files."""
    os.environ.setdefault("KERAS_BACKEND", "torch")
    import keras
    import torch

    keras.config.set_floatx("float64")
    torch.set_default_dtype(torch.float64)
    for part in (schedules, constraints, optimizers, losses, metrics):
        write(part.__name__, dict(part()))


if __name__ == "__main__":
    main()
