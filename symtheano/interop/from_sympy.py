"""from_sympy: converts a SymPy expression to a symbolic array."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from symtheano import tensor as T
from symtheano.errors import format_error
from symtheano.extras import needed
from symtheano.graph.variable import Variable
from symtheano.interop.formulas import of_sympy
from symtheano.scalar import table as scalar


def from_sympy(expression: Any, variables: Mapping[Any, Any] | None = None) -> Any:
    """Return a SymPy expression as a symbolic array.

    Symbols become scalars of ``floatX``, or of ``int64`` or ``bool`` if they are assumed to be
    integers or are used in logic. A ``MatrixSymbol`` becomes a matrix, or a vector if it has one
    column. ``Piecewise`` becomes ``switch``; ``Sum`` and ``Product`` become sums and products over
    ranges, whose ends may be symbolic.

    Parameters
    ----------
    expression
        An expression, a matrix, a matrix expression, a relation or logic; or a list of these,
        whose symbols are then the same.
    variables
        Variables for symbols: {symbol or its name: variable}.

    Raises
    ------
    ImportError
        If SymPy is not installed (extra ``symbolic``).
    NotImplementedError
        For expressions without an equivalent.

    Examples
    --------
    >>> import sympy
    >>> from symtheano.printing import pp
    >>> t, x = sympy.Symbol("t"), T.dvector("x")
    >>> pp(from_sympy(sympy.exp(t**2), {t: x}))
    'exp(x ** 2)'
    """
    needed("sympy", "from_sympy", "symbolic")
    reader = _Reader({str(key): T.as_tensor_variable(v) for key, v in (variables or {}).items()})
    if isinstance(expression, list | tuple):
        return [reader.read(item) for item in expression]
    return reader.read(expression)


@dataclass(frozen=True)
class _Scope:
    """The arrays of the indices of sums, each along a separate axis."""

    indices: Mapping[Any, Any] = field(default_factory=dict)
    depth: int = 0


class _Reader:
    def __init__(self, by_name: dict[str, Any]) -> None:
        self.by_name = by_name
        self.lengths: dict[Any, Any] = {}

    def read(self, expression: Any) -> Any:
        """Return an expression as an array; a matrix with one column as a vector."""
        import sympy

        expression = sympy.sympify(expression)
        for symbol in sorted(_matrix_symbols(expression), key=str):
            self.matrix(symbol)
        value = self.value(expression, _Scope())
        value = T.as_tensor_variable(value)
        if value.ndim == 2 and getattr(expression, "shape", (0, 0))[1] == 1:
            return value[:, 0]
        return value

    def value(self, e: Any, scope: _Scope) -> Any:
        """Return a scalar, or an array with an axis for each index of an enclosing sum."""
        import sympy

        if isinstance(e, sympy.MatrixBase | sympy.MatrixExpr):
            return self.matrix(e)
        if e in scope.indices:
            return scope.indices[e]
        if e.is_Symbol:
            return self.symbol(e)
        if e.is_Number or (e.is_number and e.is_extended_real and not _has_series(e)):
            return _number(e)
        if e in (sympy.true, sympy.false):
            return T.constant(bool(e))
        if isinstance(e, sympy.Sum | sympy.Product):
            return self.series(e, scope)
        if isinstance(e, sympy.Piecewise):
            return self.piecewise(e, scope)
        if isinstance(e, sympy.Determinant):
            return T.nlinalg.det(self.matrix(e.arg))
        if isinstance(e, sympy.Trace):
            return T.nlinalg.trace(self.matrix(e.arg))
        if isinstance(e, sympy.matrices.expressions.matexpr.MatrixElement):
            matrix, *places = e.args
            return self.matrix(matrix)[tuple(self.value(place, scope) for place in places)]
        return self.function(e, [self.value(item, scope) for item in _operands(e)])

    def function(self, e: Any, operands: Sequence[Any]) -> Any:
        import sympy

        if e.is_Add:
            return _sum(operands)
        if e.is_Mul:
            return _product(operands)
        if e.is_Pow:
            return _power(e, operands)
        if isinstance(e, sympy.exp):
            return scalar.exp(T.as_tensor_variable(operands[0]))
        if isinstance(e, sympy.betainc_regularized) and e.args[2] == 0:
            a, b, _, x = operands
            return scalar.betainc(a, b, x)
        formula = of_sympy().get(e.func)
        if formula is None:
            message = f"from_sympy: there is no function for {e.func.__name__} in {e}"
            raise NotImplementedError(format_error(message))
        first, *others = operands
        return formula(T.as_tensor_variable(first), *others)

    # -- leaves ----------------------------------------------------------------------------------

    def symbol(self, e: Any) -> Any:
        if e in self.lengths:
            return self.lengths[e]
        if e.name not in self.by_name:
            self.by_name[e.name] = T.lscalar(e.name) if e.is_integer else T.scalar(e.name)
        return self.by_name[e.name]

    def logic(self, e: Any, scope: _Scope) -> Any:
        """Return a boolean; symbols are boolean here."""
        if e.is_Symbol and e not in scope.indices and e.name not in self.by_name:
            self.by_name[e.name] = T.bscalar(e.name).astype("bool")
        return self.value(e, scope)

    # -- parts -----------------------------------------------------------------------------------

    def piecewise(self, e: Any, scope: _Scope) -> Any:
        result: Any = T.constant(np.array(np.nan, "float32"))
        for value, condition in reversed(e.args):
            branch = self.value(value, scope)
            if condition == True:  # noqa: E712 - a truth value of SymPy's
                result = branch
            else:
                test = T.as_tensor_variable(self.logic(condition, scope))
                result = scalar.switch(test, branch, result)
        return result

    def series(self, e: Any, scope: _Scope) -> Any:
        """Return a sum or product, whose indices are ranges along additional axes."""
        import sympy

        limits, depth = list(reversed(e.limits)), scope.depth
        indices = {key: _deeper(item, len(limits)) for key, item in scope.indices.items()}
        total = depth + len(limits)
        for number, (index, first, last) in enumerate(limits):
            so_far = _Scope(indices, total)
            ends = (self.value(first, so_far), self.value(last, so_far))
            if any(getattr(end, "ndim", 0) for end in ends):
                raise NotImplementedError(
                    "from_sympy: bounds of a sum that depend on an index are not supported"
                )
            values = T.arange(ends[0], ends[1] + 1, dtype="int64")
            order = ["x"] * total
            order[depth + number] = 0  # type: ignore[call-overload]
            indices[index] = values.dimshuffle(*order)
        inner = _Scope(indices, total)
        body = T.as_tensor_variable(self.value(e.function, inner))
        for index, _, _ in limits:
            body = scalar.second(indices[index], body) if depth == 0 and body.ndim == 0 else body
            body = _spread(body, indices[index])
        axes = tuple(range(depth, total))
        return T.sum(body, axis=axes) if isinstance(e, sympy.Sum) else T.prod(body, axis=axes)

    # -- matrices --------------------------------------------------------------------------------

    def matrix(self, e: Any) -> Any:
        """Return a matrix; a vector represents a matrix with one column."""
        import sympy

        if isinstance(e, sympy.MatrixSymbol):
            return self.matrix_symbol(e)
        if isinstance(e, sympy.MatrixBase):
            rows = [[T.as_tensor_variable(self.value(x, _Scope())) for x in row]
                    for row in e.tolist()]  # fmt: skip
            return T.stacklists(rows)
        if isinstance(e, sympy.MatAdd):
            return _sum([self.matrix(item) for item in e.args])
        if isinstance(e, sympy.HadamardProduct):
            return _product([self.matrix(item) for item in e.args])
        if isinstance(e, sympy.MatMul):
            numbers, matrices = e.as_coeff_matrices()
            product = _chain([self.matrix(item) for item in matrices])
            return product if numbers == 1 else self.value(numbers, _Scope()) * product
        if isinstance(e, sympy.Transpose):
            return self.matrix(e.arg).T
        if isinstance(e, sympy.Inverse):
            return T.nlinalg.matrix_inverse(self.matrix(e.arg))
        if isinstance(e, sympy.MatPow):
            return T.nlinalg.matrix_power(self.matrix(e.base), int(e.exp))
        if isinstance(e, sympy.Identity):
            return T.eye(self.value(e.shape[0], _Scope()))
        if isinstance(e, sympy.matrices.expressions.special.OneMatrix | sympy.ZeroMatrix):
            make = T.zeros if isinstance(e, sympy.ZeroMatrix) else T.ones
            return make([self.value(length, _Scope()) for length in e.shape])
        if isinstance(e, sympy.FunctionMatrix):
            ranges = [T.arange(self.value(length, _Scope())) for length in e.shape]
            variables = e.lamda.variables
            grid = {variables[0]: ranges[0].dimshuffle(0, "x"),
                    variables[1]: ranges[1].dimshuffle("x", 0)}  # fmt: skip
            body = T.as_tensor_variable(self.value(e.lamda.expr, _Scope(grid, 2)))
            for index in grid.values():
                body = _spread(body, index)
            return body
        if isinstance(e, sympy.matrices.expressions.applyfunc.ElementwiseApplyFunction):
            inner = _Scope({e.function.variables[0]: self.matrix(e.expr)}, 2)
            return self.value(e.function.expr, inner)
        raise NotImplementedError(
            format_error(f"from_sympy: there is no function for {type(e).__name__} in {e}")
        )

    def matrix_symbol(self, e: Any) -> Any:
        rows, columns = e.shape
        if e.name not in self.by_name:
            self.by_name[e.name] = T.vector(e.name) if columns == 1 else T.matrix(e.name)
        variable = self.by_name[e.name]
        matrix = variable.dimshuffle(0, "x") if variable.ndim == 1 else variable
        for length, dim in zip((rows, columns), matrix.shape, strict=False):
            if length.is_Symbol and length not in self.lengths:
                self.lengths[length] = dim
        return matrix


def _matrix_symbols(e: Any) -> set[Any]:
    import sympy

    return set(e.atoms(sympy.MatrixSymbol)) if hasattr(e, "atoms") else set()


def _operands(e: Any) -> list[Any]:
    """Return the arguments of a function; those of ``hyper`` are in two tuples."""
    import sympy

    if isinstance(e, sympy.hyper):
        (a, b), (c,) = e.ap, e.bq
        return [a, b, c, e.argument]
    return list(e.args)


def _number(e: Any) -> Any:
    """Return a Python number; the value of SymPy's exact numbers is a float."""
    return int(e) if e.is_Integer else float(e.evalf(25))


