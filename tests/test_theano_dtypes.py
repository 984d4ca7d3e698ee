"""Dtypes of results are those of Theano 1.0, but for the differences that docs/dtypes.md lists.

Theano's rules are written down here a second time, from its documentation and behaviour; they share
nothing with the package.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function

BOOL = ["bool"]
INTEGERS = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
FLOATS = ["float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
ALL = [*BOOL, *INTEGERS, *FLOATS, *COMPLEX]
DISCRETE = {*BOOL, *INTEGERS}
REFUSED = "refused"

Rule = Callable[..., str]


def up(*names: str) -> str:
    """Theano adds up arrays without dims of the dtypes, one after the other."""
    total = np.zeros((), names[0])
    for name in names[1:]:
        total = total + np.zeros((), name)
    return str(np.asarray(total).dtype)


def as_float(name: str) -> str:
    """Integers of at most 16 bits become float32, others float64."""
    if name not in DISCRETE:
        return name
    return "float32" if name == "bool" or int(name.lstrip("uint")) <= 16 else "float64"


def upgraded(*names: str) -> str:
    return up(*map(as_float, names))


def real_only(rule: Rule) -> Rule:
    return lambda *names: REFUSED if set(names) & set(COMPLEX) else rule(*names)


def no_bool(rule: Rule) -> Rule:
    return lambda *names: REFUSED if rule(*names) == "bool" else rule(*names)


def quotient(*names: str) -> str:
    return str(config.floatX) if set(names) <= DISCRETE else up(*names)


def at_least_int8(*names: str) -> str:
    return "int8" if up(*names) == "bool" else up(*names)


def added(name: str) -> str:
    if name in DISCRETE:
        return "uint64" if name.startswith("u") else "int64"
    return name


def bitwise(*names: str) -> str:
    return up(*names) if set(names) <= DISCRETE else REFUSED


def real_part(name: str) -> str:
    return {"complex64": "float32", "complex128": "float64"}.get(name, name)


UNARY: dict[str, tuple[Rule, Callable[[Any], Any]]] = {
    **{
        name: (upgraded, getattr(T, name))
        for name in ("exp", "log", "sqrt", "sin", "tanh", "log1p", "expm1", "inv")
    },
    **{
        name: (real_only(upgraded), getattr(T, name))
        for name in ("erf", "gammaln", "deg2rad", "floor", "ceil", "trunc")
    },
    "neg": (no_bool(up), lambda x: -x),
    "abs": (real_part, abs),
    "sqr": (up, T.sqr),
    "sgn": (real_only(up), T.sgn),
    "round": (lambda name: name if name in FLOATS else REFUSED, T.round),
    "invert": (bitwise, lambda x: ~x),
    "isnan": (lambda name: "bool", T.isnan),
    "angle": (lambda name: "float64", T.angle),
    "sum": (added, T.sum),
    "prod": (added, T.prod),
    "mean": (lambda name: "float64" if name in DISCRETE else name, T.mean),
    "var": (lambda name: "float64" if name in DISCRETE else real_part(name), T.var),
    "max": (real_only(up), T.max),
    "argmax": (real_only(lambda name: "int64"), T.argmax),
    "any": (lambda name: "bool", T.any),
    "cumsum": (up, T.cumsum),
    "nonzero": (lambda name: "int64", lambda x: T.nonzero(x)[0]),
    "sort": (real_only(up), T.sort),
}
BINARY: dict[str, tuple[Rule, Callable[[Any, Any], Any]]] = {
    "add": (up, lambda x, y: x + y),
    "sub": (no_bool(up), lambda x, y: x - y),
    "mul": (up, lambda x, y: x * y),
    "true_div": (quotient, lambda x, y: x / y),
    "int_div": (real_only(up), lambda x, y: x // y),
    "mod": (real_only(up), lambda x, y: x % y),
    "pow": (at_least_int8, lambda x, y: x**y),
    "maximum": (real_only(up), T.maximum),
    "arctan2": (real_only(upgraded), T.arctan2),
    "lt": (real_only(lambda *names: "bool"), T.lt),
    "eq": (lambda *names: "bool", T.eq),
    "and": (bitwise, lambda x, y: x & y),
    "switch": (up, lambda x, y: T.switch(True, x, y)),
    "clip": (real_only(up), lambda x, y: T.clip(x, y, y)),
    "second": (lambda first, second: second, T.second),
    "dot": (up, T.dot),
    "join": (up, lambda x, y: T.concatenate([x, y])),
}


Decision = tuple[str, Callable[[tuple[str, ...]], bool], Rule]


def among(*names: str) -> Callable[[tuple[str, ...]], bool]:
    """Return the condition that the operands are of some dtypes only."""
    return lambda given: set(given) <= set(names)


def complex_first(given: tuple[str, ...]) -> bool:
    """Return whether an operand is complex."""
    return bool(set(given) & set(COMPLEX))


def refused(*names: str) -> str:
    return REFUSED


# What is different: the row of docs/dtypes.md, on which operands, and our dtype.
DECIDED: dict[str, Decision] = {
    **dict.fromkeys(("floor", "ceil", "trunc"), ("floor, ceil, trunc", among(*DISCRETE), up)),
    "round": ("round", among(*DISCRETE), up),
    "sqr": ("sqr", among("bool"), at_least_int8),
    **dict.fromkeys(("int_div", "mod"), ("//, %", among("bool"), at_least_int8)),
    "sgn": ("sgn", among("bool", *COMPLEX), no_bool(up)),
    **dict.fromkeys(("max", "sort", "maximum"), ("max, maximum, sort", complex_first, up)),
    "lt": ("<, <=, >, >=", complex_first, lambda *names: "bool"),
    "angle": ("angle", lambda given: True, lambda name: real_part(as_float(name))),
    "cumsum": ("cumsum, cumprod", among(*DISCRETE), added),
    "and": ("&, \\|, ^", lambda given: up(*given) == "float64", refused),
}  # fmt: skip


def found(make: Callable[..., Any], names: tuple[str, ...]) -> str:
    """Return the dtype of a result, or that it is refused."""
    try:
        return str(make(*(T.vector(dtype=name) for name in names)).dtype)
    except TypeError:
        return REFUSED


def expected(op: str, rule: Rule, names: tuple[str, ...]) -> str:
    """Return Theano's dtype, or ours where a difference was decided."""
    if op in DECIDED and DECIDED[op][1](names):
        return DECIDED[op][2](*names)
    return rule(*names)


