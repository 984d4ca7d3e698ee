"""NumPy's own functions, called with symbolic arrays: the same values, or a clear error."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.special

import symtheano.tensor as T
from symtheano import function, shared, sparse
from symtheano.graph.variable import Variable
from symtheano.tensor import numpy_calls

GIVEN: dict[str, Any] = {
    "x": np.array([1.5, -0.0, np.nan, 2.0]),
    "y": np.array([2.0, 3.0, 0.5, -1.0]),
    "p": np.array([0.1, 0.5, 0.9, 0.3]),
    "m": np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.0], [0.5, 0.0, 2.0]]),
    "z": np.array([1 + 2j, -1j, 3.0, 0.0]),
    "i": np.array([3, 0, 2, 2]),
    "b": np.array([True, False, True, True]),
}
CONSTANT = np.array([0.5, 1.5, 2.5, 3.5])

UNARY = """
    absolute arcsinh arctan cbrt ceil cos cosh deg2rad degrees exp exp2 expm1 fabs floor isfinite
    isinf isnan negative positive rad2deg radians rint sign signbit sin sinh square tan tanh trunc
""".split()
OF_PARTS = "arccos arcsin arctanh log log10 log1p log2 reciprocal sqrt".split()
BINARY = """
    add arctan2 copysign divide float_power floor_divide fmax fmin fmod greater greater_equal
    heaviside hypot less less_equal logaddexp logaddexp2 logical_and logical_or logical_xor maximum
    minimum multiply nextafter remainder subtract
