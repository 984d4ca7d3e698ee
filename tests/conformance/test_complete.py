"""The table is complete: every op, public function and method of the package is in some row.

Functions that apply one row of the scalar table element by element are left out: they are tested
over all dtypes and edge values by ``tests/tensor/test_elemwise.py``.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import symtheano
from symtheano import Mode, function
from symtheano.graph.op import Op
from symtheano.graph.type import Type
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import toposort
from symtheano.sparse.variable import SparseMixin
from symtheano.tensor.variable import TensorMixin
from tests.conformance.row import Row
from tests.conformance.slopes import Slope
from tests.conformance.table import FAMILIES, rows
from tests.spec import reference
from tests.support.modules import all_modules

ALL: list[Row] = [row for family in FAMILIES for row in rows(family)]

# -- ops -----------------------------------------------------------------------------------------

_RANKS = "of several processes: tests/distributed has it"
_ALONE = "made only where nothing else reads the scores, such as what Rop computes"
NO_OPS: dict[str, str] = {
    **{
        f"symtheano.tensor.nnet.attention.{name}": _ALONE
        for name in ("Attention", "AttentionGradient")
    },
    **{
        f"symtheano.distributed.{name}": _RANKS
        for name in (
            "agreed.SameCondition",
            "agreed.SameNumber",
            "buckets.BucketStart",
            "buckets.BucketTake",
            "collective.WorldNumber",
            "ops.AllGather",
            "ops.AllReduce",
            "ops.Broadcast",
            "ops.Scatter",
            "share.Share",
        )
    },
    "symtheano.compat.ccode.numbers.NumberElemwise": "an Elemwise: see tests/compat",
    "symtheano.sparse.performed.Performed": "an op of a user: see tests/sparse/test_performed.py",
    "symtheano.compat.pickles.ops.Unknown": "stands for an op of an old pickle: see tests/compat",
}
"""Classes of ops that are in no graph of a row, with the reason."""


def subclasses(kind: type) -> Iterator[type]:
    """Yield the classes below one."""
    for item in kind.__subclasses__():
        yield item
        yield from subclasses(item)


@cache
def ops() -> dict[str, type]:
    """Return the package's classes of ops that graphs can hold, by name."""
    assert len(list(all_modules())) > 300
    found = {item for item in subclasses(Op) if item.__module__.startswith("symtheano.")}
    return {f"{item.__module__}.{item.__name__}": item for item in found if not is_base(item)}


def is_base(kind: Any) -> bool:
    """Return whether a class only serves those below it: it can't compute anything itself."""
    return bool(kind.__subclasses__()) and kind.perform is Op.perform


def written(row: Row) -> list[Variable]:
    """Return the graph of a row as it is written, in its first dtype or in float64."""
    dtype = "float64" if "float64" in row.runs else row.runs[0]
    return row.symbolic({name: arg.variable(dtype, name) for name, arg in row.args.items()})


def derived(row: Row) -> list[Variable]:
    """Return the graph of a row's derivatives."""
    slope = Slope(row)
    return [*slope.backward, *slope.forward]


def optimized(row: Row) -> list[Variable]:
    """Return what rules make of a row and of its derivatives."""
    slope = Slope(row)
    outputs = [*slope.outputs, *slope.backward, *slope.forward]
    mode = Mode("interpret", "fast_run")
    return list(function(slope.inputs, outputs, mode=mode, on_unused_input="ignore").graph.outputs)


def kinds(outputs: Iterable[Variable]) -> set[type]:
    """Return the classes of the ops in a graph, and in the graphs of these ops."""
    found: set[type] = set()
    for node in toposort(list(outputs)):
        found.add(type(node.op))
        if isinstance(node.op, symtheano.OpFromGraph):
            found |= kinds(node.op.outputs)
        elif node.op.region is not None:
            found |= kinds(node.op.region.outputs)
    return found


def graphs() -> Iterator[list[Variable]]:
    """Yield graphs of rows: as they are written, then of what most rules make ops of."""
    yield from map(written, ALL)
    first = ("loops", "arrangement", "cumulative", "reductions", "linalg")
    for family in (*first, *(family for family in FAMILIES if family not in first)):
        for row in rows(family):
            if row.slope and "float64" in row.runs:
                yield derived(row)
                yield optimized(row)


def test_every_op_is_in_a_graph_of_a_row() -> None:
    missing = {item: name for name, item in ops().items()}
    assert set(NO_OPS) <= set(missing.values())
    for outputs in graphs():
        for kind in kinds(outputs):
            missing.pop(kind, None)
        if set(missing.values()) == set(NO_OPS):
            break
    assert sorted(missing.values()) == sorted(NO_OPS)


# -- functions -----------------------------------------------------------------------------------

