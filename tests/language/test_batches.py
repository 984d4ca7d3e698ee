"""Random programs for whole batches, against one item after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import event, given

import symtheano.tensor as T
from tests.language.check import agree_all, rewritten, variables_of
from tests.language.program import Program
from tests.language.strategies import budget, mixed_programs
from tests.support.compare import compiled, count


def check_batches(program: Program, make: Callable[..., Any]) -> None:
    """Compare what ``vectorize_graph`` makes of a program with what NumPy finds for each item.

    Every other input in use gets a batch axis. Lines that say they cannot work on batches, such as
    those whose length depends on numbers, are left out.
    """
    inputs = [name for name in program.used() if name in program.values]
    batched = inputs[::2]
    given = program.given()
    items = [given, *({**given, **{name: np.roll(given[name], shift) for name in batched}}
                      for shift in (1, 2))]  # fmt: skip
    found = []
    for values in items:
        try:
            results = program.run(values)
        except (ValueError, IndexError):
            continue
        if program.is_certain(results):
            found.append((values, results))
    replaced = {
        program.variables[name]: T.TensorType(
            program.values[name].dtype.name, (None, *program.variables[name].type.shape)
        )(f"{name}s")
        for name in batched
    }
    outputs, names = [], []
    for name in program.results(8):
        try:
            (made,) = T.vectorize_graph([program.variables[name]], replaced)
        except NotImplementedError:
            event("a line that says it takes no batches")
            continue
        if made.ndim > program.variables[name].ndim:
            outputs.append(made)
            names.append(name)
    if not (found and names):
        return
    used = program.used()
    variables = [replaced.get(variable, variable) for variable in variables_of(program, used)]
    args = [np.stack([values[name] for values, _ in found]) if name in batched else given[name]
            for name in used]  # fmt: skip
    mine = make(variables, outputs)(*args)
    want = {name: np.stack([results[name] for _, results in found]) for name in names}
    agree_all(program, names, mine, want, f"a loop over items of {batched}")
    count("programs for batches", sum(got.size for got in mine))


@pytest.mark.needs_cc
@budget(4)
@given(mixed_programs())
def test_batches_in_c(program: Program) -> None:
    check_batches(program, compiled)


@budget(24)
@given(mixed_programs())
def test_batches_rewritten(program: Program) -> None:
    check_batches(program, rewritten)
