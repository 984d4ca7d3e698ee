"""Text of the C printer: exact literals, index arithmetic, and comments."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from symtheano import dtypes
from symtheano.loopir.index import Index, Monomial
from symtheano.loopir.operands import Literal

WIDTH = 100
# A string, which may look like a comment; lines of a comment alone; a comment beside code.
_STRING_OR_COMMENT = re.compile(
    r"""("(?:[^"\\\n]|\\.)*")|^[ \t]*/\*.*?\*/[ \t]*\n|/\*.*?\*/""", re.MULTILINE | re.DOTALL
)
_SHOWN_SOURCE = 120
_INTEGER_SUFFIX = {"int64": "LL", "uint64": "ULL", "uint32": "U"}


def literal_text(literal: Literal) -> str:
    """Return C text of exactly the value of ``literal`` in its dtype, for storing.

    Examples
    --------
    >>> literal_text(Literal(0.1, "float32")), literal_text(Literal(0.1, "float64"))
    ('0.1f', '0.1')
    >>> literal_text(Literal(-(2**63), "int64"))
    'INT64_MIN'
    >>> literal_text(Literal(complex(1, -0.0), "complex64"))
    '__builtin_complex(1.0f, -0.0f)'
    """
    text = computed_literal_text(literal)
    if literal.dtype == "float16":
        return f"(_Float16){text}"
    return text.removesuffix("LL") if literal.dtype == "int64" else text


def computed_literal_text(literal: Literal) -> str:
    """Return C text of a value as an operand, in the type in which C computes.

    A float16 becomes a float with the same value.

    Examples
    --------
    >>> computed_literal_text(Literal(1, "int64")), computed_literal_text(Literal(2, "float16"))
    ('1LL', '2.0f')
    """
    value, dtype = literal.value, literal.dtype
    if dtype == "bool":
        return "true" if value else "false"
    if dtype in dtypes.INTEGER:
        return _integer(int(value.real), dtype)
    if dtype in dtypes.COMPLEX:
        part = dtypes.real_of(dtype)
        return f"__builtin_complex({_real(value.real, part)}, {_real(value.imag, part)})"
    return _real(value.real, dtype)


def _integer(value: int, dtype: str) -> str:
    lowest = -(2 ** (np.dtype(dtype).itemsize * 8 - 1))
    # The literal -9223372036854775808 would be the negative of a number that fits no type.
    if value == lowest and dtype in ("int32", "int64"):
        return f"{dtype.upper()}_MIN"
    return f"{value}{_INTEGER_SUFFIX.get(dtype, '')}"


def _real(value: float, dtype: str) -> str:
    suffix = "" if dtype == "float64" else "f"
    with np.errstate(over="ignore"):
        number = np.dtype(dtype).type(value)
    sign = "-" if math.copysign(1.0, number) < 0 else ""
    if math.isnan(number):
        return f'__builtin_nan{suffix}("")'
    if math.isinf(number):
        return f"{sign}__builtin_inf{suffix}()"
    return _digits(number) + suffix


def _digits(number: np.floating) -> str:
    """Return the shortest digits that represent exactly this value."""
    if isinstance(number, np.float64):
        return repr(float(number))
    # Not str: NumPy's print options change it.
    single = np.float32(number)
    if single == 0 or 1e-4 <= abs(single) < 1e8:
        return np.format_float_positional(single, trim="0")
    return np.format_float_scientific(single, trim="0")


# -- indices -----------------------------------------------------------------------------------


def index_text(index: Index, spell: Callable[[str], str] = str) -> str:
    """Return an index as C, with common factors taken out.

    Parameters
    ----------
    index
        The polynomial.
    spell
        Gives the C names of names.

    Examples
    --------
    >>> i, j, k, n, m = map(Index.symbol, "ijknm")
    >>> index_text((i * n + j) * m + k)
    '(i*n + j)*m + k'
    >>> index_text((n - 1 - i) * m)
    '(n - i - 1)*m'
    """
    return _sum(index.terms, spell) or "0"


