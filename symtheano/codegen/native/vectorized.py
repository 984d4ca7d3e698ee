"""Which functions of a C text have results that depend on the optimizer.

These are sums and others that the compiler may reorder, and loops that call functions of which the
compiler has vectorized forms: a vectorized form may round otherwise than the function itself, and
the optimizer decides which elements it computes. All others have the same bits however they are
compiled, because flags do not allow the compiler to change results.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# Bits and integers have the same results in any order.
_REORDERED = re.compile(
    r"^ *#pragma omp simd[^\n]*\breduction\((?!(?:[&|^]|st_reduce_\w+_[iu]\d+) :)", re.MULTILINE
)
# Our own functions have the same bits in vectors.
_DECLARED = re.compile(
    r'^__attribute__\(\(simd\("notinbranch"\), const\)\) \w+ (?!st_)(\w+)\(', re.MULTILINE
)
# They replace others where there are fused multiplications, and elsewhere there is no first tier.
_REPLACED = re.compile(r"^#define (\w+)\(x\) st_\1\(x\)$", re.MULTILINE)
_DEFINED = re.compile(
    r"\b(?!if\b|for\b|while\b|switch\b)(\w+)\([^;{}()]*\) \{|^#define (\w+)\(", re.MULTILINE
)
_LOOP = re.compile(r"^( *)(?:for|while) \([^\n]*\n.*?^\1(?=\S)", re.MULTILINE | re.DOTALL)


def fixed_functions(prelude: str, functions: Sequence[str], entry: str) -> set[int] | None:
    r"""Return the numbers of the functions whose results depend on the optimizer.

    Parameters
    ----------
    prelude
        The text before them.
    functions
        Their texts.
    entry
        The text of the entry point.

    Returns
    -------
    The numbers; or None if the results of the entry point itself depend on it.

    Examples
    --------
    >>> prelude = '__attribute__((simd("notinbranch"), const)) float expf(float);\n'
    >>> loop = "void f(float *x) {\n    for (int i = 0; i < 8; i++) x[i] = expf(x[i]);\n}\n"
    >>> fixed_functions(prelude, [loop, loop.replace("expf", "-")], "")
    {0}
    """
    names = {*_DECLARED.findall(prelude)} - {*_REPLACED.findall(prelude)}
    blocks = [(block, _names_defined(block)) for block in prelude.split("\n\n")]
    count = -1
    while len(names) != count:
        count = len(names)
        for block, defined in blocks:
            if _depends(block, names):
                names |= defined
    # Calls outside of loops are not vectorized.
    loops = "".join(match[0] for match in _LOOP.finditer(entry))
    if _REORDERED.search(entry) or _depends(loops, names):
        return None
    return {number for number, text in enumerate(functions) if _depends(text, names)}


def _names_defined(block: str) -> set[str]:
    return {name or macro for name, macro in _DEFINED.findall(block)}


def _depends(text: str, names: set[str]) -> bool:
    if _REORDERED.search(text):
        return True
    called = _DECLARED.sub("", text)
    return bool(names) and re.search(rf"\b(?:{'|'.join(sorted(names))})\(", called) is not None
