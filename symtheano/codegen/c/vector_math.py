"""Implementations of functions of the C library: our own, libmvec's or libm's.

Our own (``vector_math.c``) have no branches, so loops that call them are vectorized on any
processor. The same text computes single values and vectors, with bitwise the same results: the bits
depend neither on the position of an element nor on what a compiler vectorizes. They need fused
multiply-add; see ``docs/accuracy.md``.

A program with many calls has no copy of its own: the functions are compiled once, to object files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from symtheano.codegen.targets import MEASURED, Functions
from symtheano.codegen.template import file_text

_START = re.compile(r"^ST_(?:PART|MATH\(\d\)) \w+ (st_\w+)\(", re.MULTILINE)
_WORD = re.compile(r"\bst_\w+(?=\()")

_PART = "#define ST_PART static inline __attribute__((always_inline))"
_INLINED = "#define ST_MATH(lanes) ST_PART"
_CALLED = """\
/* Many uses: each is a call of a vector form, which the compiler makes. Loops that add numbers in a
   fixed number of lanes have vectors of 32 bytes where others have 64. */
#ifdef __clang__
#define ST_MATH(lanes) ST_PART
#else
#define ST_SIMD(clauses) _Pragma(#clauses)
#define ST_MATH(lanes) \\
    ST_SIMD(omp declare simd notinbranch) ST_SIMD(omp declare simd notinbranch simdlen(lanes)) \\
    static __attribute__((noinline, const, simd("notinbranch")))
#endif"""
_ALONE = '#define ST_MATH(lanes) __attribute__((simd("notinbranch")))'
_VECTORS = 'simd("notinbranch"), const'
# libmvec processes arguments at the borders of a function's domain one by one, which takes several
# times as long, and zeros are common. Their bits are replaced by those of one, whose logarithm is
# zero, and minus infinity is added. If this were a choice between two results, the compiler would
# conclude that the function need not be called for zeros, and undo it.
_OF_ZEROS = """\
/* libmvec would compute the logarithms of zeros one by one. */
static inline __attribute__((always_inline)) {type} st_{name}_of_any({type} x) {{
    {bits} b, infinity;
    {type} m, i;
    __builtin_memcpy(&b, &x, sizeof x);
    infinity = b == 0 ? {minus_infinity} : 0;
    b |= infinity & {one};
    __builtin_memcpy(&m, &b, sizeof x);
    __builtin_memcpy(&i, &infinity, sizeof x);
    return {name}(m) + i;
}}
#define {name}(x) st_{name}_of_any(x)"""
_DOUBLE = {
    "type": "double",
    "bits": "uint64_t",
    "one": "0x3ff0000000000000",
    "minus_infinity": "0xfff0000000000000",
}
_FLOAT = {
    "type": "float",
    "bits": "uint32_t",
    "one": "0x3f800000",
    "minus_infinity": "0xff800000",
}
_LOGARITHMS = {
    **dict.fromkeys(("log", "log2", "log10"), _DOUBLE),
    **dict.fromkeys(("logf", "log2f", "log10f"), _FLOAT),
}
_CONDITION = "#if defined __FMA__ || defined __ARM_FEATURE_FMA"


@cache
def _texts() -> dict[str, str]:
    """Return our functions' C texts by name, in the order of the file."""
    blocks = file_text(__file__, "vector_math.c").split("\n\n")
    pairs = ((_START.search(block), block.strip("\n")) for block in blocks)
    return {match.group(1): block for match, block in pairs if match is not None}


def own_functions() -> frozenset[str]:
    """Return the C library's functions that have a text of ours.

    Examples
    --------
    >>> "expf" in own_functions(), "cexp" in own_functions()
    (True, False)
    """
    return frozenset(name.removeprefix("st_") for name, text in _texts().items() if _is_math(text))


def _is_math(text: str) -> bool:
    return re.search(r"^ST_MATH", text, re.MULTILINE) is not None