def _has_series(e: Any) -> bool:
    import sympy

    return bool(e.has(sympy.Sum, sympy.Product))


def _sum(items: Sequence[Any]) -> Any:
    total = items[0]
    for item in items[1:]:
        total = total + item
    return total


def _product(items: Sequence[Any]) -> Any:
    """Return a product; inverse factors are divisors."""
    product = items[0]
    for item in items[1:]:
        product = product * item
    return product


def _chain(items: Sequence[Any]) -> Any:
    product = items[0]
    for item in items[1:]:
        product = T.dot(product, item)
    return product


def _power(e: Any, operands: Sequence[Any]) -> Any:
    base, exponent = operands
    if e.exp == -1:
        return 1.0 / base
    if e.exp.is_Rational and e.exp.q == 2 and abs(e.exp.p) == 1:
        root = scalar.sqrt(T.as_tensor_variable(base))
        return root if e.exp.p == 1 else 1 / root
    if e.base == 2 and not isinstance(base, Variable):
        return scalar.exp2(T.as_tensor_variable(exponent))
    if isinstance(exponent, int) and exponent < 0:
        return 1 / base ** (-exponent)
    return base**exponent


def _deeper(index: Any, more: int) -> Any:
    return index.dimshuffle(*range(index.ndim), *["x"] * more)


def _spread(body: Any, index: Any) -> Any:
    """Return a sum's body broadcast along the axis of an index that it may not contain."""
    return body + (index * 0).astype(body.dtype) if body.dtype != "bool" else body
