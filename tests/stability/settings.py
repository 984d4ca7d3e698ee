"""Four settings in which a form must be as good: what is computed beside it must not matter.

A form is computed *alone*, and its gradient alone; *together* with its gradient; with one *element*
read, of values and of gradients; and behind a *product*: with a matrix, and of rows that are a
batch of one. All are compared with the form's own truth: elements are the form's, and the matrices
are halves or unit vectors, so that products are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano import clone, grad
from symtheano.graph.walk import toposort
from symtheano.rewrites.subtensor import items_of
from symtheano.scalar import table as scalar
from symtheano.tensor.indexing.slices import Subtensor
from tests.stability.forms import Form
from tests.stability.measure import Errors, errors, operands, points
from tests.stability.symbolic import Symbolic
from tests.stability.truth import truth

SETTINGS = ("alone", "together", "element", "product")
Pairs = tuple[Any, Sequence[Any] | None]
"""Values at all points, and gradients by each operand; None of what is not computed."""


@dataclass
class Program:
    """What is computed of a form in a setting.

    Attributes
    ----------
    setting, dtype, form
        The setting.
    inputs, outputs
        Of one function.
    calls
        The arguments of each call.
    read
        Returns the values and the gradients in the results of all calls.
    """

    setting: str
    form: Form
    dtype: str
    inputs: list[Any]
    outputs: list[Any]
    calls: list[list[Any]]
    read: Callable[[list[list[Any]]], Pairs]

    def errors(self, found: list[list[Any]]) -> Errors:
        """Return the errors of the results of all calls."""
        values, slopes = self.read(found)
        return errors(self.form, self.dtype, values, slopes)


def programs(form: Form, dtype: str) -> Iterator[Program]:
    """Yield the programs of all settings."""
    yield from _whole(form, dtype)
    yield from _elements(form, dtype)
    if form.rows:
        yield from _elements_of_a_vector(form, dtype)
        yield from _products_of_rows(form, dtype)
    else:
        yield from _products(form, dtype)


def _inputs(form: Form, dtype: str, *shape: int | None) -> list[Any]:
    kind = T.TensorType(dtype, shape)
    return [kind(letter) for letter in "xyz"[: len(form.points[0])]]


def _natural(form: Form, dtype: str) -> tuple[list[Any], Any]:
    """Return inputs and the form's values at all points."""
    inputs = _inputs(form, dtype, *([None, None] if form.rows else [None]))
    return inputs, form.make(Symbolic(dtype), *inputs)


def _whole(form: Form, dtype: str) -> Iterator[Program]:
    inputs, values = _natural(form, dtype)
    slopes, calls = grad(values.sum(), inputs), [operands(form, dtype)]
    yield Program("alone", form, dtype, inputs, [values], calls, lambda r: (r[0][0], None))
    yield Program("alone", form, dtype, inputs, slopes, calls, lambda r: (None, r[0]))
    yield Program("together", form, dtype, inputs, [values, *slopes], calls,
                  lambda r: (r[0][0], r[0][1:]))  # fmt: skip


# -- elements --------------------------------------------------------------------------------------


def _elements(form: Form, dtype: str) -> Iterator[Program]:
    """One value, its gradient, and elements of the gradient of all."""
    inputs, values = _natural(form, dtype)
    k = T.lscalar("k")
    given = operands(form, dtype)
    calls = [[*given, place] for place in range(len(given[0]))]

    def chosen(results: list[list[Any]]) -> list[Any]:
        columns = zip(*results, strict=True)
        return [[item[place] for place, item in enumerate(column)] for column in columns]

    def listed(results: list[list[Any]]) -> list[list[Any]]:
        return [list(column) for column in zip(*results, strict=True)]

    element, slopes = values[k], grad(values.sum(), inputs)
    yield Program("element", form, dtype, [*inputs, k], [element], calls,
                  lambda r: (listed(r)[0], None))  # fmt: skip
    yield Program("element", form, dtype, [*inputs, k], grad(element, inputs), calls,
                  lambda r: (None, chosen(r)))  # fmt: skip
    yield Program("element", form, dtype, [*inputs, k], [item[k] for item in slopes], calls,
                  lambda r: (None, listed(r)))  # fmt: skip


