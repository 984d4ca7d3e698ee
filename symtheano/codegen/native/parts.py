"""Splitting of a C text into parts for parallel compilation.

The split depends only on the text, so the same text gives the same library on any machine.
"""

from __future__ import annotations

import re

# A kernel, or a part of a long entry point.
_FUNCTION = re.compile(r"^(ST_(?:KERNEL|STRAIGHT) [^{;]*) \{\n.*?^\}\n", re.MULTILINE | re.DOTALL)
_LOCAL = re.compile(r"^(#define ST_(?:KERNEL|STRAIGHT)) static ", re.MULTILINE)

# Starting a compiler takes 15 ms. In characters of functions: the minimum for two parts, and for
# each further part.
_SMALL = 6500
_LARGE = 30000
_MOST = 8


def parts_of(source: str) -> list[str]:
    """Return texts of one library: the text itself, or parts with some of its functions each.

    The first part has the entry point and the functions of the prelude that it calls. Each part has
    the text before the first function, some functions, and the prototypes of the others.

    Examples
    --------
    >>> parts_of("int x;")
    ['int x;']
    """
    found = list(_FUNCTION.finditer(source))
    if not found:
        return [source]
    start = found[0].start()
    weights = [len(match[0]) for match in found]
    # Functions without loops compile twice as fast.
    rest = (len(source) - start - sum(weights) + _helpers(source[:start])) // 2
    total = rest + sum(weights)
    if total < _SMALL:
        return [source]
    number = min(2 + total // _LARGE, len(found) + 1, _MOST)
    owners = _shares(weights, rest, number)
    text = _LOCAL.sub(r"\1 ", source)
    found = list(_FUNCTION.finditer(text))
    return [_part(text, found, owners, part) for part in sorted({0, *owners})]


def _helpers(prelude: str) -> int:
    """Return the characters of the helpers that the entry point calls."""
    start = prelude.find("#define ST_ONCE")
    return len(prelude) - start if start >= 0 else 0


def _shares(weights: list[int], rest: int, number: int) -> list[int]:
    """Return the part of each function: the largest first, each to the smallest part."""
    loads = [rest] + [0] * (number - 1)
    owners = [0] * len(weights)
    for k in sorted(range(len(weights)), key=lambda k: -weights[k]):
        owners[k] = min(range(number), key=loads.__getitem__)
        loads[owners[k]] += weights[k]
    return owners


def _part(text: str, found: list[re.Match[str]], owners: list[int], part: int) -> str:
    pieces, end = [text[: found[0].start()]], found[0].start()
    for match, owner in zip(found, owners, strict=True):
        if part == 0:
            pieces.append(text[end : match.start()])
        pieces.append(match[0] if owner == part else f"{match[1]};\n")
        end = match.end()
    return "".join([*pieces, text[end:] if part == 0 else ""])
