"""clone(): copies of expressions, with some variables replaced."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from symtheano.errors import format_error
from symtheano.graph.eager import quietly
from symtheano.graph.variable import Variable
from symtheano.graph.walk import replace as replace_variables


@quietly
def clone(
    output: Any,
    replace: Mapping[Variable, Variable] | Iterable[tuple[Variable, Variable]] | None = None,
    strict: bool = True,
    share_inputs: bool = True,
) -> Any:
    """Return expressions recomputed with some variables replaced by others.

    Parameters
    ----------
    output
        A variable, or a list of them; the result has the same form.
    replace
        Pairs of a variable and its replacement, as a dict or a list. Replacement is simultaneous:
        variables are not replaced inside of replacements.
    strict
        Whether a replacement of another type is an error. If false, types are inferred again.
    share_inputs
        Whether to keep inputs that are not replaced. If false, they are copied. Constants and
        shared variables are always kept.

    Raises
    ------
    TypeError
        If an argument is not a variable, or a type does not match.

    Examples
    --------
    >>> x, y = T.dscalars("x", "y")
    >>> clone(2 * x, {x: y + 1}).eval({y: 4.0})
    array(10.)
    """
    outputs = list(output) if isinstance(output, list | tuple) else [output]
    pairs = dict(replace or {})
    for item in (*outputs, *pairs, *pairs.values()):
        if not isinstance(item, Variable):
            raise TypeError(format_error(f"clone: {item!r} is not a symbolic variable"))
    for old, new in pairs.items():
        if strict and not old.type.accepts(new.type):
            raise TypeError(
                format_error(
                    "clone: a replacement does not have the type of its variable",
                    operands=[
                        (old.describe(), str(old.type)),
                        (new.describe(), str(new.type)),
                    ],
                    hint="cast it, or pass strict=False",
                )
            )
    copies = replace_variables(outputs, pairs, copy_leaves=not share_inputs)
    return copies if isinstance(output, list | tuple) else copies[0]


@quietly
def clone_replace(
    outputs: Sequence[Variable],
    replacements: Mapping[Any, Variable],
    copy_leaves: bool = False,
) -> list[Variable]:
    """Return ``outputs`` recomputed with some variables replaced by others.

    Replacement is simultaneous: replacements are not searched for further replacements. Nodes that
    do not depend on a replaced variable are shared, not copied.

    Parameters
    ----------
    outputs
        Expressions.
    replacements
        New variables by old ones.
    copy_leaves
        Copy the whole graph, except constants and shared variables.

    Examples
    --------
    >>> x, y = T.dscalars("x", "y")
    >>> (z,) = clone_replace([2 * x], {x: y + 1})
    >>> z.eval({y: 4.0})
    array(10.)
    """
    argument: Any = outputs
    if isinstance(argument, Variable):
        raise TypeError(
            format_error(
                "clone_replace takes a list of expressions, not one",
                operands=[(argument.describe(), str(argument.type))],
                hint="write clone_replace([expression], {...}), or clone(expression, {...})",
            )
        )
    return replace_variables(outputs, replacements, copy_leaves)
