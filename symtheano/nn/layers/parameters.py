"""Parameters of layers: shared variables, and how training treats them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt


class Owner(Protocol):
    """The attributes of a layer that its parameters use."""

    trainable: bool


@dataclass(eq=False)
class Parameter:
    """A parameter of a layer: a shared variable, and how training treats it.

    Parameters
    ----------
    name
        The name of the parameter within its layer, such as ``"kernel"``.
    variable
        The shared variable that holds the value.
    layer
        The layer that owns the parameter.
    trainable
        Whether the gradient of the loss changes the parameter. False for running statistics.
    regularizer
        A function of the shared variable that returns a penalty, a 0-d expression that is added to
        the loss. None: no penalty.
    constraint
        A function that takes the expression of the updated value and returns the expression to
        store instead. None: no constraint.

    Examples
    --------
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
        """Whether training changes the parameter: it is trainable, and its layer is not frozen."""
        return self.trainable and self.layer.trainable

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the value."""
        return tuple(self.variable.get_value(borrow=True).shape)

    @property
    def count(self) -> int:
        """The number of elements of the value."""
        return int(self.variable.get_value(borrow=True).size)

    @property
    def bytes(self) -> int:
        """The number of bytes of the value."""
        return int(self.variable.get_value(borrow=True).nbytes)

    def get_value(self) -> npt.NDArray[Any]:
        """Return a copy of the value."""
        value: npt.NDArray[Any] = self.variable.get_value()
        return value

    def set_value(self, value: Any) -> None:
        """Set the value to an array of the same shape.

        Raises
        ------
        ValueError
            If the array has another shape.
        """
        set_values("set_value", [self], [value])


def set_values(what: str, parameters: Sequence[Parameter], values: Sequence[Any]) -> None:
    """Set the values of several parameters. If one value does not fit, none is set.

    Parameters
    ----------
    what
        The name of the called function, for error messages.
    parameters
        The parameters.
    values
        One array for each parameter.

    Raises
    ------
    ValueError
        If the number of arrays or a shape does not fit.
    """
    if len(values) != len(parameters):
        raise ValueError(f"{what}: takes {len(parameters)} arrays, not {len(values)}")
    arrays = []
    for p, value in zip(parameters, values, strict=True):
        have = p.variable.get_value(borrow=True)
        array = np.array(value, have.dtype)
        if array.shape != have.shape:
            raise ValueError(f"{what}: {p.variable.name} has shape {have.shape}, not {array.shape}")
        arrays.append(array)
    for p, array in zip(parameters, arrays, strict=True):
        p.variable.set_value(array, borrow=True)
