"""Gradients with respect to integers: floats, zero only where an operation's result is discrete."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano import Op, Rop, dtypes, function, grad
from symtheano.graph.variable import Apply
from symtheano.scalar.table import TABLE
from symtheano.tensor.elemwise import elemwise

REAL = np.random.default_rng(0).uniform(1, 2, (3, 3))
WHOLE = np.array([[5, 1, 2], [3, 6, 1], [2, 4, 7]])

# What leads to floats from integers directly, and so has the gradient of floats.
SMOOTH: dict[str, Callable[[Any, Any], Any]] = {
    "product": lambda x, n: x * n,
    "quotient": lambda x, n: n / x,
    "divisor": lambda x, n: x / n,
    "exponent": lambda x, n: x**n,
    "cast": lambda x, n: T.cast(n, "float64") ** 2,
    "mean": lambda x, n: n.mean(),
    "sum as float": lambda x, n: T.sum(n, dtype="float64", axis=0),
    "product as float": lambda x, n: T.prod(n, dtype="float64", axis=1),
    "dot": T.dot,
    "dot from the left": lambda x, n: T.dot(n, x),
    "join": lambda x, n: T.concatenate([n, x]),
    "set": lambda x, n: T.set_subtensor(x[:], n),
    "increment": lambda x, n: T.inc_subtensor(x[[2, 1, 1]], n),
    "switch": lambda x, n: T.switch(x > 1.5, x, n),
    "maximum": lambda x, n: T.maximum(x + 2, n),
    "inverse": lambda x, n: T.nlinalg.matrix_inverse(n),
    "determinant": lambda x, n: T.nlinalg.det(n),
    "root": lambda x, n: T.sqrt(n),
    "OpFromGraph": lambda x, n: symtheano.OpFromGraph([x, n], [x * n])(x, n),
}
# What makes integers of integers first.
DISCRETE: dict[str, Callable[[Any, Any], Any]] = {
    "transposed": lambda x, n: x * n.T,
    "part": lambda x, n: x * n[::-1],
    "sum": lambda x, n: x * n.sum(),
    "maximum": lambda x, n: x * n.max(),
    "square": lambda x, n: x * n**2,
    "cast and back": lambda x, n: x * T.cast(T.cast(n, "float64") * 2, "int64"),
    "comparison": lambda x, n: x * T.lt(n, 3),
    "condition": lambda x, n: T.switch(n, x, 2 * x),
}


def _gradient(expression: Any, x: Any, n: Any, value: np.ndarray[Any, Any]) -> Any:
    weights = T.arange(1.0, 1 + expression.size).reshape(expression.shape)
    found = grad((weights * expression).sum(), n)
    assert dtypes.is_float(found.dtype)
    f = function([x, n], found, mode="INTERPRET", on_unused_input="ignore")
    return f(REAL, value)


@pytest.mark.parametrize("dtype", ["int64", "uint8"])
@pytest.mark.parametrize("form", SMOOTH)
def test_the_gradient_of_integers_is_that_of_floats(form: str, dtype: str) -> None:
    x, n, f = T.dmatrix("x"), T.matrix("n", dtype=dtype), T.dmatrix("f")
    found = _gradient(SMOOTH[form](x, n), x, n, WHOLE.astype(dtype))
    wanted = _gradient(SMOOTH[form](x, f), x, f, WHOLE.astype("float64"))
    assert np.abs(wanted).sum() > 0
    np.testing.assert_allclose(found, wanted, rtol=2e-5)


@pytest.mark.parametrize("form", DISCRETE)
def test_nothing_flows_through_a_discrete_result(form: str) -> None:
    x, n = T.dmatrix("x"), T.lmatrix("n")
    found = _gradient(DISCRETE[form](x, n), x, n, WHOLE)
    assert not found.any()
    np.testing.assert_array_equal(found.shape, WHOLE.shape)


def _operands(row: Any, position: int) -> tuple[list[str], list[Any]]:
    """Return dtypes and values of operands, those at a position whole."""
    domain = row.domain if isinstance(row.domain[0], tuple) else (row.domain,) * row.nin
    random = np.random.default_rng(1)
    values = [random.uniform(max(low, -5), min(high, 5), 4) for low, high in domain]
    low, high = domain[position]
    values[position] = np.clip([1, 2, 3, 4], np.ceil(low), np.floor(high)).astype("int64")
    names = ["float64"] * row.nin
    names[position] = "int64"
    return names, values


CASES = [(name, k) for name, row in TABLE.items() for k in range(row.nin)]


@pytest.mark.parametrize(("name", "position"), CASES)
def test_every_row_has_the_gradient_of_floats(name: str, position: int) -> None:
    row = TABLE[name]
    names, values = _operands(row, position)
    found = []
    for dtype in ("int64", "float64"):
        names[position] = dtype
        try:
            result = row.signature(tuple(names)).result
        except TypeError:
            return  # not defined for integers there, or (shifts, ldexp) for nothing else
        if dtypes.is_discrete(result):
            return
        operands = [T.vector(dtype=item) for item in names]
        y = elemwise(row)(*operands)
        y = y.real + 2 * y.imag if dtypes.is_complex(y.dtype) else y
        slope = grad(y.sum(), operands[position], null_gradients="return")
        if not hasattr(slope, "dtype"):
            found.append("undefined")
            continue
        values[position] = values[position].astype(dtype)
        f = function(operands, slope, mode="INTERPRET", on_unused_input="ignore")
        found.append(f(*values))
    if isinstance(found[0], str) or isinstance(found[1], str):
        assert found[0] == found[1]
    else:
        np.testing.assert_allclose(found[0], found[1], rtol=1e-9)


def test_in_c_and_with_updates() -> None:
    x, n = T.dvector("x"), T.lvector("n")
    f = function([x, n], grad((x * n).sum(), n))
    assert f([1.5, 2.5], [3, 4]).tolist() == [1.5, 2.5]
    steps = symtheano.shared(np.array([1, 2]), "steps")
    slope = grad((x * steps).sum(), steps)
    g = function([x], slope, updates={steps: T.cast(steps + slope, "int64")})
    assert g([1.5, 3.0]).tolist() == [1.5, 3.0]
    assert steps.get_value().tolist() == [2, 5]


def test_narrow_floats_stay_narrow() -> None:
    x, n = T.fvector("x"), T.bvector("n")
    assert grad((x * n).sum(), n).dtype == "float32"
    assert grad(T.cast(n, "float32").sum(), n).dtype == "float32"
    assert grad(T.exp(n).sum(), n).dtype == "float32"


def test_complex_results_have_real_gradients_for_integers() -> None:
    z, n = T.zvector("z"), T.lvector("n")
    found = grad(T.imag(z * n).sum() + T.real(z * n).sum() * 2, n)
    assert found.dtype == "float64"
    value = np.array([1 + 2j, 3 - 1j])
    assert function([z, n], found, on_unused_input="ignore")(value, [1, 2]).tolist() == [4.0, 5.0]


def test_forward_derivatives_agree() -> None:
    x, n, v = T.dvector("x"), T.lvector("n"), T.dvector("v")
    along = Rop(T.exp(x * n), n, v)
    value = function([x, n, v], along, mode="INTERPRET")([0.5, 0.25], [1, 2], [1.0, 10.0])
    np.testing.assert_allclose(value, [0.5 * np.exp(0.5), 2.5 * np.exp(0.5)])
    zero = Rop(x * n.sum(), n, v)  # as grad is
    np.testing.assert_array_equal(zero.eval({x: [0.5, 0.25], n: [1, 2]}), [0, 0])
    with pytest.raises(symtheano.gradient.DisconnectedInputError):
        Rop(n.sum(), n, v)


def test_steering_goes_on_working() -> None:
    x, n = T.dscalar("x"), T.lscalar("n")
    y = x * n
    with pytest.raises(symtheano.gradient.DisconnectedInputError):
        grad(y, n, consider_constant=[y])
    assert float(grad(symtheano.gradient.zero_grad(y) + n, n).eval()) == 1.0
    with pytest.raises(symtheano.gradient.DisconnectedInputError):
        grad(x**2, n)
    assert grad(x**2, n, disconnected_inputs="ignore").dtype == "float64"
    known = grad(None, n, known_grads={y: T.constant(2)})
    assert float(known.eval({x: 2.0})) == 4.0


class Doubled(Op):
    """A user's op that returns integer zeros, or floats, for its integer input."""

    def __init__(self, zero: bool) -> None:
        self.zero = zero

    def make_node(self, *inputs: Any) -> Apply:
        """Take an integer, return a float."""
        return Apply(self, [T.as_tensor_variable(inputs[0])], [T.dscalar()])

    def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
        """Double."""
        output_storage[0][0] = np.asarray(inputs[0] * 2.0)

    def grad(self, inputs: list[Any], output_grads: list[Any]) -> Any:
        """Return what Theano's ops may."""
        return [inputs[0].zeros_like() if self.zero else output_grads[0] * 2]


@pytest.mark.parametrize(("zero", "slope"), [(True, 0.0), (False, 6.0)])
def test_users_ops_decide_for_themselves(zero: bool, slope: float) -> None:
    n = T.lscalar("n")
    found = grad(Doubled(zero)(n) * 3.0, n)
    assert found.dtype == "float64"
    assert float(found.eval()) == slope
