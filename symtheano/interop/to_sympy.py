"""to_sympy: converts an expression to SymPy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.errors import format_error
from symtheano.extras import needed
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.graph.walk import toposort
from symtheano.interop.formulas import of_rows
from symtheano.printing.graph import traced
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.indexing.slices import Subtensor
from symtheano.tensor.linalg.determinants import Det
from symtheano.tensor.linalg.dot import Dot
from symtheano.tensor.linalg.inverse import MatrixInverse
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.shapes.shape import MakeVector, Shape_i


def to_sympy(expression: Any, symbols: Mapping[Any, Any] | None = None) -> Any:
    """Return an expression as a SymPy expression.

    Scalars become symbols, which are real, integer or complex according to their dtype; booleans
    and logic become SymPy's, and ``switch`` becomes ``Piecewise``. Matrices become
    ``MatrixSymbol``, and vectors those with one column, with the lengths ``x_0``, ``x_1`` if these
    are not known. Sums over axes are ``Sum`` over entries; products, transposes, inverses,
    determinants and traces are matrix expressions. Casts between floats are omitted: the result is
    the mathematical formula, without rounding and overflow.

    Parameters
    ----------
    expression
        A variable with at most two dimensions, or a list of them.
    symbols
        Replacements of variables: {variable: SymPy expression}.

    Raises
    ------
    ImportError
        If SymPy is not installed (extra ``symbolic``).
    NotImplementedError
        For an op without an equivalent in SymPy; the message contains the op and its line.

    Examples
    --------
    >>> x, A = T.dscalar("x"), T.matrix("A")
    >>> to_sympy(T.exp(-(x**2)) / 2)
    exp(-x**2)/2
    >>> to_sympy(T.dot(A.T, A))
    A.T*A
    """
    needed("sympy", "to_sympy", "symbolic")
    if isinstance(expression, list | tuple):
        writer = _Writer(symbols or {})
        return [writer.write(item) for item in expression]
    return _Writer(symbols or {}).write(expression)


class _Writer:
    def __init__(self, symbols: Mapping[Any, Any]) -> None:
        self.formulas: dict[Any, Any] = dict(symbols)
        self.unnamed = 0

    def write(self, variable: Variable) -> Any:
        """Return the formula of a variable, computed in topological order."""
        import sympy

        if not isinstance(variable, Variable):
            raise TypeError(
                f"to_sympy takes symbolic variables, got {variable!r} of type "
                f"{type(variable).__name__}"
            )
        for node in toposort([variable], set(self.formulas)):
            if all(item in self.formulas for item in node.outputs):
                continue
            self.formulas.update(dict.fromkeys(node.outputs, _refusal(node)))
            self.formulas[node.outputs[0]] = self.node(node)
        formula = self.of(variable)
        if isinstance(formula, NotImplementedError):
            raise formula
        if isinstance(formula, _Entries):
            i, j = sympy.Dummy("i", integer=True), sympy.Dummy("j", integer=True)
            return sympy.FunctionMatrix(*formula.shape, sympy.Lambda((i, j), formula.at(i, j)))
        return formula

    # -- leaves ----------------------------------------------------------------------------------

    def of(self, variable: Any) -> Any:
        """Return the formula of a variable; symbols and numbers are created here."""
        if variable not in self.formulas:
            is_constant = isinstance(variable, Constant)
            self.formulas[variable] = _number(variable) if is_constant else self.symbol(variable)
        return self.formulas[variable]

    def symbol(self, variable: Any) -> Any:
        import sympy

        kind = getattr(variable.type, "dtype", None)
        if kind is None or variable.type.ndim > 2:
            raise NotImplementedError(
                format_error(
                    f"to_sympy: {variable.describe()} is neither number, vector nor matrix",
                    operands=[(variable.describe(), str(variable.type))],
                )
            )
        self.unnamed += variable.name is None
        name = variable.name or f"v{self.unnamed}"
        if variable.type.ndim == 0:
            if kind == "bool":
                return sympy.Symbol(name)
            field = "complex" if dtypes.is_complex(kind) else "real"
            return sympy.Symbol(name, **{"integer" if dtypes.is_discrete(kind) else field: True})
        shape = [
            sympy.Integer(length) if length is not None
            else sympy.Symbol(f"{name}_{axis}", integer=True, nonnegative=True)
            for axis, length in enumerate(variable.type.shape)
        ]  # fmt: skip
        return sympy.MatrixSymbol(name, shape[0], shape[1] if len(shape) == 2 else sympy.Integer(1))

    # -- ops -------------------------------------------------------------------------------------

    def node(self, node: Apply) -> Any:
        """Return the formula of a node, or an error if there is none.

        The formula of a node with such an operand is also an error, except for a trace.
        """
        import sympy

        matrix = traced(node.outputs[0]) if isinstance(node.op, CAReduce) else None
        if matrix is not None:
            return sympy.Trace(_matrix(self.of(matrix)))
        operands = [self.of(item) for item in node.inputs]
        for operand in operands:
            if isinstance(operand, NotImplementedError):
                return operand
        for kind, formula in _FORMULAS:
            if isinstance(node.op, kind):
                result = formula(node, operands)
                if result is not None:
                    return result
        return _refusal(node)


class _Entries:
    """A matrix given by its entries, for elementwise ops, for which there is no notation."""

    def __init__(self, shape: tuple[Any, Any], at: Callable[[Any, Any], Any]) -> None:
        self.shape, self.at = shape, at


def _refusal(node: Apply) -> NotImplementedError:
    message = f"to_sympy: SymPy has no notation for {node.op}"
    operands = [(item.describe(), str(item.type)) for item in node.inputs]
    return NotImplementedError(format_error(message, operands=operands, places=[node.origin]))


def _number(constant: Any) -> Any:
    import sympy

    data = np.asarray(constant.data)
    if data.ndim == 0 or data.size == 1:
        return _exact(data.reshape(-1)[0].item())
    rows = data.reshape(-1, 1) if data.ndim == 1 else data
    if rows.ndim != 2:
        raise NotImplementedError(f"to_sympy: a constant of {data.ndim} dims")
    return sympy.ImmutableMatrix([[_exact(item.item()) for item in row] for row in rows])


def _exact(value: Any) -> Any:
    import sympy

    if isinstance(value, bool):
        return sympy.true if value else sympy.false
    if isinstance(value, float) and value.is_integer():
        return sympy.Integer(int(value))
    if isinstance(value, complex):
        return _exact(value.real) + sympy.I * _exact(value.imag)
    return sympy.sympify(value)


def _is_matrix(x: Any) -> bool:
    import sympy

    return isinstance(x, _Entries | sympy.MatrixBase | sympy.MatrixExpr)


def _matrix(x: Any) -> Any:
    """Return a matrix expression."""
    import sympy

    if not isinstance(x, _Entries):
        return x
    i, j = sympy.Dummy("i", integer=True), sympy.Dummy("j", integer=True)
    return sympy.FunctionMatrix(*x.shape, sympy.Lambda((i, j), x.at(i, j)))


def _entry(x: Any, i: Any, j: Any) -> Any:
    """Return an entry of a matrix, a scalar itself, or the only entry along an axis of length 1."""
    if not _is_matrix(x):
        return x
    i, j = (0 if length == 1 else at for length, at in zip(x.shape, (i, j), strict=True))
    return x.at(i, j) if isinstance(x, _Entries) else x[i, j]


def _elemwise(node: Apply, operands: list[Any]) -> Any:
    import sympy

    row = node.op.scalar_op
    formula = of_rows().get(row.name)
    if row.name.startswith("cast{"):
        target, source = row.name[5:-1], node.inputs[0].type.dtype
        if dtypes.is_discrete(target) and not (dtypes.is_discrete(source) and source != "bool"):
            return None
        if source == "bool":
            formula = lambda x: sympy.Piecewise((1, x), (0, True))  # noqa: E731
        else:
            formula = lambda x: x  # noqa: E731
    integers = all(dtypes.is_discrete(i.type.dtype) and i.type.dtype != "bool" for i in node.inputs)
    if formula is None or (integers and row.name in ("and_", "or_", "xor", "invert")):
        return None
    matrices = [x for x in operands if _is_matrix(x)]
    if not matrices:
        return formula(*operands)
    plain = not any(isinstance(x, _Entries) for x in matrices)
    if plain and row.name in ("neg", "identity"):
        return -operands[0] if row.name == "neg" else operands[0]
    same = len({tuple(x.shape) for x in matrices}) == 1
    if plain and same and len(matrices) == 2 and row.name in ("add", "sub", "mul"):
        if row.name == "mul":
            return sympy.HadamardProduct(*operands)
        return formula(*operands)
    if plain and len(matrices) == 1 and row.name in ("mul", "true_div") and matrices[0] is (
        operands[0] if row.name == "true_div" else matrices[0]
    ):  # fmt: skip
        return formula(*operands)
    shape = tuple(_longest([x.shape[axis] for x in matrices]) for axis in range(2))
    return _Entries(
        (shape[0], shape[1]), lambda i, j: formula(*(_entry(x, i, j) for x in operands))
    )


def _longest(lengths: list[Any]) -> Any:
    return next((length for length in lengths if length != 1), lengths[0])


def _dimshuffle(node: Apply, operands: list[Any]) -> Any:
    (x,), order, ndim = operands, node.op.new_order, node.inputs[0].type.ndim  # type: ignore[attr-defined]
    if not _is_matrix(x) or order in ((0,), (0, 1), (0, "x")):
        return x
    if order in ((1, 0), ("x", 0)):
        return _Entries(x.shape[::-1], lambda i, j: x.at(j, i)) if isinstance(x, _Entries) else x.T
    if ndim == 2 and order in ((), (1,)):
        return _entry(x, 0, 0) if order == () else _dimshuffle_row(x)
    return _entry(x, 0, 0) if order == () else None


def _dimshuffle_row(x: Any) -> Any:
    return _Entries(x.shape[::-1], lambda i, j: _entry(x, j, i))


def _dot(node: Apply, operands: list[Any]) -> Any:
    left, right = map(_matrix, operands)
    if node.inputs[0].type.ndim == 1:
        left = left.T
    product = left * right
    if node.outputs[0].type.ndim == 0:
        return product[0, 0]
    return product.T if node.inputs[0].type.ndim == 1 else product


def _reduction(node: Apply, operands: list[Any]) -> Any:
    import sympy

    op: Any = node.op
    (x,) = operands
    if not _is_matrix(x):
        return x
    kind = {"add": sympy.Sum, "mul": sympy.Product}.get(op.scalar_name)
    if kind is None:
        return None
    ndim = node.inputs[0].type.ndim

    def along(at: tuple[Any, Any], axes: tuple[int, ...]) -> Any:
        indices = [sympy.Dummy("kl"[axis], integer=True) for axis in range(2)]
        places = [indices[axis] if axis in axes else at[axis] for axis in range(2)]
        limits = [(indices[axis], 0, x.shape[axis] - 1) for axis in axes]
        return kind(_entry(x, *places), *limits)

    if len(op.axis) == ndim:
        return along((0, 0), tuple(op.axis))
    axis = op.axis[0]
    shape = (x.shape[1 - axis], sympy.Integer(1))
    return _Entries(shape, lambda i, j: along((i, i), (axis,)))


def _subtensor(node: Apply, operands: list[Any]) -> Any:
    op: Any = node.op
    x = operands[0]
    items = [item for _, item in op.items(node)]
    if any(isinstance(item, tuple) for item in items) or len(items) != node.inputs[0].type.ndim:
        return None
    places = operands[1:]
    places = [x.shape[a] + p if p.is_negative else p for a, p in enumerate(places)]
    return _entry(x, places[0], places[1] if len(places) == 2 else 0)


def _column(items: list[Any]) -> Any:
    import sympy

    return sympy.ImmutableMatrix([[item] for item in items])


def _square(name: str) -> Callable[[Apply, list[Any]], Any]:
    def formula(node: Apply, operands: list[Any]) -> Any:
        import sympy

        return getattr(sympy, name)(_matrix(operands[0]))

    return formula


_FORMULAS: list[tuple[type, Callable[[Apply, list[Any]], Any]]] = [
    (Elemwise, _elemwise),
    (DimShuffle, _dimshuffle),
    (CAReduce, _reduction),
    (Dot, _dot),
    (MatrixInverse, _square("Inverse")),
    (Det, _square("Determinant")),
    (MakeVector, lambda node, operands: _column(operands)),
    (Shape_i, lambda node, operands: operands[0].shape[node.op.axis]),  # type: ignore[attr-defined]
    (Subtensor, _subtensor),
]
