"""What a case consists of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Case:
    """An expression, and the C function that someone would write for it.

    Attributes
    ----------
    name
        The name on the command line.
    inputs
        Makes the arrays by name, in the order of the parameters of ``expression``.
    expression
        Takes one variable for each input, and returns a result or several.
    c
        C text of one function ``f``. Its parameters are the inputs, then the results, as pointers,
        then ``lengths`` as ``int64_t``.
    lengths
        The last arguments of ``f``.
    numpy
        The same in NumPy, where it tells something.
    static
        Lengths that the type of an input knows; by default those that are 1.
    updates
        Number of the first inputs that are shared variables. The first results are their new
        values, and ``f`` changes these arrays in place: it has no parameters for these results.
    tolerance
        The largest difference of values, relative to the largest value of a result.
    """

    name: str
    inputs: Callable[[np.random.Generator], dict[str, Array]]
    expression: Callable[..., Any]
    c: str
    lengths: Sequence[int] = ()
    numpy: Callable[..., Any] | None = None
    static: Mapping[str, tuple[int | None, ...]] = field(default_factory=dict)
    updates: int = 0
    tolerance: float = 1e-9
