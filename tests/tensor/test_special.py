"""``T.special``: SciPy's functions, by value and with their gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.special

import symtheano.tensor as T
from symtheano import function
from symtheano.function.verify import verify_grad
from symtheano.tensor import special

INFINITE = [np.inf, -np.inf, np.nan]
X = np.array([0.25, 0.5, 0.75, 1.0, 2.5, 7.0])
EDGES = np.array([0.0, -0.0, 1.0, -1.0, 2.0, 150.0, -150.0, *INFINITE])
UNARY = """cbrt digamma entr erf erfc erfcinv erfcx erfinv exp2 expit expm1 factorial gamma gammaln
    i0 i0e i1 i1e j0 j1 log1p log_expit log_ndtr logit ndtr ndtri psi round""".split()
BINARY = """beta betaln binom gammainc gammaincc iv ive jv kl_div kv kve owens_t poch rel_entr
    xlog1py xlogy zeta""".split()
TERNARY = "betainc betaincc".split()


def of_scipy(name: str, *arrays: Any) -> Any:
    with np.errstate(all="ignore"):
        return getattr(scipy.special, name)(*arrays)


def value(name: str, *arrays: Any) -> Any:
    variables = [
        T.TensorType(a.dtype.name, tuple(1 if n == 1 else None for n in a.shape))() for a in arrays
    ]
    return function(variables, getattr(T.special, name)(*variables), mode="INTERPRET")(*arrays)


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("x", [X, X[::-2], X[:0], X[:1], EDGES], ids=str)
def test_functions_of_one_array(name: str, x: Any) -> None:
    np.testing.assert_allclose(value(name, x), of_scipy(name, x), rtol=1e-11, atol=1e-300)


@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_arrays(name: str) -> None:
    column = np.array([[0.5], [1.0], [3.0]])
    np.testing.assert_allclose(value(name, column, X), of_scipy(name, column, X), rtol=1e-9)
    assert value(name, column, X[:0].reshape(1, 0)).shape == (3, 0)


@pytest.mark.parametrize("name", TERNARY)
def test_functions_of_three_arrays(name: str) -> None:
    a, b, x = np.array([[0.5], [2.0]]), np.array(1.5), np.array([0.0, 0.25, 1.0])
    np.testing.assert_allclose(value(name, a, b, x), of_scipy(name, a, b, x), rtol=1e-9)


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "logsumexp"])
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1)])
def test_functions_along_axes(name: str, axis: Any) -> None:
    x = np.array([[0.0, 1000.0, -3.0], [1.0, 2.0, 4.0]])
    f = getattr(special, name)
    v = T.dmatrix()
    got = function([v], f(v, axis), mode="INTERPRET")(x)
    np.testing.assert_allclose(got, getattr(scipy.special, name)(x, axis=axis), rtol=1e-12)
    verify_grad(lambda v: f(v, axis), [x / 100], n_tests=1, mode="INTERPRET")


@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("keepdims", [False, True])
def test_a_sum_of_exponentials_with_factors(axis: Any, keepdims: bool) -> None:
    x = np.array([[0.0, 1000.0, 5.0], [1.0, -np.inf, 4.0]])
    b = np.array([1.0, 2.0, 0.0])
    v = T.dmatrix()
    got = function([v], special.logsumexp(v, axis, b, keepdims), mode="INTERPRET")(x)
    with np.errstate(all="ignore"):
        want = scipy.special.logsumexp(x, axis, b, keepdims)
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=1e-12)
    finite = np.array([[0.5, 1.0], [2.0, -1.0]])
    verify_grad(
        lambda v: special.logsumexp(v, axis, b[:2], keepdims), [finite], n_tests=1,
        mode="INTERPRET",
    )  # fmt: skip


@pytest.mark.parametrize("name", ["factorial", "log_expit"])
def test_gradients_are_those_of_differences(name: str) -> None:
    verify_grad(getattr(special, name), [X], n_tests=1, mode="INTERPRET")


def test_riemanns_zeta_function_right_of_one() -> None:
    x = np.array([1.0, 1.5, 2.0, 150.0, np.inf])
    np.testing.assert_allclose(value("zeta", x), scipy.special.zeta(x), rtol=1e-11)
    assert np.isnan(value("zeta", np.array([0.5, -1.0, np.nan]))).all()


@pytest.mark.needs_cc
def test_compiled_values() -> None:
    x = T.dvector()
    outputs = [
        special.factorial(x), special.softmax(x), special.log_softmax(x),
        special.logsumexp(x, b=np.arange(6.0)), special.poch(x, 2.0), T.special.erf(x),
    ]  # fmt: skip
    for got, want in zip(
        function([x], outputs)(X), function([x], outputs, mode="INTERPRET")(X), strict=True
    ):
        np.testing.assert_allclose(got, want, rtol=1e-12)


def test_integers_and_single_precision() -> None:
    assert value("factorial", np.array([0, 3, -1])).tolist() == [1.0, 6.0, 0.0]
    assert value("erf", X.astype("float32")).dtype == "float32"


def test_all_names_are_scipys_or_pytensors() -> None:
    names = set(T.special.__all__) - {"logdiffexp", "softplus"}
    assert {name for name in names if not hasattr(scipy.special, name)} == set()
    assert all(callable(getattr(T.special, name)) for name in T.special.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'airy'"):
        T.special.airy  # noqa: B018


def test_pochhammers_symbol_where_the_gamma_function_overflows_or_has_poles() -> None:
    z = np.array([200.0, 0.0, -3.0, -2.5, 1e5, 0.5])
    v = T.dvector()
    for m in (0, 1, 2, 5):
        got = function([v], special.poch(v, m), mode="INTERPRET")(z)
        np.testing.assert_allclose(got, scipy.special.poch(z, m), rtol=1e-12)
    some = np.array([200.0, 0.5, 1e5, 29.0, -2.7, 1e-3])
    for shift in (0.5, 2.25, 100.0):
        got = function([v], special.poch(v, shift), mode="INTERPRET")(some)
        np.testing.assert_allclose(got, scipy.special.poch(some, shift), rtol=1e-9)
    verify_grad(lambda v: special.poch(v, 2.25), [X], n_tests=1, mode="INTERPRET")
    verify_grad(lambda v: special.poch(v, 3), [X], n_tests=1, mode="INTERPRET")


POSITIVE = np.array([1e-5, 0.3, 1.0, 2.7, 9.0])
SIGNED = np.array([-2.5, -1.0, -0.5, 0.0, 1e-4, 0.004, 0.5, 1.0, 2.0, 5.5, 30.0, 200.0])
DEGREES = np.append(np.arange(-8, 9) * 45.0, [17.3, -1e4])
WHOLE = np.array([[0.0], [1.0], [5.0], [20.0], [-3.0]])
FREEDOM = np.array([[0.5], [1.0], [3.0], [40.0]])
SHAPES = np.array([[-1.0], [0.0], [0.5], [2.0]])
FRACTIONS = np.array([0.0, 0.2, 0.7, 1.0])
FAR = np.append(SIGNED, [-300.0, 1e10, -np.inf, np.inf])
SHORT: list[tuple[str, tuple[Any, ...]]] = [
    *((name, (SIGNED,)) for name in "cosm1 exp10 exprel gammasgn rgamma sinc".split()),
    *((name, (POSITIVE,)) for name in "k0 k0e k1 k1e loggamma".split()),
    ("exprel", (np.array([np.inf, -np.inf, np.nan, 800.0]),)),
    ("sindg", (DEGREES,)),
    ("cosdg", (DEGREES,)),
    ("tandg", (DEGREES[::2] + 0.5,)),
    ("boxcox", (POSITIVE, SHAPES)),
    ("boxcox1p", (POSITIVE, SHAPES)),
    ("inv_boxcox", (FRACTIONS[1:3], SHAPES)),
    ("inv_boxcox1p", (FRACTIONS[1:3], SHAPES)),
    ("powm1", (POSITIVE, SHAPES)),
    ("huber", (SHAPES, SIGNED)),
    ("pseudo_huber", (SHAPES, SIGNED)),
    ("comb", (WHOLE, np.array([0.0, 1, 2, 5, 7, -1]))),
    ("perm", (WHOLE, np.array([0.0, 1, 2, 5, 7, -1]))),
    ("jn", (np.array(2.0), SIGNED)),
    ("kn", (np.array(2), POSITIVE)),
    ("chdtr", (FREEDOM, POSITIVE)),
    ("chdtrc", (FREEDOM, POSITIVE)),
    ("pdtr", (np.array([[0.0], [1.0], [4.5]]), POSITIVE)),
    ("pdtrc", (np.array([[0.0], [1.0], [4.5]]), POSITIVE)),
    ("bdtr", (np.array([[0.0], [1.0], [4.0]]), np.array(4), FRACTIONS)),
    ("bdtrc", (np.array([[0.0], [1.0], [4.0]]), np.array(4), FRACTIONS)),
    ("fdtr", (FREEDOM, np.array(3.0), np.append(POSITIVE, 0.0))),
    ("fdtrc", (FREEDOM, np.array(3.0), np.append(POSITIVE, 0.0))),
    ("stdtr", (FREEDOM, FAR)),
    ("stdtr", (np.array([[np.inf], [0.0], [-1.0], [np.nan]]), FAR)),
    ("fdtrc", (np.array([1e5]), np.array([[1.0], [50.0]]), np.array([0.0, 2.0, 1e5]))),
    ("gammasgn", (EDGES,)),
    ("pseudo_huber", (SHAPES, np.array(INFINITE))),
    ("k0e", (EDGES,)),
    ("k1e", (EDGES,)),
    ("boxcox", (np.array([0.0, np.inf, -1.0]), SHAPES)),
    ("boxcox1p", (np.array([-1.0, np.inf, -2.0]), SHAPES)),
    ("powm1", (np.array([0.0, 1.0, np.inf]), SHAPES)),
    ("chdtrc", (FREEDOM, EDGES)),
    ("pdtr", (np.array([[-1.0], [-0.5], [3.0]]), EDGES)),
    ("bdtr", (np.array([[-1.0], [1.0], [4.0], [5.0]]), np.array(4), np.append(FRACTIONS, EDGES))),
    (
        "fdtr",
        (np.array([[-1.0], [0.0], [2.0], [np.inf]]), np.array(3.0), np.append(POSITIVE, -2.0)),
    ),
]


@pytest.mark.parametrize(("name", "arrays"), SHORT)
def test_short_forms(name: str, arrays: tuple[Any, ...]) -> None:
    np.testing.assert_allclose(
        value(name, *arrays), of_scipy(name, *arrays), rtol=1e-9, atol=1e-280
    )


@pytest.mark.parametrize("name", [name for name in dir(T.special) if name.startswith("eval_")])
def test_orthogonal_polynomials(name: str) -> None:
    x = T.dvector()
    for n in (0, 1, 2, 5, 9):
        got = function([x], getattr(T.special, name)(n, x), mode="INTERPRET")(SIGNED[:9])
        np.testing.assert_allclose(got, of_scipy(name, n, SIGNED[:9]), rtol=1e-9, atol=1e-9)
    with pytest.raises(TypeError, match=f"{name}: the degree must be an integer"):
        getattr(T.special, name)(1.5, x)


def test_choices_with_repetition_and_without_integers() -> None:
    got = T.special.comb(WHOLE[:4], np.array([0.0, 1, 4]), repetition=True).eval()
    want = scipy.special.comb(WHOLE[:4], np.array([0.0, 1, 4]), repetition=True)
    np.testing.assert_allclose(got, want, rtol=1e-9)
    between = T.special.comb(np.array([0.5, 3.0, -1.0]), 0.3, repetition=True).eval()
    want = np.append(scipy.special.binom(np.array([0.5, 3.0]) - 0.7, 0.3), 0.0)
    np.testing.assert_allclose(between, want, rtol=1e-9)
    with pytest.raises(NotImplementedError, match=r"math\.comb"):
        T.special.comb(5, 2, exact=True)


@pytest.mark.needs_cc
def test_gradients_of_short_forms() -> None:
    special = T.special
    x = np.array([-0.7, 1e-3, 0.2, 0.6])
    for f in (special.exprel, special.sinc, special.cosm1, special.sindg, special.rgamma):
        verify_grad(f, [x])
    verify_grad(special.boxcox, [abs(x), np.array(0.0)])
    verify_grad(special.boxcox, [abs(x), np.array(0.5)])
    verify_grad(special.inv_boxcox, [x, np.array(0.5)])
    verify_grad(lambda r: special.huber(0.5, r), [x])
    verify_grad(special.pseudo_huber, [np.array(0.5), x])
    verify_grad(lambda t: special.stdtr(3.0, t), [x])
    verify_grad(lambda t: special.chdtr(3.0, t), [abs(x)])
    verify_grad(lambda t: special.fdtr(3.0, 2.0, t), [abs(x)])
    verify_grad(lambda t: special.eval_legendre(4, t), [x])
