"""Examples of rules: expressions of named variables, built and checked in every dtype."""

import inspect
from collections.abc import Callable

import pytest

import symtheano.tensor as T
from symtheano.rewrites.check import Report, check_rewriting
from symtheano.rewrites.library import default_rules
from symtheano.rewrites.rule import PHASES, REGISTRY

DTYPES = ("bool", "int8", "int64", "uint8", "float16", "float32", "float64", "complex128")
SHAPES = {
    **dict.fromkeys("xyw", (None, None)),
    **dict.fromkeys("vu", (None,)),
    **dict.fromkeys("st", ()),
    "row": (1, None),
    "pair": (3, 3),
    **dict.fromkeys(("cube", "box"), (None, None, None)),
}
FIXED = {
    "labels": ("int64", (None,)),
    "i": ("int64", ()),
    "n": ("int64", ()),
    "k": ("int8", (None, None)),
    "b": ("bool", (None, None)),
    "f": ("float32", (None, None)),
    "d": ("float64", (None, None)),
    "h": ("int16", (None, None)),
}


def build(example, dtype):
    variables = []
    for name in inspect.signature(example).parameters:
        kind = FIXED.get(name) or (dtype, SHAPES[name])
        variables.append(T.tensor(name, kind[0], shape=kind[1]))
    return example(*variables)


def rewrite(name, example, dtype):
    """Rewrite an example in one dtype up to the rule's phase, checking every step by value."""
    report = Report()
    phases = PHASES[: PHASES.index(REGISTRY[name].phase) + 1]
    domain = REGISTRY[name].domain or (0.0, 2.0)
    rewriter = check_rewriting(
        [build(example, dtype)], default_rules(including=[name]), phases, report, domain=domain
    )
    return rewriter, report


@pytest.fixture
def fires():
    def check(name: str, example: Callable) -> None:
        fired = 0
        for dtype in DTYPES:
            try:
                rewriter, report = rewrite(name, example, dtype)
            except TypeError as error:
                if "RewriteError" in str(error):
                    raise
                continue  # the example is not defined for this dtype
            fired += name in rewriter.trace.counts()
            assert not report.failures, f"{dtype}: {report.failures}"
        assert fired, f"{name} fires in no dtype: {rewriter.trace.counts()}"

    return check


@pytest.fixture
def rests():
    def check(name: str, example: Callable) -> None:
        built = 0
        for dtype in DTYPES:
            try:
                rewriter, _ = rewrite(name, example, dtype)
            except TypeError:
                continue
            built += 1
            assert name not in rewriter.trace.counts(), dtype
        assert built

    return check
