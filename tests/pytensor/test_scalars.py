"""Scalar ops by value: special values, dtypes, and graphs of scalar ops."""

from __future__ import annotations

import numpy as np
import pytensor
import pytensor.scalar as ps
import pytensor.tensor as pt
import pytest
from pytensor.scalar.loop import ScalarLoop
from pytensor.tensor.elemwise import Elemwise

from symtheano_pytensor import FallbackWarning
from tests.pytensor.comparison import compare

SPECIAL_VALUES = (np.inf, -np.inf, np.nan)
EDGES = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.5, 1e-300, 700.0, -700.0, *SPECIAL_VALUES])
INSIDE = np.array([0.05, 0.3, 0.5, 0.72, 0.99])

UNARY = """abs ceil floor trunc sign neg exp exp2 expm1 log log2 log10 log1p sqr sqrt sin cos tan
arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh erf erfc sigmoid softplus isnan isinf
round reciprocal log1mexp""".split()
SPECIAL = "erfinv erfcinv erfcx gamma gammaln psi tri_gamma i0 i1 j0 j1 logit".split()
BINARY = "add sub mul true_div int_div mod pow maximum minimum arctan2 lt gt le ge eq neq".split()
INTEGERS = """add sub mul int_div mod maximum minimum lt gt le ge eq neq bitwise_and bitwise_or
bitwise_xor""".split()


def test_unary_functions_of_edge_values() -> None:
    x = pt.dvector("x")
    compare([x], [getattr(pt, name)(x) for name in UNARY], [EDGES])


def test_special_functions_and_their_gradients() -> None:
    x = pt.dvector("x")
    values = [getattr(pt, name)(x) for name in SPECIAL if hasattr(pt, name)]
    smooth = [item for item in values if item.owner.op.scalar_op.name != "tri_gamma"]
    gradients = [pytensor.grad(item.sum(), x) for item in smooth]
    compare([x], values + gradients, [INSIDE], rtol=1e-10)


def test_binary_functions_of_all_pairs() -> None:
    x, y = pt.dcol("x"), pt.drow("y")
    outputs = [getattr(pt, name)(x, y) for name in BINARY]
    compare([x, y], outputs, [EDGES[:, None], EDGES[None, :]])


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint8"])
def test_functions_of_integers_wrap_around(dtype: str) -> None:
    info = np.iinfo(dtype)
    values = np.array([0, 1, 2, 7, info.min, info.max, info.max - 1], dtype)
    x = pt.tensor("x", dtype=dtype, shape=(None, 1))
    y = pt.tensor("y", dtype=dtype, shape=(1, None))
    outputs = [getattr(pt, name)(x, y) for name in INTEGERS]
    compare([x, y], outputs, [values[:, None], values[None, 1:4]])


@pytest.mark.parametrize("dtype", ["bool", "int8", "int32", "float32"])
def test_results_have_pytensors_dtypes(dtype: str) -> None:
    x = pt.tensor("x", dtype=dtype, shape=(None,))
    values = np.array([0, 1, 1], dtype)
    outputs = [pt.exp(x), pt.sqrt(x), x + 1, x + np.float32(0.5), x * x, pt.true_div(x, x + 2),
               pt.switch(x, x, 3), pt.cast(x, "int16"), pt.sin(x), pt.abs(x)]  # fmt: skip
    compare([x], outputs, [values])


def test_complex_numbers() -> None:
    z = pt.zvector("z")
    values = np.array([1 + 2j, -0.5j, 3.0])
    outputs = [z * z, pt.real(z), pt.imag(z), pt.abs(z), pt.conj(z), pt.exp(z), pt.sqrt(z)]
    compare([z], outputs, [values])


def test_a_composite_is_its_graph() -> None:
    a, b = ps.float64("a"), ps.float64("b")
    op = Elemwise(ps.Composite([a, b], [ps.exp(a) + b, a * b]))
    x, y = pt.dvector("x"), pt.dvector("y")
    compare([x, y], op(x, y), [np.arange(3.0), np.ones(3)])


def test_a_scalar_loop_ends_for_each_element_by_itself() -> None:
    guess, wanted = ps.float64("guess"), ps.float64("wanted")
    better = (guess + wanted / guess) / 2
    near = ps.lt(ps.abs(better - guess), 1e-9)
    loop = ScalarLoop([guess], [better], [wanted], until=near)
    x = pt.dvector("x")
    roots, done = Elemwise(loop)(50, x, x)
    compare([x], [roots, done], [np.array([1e-4, 2.0, 1e6])])
    few, unfinished = Elemwise(loop)(3, x, x)
    compare([x], [few, unfinished], [np.array([1.0, 2.0, 1e6])])


def test_gradients_of_incomplete_functions_are_loops() -> None:
    a, b, x = pt.dvector("a"), pt.dvector("b"), pt.dvector("x")
    cost = pt.gammainc(a, b).sum() + pt.betainc(a, b, x).sum()
    values = [np.array([0.7, 2.0, 9.0]), np.array([1.5, 0.4, 6.0]), np.array([0.2, 0.5, 0.9])]
    compare([a, b, x], pytensor.grad(cost, [a, b, x]), values, rtol=1e-9)


def test_an_operand_without_influence_gives_the_shape() -> None:
    x, y = pt.dvector("x"), pt.dscalar("y")
    compare([x, y], [pt.second(x, y), pt.ones_like(x) * y], [np.arange(4.0), 2.5])


def test_functions_of_numpys_numbers() -> None:
    x, n = ps.float64("x"), ps.int64("n")
    function = pytensor.function([x, n], [ps.exp(x) * n, n + n], mode="SYMTHEANO")
    product, total = function(1.5, 3)
    assert isinstance(product, np.float64)
    assert isinstance(total, np.int64)
    assert (product, total) == (pytest.approx(3 * np.exp(1.5)), 6)


def test_what_symtheano_lacks_for_a_dtype_falls_back() -> None:
    z = pt.zvector("z")
    values = np.array([0.5 + 0.5j, 2.0])
    with pytest.warns(FallbackWarning, match="not defined for complex"):
        function = pytensor.function([z], pt.erf(z), mode="SYMTHEANO")
    compare([z], pt.erf(z), [values], falls_back=True)
    assert function(values).dtype == np.complex128


def test_bounds_in_the_wrong_order() -> None:
    """The lower bound comes first, as in PyTensor's functions."""
    x, lower, upper = pt.dvectors("x", "lower", "upper")
    values = [np.array([-1.0, 2.0, 7.0, np.nan]), np.full(4, 3.0), np.full(4, 1.0)]
    compare(
        [x, lower, upper], [pt.clip(x, lower, upper), pt.clip(x, 3, 1), pt.clip(x, 0, 5)], values
    )
