"""Losses: expressions of predictions and targets that training minimizes.

Most losses are functions ``loss(predictions, targets, *, reduction="mean", weights=None)``. Some
have further options. :func:`get` returns a loss by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from inspect import Parameter, signature
from typing import Any

from symtheano.nn.configuration import find, plain_data
from symtheano.nn.lookup import look_up
from symtheano.nn.losses.crossentropy import (
    binary_crossentropy,
    binary_focal_crossentropy,
    categorical_crossentropy,
    categorical_focal_crossentropy,
    kl_divergence,
    nll,
    of_classes,
    sparse_categorical_crossentropy,
)
from symtheano.nn.losses.margins import (
    categorical_hinge,
    cosine_embedding,
    dice,
    hinge,
    hinge_embedding,
    margin_ranking,
    multi_label_margin,
    multi_margin,
    soft_margin,
    squared_hinge,
    triplet_margin,
    tversky,
)
from symtheano.nn.losses.reduction import reduced
from symtheano.nn.losses.regression import (
    cosine_similarity,
    gaussian_nll,
    huber,
    log_cosh,
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_squared_error,
    mean_squared_logarithmic_error,
    poisson,
    quantile,
    root_mean_squared_error,
    smooth_l1,
)
from symtheano.nn.losses.sequences import ctc
from symtheano.nn.missing import missing_in
from symtheano.nn.session.deferred import recorded

_OF_ARRAYS: tuple[Callable[..., Any], ...] = (
    binary_crossentropy, binary_focal_crossentropy, categorical_crossentropy,
    categorical_focal_crossentropy, categorical_hinge, cosine_embedding, cosine_similarity, ctc,
    dice, gaussian_nll, hinge, hinge_embedding, huber, kl_divergence, log_cosh, margin_ranking,
    mean_absolute_error, mean_absolute_percentage_error, mean_squared_error,
    mean_squared_logarithmic_error, multi_label_margin, multi_margin, nll, poisson, quantile,
    root_mean_squared_error, smooth_l1, soft_margin, sparse_categorical_crossentropy,
    squared_hinge, triplet_margin, tversky,
)  # fmt: skip
# For sessions, losses also take placeholders of any shape and outputs of layers.
_FUNCTIONS = tuple(map(recorded, _OF_ARRAYS))
for _function in _FUNCTIONS:
    # Pickles refer to them by the names in this module. The functions of the same names in their
    # own modules take arrays only.
    _function.__module__ = __name__
    globals()[_function.__name__] = _function

__all__ = [
    "LOSSES", "OF_LABELS", "Loss", "binary_crossentropy", "binary_focal_crossentropy",
    "categorical_crossentropy", "categorical_focal_crossentropy", "categorical_hinge",
    "cosine_embedding", "cosine_similarity", "ctc", "dice", "from_config",
    "gaussian_nll", "get", "hinge", "hinge_embedding", "huber", "kl_divergence", "log_cosh",
    "margin_ranking", "mean_absolute_error", "mean_absolute_percentage_error",
    "mean_squared_error", "mean_squared_logarithmic_error", "multi_label_margin", "multi_margin",
    "nll", "of_classes", "poisson", "quantile", "reduced", "root_mean_squared_error",
    "smooth_l1", "soft_margin", "sparse_categorical_crossentropy", "squared_hinge",
    "triplet_margin", "tversky",
]  # fmt: skip

LOSSES: dict[str, Callable[..., Any]] = {
    **{function.__name__: function for function in _FUNCTIONS},
    "mse": mean_squared_error,
    "rmse": root_mean_squared_error,
    "mae": mean_absolute_error,
    "l1": mean_absolute_error,
    "mape": mean_absolute_percentage_error,
    "msle": mean_squared_logarithmic_error,
    "bce": binary_crossentropy,
    "cross_entropy": categorical_crossentropy,
    "kld": kl_divergence,
    "multi_label_soft_margin": soft_margin,
}
"""Losses by name."""

OF_LABELS = {
    "categorical_crossentropy", "categorical_focal_crossentropy", "categorical_hinge", "ctc",
    "multi_margin", "nll", "sparse_categorical_crossentropy",
}  # fmt: skip
"""Losses that take integer labels."""


class Loss:
    """A loss with options. Models that use it can be saved.

    Parameters
    ----------
    name
        The name of a loss, such as ``"huber"``.
    options
        Keyword arguments of the loss, such as ``delta=2.0``, except for ``weights``.

    Raises
    ------
    ValueError
        If there is no loss of this name.
    TypeError
        If the loss does not have one of the options.

    Examples
    --------
    >>> Loss("huber", delta=2.0)(np.array([4.0]), np.array([0.0])).eval()
    array(6.)
    """

    def __init__(self, name: str, **options: Any) -> None:
        self.function = look_up("loss", name, LOSSES)
        self.name, self.options = self.function.__name__, options
        names = _options_of(self.function)
        if unknown := sorted(options.keys() - set(names)):
            raise TypeError(f"{self.name} has no option {unknown[0]!r}; it has {', '.join(names)}")

    def __call__(self, *arrays: Any, **options: Any) -> Any:
        """Return the loss of predictions and targets.

        Keyword arguments of this call override the options of the object.
        """
        return self.function(*arrays, **{**self.options, **options})

    def config(self) -> dict[str, Any]:
        """Return the name and the options as data for JSON, which :func:`from_config` reads."""
        options = {key: plain_data(value) for key, value in self.options.items()}
        return {"class": "Loss", "name": self.name, **options}

    def __repr__(self) -> str:
        shown = "".join(f", {key}={value!r}" for key, value in self.options.items())
        return f"Loss({self.name!r}{shown})"


@cache
def _options_of(function: Any) -> list[str]:
    """Return the names of the options of a loss, which each call of ``fit`` compares."""
    parameters = signature(function).parameters.values()
    return [p.name for p in parameters if p.kind is Parameter.KEYWORD_ONLY and p.name != "weights"]


def get(what: Any) -> Any:
    """Return a loss.

    Parameters
    ----------
    what
        A name such as ``"mse"``, a :class:`Loss`, a function of predictions and targets, or the
        result of :meth:`Loss.config`.

    Raises
    ------
    ValueError
        If there is no loss of this name.
    TypeError
        If the argument is something else.

    Examples
    --------
    >>> get("mse")
    Loss('mean_squared_error')
    """
    if callable(what) and (what in _FUNCTIONS or what in _OF_ARRAYS):
        return Loss(what.__name__)
    constructors = {name: partial(Loss, name) for name in LOSSES}
    return find("loss", what, constructors, Loss, from_config, "a name, a Loss or a function")


def from_config(config: Mapping[str, Any]) -> Loss:
    """Return the loss from the result of :meth:`Loss.config`.

    Examples
    --------
    >>> from_config(Loss("huber", delta=2.0).config())
    Loss('huber', delta=2.0)
    """
    options = dict(config)
    if options.pop("class", None) != "Loss" or not isinstance(options.get("name"), str):
        raise ValueError(
            f"the description of a loss must have the class 'Loss' and a name, not {config!r}"
        )
    return Loss(**options)


__getattr__ = missing_in(__name__, __all__)
