"""Parameters of layers: shared variables, and how training treats them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt


class Owner(Protocol):
    """What a parameter knows of its layer."""

    trainable: bool


@dataclass(eq=False)
class Parameter:
    """A shared variable of a layer.

    Parameters
    ----------
    name
        The name within the layer.
    variable
        The shared variable.
    layer
        The layer.
    trainable
        Whether training changes it by the gradient; running statistics are not trainable.
    regularizer, constraint
        Functions of the variable: a term of the loss, and what an update is replaced by.

    Examples
    --------
    >>> from symtheano import nn
    >>> layer = nn.Dense(2, bias_initializer="ones")
    >>> _ = layer(nn.Input((3,)))
    >>> kernel, bias = layer.parameters
    >>> kernel.shape, bias.get_value()
    ((3, 2), array([1., 1.], dtype=float32))
    """

    name: str
    variable: Any
    layer: Owner
    trainable: bool = True
    regularizer: Callable[[Any], Any] | None = None
    constraint: Callable[[Any], Any] | None = None

    @property
    def trains(self) -> bool:
        """Whether it changes now: it is trainable, and its layer is not frozen."""
        return self.trainable and self.layer.trainable

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the value."""
        return tuple(self.variable.get_value(borrow=True).shape)

    @property
    def count(self) -> int:
        """The number of elements."""
        return int(self.variable.get_value(borrow=True).size)

    @property
    def bytes(self) -> int:
        """The number of bytes."""
        return int(self.variable.get_value(borrow=True).nbytes)

    def get_value(self) -> npt.NDArray[Any]:
        """Return a copy of the value."""
        value: npt.NDArray[Any] = self.variable.get_value()
        return value

    def set_value(self, value: Any) -> None:
        """Set the value.

        Raises
        ------
        ValueError
            If it has another shape.
        """
        set_values("set_value", [self], [value])


def set_values(what: str, parameters: Sequence[Parameter], values: Sequence[Any]) -> None:
    """Set all parameters, or none if something does not fit.

    Parameters
    ----------
    what
        What is called, for messages.
    parameters, values
        The parameters, and an array for each.

    Raises
    ------
    ValueError
        If their number or shapes differ.
    """
    if len(values) != len(parameters):
        raise ValueError(f"{what}: {len(parameters)} arrays expected, and {len(values)} given")
    arrays = []
    for p, value in zip(parameters, values, strict=True):
        have = p.variable.get_value(borrow=True)
        array = np.array(value, have.dtype)
        if array.shape != have.shape:
            raise ValueError(f"{what}: {p.variable.name} has shape {have.shape}, not {array.shape}")
        arrays.append(array)
    for p, array in zip(parameters, arrays, strict=True):
        p.variable.set_value(array, borrow=True)
