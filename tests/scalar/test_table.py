"""The scalar table: every row's names and dtypes, and its C against its NumPy function."""

from __future__ import annotations

import ctypes
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from symtheano import config, dtypes
from symtheano.codegen.native.toolchain import find_toolchain
from symtheano.codegen.runtime.link import _external
from symtheano.scalar import table
from symtheano.scalar.render import (
    c_type,
    computed,
    external_type,
    loaded,
    render_expression,
    render_helpers,
    render_prototypes,
    short_name,
    stored_type,
)
from symtheano.scalar.row import ScalarOp, Signature
from symtheano.scalar.table import ALIASES, TABLE, scalar_op
from tests.support.grids import ROWS, agrees, edges, samples, signatures

CASES = [
    pytest.param(row, signature, id=f"{row.name}-{'-'.join(map(short_name, signature.compute))}")
    for row in ROWS
    for signature in signatures(row)
]


# -- what every row has ------------------------------------------------------------------------


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_row_is_complete(row: ScalarOp) -> None:
    assert row.doc.endswith(".")
    assert row.cost >= 0
    assert signatures(row), "no operand dtypes at all"
    assert row.derivative is None or row.nin == 1
    assert row.derivative is None or row.pullback is None
    assert pickle.loads(pickle.dumps(row)) is row
    assert scalar_op(row.name) is row


def test_names_are_unique() -> None:
    names = [name for row in TABLE.values() for name in (row.name, *row.aliases)]
    assert len(names) == len(set(names))
    assert len(ALIASES) == sum(len(row.aliases) for row in TABLE.values())


def test_rows_are_attributes_of_the_table() -> None:
    assert table.exp is TABLE["exp"]
    assert table.inv is TABLE["reciprocal"]
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        table.nothing  # noqa: B018
    with pytest.raises(KeyError, match="nothing"):
        scalar_op("nothing")


def test_import_leaves_scipy_alone() -> None:
    program = "import sys, symtheano.scalar.table; assert 'scipy' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_signature_gives_dtypes(row: ScalarOp) -> None:
    for signature in signatures(row):
        assert len(signature.compute) == row.nin
        assert {*signature.compute, signature.result} <= set(dtypes.ALL)
        assert row.signature(signature.compute) == signature, "computing changes the dtype"


@pytest.mark.parametrize(("row", "signature"), CASES)
def test_numpy_returns_the_dtype(row: ScalarOp, signature: Signature) -> None:
    operands = samples(row, signature)
    for some in (operands, [item[:0] for item in operands], [item[0] for item in operands]):
        result = np.asarray(row.numpy(*map(np.asarray, some)))
        assert result.dtype == signature.result
        assert result.shape == some[0].shape


@pytest.mark.parametrize("name", ["add", "mul", "maximum", "fmin", "and_", "xor", "logaddexp"])
def test_identity_is_neutral(name: str) -> None:
    row = TABLE[name]
    for signature in signatures(row):
        values = edges(signature.compute[0])
        if isinstance(row.identity, str):
            if dtypes.is_continuous(signature.result):
                neutral: Any = {"min": -np.inf, "max": np.inf}[row.identity]
            elif signature.result == "bool":
                neutral = row.identity == "max"
            else:
                neutral = getattr(np.iinfo(signature.result), row.identity)
        else:
            neutral = row.identity
        full = np.full_like(values, np.asarray(neutral).astype(signature.result))
        result = row.numpy(values, full)
        keep = values == values  # fmin ignores nan
        np.testing.assert_array_equal(result[keep], values[keep])


# -- C against NumPy ---------------------------------------------------------------------------

_PRELUDE = """\
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
"""


def loop(number: int, row: ScalarOp, signature: Signature) -> str:
    """Return a C function that applies the row to arrays."""
    names = "abcd"[: row.nin]
    parameters = [
        f"const {stored_type(dtype)} *restrict {name}p"
        for name, dtype in zip(names, signature.compute, strict=True)
    ]
    loads = [
        f"        const {c_type(computed(dtype))} {name} = {loaded(f'{name}p[i]', dtype)};"
        for name, dtype in zip(names, signature.compute, strict=True)
    ]
    expression = render_expression(row, signature, names, external=f"ext_{row.external}")
    result = stored_type(signature.result)
    head = f"void loop_{number}({', '.join(parameters)}, {result} *restrict yp, int64_t n) {{"
    lines = [
        '__attribute__((visibility("default")))',
        head,
        "    for (int64_t i = 0; i < n; i++) {",
        *loads,
        f"        const {c_type(computed(signature.result))} y = {expression};",
        f"        yp[i] = ({result})y;",
        "    }",
        "}",
    ]
    return "\n".join(lines)


def whole_file(cases: list[tuple[ScalarOp, Signature]]) -> str:
    """Return one C file with a loop for each case."""
    declarations: dict[str, None] = {}
    helpers: dict[str, None] = {}
    for row, signature in cases:
        for prototype in render_prototypes(row, signature).values():
            declarations[f"{prototype};"] = None
        if row.external is not None:
            name = f"ext_{row.external}"
            declarations[f'__attribute__((visibility("default"))) {external_type(row, name)};'] = (
                None
            )
        helpers.update(dict.fromkeys(render_helpers(row, signature)))
    loops = (loop(number, *case) for number, case in enumerate(cases))
    return "\n".join([_PRELUDE, *declarations, *helpers, *loops]) + "\n"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """All loops, compiled with the project's flags."""
    folder: Path = tmp_path_factory.mktemp("table")
    source, target = folder / "table.c", folder / "table.so"
    source.write_text(whole_file([case.values for case in CASES]))  # type: ignore[misc]
    chain = find_toolchain(config.cc)
    command = [*chain.command, *chain.flags, str(source), "-o", str(target), *chain.link_flags]
    subprocess.run(command, check=True)
    loaded = ctypes.CDLL(str(target))
    for name in {row.external for row in ROWS if row.external}:
        ctypes.c_void_p.in_dll(loaded, f"ext_{name}").value = _external(name)
    return loaded


def run(
    library: ctypes.CDLL, number: int, signature: Signature, operands: list[Any]
) -> np.ndarray[Any, Any]:
    """Call the loop of a case."""
    result = np.empty(operands[0].shape, signature.result)
    arrays = [np.ascontiguousarray(item) for item in operands]
    function = getattr(library, f"loop_{number}")
    function(
        *(ctypes.c_void_p(item.ctypes.data) for item in (*arrays, result)),
        ctypes.c_int64(result.size),
    )
    return result


@pytest.mark.needs_cc
@pytest.mark.parametrize(
    ("number", "row", "signature"),
    [pytest.param(number, *case.values, id=case.id) for number, case in enumerate(CASES)],
)
def test_c_agrees_with_numpy(
    library: ctypes.CDLL, number: int, row: ScalarOp, signature: Signature
) -> None:
    operands = samples(row, signature)
    got = run(library, number, signature, operands)
    want = np.asarray(row.numpy(*operands))
    close = agrees(row, got, want)
    if not close.all():
        wrong = np.flatnonzero(~close)[:12]
        lines = [
            f"{row.name}({', '.join(repr(item[i].item()) for item in operands)}): "
            f"C {got[i].item()!r}, NumPy {want[i].item()!r}"
            for i in wrong
        ]
        pytest.fail(f"{(~close).sum()} of {close.size}:\n" + "\n".join(lines), pytrace=False)
