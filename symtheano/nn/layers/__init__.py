"""Layers: functions of symbolic arrays that own their parameters."""

from importlib import import_module
from typing import NoReturn

from symtheano.names import hide_submodules
from symtheano.nn.layers.configuration import LAYERS
from symtheano.nn.missing import MissingNetworkName

__all__ = ["LAYERS"]

MODULES = (
    "activation", "attention", "convolution", "dense", "embedding", "expressions", "merging",
    "noise", "normalization", "pooling", "positions", "recurrent", "resizing", "separable",
    "shapes", "transformer", "transposed", "weights", "wrappers",
)  # fmt: skip
"""The modules that define layers, which all are loaded: files name layers by their classes."""

for _name in MODULES:
    import_module(f"{__name__}.{_name}")
hide_submodules(__name__, MODULES)


def __getattr__(name: str) -> NoReturn:
    """Raise an error that says where a layer is; its class is a name of :mod:`symtheano.nn`."""
    raise MissingNetworkName(__name__, name)
