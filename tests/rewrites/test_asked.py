"""Asked: expressions of lengths in normal form."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.graph.interner import Interner
from symtheano.rewrites.asked import Asked, always
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.library import default_rules
from symtheano.tensor.variable import Tensor


def _rewriter() -> Rewriter:
    return Rewriter(default_rules())


def test_answers_are_in_normal_form() -> None:
    n = T.lscalar("n")
    asked = Asked(_rewriter(), Interner())
    difference, number = asked.ask(n - n), asked.ask(7)
    asked.rewrite({})
    assert (difference(), number(), always(3)()) == (0, 7, 3)


def test_numbers_that_are_known_later() -> None:
    n, m = T.lscalars("n", "m")
    asked = Asked(_rewriter(), Interner())
    smaller, other = asked.ask(T.minimum(n, 384)), asked.ask(n + m)
    asked.rewrite({})
    assert isinstance(smaller(), Tensor)
    asked.rewrite({n: 512})
    assert smaller() == 384
    assert isinstance(other(), Tensor)
    asked.rewrite({m: 3})
    assert other() == 515


def test_arrays_are_the_same_if_their_lengths_are_known() -> None:
    n, x = T.lscalar("n"), T.lvector("x")
    asked = Asked(_rewriter(), Interner())
    last = asked.ask((x * n).max())
    (before,) = asked.rewrite({})
    asked.rewrite({n: 5})
    assert last() is before
