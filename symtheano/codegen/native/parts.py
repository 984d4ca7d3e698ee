"""Splitting of a C text into parts for parallel compilation.

The split depends only on the text, so the same text gives the same library on any machine.
Functions whose results depend on the optimizer are in parts of their own, since code that is
compiled without optimization uses their object files (``first_tier.py``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from symtheano.codegen.native.vectorized import fixed_functions
from symtheano.dataclass import dataclass

# A kernel, or a part of a long entry point.
_FUNCTION = re.compile(r"^(ST_(?:KERNEL|STRAIGHT) [^{;]*) \{\n.*?^\}\n", re.MULTILINE | re.DOTALL)
_LOCAL = re.compile(r"^(#define ST_(?:KERNEL|STRAIGHT)) static ", re.MULTILINE)

# Starting a compiler takes 15 ms. In characters of functions: the minimum for two parts, and for
# each further part.
_SMALL = 6500
_LARGE = 30000
_MOST = 8
# Of all characters of functions, the share of those that need not be optimized from the beginning.
_LEAST_FREE = 0.5


@dataclass(frozen=True)
class Division:
    """The texts of one library.

    Attributes
    ----------
    parts
        The text itself, or parts with some of its functions each. The first one has the entry
        point and the functions of the prelude that it calls. Each has the text before the first
        function, some functions, and the prototypes of the others.
    fixed
        The numbers of the parts whose results depend on the optimizer.
    free
        One text of all other parts; None if there is only one part, if too little is free, or if
        the results of the entry point depend on the optimizer.
    """

    parts: tuple[str, ...]
    fixed: frozenset[int] = frozenset()
    free: str | None = None


def divide(source: str) -> Division:
    """Return the texts of one library.

    Examples
    --------
    >>> divide("int x;").parts
    ('int x;',)
    """
    functions = list(_FUNCTION.finditer(source))
    if not functions:
        return Division((source,))
    start = functions[0].start()
    weights = [len(match[0]) for match in functions]
    # Functions without loops compile twice as fast.
    rest = (len(source) - start - sum(weights) + _helpers(source[:start])) // 2
    total = rest + sum(weights)
    if total < _SMALL:
        return Division((source,))
    number = min(2 + total // _LARGE, len(functions) + 1, _MOST)
    fixed = fixed_functions(
        source[:start], [match[0] for match in functions], _between(source, functions)
    )
    owners = _owners(weights, rest, number, fixed or frozenset())
    text = _LOCAL.sub(r"\1 ", source)
    functions = list(_FUNCTION.finditer(text))
    order = sorted({0, *owners})
    parts = tuple(_part(text, functions, owners, part) for part in order)
    if fixed is None:
        return Division(parts)
    heavy = sum(weights[k] for k in fixed)
    free = None
    if total - heavy >= _LEAST_FREE * total:
        together = [owners[k] if k in fixed else 0 for k in range(len(functions))]
        free = _part(text, functions, together, 0)
    return Division(parts, frozenset(order.index(owners[k]) for k in fixed), free)


def _between(source: str, functions: Sequence[re.Match[str]]) -> str:
    """Return the text after the first function, without the functions."""
    starts = [*(match.start() for match in functions[1:]), len(source)]
    ends = [match.end() for match in functions]
    return "".join(source[end:start] for end, start in zip(ends, starts, strict=True))


def _helpers(prelude: str) -> int:
    """Return the characters of the helpers that the entry point calls."""
    start = prelude.find("#define ST_ONCE")
    return len(prelude) - start if start >= 0 else 0


def _owners(weights: list[int], rest: int, number: int, fixed: Set[int]) -> list[int]:
    """Return the part of each function, of about ``number`` parts; fixed ones have the last."""
    heavy = sum(weights[k] for k in fixed)
    total = rest + sum(weights)
    loads = [rest] + [0] * (max(1, round(number * (total - heavy) / total)) - 1)
    own = [0] * max(1, round(number * heavy / total))
    owners = [0] * len(weights)
    # The largest first, each to the smallest part.
    for k in sorted(range(len(weights)), key=lambda k: -weights[k]):
        group = own if k in fixed else loads
        part = min(range(len(group)), key=group.__getitem__)
        group[part] += weights[k]
        owners[k] = len(loads) + part if k in fixed else part
    return owners


def _part(text: str, functions: list[re.Match[str]], owners: list[int], part: int) -> str:
    pieces, end = [text[: functions[0].start()]], functions[0].start()
    for match, owner in zip(functions, owners, strict=True):
        if part == 0:
            pieces.append(text[end : match.start()])
        pieces.append(match[0] if owner == part else f"{match[1]};\n")
        end = match.end()
    return "".join([*pieces, text[end:] if part == 0 else ""])