def math_declarations(
    prototypes: Mapping[str, str],
    uses: int,
    vector_functions: frozenset[str] = frozenset(),
    accuracy: str = "default",
    functions: Functions = MEASURED.functions,
    separate: bool = False,
) -> Iterator[str]:
    """Yield the C texts after which functions of the C library can be called by their names.

    Parameters
    ----------
    prototypes
        The functions that are called, with their prototypes.
    uses
        How many calls of such functions the loops of the file have, roughly.
    vector_functions
        Those of which libmvec has vectorized forms.
    accuracy
        The option ``accuracy``: ``libm`` for the C library's functions, one by one.
    functions
        Which calls are inlined.
    separate
        Whether those that are not inlined are linked: :func:`math_texts`.

    Examples
    --------
    >>> print(*math_declarations({"erf": "double erf(double)"}, 1, frozenset({"erf"})))
    __attribute__((simd("notinbranch"), const)) double erf(double);
    """
    if accuracy == "libm":
        vector_functions = frozenset()
    own = _own_among(prototypes, accuracy)
    for name, prototype in prototypes.items():
        if name not in own:
            yield _declaration(name, prototype, vector_functions)
    if not own:
        return
    inlined = uses <= functions.inlined
    texts = [f"{text}\n" for text in _with_what_they_call(own)]
    yield f"\n{_CONDITION}"
    if separate and not inlined:
        yield f"#ifdef __clang__\n{_PART}\n{_INLINED}\n"
        yield from texts
        yield "#else"
        yield from (f"__attribute__(({_VECTORS})) {_own_prototype(prototypes[n])};" for n in own)
        yield "#endif"
    else:
        yield f"{_PART}\n{_INLINED if inlined else _CALLED}\n"
        yield from texts
    yield from (f"#define {name}(x) st_{name}(x)" for name in own)
    yield "#else"
    yield from (_declaration(name, prototypes[name], vector_functions) for name in own)
    yield "#endif"


def math_texts(
    prototypes: Mapping[str, str],
    uses: int,
    accuracy: str = "default",
    functions: Functions = MEASURED.functions,
) -> Iterator[str]:
    """Yield the C texts of the functions with which a program is linked, each alone.

    See :func:`math_declarations` for the parameters.

    Examples
    --------
    >>> [text] = math_texts({"exp": "double exp(double)"}, 100)
    >>> "double st_exp(double x) {" in text
    True
    """
    if uses > functions.inlined:
        yield from map(text_alone, _own_among(prototypes, accuracy))


def text_alone(name: str) -> str:
    """Return the text of an object file with the vector forms of a function of ours.

    Others that it calls are inlined, since they may have object files, too.
    """
    own = _texts()[f"st_{name}"]
    called = (re.sub(r"^ST_MATH\(\d\)", "ST_PART", text, flags=re.MULTILINE)
              for text in _with_what_they_call([name]) if text != own)  # fmt: skip
    texts = "\n\n".join([*called, own])
    head = f"#include <stdint.h>\n\n{_CONDITION} && !defined __clang__\n{_PART}\n{_ALONE}"
    return f"{head}\n\n{texts}\n#endif\n"


def _own_among(names: Iterable[str], accuracy: str) -> list[str]:
    """Return the functions for which ours are taken."""
    own = own_functions() if accuracy != "libm" else frozenset()
    return [name for name in names if name in own]


def _own_prototype(prototype: str) -> str:
    kind, _, rest = prototype.partition(" ")
    return f"{kind} st_{rest}"


def _declaration(name: str, prototype: str, vector_functions: frozenset[str]) -> str:
    attributes = _VECTORS if name in vector_functions else "const"
    text = f"__attribute__(({attributes})) {prototype};"
    if name not in _LOGARITHMS or name not in vector_functions:
        return text
    return f"{text}\n{_OF_ZEROS.format(name=name, **_LOGARITHMS[name])}"


def _with_what_they_call(own: list[str]) -> Iterator[str]:
    texts = _texts()
    needed: set[str] = set()
    waiting = [f"st_{name}" for name in own]
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += [word for word in _WORD.findall(texts[name]) if word in texts]
    return (text for name, text in texts.items() if name in needed)
