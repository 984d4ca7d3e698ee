"""Expressions of lengths that are asked for together, and answered in normal form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from symtheano.graph.final import that_need_arrays
from symtheano.graph.interner import Interner
from symtheano.graph.variable import Dim as Length
from symtheano.graph.walk import replace
from symtheano.rewrites.engine import Rewriter
from symtheano.tensor.basic import as_tensor_variable, constant
from symtheano.tensor.shapes.shape import dim_value
from symtheano.tensor.variable import Dim, Tensor

Answer = Callable[[], Dim]
"""Returns an expression as it was last rewritten."""

_SIMPLIFY = ("canonicalize", "specialize", "expand")
"""The phases. Conditions on elements are expanded, as composite ops have no code of their own."""


class Asked:
    """A set of expressions that are rewritten together.

    Parameters
    ----------
    rewriter, interner
        Rewrites them, and owns their nodes.
    computed
        Arrays that remain as they are, because expressions read their lengths: what computes them
        would be another array in another form.

    Examples
    --------
    >>> from symtheano.rewrites.library import default_rules
    >>> n = T.lscalar("n")
    >>> asked = Asked(Rewriter(default_rules()), Interner())
    >>> answer = asked.ask(T.minimum(n, 384))
    >>> _ = asked.rewrite({n: 512})
    >>> answer()
    384
    """

    def __init__(
        self, rewriter: Rewriter, interner: Interner, computed: Sequence[Tensor] = ()
    ) -> None:
        self._rewriter, self._interner, self._computed = rewriter, interner, computed
        self._done: list[Tensor] = []

    def ask(self, value: Length) -> Answer:
        """Return a function that returns an expression after rewriting."""
        if isinstance(value, bool | int):
            return always(value)
        variable: Tensor = as_tensor_variable(value)
        self._done.append(variable)
        position = len(self._done) - 1
        if variable.dtype == "int64":
            return lambda: dim_value(self._done[position])
        return lambda: self._done[position]

    def rewrite(self, number_of: Mapping[Tensor, int]) -> list[Tensor]:
        """Rewrite all expressions, in which numbers may be known now, and return them.

        What computes with arrays keeps its lengths: with others it would be another array.
        """
        numbers = {length: constant(number, dtype="int64") for length, number in number_of.items()}
        asked = self._done
        if numbers:
            kept = that_need_arrays(asked)
            changed = cast(list[Tensor], replace(asked, numbers))
            pairs = zip(asked, changed, strict=True)
            asked = [old if old in kept else new for old, new in pairs]
        stand_ins = {array: array.type.make_variable() for array in self._computed}
        if stand_ins:
            asked = cast(list[Tensor], replace(asked, stand_ins))
        done = self._rewriter.rewrite_outputs(asked, self._interner, _SIMPLIFY)
        if stand_ins:
            back = replace(done, {stand_in: array for array, stand_in in stand_ins.items()})
            done = self._interner.intern(back)
        self._done = cast(list[Tensor], done)
        return self._done


def always(value: Dim) -> Answer:
    """Return a function that returns a value.

    Examples
    --------
    >>> always(3)()
    3
    """
    return lambda: value
