"""The texts of all routines and scalar ops in one file: no name is defined twice."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from symtheano import dtypes, function, tensor as T
from symtheano.codegen.c.needs import Needs
from symtheano.codegen.c.prelude import prelude
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.record import BLAS
from symtheano.codegen.routines import ROUTINES
from symtheano.scalar.row import ScalarOp, kind_of
from symtheano.scalar.table import HIDDEN, TABLE, scalar_op
from tests.support.extent import is_taken

Version = tuple[str, str]

VERSIONS = [(name, dtype) for name, routine in ROUTINES.items() for dtype in routine.dtypes]
# What a file has besides, by the names of Needs.
PARTS = (
    "parallel",
    "halves",
    "vectors",
    "functions",
    "fails",
    "allocates",
    "partitions",
    "may_end",
    "workspace",
)
_DEFINED = re.compile(r"^\s*#\s*define\s+(\w+)((?:.*\\\n)*.*)", re.MULTILINE)
_UNDEFINED = re.compile(r"^\s*#\s*undef\s+(\w+)", re.MULTILINE)


def needs_of(versions: Iterable[Version], parts: Iterable[str]) -> Needs:
    """Return what a program needs that calls versions of routines."""
    routines = {(name, dtype): ROUTINES[name] for name, dtype in versions}
    needs = Needs(routines=routines, **dict.fromkeys(parts, True))
    links = {link for (_, dtype), routine in routines.items() for link in routine.links_of(dtype)}
    needs.externals = tuple(sorted(links - {BLAS}))
    for (_, dtype), routine in routines.items():
        needs.parallel |= "parallel" in routine.prelude
        for op in routine.functions:
            needs.add_row(op, (dtype,), dtype)
    return needs


def add_rows(needs: Needs) -> None:
    """Add all rows of the scalar table in all dtypes that they compute in."""
    casts = [scalar_op(f"cast{{{dtype}}}") for dtype in dtypes.ALL]
    for row in (*TABLE.values(), *HIDDEN.values(), *casts):
        for dtype in dtypes.ALL:
            try:
                signature = row.signature((dtype,) * row.nin)
            except TypeError:
                continue
            if _has_c(row, signature.compute[0]):
                needs.add_row(row.name, signature.compute, signature.result)


def _has_c(row: ScalarOp, dtype: str) -> bool:
    try:
        return bool(row.c_expression(kind_of(dtype)))
    except KeyError:
        return False


def check(needs: Needs, toolchain: Toolchain, folder: Path) -> None:
    """Compile the text for needs, with a warning of a macro that is defined twice as an error."""
    path = folder / "together.c"
    path.write_text(prelude(needs, frozenset()), encoding="utf-8")
    flags = [flag for flag in toolchain.flags if flag not in ("-w", "-shared")]
    command = [*toolchain.command, *flags, "-fsyntax-only", "-Werror", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]


@pytest.mark.needs_cc
def test_everything_is_one_text(toolchain: Toolchain, tmp_path: Path) -> None:
    needs = needs_of(VERSIONS, PARTS)
    add_rows(needs)
    assert len(needs.rows) > 1000
    check(needs, toolchain, tmp_path)


@pytest.mark.needs_cc
@pytest.mark.one_in(1)
@pytest.mark.parametrize("name", ROUTINES)
def test_each_text_has_what_it_needs(name: str, toolchain: Toolchain, tmp_path: Path) -> None:
    versions = [(name, dtype) for dtype in ROUTINES[name].dtypes]
    some = [version for version in versions if is_taken("-".join(version), 4)]
    for version in some or versions[:1]:
        check(needs_of([version], ()), toolchain, tmp_path)
    for parts in (("vectors",), ("halves",), PARTS):
        check(needs_of(versions, parts), toolchain, tmp_path)


# Each two routines are in one of these groups, of two blocks. What a text takes from another of its
# group, it lacks when it is alone, as above.
BLOCKS = [list(ROUTINES)[start : start + 5] for start in range(0, len(ROUTINES), 5)]
GROUPS = [
    pytest.param(first + second, id=f"{first[0]}-{second[0]}")
    for first, second in combinations(BLOCKS, 2)
]


@pytest.mark.needs_cc
@pytest.mark.one_in(8)
@pytest.mark.parametrize("names", GROUPS)
def test_groups(names: list[str], toolchain: Toolchain, tmp_path: Path) -> None:
    versions = [(name, dtype) for name in names for dtype in ROUTINES[name].dtypes]
    check(needs_of(versions, ()), toolchain, tmp_path)


def test_macros_mean_the_same_in_all_texts() -> None:
    # Where one is defined only if it is not yet, the compiler would take the other text's.
    meanings: dict[str, set[str]] = {}
    texts = dict.fromkeys(text for n, d in VERSIONS for text in ROUTINES[n].sections(d))
    for text in (prelude(needs_of([], PARTS), frozenset()), *texts):
        found: dict[str, set[str]] = {}
        for name, meaning in _DEFINED.findall(text):
            found.setdefault(name, set()).add(meaning)
        for name in found.keys() - set(_UNDEFINED.findall(text)):
            assert meanings.setdefault(name, found[name]) == found[name], name
    assert len(meanings) > 50


@pytest.mark.needs_cc
@pytest.mark.parametrize("summary", ["sum", "mean", "var"])
def test_a_transform_beside_a_float32_reduction(summary: str) -> None:
    x, v = T.matrix("x", dtype="float32"), T.vector("v", dtype="float32")
    compiled = function([x, v], [T.fft.rfft1(x), getattr(v, summary)()])
    rng = np.random.default_rng(4)
    rows, numbers = rng.normal(size=(3, 12)).astype("f"), rng.normal(size=400).astype("f")
    spectrum, value = compiled(rows, numbers)
    np.testing.assert_allclose(spectrum, np.fft.rfft(rows), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(value, getattr(numbers, summary)(), rtol=1e-5, atol=1e-5)


@pytest.mark.needs_cc
def test_attention_of_both_precisions() -> None:
    rng = np.random.default_rng(5)
    inputs, results, data = [], [], []
    for dtype in ("float32", "float64"):
        q, k, v = (T.tensor3(f"{name}_{dtype}", dtype=dtype) for name in "qkv")
        inputs += [q, k, v]
        scores = T.batched_dot(q, k.transpose(0, 2, 1)) * 0.5
        results.append(T.batched_dot(T.nnet.softmax(scores), v))
        data += [rng.normal(size=(2, 5, 4)).astype(dtype) for _ in range(3)]
    compiled = function(inputs, results)
    assert {"st_attention_f32", "st_attention_f64"} <= set(re.findall(r"\w+", compiled.c_source))
    for k, found in enumerate(compiled(*data)):
        q_, k_, v_ = data[3 * k : 3 * k + 3]
        exponentials = np.exp(q_ @ k_.transpose(0, 2, 1) / 2)
        wanted = exponentials / exponentials.sum(-1, keepdims=True) @ v_
        assert found.dtype == q_.dtype
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
