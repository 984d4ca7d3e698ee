"""When values are available: before which step of a schedule."""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.plan.needs import Needs
from symtheano.graph.variable import Apply
from symtheano.tensor.variable import Tensor


class Ready:
    """The first step before which each value is in memory or a scalar.

    Questions do not place anything: what a node needs has been placed before it.

    Parameters
    ----------
    needs
        What nodes need.

    Attributes
    ----------
    first
        The step of what has been placed. Variables without owner are available before step 0.
    """

    def __init__(self, needs: Needs) -> None:
        self.needs = needs
        self.first: dict[Tensor, int] = {}

    def at(self, variable: Tensor) -> int:
        """Return the first step before which a variable's value is in memory or a scalar."""
        return 0 if variable.owner is None else self.first[variable]

    def earliest(self, node: Apply, inputs: Sequence[Tensor]) -> int:
        """Return the first step before which inputs are there and guards hold."""
        return self.of_all([*inputs, *self.needs.besides(node)])

    def of_all(self, variables: Sequence[Tensor]) -> int:
        """Return the first step before which all of some variables are there."""
        return max((self.at(item) for item in variables), default=0)
