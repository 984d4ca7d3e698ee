"""Tests of gradients: grad against finite differences, and Rop against Lop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.config import config
from symtheano.errors import GradientError, format_error
from symtheano.function import function
from symtheano.function.modes import Mode
from symtheano.gradient import Lop, Rop, grad
from symtheano.graph.origin import Origin
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.type import TensorType

Array = np.ndarray[Any, Any]

# Half the step of a central difference, near the cube root of the dtype's precision.
_STEP = {"float16": 1e-1, "float32": 5e-3, "float64": 5e-6}
_TOLERANCE = {"float16": 5e-2, "float32": 1e-3, "float64": 1e-5}
_WIDE = {
    "float16": "float64", "float32": "float64", "float64": "float64",
    "complex64": "complex128", "complex128": "complex128",
}  # fmt: skip


def verify_grad(
    fun: Callable[..., Any],
    pt: Sequence[Any],
    n_tests: int = 2,
    rng: Any = None,
    eps: float | None = None,
    out_type: Any = None,
    abs_tol: float | None = None,
    rel_tol: float | None = None,
    mode: Any = None,
    cast_to_output_type: bool = False,
    no_debug_ref: bool = True,
) -> None:
    """Compare the gradient of a function with finite differences.

    The function ``sum(fun(*pt) * r)`` with random ``r`` is differentiated. Differences are computed
    in double precision, so tolerances for single and half precision can be small.

    Parameters
    ----------
    fun
        A function of one symbolic array per point that returns a symbolic array.
    pt
        The point at which to compare: arrays of float or complex dtype.
    n_tests
        Number of random arrays ``r``.
    rng
        Seed or generator of NumPy's; a fixed seed by default.
    eps
        Half the step of the central differences.
    out_type
        Dtype of ``r``; that of the output by default.
    abs_tol, rel_tol
        Absolute and relative tolerance. Each error must be within one of them. By default chosen by
        dtype.
    mode
        Mode of the compiled functions.
    cast_to_output_type, no_debug_ref
        Accepted for compatibility with Theano; ``r`` always has a suitable dtype.

    Raises
    ------
    GradientError
        If they differ; the message shows the largest difference.
    TypeError
        If a point is discrete.

    Examples
    --------
    >>> verify_grad(lambda x: T.tanh(x) ** 2, [[0.5, -1.0]])
    """
    points = [_continuous(point) for point in pt]
    random = _generator(rng)
    exact = _Projected(fun, points, [point.dtype.name for point in points], out_type, mode)
    names = [_WIDE[point.dtype.name] for point in points]
    wide = exact if names == exact.names else _Projected(fun, points, names, out_type, mode)
    step = eps or _STEP[dtypes.real_of(wide.dtype)]
    tolerance = max(_TOLERANCE[dtypes.real_of(name)] for name in (exact.dtype, *exact.names))
    limits = [tolerance if limit is None else limit for limit in (abs_tol, rel_tol)]
    shape = exact.shape(points)
    for _ in range(n_tests):
        projection = random.uniform(0.5, 1.5, shape)
        if dtypes.is_complex(exact.dtype):
            projection = projection + 1j * random.uniform(0.5, 1.5, shape)
        gradients = exact.gradients(points, projection)
        for position, gradient in enumerate(gradients):
            expected = central_differences(
                lambda *values, weights=projection: wide.cost(values, weights),
                points,
                wide.names,
                position,
                step,
            )
            _compare(position, gradient, expected, limits, exact.origin)


class numeric_grad:
    """The gradient of a Python function of arrays, from central differences.

    Parameters
    ----------
    f
        A function of the arrays in ``pt`` that returns a number.
    pt
        A real or complex array, or a list of them.
    eps
        Half the step; by default chosen by the least precise dtype.
    out_type
        Dtype of the result of ``f``, if it is less precise than those of ``pt``.

    Attributes
    ----------
    gf
        The gradient: an array for an array, a list for a list.

    Examples
    --------
    >>> found = numeric_grad(lambda x: (x**2).sum(), np.array([1.0, 2.0]))
    >>> np.round(found.gf, 6)
    array([2., 4.])
    """

    def __init__(
        self, f: Callable[..., Any], pt: Any, eps: float | None = None, out_type: Any = None
    ) -> None:
        several = isinstance(pt, list | tuple)
        points = [_continuous(point) for point in (pt if several else [pt])]
        names = [point.dtype.name for point in points]
        kinds = [dtypes.real_of(name) for name in (*names, *([out_type] if out_type else []))]
        step = eps or max(_STEP[kind] for kind in kinds)
        gradients = [
            central_differences(f, points, names, position, step) for position in range(len(points))
        ]
        self.gf: Any = gradients if several else gradients[0]

    @staticmethod
    def abs_rel_err(a: Any, b: Any) -> tuple[Array, Array]:
        """Return absolute and relative errors, element by element."""
        error = np.abs(np.asarray(a) - b)
        return error, error / np.maximum(np.abs(a) + np.abs(b), 1e-8)

    def abs_rel_errors(self, g_pt: Any) -> list[tuple[Array, Array]]:
        """Return the absolute and relative errors of a gradient, for each argument."""
        mine = self.gf if isinstance(self.gf, list) else [self.gf]
        listed = list(g_pt) if isinstance(g_pt, list | tuple) else [g_pt]
        if len(mine) != len(listed):
            raise ValueError(f"numeric_grad: {len(listed)} gradients for {len(mine)} arguments")
        pairs = []
        for position, (a, b) in enumerate(zip(listed, mine, strict=True)):
            if np.shape(a) != b.shape:
                raise ValueError(
                    f"numeric_grad: the gradient of argument {position} has shape {np.shape(a)}, "
                    f"but the argument has shape {b.shape}"
                )
            pairs.append(self.abs_rel_err(a, b))
        return pairs

    def max_err(self, g_pt: Any, abs_tol: float, rel_tol: float) -> tuple[int, int, float, float]:
        """Return the position of the largest error: argument, flat index, both errors.

        The error at a position is the smaller one of the two errors, each relative to its
        tolerance.
        """
        worst = (0, 0, 0.0, 0.0)
        largest = -1.0
        for position, (absolute, relative) in enumerate(self.abs_rel_errors(g_pt)):
            if absolute.size == 0:
                continue
            excess = np.minimum(absolute / abs_tol, relative / rel_tol)
            excess = np.where(np.isnan(excess), np.inf, excess)
            at = int(np.argmax(excess))
            if excess.flat[at] > largest:
                largest = float(excess.flat[at])
                worst = (position, at, float(absolute.flat[at]), float(relative.flat[at]))
        return worst


def verify_rop(
    fun: Callable[..., Any],
    pt: Sequence[Any],
    rng: Any = None,
    tolerance: float = 1e-9,
    mode: Any = None,
) -> None:
    """Compare Rop with Lop: ``v @ (J @ u)`` with ``(v @ J) @ u`` for random ``u`` and ``v``.

    Parameters
    ----------
    fun
        A function of one symbolic array per point that returns a symbolic array.
    pt
        The point at which to compare: real arrays.
    rng
        Seed or generator of NumPy's; a fixed seed by default.
    tolerance
        Relative tolerance.
    mode
        Mode of the compiled function.

    Raises
    ------
    GradientError
        If they differ.

    Examples
    --------
    >>> verify_rop(lambda x: T.tanh(x) ** 2, [[0.5, -1.0]])
    """
    points = [_continuous(point) for point in pt]
    random = _generator(rng)
    inputs = _inputs(points, [point.dtype.name for point in points])
    directions = [item.type.make_variable() for item in inputs]
    output = as_tensor_variable(fun(*inputs))
    weight = output.type.make_variable()
    forward = (Rop(output, inputs, directions) * weight).sum()
    backward = Lop(output, inputs, weight, disconnected_inputs="ignore")
    dual: Any = sum((g * u).sum() for g, u in zip(backward, directions, strict=True))
    every = [*inputs, *directions, weight]
    f = function(every, [output, forward, dual], mode=mode, on_unused_input="ignore")
    drawn = [random.uniform(-1, 1, point.shape) for point in points]
    shape = function(inputs, output, mode=mode, on_unused_input="ignore")(*points).shape
    drawn.append(random.uniform(-1, 1, shape))
    kinds = [item.dtype for item in every[len(points) :]]
    typed = [np.asarray(item, kind) for item, kind in zip(drawn, kinds, strict=True)]
    _, one, other = f(*points, *typed)
    if not abs(one - other) <= tolerance * max(1.0, abs(float(other))):
        raise GradientError(
            format_error(
                "verify_rop: forward and backward derivatives differ",
                operands=[("v @ Rop(u)", str(one)), ("Lop(v) @ u", str(other))],
                places=[output.origin],
                hint="check R_op and grad of the ops in the expression",
            )
        )


def _generator(rng: Any) -> Any:
    return rng if hasattr(rng, "uniform") else np.random.default_rng(0 if rng is None else rng)


def _continuous(point: Any) -> Array:
    array = np.asarray(point)
    if array.dtype.name not in _WIDE:
        raise TypeError(f"verify_grad: points must be float or complex, got {array.dtype}")
    return array


def _inputs(points: Sequence[Array], names: Sequence[str]) -> list[Any]:
    return [
        TensorType(name, [1 if n == 1 else None for n in point.shape]).make_variable(f"x{k}")
        for k, (name, point) in enumerate(zip(names, points, strict=True))
    ]


_ONCE = Mode("interpret", "none")


class _Projected:
    """The function's output, its product with an array of weights, and that product's gradients."""

    def __init__(
        self,
        fun: Callable[..., Any],
        points: Sequence[Array],
        names: Sequence[str],
        out_type: Any,
        mode: Any,
    ) -> None:
        self.names = names
        inputs = _inputs(points, names)
        output = as_tensor_variable(fun(*inputs))
        self.origin = output.origin
        self.dtype = str(output.dtype)
        if config.theano_semantics and dtypes.is_discrete(self.dtype):
            output = output.astype("floatX")  # its gradients are zero
            self.dtype = str(output.dtype)
        if self.dtype not in _WIDE:
            raise TypeError(f"verify_grad: the output is {self.dtype}, which has no gradient")
        kind = dtypes.canonical(out_type) if out_type is not None else self.dtype
        self.weight_dtype = kind
        weights = output.type.clone(dtype=kind).make_variable("weights")
        product = scalar.conj(weights) * output
        cost = (scalar.real(product) if dtypes.is_complex(product.dtype) else product).sum()
        options: dict[str, Any] = {"mode": mode, "on_unused_input": "ignore"}
        self._inputs, self._output, self._weights, self._product = inputs, output, weights, cost
        self._options = options
        self._compiled: Any = None

    def shape(self, values: Sequence[Array]) -> tuple[int, ...]:
        """Return the shape of the output. It is computed once, for which nothing is compiled."""
        once = function(self._inputs, self._output, mode=_ONCE, on_unused_input="ignore")
        return np.shape(once(*values))

    def _arguments(self, values: Sequence[Array], weights: Array) -> list[Array]:
        typed = [value.astype(name) for value, name in zip(values, self.names, strict=True)]
        return [*typed, weights.astype(self.weight_dtype)]

    def cost(self, values: Sequence[Array], weights: Array) -> float:
        """Return the number that is differentiated."""
        return float(self._run(values, weights, ())[0])

    def gradients(self, values: Sequence[Array], weights: Array) -> list[Array]:
        """Return its gradients."""
        return self._run(values, weights, self._inputs)[1:]

    def _run(self, values: Sequence[Array], weights: Array, wrt: Sequence[Any]) -> list[Array]:
        """Return the number, and its gradients if they were among the results of the first call."""
        if self._compiled is None:
            grads = grad(self._product, wrt, disconnected_inputs="ignore") if wrt else []
            results = [self._product, *grads]
            self._compiled = function([*self._inputs, self._weights], results, **self._options)
        return list(self._compiled(*self._arguments(values, weights)))


def central_differences(
    f: Callable[..., Any], points: Sequence[Array], names: Sequence[str], position: int, step: float
) -> Array:
    """Return the gradient of a number with respect to one of several arrays.

    Parameters
    ----------
    f
        A function of the arrays that returns a number.
    points, names
        The arrays, and the dtypes in which ``f`` gets them.
    position
        Index of the array that is varied.
    step
        Step size in both directions.
    """
    moved = [np.array(point, name) for point, name in zip(points, names, strict=True)]
    target = moved[position]
    result = np.zeros_like(target)
    for index in np.ndindex(*target.shape):
        for direction in (1, 1j) if target.dtype.kind == "c" else (1,):
            center = target[index]
            ends = []
            for side in (step, -step):
                target[index] = center + side * direction
                ends.append(float(f(*moved)))
            target[index] = center
            result[index] += direction * (ends[0] - ends[1]) / (2 * step)
    return result


def _compare(
    position: int, computed: Array, expected: Array, limits: Sequence[float], origin: Origin | None
) -> None:
    error = np.abs(computed - expected)
    relative = error / np.maximum(np.abs(computed) + np.abs(expected), 1e-8)
    wrong = ~((error <= limits[0]) | (relative <= limits[1]))
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[np.argmax(error[wrong])])
        raise GradientError(
            format_error(
                f"verify_grad: the gradient with respect to argument {position} is wrong at "
                f"{int(wrong.sum())} of {wrong.size} places",
                operands=[
                    (f"gradient at {at}", f"{computed[at]:.9g}"),
                    ("finite differences", f"{expected[at]:.9g}"),
                    ("allowed", f"{limits[0]:g} absolute or {limits[1]:g} relative"),
                ],
                places=[origin],
                hint="check the grad methods of its ops, or use points where it is smooth",
            )
        )
