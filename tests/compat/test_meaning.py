"""Where symtheano differs from Theano on purpose, programs of Theano get Theano's meaning."""

from __future__ import annotations

import copy
import importlib
import itertools
from typing import Any

import numpy as np
import pytest

import symtheano
import symtheano.tensor as ours


def gradient(theano: Any, build: Any, value: Any) -> Any:
    x = theano.tensor.vector("x")
    return theano.function([x], theano.grad(build(x), x))(value).tolist()


@pytest.mark.parametrize("name", ["max", "min"])
def test_ties_of_extrema(theano: Any, name: str) -> None:
    assert gradient(theano, lambda x: getattr(x, name)(), [1.0, 1.0]) == [1.0, 1.0]
    x = ours.vector("x")
    with symtheano.config.change_flags(theano_semantics=False):
        shares = symtheano.grad(getattr(x, name)(), x)
    assert symtheano.function([x], shares)([1.0, 1.0]).tolist() == [0.5, 0.5]


def test_relu_at_zero(theano: Any) -> None:
    relu = theano.tensor.nnet.relu
    assert gradient(theano, lambda x: relu(x).sum(), [-1.0, 0.0, 2.0]) == [0.0, 0.5, 1.0]
    leaky = gradient(theano, lambda x: relu(x, 0.5).sum(), [-1.0, 0.0, 2.0])
    assert leaky == [0.5, 0.75, 1.0]


def test_softmax_of_a_vector_is_a_matrix(theano: Any) -> None:
    nnet, x = theano.tensor.nnet, theano.tensor.vector("x")
    for function in (nnet.softmax, nnet.logsoftmax, nnet.Softmax()):
        assert function(x).ndim == 2
    assert ours.nnet.softmax(x).ndim == 1
    with pytest.raises(ValueError, match="a vector or a matrix of floats"):
        nnet.softmax(theano.tensor.tensor3())


def test_variables_are_true(theano: Any) -> None:
    x = theano.tensor.vector("x")
    assert x
    assert x + 1
    with pytest.raises(TypeError, match="truth value"):
        bool(x < 1)
    with (
        symtheano.config.change_flags(theano_semantics=False),
        pytest.raises(TypeError, match="truth value"),
    ):
        bool(x)


def test_costs_may_be_integers(theano: Any) -> None:
    assert gradient(theano, lambda x: (x > 0).sum(), [1.0, -1.0]) == [0.0, 0.0]
    x = ours.vector("x")
    with (
        symtheano.config.change_flags(theano_semantics=False),
        pytest.raises(TypeError, match="must be a real float"),
    ):
        symtheano.grad((x > 0).sum(), x)


def test_lists_keep_numpys_dtypes(theano: Any) -> None:
    constant = theano.tensor.constant
    assert [constant(value).dtype for value in ([1, 2], [1.5], 1, [])] == [
        "int64", "float64", "int8", "float64",
    ]  # fmt: skip
    with symtheano.config.change_flags(theano_semantics=False):
        assert ours.constant([1, 2]).dtype == "int8"


def test_shared_variables_of_lists_are_generic(theano: Any) -> None:
    assert not hasattr(theano.shared([1.0, 2.0]), "ndim")
    assert theano.shared(np.ones(2)).ndim == 1
    assert theano.shared(1.5).type == theano.tensor.dscalar
    with pytest.raises(TypeError, match="no constructor fits"):
        theano.shared(1.5, unknown=True)
    with pytest.raises(TypeError, match="symbolic"):
        theano.shared(theano.tensor.vector())


def test_transforms_have_an_axis_of_parts(theano: Any) -> None:
    x = theano.tensor.matrix("x")
    f = theano.function([x], theano.tensor.fft.rfft(x))
    value = np.arange(8.0).reshape(2, 4)
    result = f(value)
    expected = np.fft.rfft(value)
    np.testing.assert_allclose(result[..., 0] + 1j * result[..., 1], expected)


def test_windows_that_do_not_fit_are_an_error_of_the_call_only(theano: Any) -> None:
    T = theano.tensor
    image, filters = T.zeros((2, 1, 1, 20)), theano.shared(np.ones((3, 1, 5, 5)))
    result = T.nnet.conv2d(image, filters, filter_shape=(3, 1, 5, 5))
    assert result.type.ndim == 4
    with pytest.raises(ValueError, match="filter is larger than the image"):
        theano.function([], result)()


def test_a_negative_length_is_an_error_of_the_call_only(theano: Any) -> None:
    T = theano.tensor
    x = T.dtensor3("x")
    y = T.reshape(x, (-1, 10, -3)) + T.zeros((1, 1, 2))
    f = theano.function([x], y)
    with pytest.raises(ValueError, match=r"negative|length"):
        f(np.zeros((2, 10, 3)))


def test_strict_loops_may_use_all_but_shared_variables(theano: Any) -> None:
    T = theano.tensor
    x, n = T.dvector("x"), T.iscalar("n")
    w = theano.shared(np.ones(3), "w")
    sums, _ = theano.scan(lambda s: s + x, None, T.zeros(3), n_steps=n, strict=True)
    np.testing.assert_array_equal(theano.function([x, n], sums[-1])([1, 2, 3], 2), [2, 4, 6])
    with pytest.raises(theano.gof.MissingInputError, match="uses w"):
        theano.scan(lambda s: s + x + w, None, T.zeros(3), n_steps=n, strict=True)


