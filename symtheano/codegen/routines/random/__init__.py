"""Routines that draw random numbers.

The routines of ``pcg64*.c`` draw what ``numpy.random.Generator`` draws with PCG64: the same bits in
the same order. They are called with the number of results, the results, the words of the state,
and the parameters, each with its step: 1, or 0 for one parameter of all results. Those of
``seeded_*`` draw each number with a generator of its own, whose state is two words.

The routines of ``philox_*`` draw the numbers of the rows of :mod:`symtheano.scalar.philox`, and
compute each block once. Those of ``philox_first_*`` draw the first number of each of some streams.

``mrg_uniform`` draws uniform numbers from streams of MRG31k3p. The largest one in single precision
is below 1, since the factor is a unit smaller than 2**-31.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from symtheano.codegen.routines.random.ziggurat import (
    EXPONENTIAL_START,
    NORMAL_START,
    table_text,
)
from symtheano.codegen.sizes import SIZES
from symtheano.codegen.template import file_text, fill
from symtheano.dataclass import dataclass
from symtheano.dtypes import short_name
from symtheano.loopir.routine import Routine, signature
from symtheano.scalar.philox import BLOCKS_TEXT, NUMBERS_TEXTS
from symtheano.scalar.render import c_type

_FLOATS = ("float64", "float32")
_MATH = {
    "log": "double log(double);",
    "pow": "double pow(double, double);",
    "exp": "double exp(double);",
    "expf": "float expf(float);",
    "log1p": "double log1p(double);",
    "log1pf": "float log1pf(float);",
}


def _file(name: str) -> str:
    return file_text(__file__, name)


def _filled(file: str, dtype: str, **words: str) -> str:
    """Return a text for a dtype, with the given words."""
    words = {"SUFFIX": short_name(dtype), "TYPE": c_type(dtype), **words}
    return fill(_file(file), {}, words)


def _fill(name: str, dtype: str, work: int) -> str:
    """Return the text of the function that fills an array with numbers drawn one by one."""
    return _filled("fill.c", dtype, NAME=name, WORK=str(work))


def _mrg(dtype: str) -> tuple[str, ...]:
    norm = {"float64": "0x1p-31", "float32": "0x1.fffffep-32f"}[dtype]
    return _file("mrg.c"), _filled("mrg_uniform.c", dtype, NORM=norm)


def _philox(kind: str, file: str, dtype: str) -> tuple[str, ...]:
    """Return the text for numbers of Philox."""
    loop, work = _PHILOX[kind]
    used = "2" if kind == "normal" else "1"
    words = {"NAME": kind, "WORK": str(work), "USED": used, "BITS": f"uint{dtype[-2:]}_t"}
    text = _filled(file, dtype, MAKE_NUMBERS=_filled(loop, dtype, NAME=kind), **words)
    texts = (NUMBERS_TEXTS[dtype],) if dtype in NUMBERS_TEXTS else ()
    return BLOCKS_TEXT, *texts, _file("philox_words.c"), text


def _declared(symbols: tuple[str, ...]) -> tuple[str, ...]:
    return ("\n".join(_MATH[name] for name in symbols) + "\n",) if symbols else ()


def _uniform(dtype: str) -> tuple[str, ...]:
    if dtype == "float64":
        return _file("pcg64.c"), _file("pcg64_random.c")
    one = "#define st_pcg64_one_random_f32 st_pcg64_float\n"
    return _file("pcg64.c"), one, _fill("random", dtype, 4)


def _layers(kind: str, constants: str, symbols: tuple[str, ...], dtype: str) -> tuple[str, ...]:
    """Return the text for numbers drawn by a ziggurat."""
    ones = _ones(kind, constants, dtype)
    fill = _fill(f"standard_{kind}", dtype, 10)
    return _file("pcg64.c"), *_declared(symbols), *ones, fill


def _ones(kind: str, constants: str, dtype: str) -> tuple[str, ...]:
    """Return the text of the function that draws one number by a ziggurat."""
    return constants, table_text(kind, dtype), _file(f"pcg64_{kind}_{short_name(dtype)}.inc")


def _gammas() -> tuple[str, ...]:
    normal = _ones("normal", _NORMAL, "float64")
    return (*normal, *_ones("exponential", _EXPONENTIAL, "float64"), _file("pcg64_gamma.inc"))


@dataclass(frozen=True)
class _Distribution:
    """Numbers with parameters.

    Attributes
    ----------
    name, dtype
        What is drawn, and the dtype of the numbers.
    functions
        Function that returns the texts which draw one number.
    parameters
        The C types of the parameters, which are called a, b.
    kept
        The C type of what is kept from one number to the next one.
    """

    name: str
    dtype: str
    functions: Callable[[], tuple[str, ...]]
    parameters: tuple[str, ...]
    kept: str = ""

    def text(self, seeded: bool, dtype: str) -> tuple[str, ...]:
        """Return the text, for one generator or for a generator of each number."""
        parameters = [(name, kind) for name, kind in zip("ab", self.parameters, strict=False)]
        words = {
            "PARAMETERS": ", ".join(
                f"const volatile {kind} *{name}, int64_t {name}_step" for name, kind in parameters
            ),
            "ARGUMENTS": ", ".join(f"{name}, {name}_step" for name, _ in parameters),
            "KEPT": "",
            "VALUES": ", ".join(f"{name}[i * {name}_step]" for name, _ in parameters),
        }
        if self.kept:
            words["KEPT"] = f"\n    {self.kept} kept = {{0}};"
            words["VALUES"] = f"&kept, {words['VALUES']}"
        kind = "seeded" if seeded else "pcg64" if self.name == "multinomial" else "fill_with"
        file = f"{kind}_multinomial.c" if self.name == "multinomial" else f"{kind}.c"
        fill = _filled(file, dtype, NAME=self.name, WORK="50", **words)
        head = (_file("pcg64.c"), *[_file("pcg64_seeded.inc")] * seeded, *_declared(_FUNCTIONS))
        return *head, *self.functions(), fill

    def routines(self) -> Iterator[Routine]:
        """Yield the routine for one generator, and the one for many."""
        dtypes = {"double": "float64", "int64_t": "int64"}
        parameters = [f"{name}: in {dtypes[kind]}, {name}_step"
                      for name, kind in zip("ab", self.parameters, strict=False)]  # fmt: skip
        size = "rows, n" if self.name == "multinomial" else "n"
        for seeded, state in ((False, "words: inout uint64"), (True, "seeds: in uint64")):
            yield Routine(
                f"{'seeded' if seeded else 'pcg64'}_{self.name}",
                signature(", ".join([size, "y: out T", state, *parameters])),
                partial(self.text, seeded),
                (self.dtype,),
                prelude=("parallel",) if seeded else (),
                symbols=_FUNCTIONS,
            )


def _ziggurat(kind: str, constants: str, symbols: tuple[str, ...]) -> Routine:
    return Routine(
        f"pcg64_standard_{kind}",
        signature("n, y: out T, words: inout uint64"),
        partial(_layers, kind, constants, symbols),
        _FLOATS,
        symbols=symbols,
    )


_NORMAL = f"""\
#define ST_NORMAL_START {NORMAL_START!r}
#define ST_NORMAL_INVERSE {1 / NORMAL_START!r}
"""
_EXPONENTIAL = f"#define ST_EXPONENTIAL_START {EXPONENTIAL_START!r}\n"

_PHILOX = {
    "bits": ("philox_bits.inc", 2),
    "random": ("philox_each.inc", 3),
    "exponential": ("philox_each.inc", 6),
    "normal": ("philox_pairs.inc", 8),
}
"""For each kind of numbers of Philox: the loop that makes them of words, and their work."""

_FUNCTIONS = ("exp", "log", "log1p", "pow")
_DISTRIBUTIONS = (
    _Distribution("standard_gamma", "float64", _gammas, ("double",)),
    _Distribution(
        "beta", "float64", lambda: (*_gammas(), _file("pcg64_beta.inc")), ("double", "double")
    ),
    _Distribution("poisson", "int64", lambda: (_file("pcg64_poisson.inc"),), ("double",)),
    _Distribution(
        "binomial",
        "int64",
        lambda: (_file("pcg64_binomial.inc"),),
        ("int64_t", "double"),
        "st_binomial",
    ),
    _Distribution(
        "multinomial",
        "int64",
        lambda: (_file("pcg64_binomial.inc"), _file("pcg64_multinomial.inc")),
        ("int64_t", "double"),
    ),
)

RANDOM = (
    Routine(
        "pcg64_random", signature("n, y: out T, words: inout uint64"), _uniform, _FLOATS,
    ),
    _ziggurat("normal", _NORMAL, ("exp", "log1p", "log1pf")),
    _ziggurat("exponential", _EXPONENTIAL, ("exp", "expf", "log1p", "log1pf")),
    Routine(
        "pcg64_integers",
        signature(
            "n, y: out T, words: inout uint64, low: in int64, low_step, high: in int64, high_step"
        ),
        lambda _: (_file("pcg64.c"), _file("pcg64_below.inc"), _file("pcg64_integers.c")),
        ("int64",),
    ),
    Routine(
        "pcg64_different",
        signature("n, number, y: out T, words: inout uint64"),
        lambda _: (SIZES, _file("pcg64.c"), _file("pcg64_below.inc"), _file("pcg64_different.c")),
        ("int64",),
        workspace=True,
    ),
    Routine(
        "pcg64_weighted",
        signature("n, number, y: out T, words: inout uint64, p: in float64"),
        lambda _: (SIZES, _file("pcg64.c"), _file("pcg64_weighted.c")),
        ("int64",),
        workspace=True,
    ),
    Routine(
        "pcg64_permutation", signature("rows, n, y: out T, words: inout uint64"),
        lambda _: (_file("pcg64.c"), _file("pcg64_permutation.c")),
        ("int64",),
    ),
    Routine(
        "mrg_uniform", signature("n, streams, y: out T, states: inout int32"), _mrg, _FLOATS,
        prelude=("parallel",),
    ),
    *(
        Routine(
            f"philox_{name}{kind}",
            signature(f"n, y: out T, key: in uint64, stream: in uint64{by}"),
            partial(_philox, kind, file), ("uint64",) if kind == "bits" else _FLOATS,
            prelude=("parallel",),
        )
        for kind in _PHILOX
        for name, file, by in (("", "philox_numbers.c", ""), ("first_", "philox_first.c", ", by"))
    ),
    *(routine for distribution in _DISTRIBUTIONS for routine in distribution.routines()),
)  # fmt: skip
"""The routines; ``standard_normal`` and ``standard_exponential`` are drawn by ziggurats."""
