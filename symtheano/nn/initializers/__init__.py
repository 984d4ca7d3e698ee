"""Initial values of parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from symtheano.nn.configuration import build, find
from symtheano.nn.initializers.base import Initializer
from symtheano.nn.initializers.elements import (
    Constant,
    Given,
    Normal,
    Ones,
    TruncatedNormal,
    Uniform,
    Zeros,
)
from symtheano.nn.initializers.matrices import Identity, Orthogonal, Sparse
from symtheano.nn.initializers.scaling import (
    GlorotNormal,
    GlorotUniform,
    HeNormal,
    HeUniform,
    LeCunNormal,
    LeCunUniform,
    VarianceScaling,
    fans,
)
from symtheano.nn.missing import missing_in

__all__ = [
    "INITIALIZERS", "Constant", "Given", "GlorotNormal", "GlorotUniform", "HeNormal", "HeUniform",
    "Identity", "Initializer", "LeCunNormal", "LeCunUniform", "Normal", "Ones", "Orthogonal",
    "Sparse", "TruncatedNormal", "Uniform", "VarianceScaling", "Zeros", "fans", "from_config",
    "get",
]  # fmt: skip

INITIALIZERS: dict[str, type[Initializer]] = {
    "constant": Constant, "zeros": Zeros, "ones": Ones, "given": Given, "uniform": Uniform,
    "random_uniform": Uniform, "normal": Normal, "random_normal": Normal,
    "truncated_normal": TruncatedNormal, "glorot_uniform": GlorotUniform,
    "xavier_uniform": GlorotUniform, "glorot_normal": GlorotNormal, "xavier_normal": GlorotNormal,
    "he_uniform": HeUniform, "kaiming_uniform": HeUniform, "he_normal": HeNormal,
    "kaiming_normal": HeNormal, "lecun_uniform": LeCunUniform, "lecun_normal": LeCunNormal,
    "orthogonal": Orthogonal, "identity": Identity, "sparse": Sparse,
}  # fmt: skip
"""Initializers by name."""


def get(what: Any) -> Initializer:
    """Return an initializer.

    Parameters
    ----------
    what
        A name such as ``"glorot_uniform"``; an :class:`Initializer`, or another function of a
        shape, a dtype and a random generator; a number; an array with the shape of the parameter;
        or the result of :meth:`Initializer.config`.

    Raises
    ------
    ValueError
        If there is no initializer of this name.
    TypeError
        If the argument is something else.

    Examples
    --------
    >>> get("he_normal"), get(0.5)
    (HeNormal(gain=1.0, axes=None), Constant(value=0.5))
    """
    if isinstance(what, list | tuple | np.ndarray) and np.ndim(what):
        return Given(np.asarray(what))
    if isinstance(what, int | float | np.number | np.ndarray):
        return Constant(float(what))
    classes = {name: kind for name, kind in INITIALIZERS.items() if kind is not Given}
    expected = "a name, an Initializer, a number or an array"
    initializer: Initializer = find(
        "initializer", what, classes, Initializer, from_config, expected
    )
    return initializer


def from_config(config: Mapping[str, Any]) -> Initializer:
    """Return the initializer from the result of :meth:`Initializer.config`.

    Examples
    --------
    >>> from_config(Uniform(-1.0, 1.0).config())
    Uniform(low=-1.0, high=1.0)
    """
    return build("initializer", config, INITIALIZERS)


__getattr__ = missing_in(__name__, __all__)