def _sum(terms: Sequence[tuple[Monomial, int]], spell: Callable[[str], str]) -> str:
    if len(terms) == 1:  # most of them
        ((names, coefficient),) = terms
        return _joined("", coefficient < 0, _product(names, abs(coefficient), spell))
    factor = _common_name(terms)
    if factor is None:
        ordered = sorted(terms, key=lambda term: (term[1] < 0, -len(term[0]), term[0]))
        # A sum that starts with a positive term needs no sign; the constant is the last term.
        ordered.sort(key=lambda term: not term[0] and len(terms) > 1 and term[1] > 0)
        text = ""
        for names, coefficient in ordered:
            text = _joined(text, coefficient < 0, _product(names, abs(coefficient), spell))
        return text
    inside = [(_without(names, factor), c) for names, c in terms if factor in names]
    outside = [(names, c) for names, c in terms if factor not in names]
    text = f"({_sum(inside, spell)})*{spell(factor)}"
    rest = _sum(outside, spell)
    return _joined(text, rest.startswith("-"), rest.removeprefix("-")) if rest else text


def _common_name(terms: Sequence[tuple[Monomial, int]]) -> str | None:
    """Return the name that occurs in most terms, if it occurs in several."""
    counts: dict[str, int] = {}
    for names, _ in terms:
        for name in dict.fromkeys(names):
            counts[name] = counts.get(name, 0) + 1
    best = min(counts, key=lambda name: (-counts[name], name), default=None)
    return best if best is not None and counts[best] > 1 else None


def _without(names: Monomial, factor: str) -> Monomial:
    at = names.index(factor)
    return names[:at] + names[at + 1 :]


def _product(names: Monomial, coefficient: int, spell: Callable[[str], str]) -> str:
    factors = [str(coefficient)] if coefficient != 1 or not names else []
    return "*".join([*map(spell, names), *factors])


def _joined(text: str, negative: bool, term: str) -> str:
    if not text:
        return f"-{term}" if negative else term
    return f"{text} {'-' if negative else '+'} {term}"


def estimate_text(index: Index, spell: Callable[[str], str] = str) -> str:
    """Return an index computed in double, in which products do not overflow.

    Examples
    --------
    >>> estimate_text(Index.symbol("n") * Index.symbol("m") * 4 + 64)
    '4.0*m*n + 64.0'
    """
    terms = (
        "*".join([str(float(coefficient)), *map(spell, names)])
        for names, coefficient in reversed(index.terms)
    )
    return " + ".join(terms) or "0.0"


# -- comments and lines ------------------------------------------------------------------------


def comment_text(text: str) -> str:
    r"""Return a C comment of one line; the text can't end it.

    Examples
    --------
    >>> print(comment_text("x */ y ??/ \u2202\n"))
    /* x * / y ? ?/ \u2202 */
    """
    plain = " ".join(text.split())
    if len(plain) > _SHOWN_SOURCE:
        plain = plain[: _SHOWN_SOURCE - 3] + "..."
    return f"/* {_harmless(plain)} */"


def without_comments(text: str) -> str:
    r"""Return C text without comments.

    Examples
    --------
    >>> print(without_comments('/* a.py:1: y = x\n     */\nf("/*");/* b */\n').strip())
    f("/*");
    """

    def kept(match: re.Match[str]) -> str:
        string: str | None = match[1]
        return string or (" " if match[0].endswith("/") else "")

    return _STRING_OR_COMMENT.sub(kept, text)


def comment_of(lines: Sequence[str]) -> str:
    r"""Return a C comment of several lines; the text can't end it.

    Examples
    --------
    >>> print(comment_of(["x", "  y */"]))
    /* x
         y * / */
    """
    return f"/* {f'{chr(10)}   '.join(map(_harmless, lines))} */"


def _harmless(text: str) -> str:
    """Return the text of a comment's line."""
    plain = text
    if not text.isascii() or not text.isprintable():
        plain = "".join(c if " " <= c <= "~" else _escaped(c) for c in text)
    # Without these pairs a comment can't end, begin, or hold a trigraph.
    for pair in ("*/", "/*", "??"):
        while pair in plain:
            plain = plain.replace(pair, f"{pair[0]} {pair[1]}")
    return plain


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def filled(head: str, parts: Sequence[str], tail: str, indent: str) -> Iterator[str]:
    """Yield lines of ``head``, comma-separated parts and ``tail``, none too long if possible.

    Examples
    --------
    >>> list(filled("f(", ["a", "b"], ");", "  "))
    ['  f(a, b);']
    """
    line = indent + head
    for number, part in enumerate(parts):
        piece = part + (tail if number == len(parts) - 1 else ",")
        space = "" if number == 0 else " "
        if number and len(line) + len(space) + len(piece) > WIDTH:
            yield line
            line, space = f"{indent}        ", ""
        line += space + piece
    yield line if parts else line + tail