@pytest.mark.parametrize("floatx", ["float64", "float32", "float16"])
@pytest.mark.parametrize("op", [*UNARY, *BINARY])
def test_dtypes_are_theanos_or_decided(op: str, floatx: str) -> None:
    rule, make = UNARY.get(op) or BINARY[op]
    with config.change_flags(floatX=floatx):
        for names in product(ALL, repeat=1 if op in UNARY else 2):
            got = found(make, names)
            assert got == expected(op, rule, names), f"{op}{names} with floatX={floatx}"


def differences() -> list[tuple[str, tuple[str, ...], str, str]]:
    """Return row, operands, our dtype and Theano's wherever they are not the same."""
    listed = []
    for op, (rule, _) in {**UNARY, **BINARY}.items():
        for names in product(ALL, repeat=1 if op in UNARY else 2):
            ours, theirs = expected(op, rule, names), rule(*names)
            if ours != theirs:
                listed.append((DECIDED[op][0], names, ours, theirs))
    return listed


def test_every_decision_makes_a_difference_and_stands_in_the_docs() -> None:
    found = {row for row, *_ in differences()}
    assert found == {row for row, *_ in DECIDED.values()}
    page = (Path(__file__).parent.parent / "docs" / "dtypes.md").read_text("utf-8")
    section = page[page.index("## Differences from Theano") :].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| `")]
    shown = [re.split(r"(?<!\\)\|", line)[1].strip() for line in lines]
    assert {item.replace("`", "") for item in shown} == found


@pytest.mark.parametrize("floatx", ["float64", "float32"])
def test_quotients_of_integers_keep_the_floatx_they_were_built_with(floatx: str) -> None:
    n, k = T.bvector("n"), T.lvector("k")
    with config.change_flags(floatX=floatx):
        y = [n / n, n / k, k / 3]
    f = function([n, k], y, mode="INTERPRET")
    values = f(np.array([1, 100], "int8"), [3, 7])
    assert [str(item.dtype) for item in values] == [floatx] * 3
    wanted = np.array([1 / 3, 100 / 7]).astype(floatx)
    np.testing.assert_array_equal(values[1], wanted)