def _elements_of_a_vector(form: Form, dtype: str) -> Iterator[Program]:
    """Of one row, as a vector: the value, and single elements of its gradient."""
    inputs, k = _inputs(form, dtype, None), T.lscalar("k")
    value = form.make(Symbolic(dtype), *(item.dimshuffle("x", 0) for item in inputs))[0]
    slopes = grad(value, inputs)
    rows = list(zip(*operands(form, dtype), strict=True))
    count = len(rows[0][0])
    yield Program("element", form, dtype, inputs, [value], [list(row) for row in rows],
                  lambda r: ([row[0] for row in r], None))  # fmt: skip
    calls = [[*row, place] for row in rows for place in range(count)]

    def joined(results: list[list[Any]]) -> list[Any]:
        columns = zip(*results, strict=True)
        return [np.reshape(column, (len(rows), count)) for column in columns]

    yield Program("element", form, dtype, [*inputs, k], [item[k] for item in slopes], calls,
                  lambda r: (None, joined(r)))  # fmt: skip


# -- products --------------------------------------------------------------------------------------


def _products(form: Form, dtype: str) -> Iterator[Program]:
    """Pairs of equal numbers in two columns, times a matrix of halves; and one row of all."""
    given = operands(form, dtype)
    inputs, w = _inputs(form, dtype, None, None), T.TensorType(dtype, (None, None))("w")
    wide = T.dot(form.make(Symbolic(dtype), *inputs), w)
    pairs = [np.stack([item, item], axis=1) for item in given]
    calls = [[*pairs, np.full((2, 2), 0.5, dtype)]]
    yield Program("product", form, dtype, [*inputs, w], [wide], calls,
                  lambda r: (r[0][0][:, 0], None))  # fmt: skip
    yield Program("product", form, dtype, [*inputs, w], grad(wide.sum(), inputs), calls,
                  lambda r: (None, [item[:, 0] for item in r[0]]))  # fmt: skip
    # An infinity, where the truth is one, would reach the other elements of the product.
    known = [abs(truth(form, point)[0]) < np.finfo(dtype).max for point in points(form, dtype)]
    inputs = _inputs(form, dtype, 1, None)
    row = T.dot(form.make(Symbolic(dtype), *inputs), w)
    few = [item[None, known] for item in given]
    calls = [[*few, np.eye(sum(known), dtype=dtype)]]

    def at_all(found: Any) -> Any:
        every = np.full(len(known), np.inf)
        every[known] = found[0]
        return every

    yield Program("product", form, dtype, [*inputs, w], [row], calls,
                  lambda r: (at_all(r[0][0]), None))  # fmt: skip
    yield Program("product", form, dtype, [*inputs, w], grad(row.sum(), inputs), calls,
                  lambda r: (None, [at_all(item) for item in r[0]]))  # fmt: skip


def _products_of_rows(form: Form, dtype: str) -> Iterator[Program]:
    """First columns are products with a unit vector, of all rows and of a batch of one."""
    given = operands(form, dtype)
    first = np.zeros((given[0].shape[1], 1), dtype)
    first[0] = 1
    for batch in (None, 1):
        inputs, w = _inputs(form, dtype, batch, None), T.TensorType(dtype, (None, 1))("w")
        values = _first_by_product(form.make(Symbolic(dtype), *inputs), w)
        wide = T.dot(values.dimshuffle(0, "x"), T.ones((1, 1), dtype) * w[0])
        rows = [given] if batch is None else [
            [item[k : k + 1] for item in given] for k in range(len(given[0]))
        ]  # fmt: skip
        calls = [[*row, first] for row in rows]
        yield Program("product", form, dtype, [*inputs, w], [wide], calls,
                      lambda r: (np.concatenate([one[0][:, 0] for one in r]), None))  # fmt: skip
        slopes = grad(wide.sum(), inputs)
        yield Program(
            "product",
            form,
            dtype,
            [*inputs, w],
            slopes,
            calls,
            lambda r: (None, [np.concatenate(c) for c in zip(*r, strict=True)]),
        )


def _first_by_product(values: Any, w: Any) -> Any:
    """Replace first columns, ``x[:, 0]``, by products with a matrix of one column.

    Not those that are subtracted from one: a product with any matrix has no complement.
    """
    parts = {}
    nodes = toposort([values])
    less = {item for node in nodes if getattr(node.op, "scalar_op", None) is scalar.sub
            for item in node.inputs}  # fmt: skip
    for node in nodes:
        if node.outputs[0] in less:
            continue
        is_first = isinstance(node.op, Subtensor) and items_of(node) == [slice(None), 0]
        if is_first and node.inputs[0].type.shape[1] != 1:
            parts[node.outputs[0]] = T.dot(node.inputs[0], w)[:, 0]
    return clone(values, parts)
