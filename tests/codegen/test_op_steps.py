"""Ops on whole arrays: calls, loops of their own, scatters, parts and Python."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.op_steps import broken_promise
from symtheano.compile import as_op
from symtheano.loopir import Call, Check, Program, PythonCall
from symtheano.loopir.names import walk

x, y, v, k = T.dmatrix("x"), T.dmatrix("y"), T.dvector("v"), T.lvector("k")


def program(outputs: Any) -> Program:
    made = function([x, y, v, k], outputs, mode="INTERPRET", on_unused_input="ignore")
    found: Program = made.lowered.program
    return found


def calls(made: Program) -> list[str]:
    return [s.routine.name for s in walk(made.body) if isinstance(s, Call)]


def kernels(made: Program) -> list[str]:
    return [function_.title for function_ in made.functions if not function_.range]


def test_a_product_is_a_call_in_place() -> None:
    made = program(T.dot(x, y))
    assert calls(made) == ["gemm"]
    assert kernels(made) == []


def test_what_an_op_starts_from_is_copied_unless_it_is_there() -> None:
    assert calls(program(T.inc_subtensor(x[0], 1.0))) == ["copy"]
    assert "zero" in calls(program(T.inc_subtensor(T.zeros_like(x)[k], y)))
    assert "copy" not in calls(program(T.inc_subtensor((x * 2)[0], 1.0)))


def test_a_scatter_makes_its_value_where_it_is_put() -> None:
    made = program(T.inc_subtensor(T.zeros_like(x)[k], T.exp(y)))
    assert len([title for title in kernels(made) if "exp" in title]) == 1
    assert {"exp", "add"} & {getattr(s, "op", "") for s in made.statements()}


def test_parts_are_made_where_they_go() -> None:
    made = program(T.join(0, T.exp(x), y * 2))
    assert made.arena == ()
    assert len(kernels(made)) == 2


def test_numbers_get_memory_where_a_call_takes_their_address() -> None:
    made = program(T.dot(v, v) * x)
    assert calls(made) in (["dot"], [])


@as_op(itypes=[T.dmatrix], otypes=[T.dmatrix], infer_shape=lambda node, shapes: shapes)
def cut(values: np.ndarray) -> np.ndarray:
    return values[1:]


def test_a_promise_of_a_python_op_is_checked_after_the_call() -> None:
    made = program(cut(x) + y)
    body = [type(s) for s in made.body if isinstance(s, PythonCall | Check)]
    assert body.index(PythonCall) < len(body) - 1
    node = cut(x).owner
    message = broken_promise(node.outputs[0], 0, (2, 3))
    assert "output 0 has length 2 along axis 0, but infer_shape returned 3" in message
    assert "infer_shape and perform have to agree" in message
