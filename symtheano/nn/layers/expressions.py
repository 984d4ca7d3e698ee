"""Expressions of outputs of layers, such as ``h[:, 0]`` or ``nn.relu(h)``, as inputs of layers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symtheano.nn.layers.dense import Lambda
from symtheano.nn.lookup import snake_case
from symtheano.nn.session.deferred import Conditions, Deferred, Recorded
from symtheano.nn.values import Value


@dataclass
class Recording:
    """A recorded expression as a function of the arrays on which it depends.

    Parameters
    ----------
    result
        The expression.
    values
        Those values, in the order of the arguments.
    """

    result: Recorded
    values: tuple[Value, ...]

    def __call__(self, *arrays: Any) -> Any:
        """Return the expression with other arrays in the places of the values."""
        return Conditions(False, dict(zip(self.values, arrays, strict=True)))(self.result)

    def __repr__(self) -> str:
        return repr(self.result)


def value_of(recorded: Recorded) -> Value | None:
    """Return the value that a layer computes for a recorded expression.

    None, if the expression does not depend on values alone, but on placeholders without a shape.

    Raises
    ------
    TypeError
        If the expression is 0-d, so that it has no axis for the batch.

    Examples
    --------
    >>> x = nn.Input((3,), seed=0)
    >>> value_of(nn.Dense(4)(x)[:, 1:])
    Value(float32, (n, 3) of getitem)
    """
    if recorded.value is None:
        leaves = leaves_of(recorded)
        values = tuple(leaf for leaf in leaves if isinstance(leaf, Value))
        if len(values) != len(leaves):
            return None
        function = Recording(recorded, values)
        if function(*(value.train for value in values)).ndim == 0:
            raise TypeError(
                f"a layer takes arrays whose first axis is the batch, but {recorded!r} is 0-d"
            )
        recorded.value = Lambda(function, name=snake_case(recorded.name or "").strip("_"))(*values)
    value: Value = recorded.value
    return value


def leaves_of(recorded: Recorded) -> list[Deferred]:
    """Return the deferred arrays on which a recorded expression depends and that are no records."""
    leaves: dict[Deferred, None] = {}
    seen: set[Deferred] = set()
    stack: list[Deferred] = [recorded]
    while stack:
        top = stack.pop()
        if not isinstance(top, Recorded):
            leaves[top] = None
        elif top not in seen:
            seen.add(top)
            stack += reversed(top.sources)
    return list(leaves)


Value.of_recorded = staticmethod(value_of)
