"""The table of converters: which function writes a PyTensor op with symtheano's functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Converter = Callable[..., Any]
"""A function of the op, its node and the converted inputs.

It returns the converted result, or a list of them. It raises NotImplementedError for what it does
not support.
"""

_CONVERTERS: dict[tuple[str, str], Converter] = {}


def family_of(cls: type) -> str:
    """Return the family of an op's class: names of classes are unique in a family.

    Examples
    --------
    >>> import pytensor.tensor.math, pytensor.sparse.math
    >>> family_of(pytensor.tensor.math.Dot), family_of(pytensor.sparse.math.Dot)
    ('tensor', 'sparse')
    """
    module = cls.__module__
    if module.startswith("pytensor.sparse"):
        return "sparse"
    if module.startswith("pytensor.typed_list"):
        return "list"
    return "scalar" if module.startswith("pytensor.scalar") else "tensor"


def has_other_converters() -> bool:
    """Return whether a program has registered converters that are not part of this package."""
    own = __name__.rpartition(".")[0]
    return any(item.__module__.rpartition(".")[0] != own for item in _CONVERTERS.values())


def converts(*names: str, family: str = "tensor") -> Callable[[Converter], Converter]:
    """Return a decorator that registers a converter of the classes with these names."""

    def register(converter: Converter) -> Converter:
        for name in names:
            _CONVERTERS[family, name] = converter
        return converter

    return register


def converter_of(op: Any) -> Converter | None:
    """Return the converter of an op: that of the first of its classes that has one.

    Classes are found by name, because PyTensor moves them from module to module.
    """
    for cls in type(op).__mro__:
        converter = _CONVERTERS.get((family_of(cls), cls.__name__))
        if converter is not None:
            return converter
    return None
