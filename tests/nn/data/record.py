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
        own = [keras.Variable(data[key], dtype="float64") for key in "wb"]
        rule.build(own)
        path = []
        for x, y in zip(data["x"], data["y"], strict=True):
            now = [item.value.detach().numpy().copy() for item in own]
            rule.apply(list(slopes(x, y, *now)))
            w, b = (item.value.detach().numpy() for item in own)
            path.append([*w.ravel(), *b])
        yield name, np.array(path)


def main() -> None:
    """Write all files."""
    os.environ.setdefault("KERAS_BACKEND", "torch")
    import keras
    import torch

    keras.config.set_floatx("float64")
    torch.set_default_dtype(torch.float64)
    for part in (schedules, constraints, optimizers):
        write(part.__name__, dict(part()))


if __name__ == "__main__":
    main()
