"""The table of scalar ops: all rows, by canonical name and by alias.

Each row is also an attribute of this module: ``table.exp``, ``table.inv``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from symtheano.scalar import (
    arithmetic,
    bessel,
    comparison,
    complexparts,
    division,
    exponential,
    hypergeometric,
    incomplete,
    lanes,
    logarithms,
    logic,
    loops,
    normal,
    philox,
    powers,
    rounding,
    selection,
    slopes,
    special,
    stable,
    trigonometric,
)
from symtheano.scalar.conversion import cast_to
from symtheano.scalar.row import ScalarOp

_FAMILIES = (
    arithmetic, division, powers, exponential, trigonometric, logarithms, special, stable,
    incomplete, normal, bessel, hypergeometric, rounding, comparison, logic, selection,
    complexparts,
)  # fmt: skip

TABLE: Mapping[str, ScalarOp] = MappingProxyType(
    {row.name: row for family in _FAMILIES for row in family.ROWS}
)
"""All rows by canonical name, except casts, of which there is one per dtype."""

HIDDEN: Mapping[str, ScalarOp] = MappingProxyType(
    {row.name: row for row in (*loops.ROWS, *lanes.ROWS, *slopes.ROWS, *philox.ROWS)}
)
"""Rows that loops and other ops use, which have no tensor function."""

ALIASES: Mapping[str, str] = MappingProxyType(
    {alias: row.name for row in TABLE.values() for alias in row.aliases}
)
"""The canonical name of each alias."""


def scalar_op(name: str) -> ScalarOp:
    """Return the row with this canonical name, such as ``exp`` or ``cast{float32}``.

    Raises
    ------
    KeyError
        If there is none. Aliases are names of tensor functions only.

    Examples
    --------
    >>> scalar_op("true_div").symbol, scalar_op("cast{int8}").name
    ('/', 'cast{int8}')
    """
    row = TABLE.get(name) or HIDDEN.get(name)
    if row is not None:
        return row
    if name.startswith("cast{") and name.endswith("}"):
        return cast_to(name[len("cast{") : -1])
    raise KeyError(f"there is no scalar op {name!r}")


ScalarOp.by_name = scalar_op


if TYPE_CHECKING:

    def __getattr__(name: str) -> ScalarOp: ...

else:
    # Rules ask for rows all the time: a function of the module would be called for each.
    globals().update(TABLE, **{alias: TABLE[name] for alias, name in ALIASES.items()})
