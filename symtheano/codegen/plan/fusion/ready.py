"""When values are available: before which step of a schedule."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symtheano.codegen.plan.needs import Needs
from symtheano.errors import CompileError, format_error
from symtheano.graph.variable import Apply
from symtheano.tensor.variable import Tensor


class Ready:
    """The first step before which each value is in memory or a scalar.

    Parameters
    ----------
    needs
        What nodes need.
    place
        Places the node of a scalar that only shapes and guards use.

    Attributes
    ----------
    first
        The step of what has been placed. Variables without owner are available before step 0.
    """

    def __init__(self, needs: Needs, place: Callable[[Apply], None]) -> None:
        self.needs, self.place = needs, place
        self.first: dict[Tensor, int] = {}

    def at(self, variable: Tensor) -> int:
        """Return the first step before which a variable's value is in memory or a scalar."""
        if variable.owner is None:
            return 0
        known = self.first.get(variable)
        if known is None:
            known = self._late(variable, variable.owner)
        return known

    def _late(self, variable: Tensor, owner: Apply) -> int:
        """Find when a scalar that only shapes and guards use is ready; iteratively.

        Raises
        ------
        CompileError
            If a value is needed to check itself, which is a defect of symtheano.
        """
        stack, begun = [owner], set[Apply]()
        while stack:
            node = stack[-1]
            waiting = [
                item.owner
                for item in self.needs.all_of(node)
                if item.owner is not None and item not in self.first
            ]
            if waiting:
                if node in begun:
                    raise CompileError(
                        format_error(
                            f"a check of {node.op} needs its result",
                            places=[node.origin],
                            hint="this is a defect of symtheano: please report it; "
                            "mode='INTERPRET' runs the function",
                        )
                    )
                begun.add(node)
                stack.extend(waiting)
                continue
            stack.pop()
            if node.outputs[0] not in self.first:
                self.place(node)
        return self.first[variable]

    def earliest(self, node: Apply, inputs: Sequence[Tensor]) -> int:
        """Return the first step before which inputs are there and guards hold."""
        return self.of_all([*inputs, *self.needs.besides(node)])

    def of_all(self, variables: Sequence[Tensor]) -> int:
        """Return the first step before which all of some variables are there."""
        return max((self.at(item) for item in variables), default=0)