def test_new_axes_of_columns(theano: Any) -> None:
    """Theano drops axes of length 1 that a key with None does not name."""
    T = theano.tensor
    column, matrix = T.dcol("c"), T.dmatrix("m")
    assert column[:, None].type.shape == (None, 1)
    assert column[:, None, :].ndim == 3
    assert column[..., None].ndim == 3
    assert matrix[:, None].ndim == 3
    f = theano.function([column], column[::2, None] * [[1.0, 2.0]])
    np.testing.assert_array_equal(f([[1.0], [2.0], [3.0]]), [[1, 2], [3, 6]])


def test_copies_of_functions_return_lists(theano: Any) -> None:
    x = theano.tensor.vector("x")
    f = theano.function([x], x + 1)
    (result,) = f.copy()([1.0])
    assert result.tolist() == [2.0]
    assert copy.copy(f)([1.0]).tolist() == [2.0]
    with symtheano.config.change_flags(theano_semantics=False):
        assert f.copy()([1.0]).tolist() == [2.0]


def test_gradients_of_integers_are_checked_as_zeros(theano: Any) -> None:
    theano.tensor.verify_grad(
        theano.tensor.argsort, [np.array([3.0, 1.0, 2.0])], rng=np.random.RandomState(1)
    )


def test_negative_numbers_of_bincount(theano: Any) -> None:
    x = theano.tensor.lvector("x")
    f = theano.function([x], theano.tensor.bincount(x, assert_nonneg=True))
    assert f([1, 1]).tolist() == [0, 2]
    with pytest.raises(AssertionError, match="non-negative"):
        f([-1])


def test_slices_from_zero_on(theano: Any) -> None:
    canonical = theano.tensor.subtensor.get_canonical_form_slice
    bounds = [None, -5, -2, 0, 1, 4, 9]
    values = np.arange(4)
    length = theano.tensor.lscalar("length")
    keys = [slice(*key) for key in itertools.product(bounds, bounds, [None, -3, -1, 2])]
    flat = []
    for key in keys:
        positions, direction = canonical(key, length)
        flat += [positions.start, positions.stop, positions.step, direction]
    numbers = [theano.tensor.as_tensor_variable(each) for each in flat]
    found = iter(theano.function([length], numbers, mode="INTERPRET")(4))
    for key in keys:
        start, stop, step, direction = (int(next(found)) for _ in range(4))
        assert start >= 0
        assert stop >= 0
        assert step > 0
        assert values[start:stop:step][::direction].tolist() == values[key].tolist()
    index, direction = canonical(-1, 4)
    assert direction == 1
    assert int(index.eval()) == 3


def test_what_cannot_be_compiled_runs_in_the_interpreter(theano: Any) -> None:
    T = theano.tensor
    y = T.ivector("y")
    places = y.nonzero()[0]
    sums, _ = theano.scan(lambda s: s + places, None, T.zeros_like(places), n_steps=3)
    with pytest.warns(RuntimeWarning, match="runs in the interpreter, as it can't be compiled"):
        f = theano.function([y], sums[-1])
    np.testing.assert_array_equal(f([1, 0, 2, 3]), [0, 6, 9])


def test_what_functions_of_theano_refuse(theano: Any) -> None:
    x, w = theano.tensor.scalar("x"), theano.shared(1.0, "w")
    with pytest.raises(RuntimeError, match="replace variable x"):
        theano.function([x], x * 2, givens={x: x + 1})
    with pytest.raises(TypeError, match=r"shared variable \(w\) as explicit input"):
        theano.function([w], w * 2)
    for wrong in ("w", w, (w,)):
        with pytest.raises(TypeError, match="a boolean or a list"):
            theano.function([], w, no_default_updates=wrong)
    # The last one is the value of an input.
    assert theano.function([(x, w)], x)() == 1


def test_products_without_zeros_have_the_dtype_of_products(theano: Any) -> None:
    kind = importlib.import_module("theano.tensor.elemwise").ProdWithoutZeros
    x = theano.tensor.matrix(dtype="uint8")
    assert kind(axis=0)(x).dtype == x.prod(axis=0).dtype == "uint64"
    assert theano.function([x], kind()(x))([[2, 0], [3, 1]]) == 6


def test_known_gradients_of_fewer_axes(theano: Any) -> None:
    x = theano.tensor.matrix("x")
    y = x * 3
    known = theano.grad(None, x, known_grads={y: theano.tensor.as_tensor_variable(2.0)})
    assert theano.function([x], known, on_unused_input="ignore")([[1.0]]) == 6


def test_shapes_of_variables_need_those_of_all_inputs(theano: Any) -> None:
    shape_of_variables = importlib.import_module("theano.tensor.utils").shape_of_variables
    x = theano.tensor.matrix("x")
    graph = theano.gof.FunctionGraph([x], [x + 1], clone=False)
    with pytest.raises(ValueError, match="the shape of x is missing"):
        shape_of_variables(graph, {})


def test_neighbourhoods_that_do_not_fit_are_errors_of_the_call(theano: Any) -> None:
    images = theano.shared(np.zeros((1, 1, 10, 10)))
    images2neibs = theano.tensor.nnet.neighbours.images2neibs
    for shape, mode in [((3, 2), "valid"), ((3, 2), "wrap_centered"), ((3, 3), "full")]:
        with pytest.raises(TypeError, match="neib_shape"):
            theano.function([], images2neibs(images, shape, mode=mode))()