FAMILIES_WITHOUT_ROWS = {
    "symtheano": "the package",
    "symtheano.function.compiled": "compiled functions",
    "symtheano.errors": "exceptions",
    "symtheano.codegen.runtime.mpi": "processes",
    "symtheano.distributed.collective": _RANKS,
    "symtheano.distributed.functions": _RANKS,
    "symtheano.distributed.parallel": "how functions are distributed",
    "symtheano.function.api": "makes functions: every row is one",
    "symtheano.graph.intern": "graphs",
    "symtheano.function.modes": "how functions are made",
    "symtheano.printing.debugprint": "prints",
    "symtheano.printing.dot": "prints",
    "symtheano.printing.explain": "prints",
    "symtheano.printing.latex": "prints",
    "symtheano.printing.pp": "prints",
    "symtheano.function.request": "inputs and outputs of functions",
    "symtheano.tensor.random.generator": "random: tests/tensor/random/test_generator.py has it",
    "symtheano.tensor.random.mrg": "makes random variables: tests/tensor/random has it",
    "symtheano.tensor.random.philox": "makes random variables: tests/tensor/random has it",
    "symtheano.tensor.random.state": "states of generators: tests/tensor/random/test_state.py",
    "symtheano.tensor.random.streams": "makes random variables: tests/tensor/random has it",
    "symtheano.updates": "updates of shared variables",
    "symtheano.function.verify": "checks gradients: of every differentiable row",
}
NO_FUNCTIONS = {
    "T.grad_not_implemented": "stands for a gradient that does not exist",
    "T.grad_undefined": "stands for a gradient that does not exist",
    "T.nnet.abstract_conv.BaseAbstractConv": "the base class of others",
    "T.nnet.ctc.ctc_available": "a bool, and no expression",
    "T.nnet.dropout": "of random numbers: tests/tensor/nnet/test_dropping.py has it",
    "T.tensor": "makes inputs, as every row does",
    "symtheano.DeviceArray": "an array of numbers: tests/codegen/runtime has it",
    "symtheano.to_device": "copies numbers: tests/codegen/runtime has it",
    "symtheano.set_allocator": "computes nothing: tests/function/test_allocators.py has it",
    "symtheano.ParquetColumns": "computes nothing: tests/sources/test_arrow.py has it",
    "symtheano.on_stream": "computes nothing: tests/function/test_streams.py has it",
    "symtheano.until": "a condition, and no array: tests/loops/test_until.py has it",
    "sparse.csc_matrix": "makes inputs, and those of rows are dense: tests/sparse has them",
    "sparse.csr_matrix": "makes inputs",
    "sparse.matrix": "makes inputs",
}
"""Public functions that are in no row, with the reason."""


def short(name: str) -> str:
    """Return the name that a row's text has for a function."""
    rest = name.partition(".")[2]
    if rest.startswith("tensor."):
        return f"T.{rest.removeprefix('tensor.')}"
    return rest if rest.startswith(("sparse.", "gradient.", "printing.")) else name


def public() -> dict[str, list[str]]:
    """Return the names, one or several, of each public function that computes tensors."""
    found: dict[int, list[str]] = {}
    for module in reference.MODULES:
        for name, item in reference.functions(module):
            if not reference.is_constructor(module, name) and computes(item):
                found.setdefault(id(item), []).append(short(f"{module}.{name}"))
    return {names[0]: names for names in found.values()}


def computes(item: Any) -> bool:
    """Return whether something public is a function that makes expressions, and no scalar row."""
    if reference.row_of(item) is not None or isinstance(item, Type):
        return False
    if inspect.isclass(item) and issubclass(item, Op | Type | Variable | Apply | BaseException):
        return False
    return reference.family_of(item) not in FAMILIES_WITHOUT_ROWS


def test_every_public_function_is_in_a_row() -> None:
    used = set().union(*(row.functions() for row in ALL))
    names = public()
    missing = {first for first, aliases in names.items() if used.isdisjoint(aliases)}
    assert sorted(missing) == sorted(NO_FUNCTIONS)


# -- methods -------------------------------------------------------------------------------------

NO_METHODS = {
    "type": "of variables", "dtype": "of types", "ndim": "of types", "broadcastable": "of types",
    "static_shape": "of types", "format": "of types", "apply_scalar": "makes the operators",
    "eval": "calls a function", "get_scalar_constant_value": "a number, and no expression",
    "grad": "of Theano", "constant_like": "a constant", "open_graph": "rewrites for vectorize",
    "densified": "used by gradients", "stack_with": "makes lists arrays",
    "with_lengths": "conversion by types",
    "requiring": "conversion by types",
}  # fmt: skip
"""Attributes of variables that make no expressions."""


def test_every_method_of_variables_is_in_a_row() -> None:
    used = set().union(*(row.functions() for row in ALL))
    for mixin in (TensorMixin, SparseMixin):
        names = {name for name in vars(mixin) if name[0] != "_"}
        assert sorted(name for name in names - set(NO_METHODS) if f".{name}" not in used) == []
