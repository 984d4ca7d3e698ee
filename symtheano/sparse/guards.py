"""Checks of what the ops on components of sparse matrices take for granted.

Functions of this package only make consistent components, and check those of inputs once. Graphs
that are read from a file have these checks in each op; no check is repeated for one variable.
"""

from __future__ import annotations

from typing import Any

from symtheano.graph.variable import Apply
from symtheano.scalar import table as scalar
from symtheano.sparse.starts import AreStarts, length
from symtheano.tensor.assertion import Require
from symtheano.tensor.basic import cast, constant
from symtheano.tensor.creation.filled import Alloc
from symtheano.tensor.reductions.reduce import all as all_
from symtheano.tensor.shapes.shape import as_dim
from symtheano.tensor.sorting.counting import bincount

_OUTSIDE = "sparse: a position is outside of its axis"
_COUNTS = "sparse: there are not as many values as positions"
_STARTS = "sparse: the beginnings of segments do not rise from 0 to the number of elements"
_SEGMENTS = "sparse: there are not as many positions as segments"
_GROUPS = "sparse: the beginnings of groups are not those of the elements"
_MESSAGES = {_OUTSIDE, _COUNTS, _STARTS, _SEGMENTS, _GROUPS}


def bare(variable: Any) -> Any:
    """Return a variable without checks of this module around it."""
    while variable.owner is not None:
        op = variable.owner.op
        if not (isinstance(op, Require) and op.msg in _MESSAGES):
            break
        variable = variable.owner.inputs[0]
    return variable


def _guarded(variable: Any, message: str, *conditions: Any) -> Any:
    return Require(message)(bare(variable), *conditions)


def inside(places: Any, count: Any) -> Any:
    """Return integers, checked to be from 0 to ``count`` without the end."""
    plain = bare(places)
    within = scalar.and_(scalar.ge(plain, 0), scalar.lt(plain, as_dim(count)))
    return _guarded(places, _OUTSIDE, all_(within), scalar.ge(as_dim(count), 0))


def one_each(values: Any, places: Any) -> Any:
    """Return a vector, checked to be as long as another one."""
    same = scalar.eq(as_dim(length(bare(values))), as_dim(length(bare(places))))
    return _guarded(values, _COUNTS, same)


def segments(starts: Any, count: Any) -> Any:
    """Return beginnings of segments, checked to rise from 0 to the number of elements."""
    rise, last = AreStarts()(bare(starts))
    return _guarded(starts, _STARTS, rise, scalar.eq(last, as_dim(count)))


def one_per_segment(first: Any, starts: Any) -> Any:
    """Return a vector, checked to have an item for each segment."""
    same = scalar.eq(as_dim(length(bare(first))) + 1, as_dim(length(bare(starts))))
    return _guarded(first, _SEGMENTS, same)


def tallied(starts: Any, groups: Any) -> Any:
    """Return beginnings of groups, checked against the groups of the elements."""
    plain, members = bare(starts), cast(bare(groups), "int64")
    lengths = cast(plain[1:], "int64") - cast(plain[:-1], "int64")
    counts = bincount(members, minlength=length(lengths))
    same = scalar.eq(as_dim(length(counts)), as_dim(length(lengths)))
    equal = all_(scalar.eq(counts[: as_dim(length(lengths))], lengths))
    return _guarded(starts, _GROUPS, same, equal, scalar.eq(plain[0], 0))


def repeated(value: int, dtype: str, count: Any) -> Apply:
    """Return the node that repeats a number; the length must not be negative."""
    return Alloc().make_node(constant(value, dtype=dtype), count)