""".split()
OF_INTEGERS = "bitwise_and bitwise_or bitwise_xor gcd lcm left_shift right_shift".split()
SPECIAL = "erf erfc erfcx erfinv expit gamma gammaln psi i0 i1 j0 j1".split()

CALLS = [
    *(f"np.{name}(x)" for name in UNARY),
    *(f"np.{name}(p)" for name in OF_PARTS),
    *(f"np.{name}(x, CONSTANT)" for name in BINARY),
    *(f"np.{name}(CONSTANT, x)" for name in BINARY),
    *(f"np.{name}(i, np.int64(2))" for name in OF_INTEGERS),
    *(f"special.{name}(p)" for name in SPECIAL),
    *(f"CONSTANT {op} x" for op in "+ - * / // % < <= > >=".split()),
    *(f"np.float64(2) {op} x" for op in "+ - * / // % ** < <= > >=".split()),
    "special.gammainc(CONSTANT, p)", "special.iv(1.0, p)", "np.invert(i)", "np.conjugate(z)",
    "np.logical_not(b)", "np.power(CONSTANT, x)", "np.divmod(y, 2.0)[1]", "np.ldexp(y, 3)",
    "CONSTANT @ y", "np.matmul(m, m)", "np.bitwise_count(i)", "np.spacing(y)",
    # functions
    "np.where(x > 0, 1.0, 2.0)", "np.where(b, x, CONSTANT)", "np.where(b)[0]", "np.sum(y)",
    "np.sum(m, 0)", "np.sum(m, axis=1, keepdims=True)", "np.sum(i, dtype='int32')",
    "np.sum(m, None, None)", "np.prod(y)", "np.mean(m, axis=(0, 1))", "np.std(m, 0, ddof=1)",
    "np.var(m)", "np.max(y)", "np.min(m, 1)", "np.amax(y)", "np.ptp(y)", "np.any(b)", "np.all(b)",
    "np.argmax(y)", "np.argmin(m, axis=1)", "np.nansum(x)", "np.nanmax(x)", "np.median(y)",
    "np.percentile(y, 30)", "np.average(y, weights=p)", "np.cumsum(y)", "np.cumprod(m, axis=0)",
    "np.diff(y)", "np.clip(y, 0.0, 2.0)", "np.clip(y, None, 2.0)",
    "np.clip(y, a_min=1.0, a_max=2.0)",
    "np.round(y)", "np.around(y)", "np.isclose(y, CONSTANT)", "np.allclose(y, y)",
    "np.array_equal(y, y)", "np.dot(CONSTANT, y)", "np.dot(np.ones((2, 4)), y)", "np.dot(m, m)",
    "np.inner(y, CONSTANT)", "np.outer(y, p)", "np.vdot(y, p)", "np.kron(y, p)",
    "np.tensordot(m, m, axes=1)", "np.einsum('ij,jk->ik', m, m)", "np.trace(m)", "np.diag(m)",
    "np.diagonal(m, 1)", "np.tril(m)", "np.triu(m, 1)", "np.transpose(m)",
    "np.transpose(m, (1, 0))",
    "np.swapaxes(m, 0, 1)", "np.moveaxis(m, 0, 1)", "np.reshape(m, (9,))", "np.reshape(m, -1)",
    "np.ravel(m)", "np.squeeze(m[None], 0)", "np.expand_dims(y, 0)", "np.flip(m, 0)",
    "np.roll(y, 1)", "np.rot90(m)", "np.tile(y, 2)", "np.repeat(y, 2)", "np.concatenate([y, p])",
    "np.concatenate((m, m), axis=1)", "np.stack([CONSTANT, y])", "np.stack((y, p), axis=1)",
    "np.hstack([y, p])", "np.vstack([y, p])", "np.column_stack([y, p])", "np.append(y, 1.0)",
    "np.atleast_2d(y)", "np.take(y, i)", "np.take_along_axis(y, i, 0)",
    "np.searchsorted(CONSTANT, y)",
    "np.sort(y)", "np.sort(m, axis=0)", "np.argsort(y)", "np.bincount(i)", "np.unique(i)",
    "np.nonzero(b)[0]", "np.flatnonzero(b)", "np.zeros_like(m)", "np.ones_like(y, dtype='int32')",
    "np.full_like(y, 3.0)", "np.pad(y, 1)", "np.interp(p, CONSTANT, y)", "np.real(z)", "np.imag(z)",
    "np.angle(z)", "np.size(m)", "np.shape(m)", "np.copy(y)", "np.nan_to_num(x)", "np.isin(i, [2])",
    "np.select([b], [y], 0.0)", "np.broadcast_to(y, (2, 4))", "np.count_nonzero(i)",
    "np.linspace(y[0], y[1], 5)", "np.linalg.det(m)", "np.linalg.inv(m)", "np.linalg.norm(m)",
    "np.linalg.norm(y, 1)", "np.linalg.norm(m, 'nuc')", "np.linalg.cholesky(m)",
    "np.linalg.solve(m, m[0])", "np.linalg.slogdet(m)[1]", "np.linalg.eigh(m)[0]",
    "np.linalg.matrix_power(m, 3)", "np.linalg.svd(m)[1]", "np.linalg.pinv(m)", "np.fft.fft(y)",
    "np.fft.ifft(y)", "np.fft.fftshift(y)",
]  # fmt: skip


def values_of(calls: list[str], given: dict[str, Any]) -> list[Any]:
    """Return what Python makes of each call."""
    names = {"np": np, "special": scipy.special, "CONSTANT": CONSTANT, **given}
    with np.errstate(all="ignore"):
        return [eval(call, names) for call in calls]


@pytest.fixture(scope="module")
def both() -> dict[str, tuple[Any, Any]]:
    """What NumPy computes, and what our function of the same name does."""
    variables = {name: T.constant(value).type(name) for name, value in GIVEN.items()}
    made = values_of(CALLS, variables)
    assert [
        call for call, item in zip(CALLS, made, strict=True) if not isinstance(item, Variable)
    ] == []
    f = function(list(variables.values()), made, mode="INTERPRET")
    wanted = values_of(CALLS, GIVEN)
    return dict(zip(CALLS, zip(f(*GIVEN.values()), wanted, strict=True), strict=True))


@pytest.mark.parametrize("call", CALLS)
def test_the_same_as_numpy(call: str, both: dict[str, tuple[Any, Any]]) -> None:
    ours, numpys = both[call]
    np.testing.assert_allclose(ours, numpys, rtol=1e-12, atol=1e-14)
    assert np.shape(ours) == np.shape(numpys)


def test_every_function_of_the_table_is_numpys_and_ours() -> None:
    for name in [*numpy_calls._MODULE_OF, *numpy_calls._OTHERS, *numpy_calls._ARGUMENTS]:
        function: Any = np
        for part in name.split(".")[1:]:
            function = getattr(function, part)
        assert callable(function), name
        assert name in numpy_calls._ARGUMENTS or callable(numpy_calls._counterpart(name))


def test_questions_about_a_variable() -> None:
    m, z = T.dmatrix("m"), T.zvector("z")
    assert np.ndim(m) == 2
    assert np.iscomplexobj(z)
    assert np.isrealobj(m)
    assert np.astype(m, "float32").dtype == "float32"  # type: ignore[arg-type]


def test_sums_and_products_of_lengths() -> None:
    """NumPy reduces lists and tuples as arrays of objects."""
    x, n = T.dmatrix("x"), T.lscalar("n")
    made = [
        np.prod((x.shape[0], 3)), np.prod(x.shape), np.prod([n, x.shape[1], n]), np.sum((n, 2.5)),
        np.sum([x.shape[0], x.shape[1]]), np.prod((n,)),
    ]  # fmt: skip
    found = function([x, n], made, mode="INTERPRET")(np.ones((2, 5)), 4)
    assert found == [6, 10, 80, 6.5, 7, 4]
    with pytest.raises(TypeError, match=r"bool\(\): the truth value"):
        np.max((n, 3))  # compares them
    for wrong in (lambda: np.prod([x, x]), lambda: np.array([n, 3]), lambda: np.all((n, 3))):
        with pytest.raises(TypeError, match="can't become a NumPy array"):
            wrong()


def test_variables_are_not_callable() -> None:
    """Programs tell initializers from variables by it."""
    for variable in (T.dmatrix("x"), T.dscalar("s") * 2, shared(1.0), T.constant(2)):
        assert not callable(variable)


REFUSED = {
    "np.asarray(x)": "can't become a NumPy array",
    "np.array([x, x])": r"stack\(\[x, y\]\)",
    "np.array(x, dtype=float)": "can't become a NumPy array",
    "np.array([x], dtype=object)": "can't become a NumPy array",
    "CONSTANT[i]": "can't become a NumPy array",
    "np.asarray(S)": "can't become a NumPy array",
    "np.add(CONSTANT, x, out=CONSTANT.copy())": "np.add: a symbolic result can't be stored",
    "CONSTANT.copy().__iadd__(x)": "write a = a [+] x",
    "np.add(CONSTANT, x, where=b)": "np.add does not take where= with symbolic",
    "np.exp(x, dtype='float32')": "np.exp does not take dtype= with symbolic",
    "np.add.reduce(x)": "np.add.reduce does not .*\n.*\n(.*\n)*.*tensor.sum",
    "np.multiply.outer(x, x)": "np.multiply.outer does not",
    "np.equal(CONSTANT, x)": r"symtheano.tensor.eq\(x, y\)",
    "CONSTANT == x": r"symtheano.tensor.eq\(x, y\)",
    "CONSTANT != x": r"symtheano.tensor.neq\(x, y\)",
    "np.modf(x)": "np.modf has no symbolic form",
    "np.sum(x, out=CONSTANT)": "np.sum does not take out=",
    "np.sum(x, where=[True] * 4)": "np.sum does not take where=",
    "np.concatenate([x, x], dtype='float32')": "np.concatenate does not take dtype=",
    "np.histogram(x)": "np.histogram has no symbolic form",
    "np.linalg.eigvalsh(m)": "np.linalg.eigvalsh has no symbolic form",
    "np.copyto(CONSTANT, x)": "np.copyto has no symbolic form",
    "np.exp(S)": "does not support ufuncs",
    "np.sum(S)": "np.sum does not take sparse matrices",
}


@pytest.mark.parametrize("call", REFUSED)
def test_what_has_no_meaning_is_refused(call: str) -> None:
    given = {name: T.constant(value).type(name) for name, value in GIVEN.items()}
    given["S"] = sparse.csr_matrix("S")
    with pytest.raises(TypeError, match=REFUSED[call]):
        values_of([call], given)


def test_an_array_of_objects_can_hold_variables() -> None:
    x = T.dvector("x")
    box = np.empty(2, dtype=object)
    box[0] = x
    assert box[0] is x
