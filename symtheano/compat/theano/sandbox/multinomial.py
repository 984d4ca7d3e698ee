"""``theano.sandbox.multinomial``: draws from given uniform numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano.tensor import TensorType, as_tensor_variable

from ..gof.graph import Apply
from ..gof.op import Op


class _FromUniform(Op):
    __props__: Any = ("odtype",)
    differentiable_inputs = 0

    def __init__(self, odtype: str = "auto") -> None:
        self.odtype = odtype

    def _made(self, pvals: Any, unis: Any, n: Any, dtype: str) -> Apply:
        inputs = [as_tensor_variable(item) for item in (pvals, unis, n)]
        if [item.ndim for item in inputs] != [2, 1, 0]:
            dims = ", ".join(str(item.ndim) for item in inputs)
            raise TypeError(f"{type(self).__name__} takes 2, 1 and 0 dims, got {dims}")
        dtype = dtype if self.odtype == "auto" else self.odtype
        return Apply(self, inputs, [TensorType(dtype, (False, False))()])

    def _rounds(self, inputs: Any) -> Any:
        """Return probabilities that may be changed, and uniform numbers of each draw."""
        pvals, unis, n = inputs
        if len(unis) != len(pvals) * n:
            raise ValueError(f"unis has {len(unis)} numbers for {n} draws of {len(pvals)} rows")
        return pvals.copy(), unis.reshape(int(n), len(pvals))


def _chosen(pvals: Any, unis: Any) -> tuple[Any, Any]:
    """Return the rows that have an outcome, and the outcomes: the first sums above the numbers."""
    above = np.cumsum(pvals, axis=1) > unis[:, None]
    rows = np.nonzero(above.any(axis=1))[0]
    return rows, above[rows].argmax(axis=1)


class MultinomialFromUniform(_FromUniform):
    """How often each outcome is drawn, given a matrix of probabilities and uniform numbers.

    Parameters
    ----------
    odtype
        The dtype of the counts; ``auto`` for that of the probabilities.
    """

    def make_node(self, pvals: Any, unis: Any, n: Any = 1) -> Apply:
        """Return the node: one row for each distribution, ``n`` uniform numbers for each row."""
        pvals = as_tensor_variable(pvals)
        return self._made(pvals, unis, n, pvals.dtype)

    def perform(self, node: Apply, inputs: Any, outputs: Any) -> None:
        """Count the outcomes."""
        pvals, rounds = self._rounds(inputs)
        counts = np.zeros(pvals.shape, node.outputs[0].dtype)
        for unis in rounds:
            counts[_chosen(pvals, unis)] += 1
        outputs[0][0] = counts


class ChoiceFromUniform(_FromUniform):
    """The outcomes of several draws, one row for each distribution.

    Parameters
    ----------
    replace
        Whether an outcome may be drawn again.
    odtype
        The dtype of the numbers; ``auto`` for int64.
    """

    __props__ = ("odtype", "replace")

    def __init__(self, odtype: str = "auto", replace: bool = False) -> None:
        super().__init__(odtype)
        self.replace = replace

    def make_node(self, pvals: Any, unis: Any, n: Any = 1) -> Apply:
        """Return the node: one row for each distribution, ``n`` uniform numbers for each row."""
        return self._made(pvals, unis, n, "int64")

    def perform(self, node: Apply, inputs: Any, outputs: Any) -> None:
        """Draw, and divide what is left of the probabilities by its sum."""
        pvals, rounds = self._rounds(inputs)
        if not self.replace and len(rounds) > pvals.shape[1]:
            raise ValueError(f"{len(rounds)} draws without replacement of {pvals.shape[1]}")
        drawn = np.full((len(pvals), len(rounds)), -1, node.outputs[0].dtype)
        for number, unis in enumerate(rounds):
            rows, outcomes = _chosen(pvals, unis)
            drawn[rows, number] = outcomes
            if not self.replace:
                pvals[rows, outcomes] = 0
                sums = pvals.sum(axis=1, keepdims=True)
                pvals /= np.where(sums == 0, 1, sums)
        outputs[0][0] = drawn


class MultinomialWOReplacementFromUniform(ChoiceFromUniform):
    """The old name of :class:`ChoiceFromUniform` without replacement."""

    def __init__(self, odtype: str = "auto") -> None:
        super().__init__(odtype, replace=False)
