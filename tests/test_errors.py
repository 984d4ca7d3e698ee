"""The errors that users see: each kind of error, its class and its whole text.

The texts are in ``tests/golden/errors``. A case is a program such as users write; the line in it
that is to blame has to be the first line that its message shows.
"""

from __future__ import annotations

import linecache
import os
import pickle
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import symtheano.tensor as T
from symtheano import (
    Apply,
    In,
    Mode,
    Op,
    config,
    errors,
    function,
    grad,
    gradient,
    shared,
    sparse,
)
from symtheano.codegen.native.toolchain import find_toolchain
from symtheano.config import _read
from symtheano.errors import (
    AsTensorError,
    BoundsError,
    CompileError,
    DisconnectedInputError,
    GradientError,
    MisfitError,
    MissingInputError,
    NotScalarConstantError,
    NullTypeGradError,
    ShapeError,
    UnusedInputError,
    describe_value,
)
from symtheano.formats import Format
from symtheano.function.binding import Binding
from symtheano.function.verify import verify_grad
from symtheano.graph.origin import current_origin
from symtheano.loopir import Builder
from symtheano.tensor.opt import Assert
from tests.conftest import Golden

MODES = [pytest.param("FAST_RUN", marks=pytest.mark.needs_cc), "INTERPRET"]
PACKAGE = Path(errors.__file__).parent
Make = Callable[..., Any]


@dataclass(frozen=True)
class Case:
    """A program that goes wrong, and what an ``except`` clause for it names."""

    run: Callable[..., Any]
    catches: type[Exception]

    @property
    def name(self) -> str:
        return self.run.__name__


BUILDING: list[Case] = []
CALLING: list[Case] = []


def building(catches: type[Exception]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a program that fails before there is a function."""

    def register(run: Callable[..., Any]) -> Callable[..., Any]:
        BUILDING.append(Case(run, catches))
        return run

    return register


def calling(catches: type[Exception]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a program whose call fails; ``make`` makes a function that counts its calls."""

    def register(run: Callable[..., Any]) -> Callable[..., Any]:
        CALLING.append(Case(run, catches))
        return run

    return register


def text_of(error: BaseException) -> str:
    """Return an error as Python prints it, without what differs from machine to machine."""
    kind = type(error)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    lines = [f"{module}{kind.__qualname__}: {error}", *getattr(error, "__notes__", ())]
    text = "\n".join(lines) + "\n"
    text = re.sub(r"at \S*[/\\](\w+\.py):\d+", r"at \1", text)
    return re.sub(r"0x[0-9a-f]+", "0x...", text)


@pytest.mark.parametrize("case", BUILDING, ids=lambda case: case.name)
def test_what_can_not_be_built(case: Case, golden: Golden) -> None:
    with pytest.raises(case.catches) as caught:
        case.run()
    golden(text_of(caught.value), f"errors/{case.name}.txt")
    assert_no_cause(caught.value)


@pytest.fixture(autouse=True)
def _messages_are_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    """C can write each message, too."""
    check = Builder.check

    def checked(b: Builder, condition: Any, code: str, message: Any, values: Any = (),
                error: Any = None) -> None:  # fmt: skip
        Format.of(message, len(values))
        check(b, condition, code, message, values, error)

    monkeypatch.setattr(Builder, "check", checked)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", CALLING, ids=lambda case: case.name)
def test_what_can_not_be_called(case: Case, mode: str, golden: Golden) -> None:
    calls = shared(0, "calls")

    def make(inputs: Any, outputs: Any, updates: Any = (), **options: Any) -> Any:
        counted = [(calls, calls + 1), *updates]
        return function(inputs, outputs, updates=counted, mode=mode, **options)

    with pytest.raises(case.catches) as caught:
        case.run(make)
    assert calls.get_value() == 0
    golden(text_of(caught.value), f"errors/{case.name}.txt")
    assert_no_cause(caught.value)


def assert_no_cause(error: BaseException) -> None:
    """No second traceback is shown above the one of the error."""
    assert error.__cause__ is None
    assert error.__context__ is None or error.__suppress_context__


def test_every_text_has_its_case() -> None:
    folder = Path(__file__).parent / "golden" / "errors"
    names = {case.name for case in (*BUILDING, *CALLING)}
    assert {path.stem for path in folder.glob("*.txt")} == names | OTHERS
    assert len(names) == len(BUILDING) + len(CALLING)


OTHERS = {"memory_FAST_RUN", "memory_INTERPRET", "compiler_fails", "no_compiler"}


# -- shapes ----------------------------------------------------------------------------------------


@calling(ValueError)
def shapes_differ(make: Make) -> None:
    x, y = T.vectors("x", "y")
    f = make([x, y], T.exp(x) * y)
    f([1.0, 2.0], [1.0, 2.0, 3.0])


@calling(ValueError)
def a_length_of_one_is_not_repeated(make: Make) -> None:
    x, y = T.vectors("x", "y")
    make([x, y], x + y)([1.0], [1.0, 2.0])


@calling(ValueError)
def update_does_not_fit(make: Make) -> None:
    x = T.vector("x")
    w = shared(np.zeros(3), "w")
    try:
        make([x], x.sum(), updates=[(w, w + x)])([1.0, 2.0])
    finally:
        assert w.get_value().tolist() == [0, 0, 0]


@calling(ValueError)
def factors_do_not_fit(make: Make) -> None:
    x, y = T.matrices("x", "y")
    make([x, y], T.dot(x, y))(np.ones((2, 3)), np.ones((4, 5)))


@calling(ValueError)
def joined_lengths_differ(make: Make) -> None:
    x, y = T.matrices("x", "y")
    make([x, y], T.concatenate([x, y]))(np.ones((2, 3)), np.ones((2, 4)))


@calling(ValueError)
def reshape_to_another_size(make: Make) -> None:
    x = T.vector("x")
    make([x], x.reshape((2, 3)))([1.0, 2.0])


@calling(ValueError)
def reshape_with_a_free_length(make: Make) -> None:
    x = T.vector("x")
    make([x], x.reshape((-1, 3)))([1.0, 2.0])


@calling(ValueError)
def negative_size(make: Make) -> None:
    n = T.lscalar("n")
    make([n], T.zeros((n,)))(-3)


@calling(ValueError)
def declared_length(make: Make) -> None:
    x = T.vector("x")
    make([x], T.specify_shape(x, (3,)))([1.0])


@calling(ValueError)
def part_and_value_differ(make: Make) -> None:
    x, y = T.vectors("x", "y")
    make([x, y], T.set_subtensor(x[:2], y))([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])


@calling(ValueError)
def extremum_of_nothing(make: Make) -> None:
    x = T.vector("x")
    make([x], x.max())([])


@calling(ValueError)
def position_of_nothing(make: Make) -> None:
    x = T.vector("x")
    make([x], x.argmax())([])


@calling(ValueError)
def arange_without_step(make: Make) -> None:
    n = T.lscalar("n")
    make([n], T.arange(0, 10, n))(0)


@building(ValueError)
def static_lengths_differ() -> None:
    x = T.TensorType("float64", shape=(2,))("x")
    y = T.TensorType("float64", shape=(3,))("y")
    x + y


@building(ValueError)
def static_factors_do_not_fit() -> None:
    x = T.TensorType("float64", shape=(2, 3))("x")
    y = T.TensorType("float64", shape=(4, 5))("y")
    T.dot(x, y)


@building(ValueError)
def static_reshape() -> None:
    x = T.TensorType("float64", shape=(2,))("x")
    x.reshape((2, 3))


@building(ValueError)
def two_free_lengths() -> None:
    T.vector("x").reshape((-1, -1))


@building(ValueError)
def static_negative_size() -> None:
    T.zeros((-3,))


@building(TypeError)
def size_is_no_integer() -> None:
    T.zeros((1.5,))


@building(ValueError)
def axis_is_not_there() -> None:
    T.vector("x").sum(axis=3)


@building(ValueError)
def axis_twice() -> None:
    T.matrix("x").sum(axis=(0, 0))


@building(ValueError)
def axis_that_can_not_be_dropped() -> None:
    T.matrix("x").dimshuffle(0)


@building(ValueError)
def no_order_of_axes() -> None:
    T.matrix("x").transpose(0, 2)


@building(TypeError)
def joined_dims_differ() -> None:
    T.concatenate([T.vector("x"), T.matrix("y")])


@building(ValueError)
def nothing_to_join() -> None:
    T.concatenate([])


# -- convolutions ----------------------------------------------------------------------------------


def image(*shape: int) -> Any:
    """Return images or filters."""
    return np.ones(shape)


@calling(ValueError)
def channels_differ(make: Make) -> None:
    x, w = T.tensor4("x"), T.tensor4("w")
    make([x, w], T.nnet.conv2d(x, w))(image(2, 3, 8, 8), image(4, 1, 3, 3))


@calling(ValueError)
def groups_differ(make: Make) -> None:
    x, w = T.tensor4("x"), T.tensor4("w")
    y = T.nnet.conv2d(T.exp(x), w, num_groups=2)
    make([x, w], y)(image(2, 3, 8, 8), image(4, 2, 3, 3))


@calling(ValueError)
def filter_larger_than_the_image(make: Make) -> None:
    x = T.tensor4("x")
    w = shared(image(4, 3, 5, 5), "w")
    y = T.nnet.conv2d(x, w, border_mode=1, subsample=(2, 2))
    make([x], y)(image(1, 3, 28, 2))


@calling(ValueError)
def dilated_filter_larger_than_the_image(make: Make) -> None:
    x, w = T.tensor4("x"), T.tensor4("w")
    y = T.nnet.conv2d(x, w, filter_dilation=(1, 2))
    make([x, w], y)(image(1, 1, 4, 4), image(1, 1, 3, 3))


@calling(AssertionError)
def image_of_another_shape(make: Make) -> None:
    x, w = T.tensor4("x"), T.tensor4("w")
    y = T.nnet.conv2d(x, w, input_shape=(None, 1, 28, 28))
    make([x, w], y)(image(2, 3, 28, 28), image(4, 3, 5, 5))


@calling(ValueError)
def result_of_another_image(make: Make) -> None:
    x, w = T.tensor4("x"), T.tensor4("w")
    y = T.nnet.conv2d_transpose(x, w, (None, 3, 9, 9), input_dilation=(2, 2))
    make([x, w], y)(image(2, 4, 5, 5), image(4, 3, 3, 3))


@calling(ValueError)
def unshared_filters_for_other_positions(make: Make) -> None:
    x, w = T.tensor4("x"), T.TensorType("float64", (None,) * 6)("w")
    y = T.nnet.conv2d(x, w, unshared=True)
    make([x, w], y)(image(2, 1, 6, 6), image(4, 3, 4, 1, 3, 3))


@building(ValueError)
def known_channels_differ() -> None:
    x, w = T.tensor4("x"), T.tensor4("w")
    T.nnet.conv2d(x, w, input_shape=(None, 3, 28, 28), filter_shape=(20, 1, 5, 5))


@building(ValueError)
def known_filter_larger_than_the_image() -> None:
    x = T.TensorType("float32", (None, 1, 4, 4))("x")
    w = T.TensorType("float32", (8, 1, 5, 5))("w")
    T.nnet.conv2d(x, w)


@building(TypeError)
def images_without_channels() -> None:
    x, w = T.tensor3("x"), T.tensor4("w")
    T.nnet.conv2d(x, w)


@building(ValueError)
def unknown_border_mode() -> None:
    x, w = T.tensor4("x"), T.tensor4("w")
    T.nnet.conv2d(x, w, border_mode="same")


@building(ValueError)
def negative_padding() -> None:
    x, w = T.tensor4("x"), T.tensor4("w")
    T.nnet.conv2d(x, w, border_mode=(0, -1))


@building(ValueError)
def stride_of_zero() -> None:
    x, w = T.tensor4("x"), T.tensor4("w")
    T.nnet.conv2d(x, w, subsample=(0, 1))


@building(ValueError)
def transposed_length_that_is_open() -> None:
    x, w = T.tensor4("x"), T.tensor4("w")
    T.nnet.conv2d_transpose(x, w, (None, None, None, None), input_dilation=(2, 2))


@building(ValueError)
def ratio_that_is_no_integer() -> None:
    T.nnet.bilinear_upsampling(T.tensor4("x"), ratio=1.5)


# -- indices ---------------------------------------------------------------------------------------


@calling(IndexError)
def index_outside(make: Make) -> None:
    x, i = T.vector("x"), T.lscalar("i")
    make([x, i], x[i])([1.0, 2.0], 5)


@calling(IndexError)
def constant_index_outside(make: Make) -> None:
    x = T.vector("x")
    make([x], x[5])([1.0, 2.0])


@calling(IndexError)
def index_array_outside(make: Make) -> None:
    x, i = T.vector("x"), T.lvector("i")
    make([x, i], x[i])([1.0, 2.0], [0, 5])


@calling(IndexError)
def label_outside(make: Make) -> None:
    p, i = T.matrix("p"), T.lvector("i")
    make([p, i], T.nnet.categorical_crossentropy(p, i))(np.ones((2, 3)), [0, 7])


@calling(ValueError)
def index_arrays_of_other_lengths(make: Make) -> None:
    x, i, j = T.matrix("x"), T.lvector("i"), T.lvector("j")
    make([x, i, j], x[i, j])(np.ones((2, 3)), [0, 1], [2, 0, 1])


@building(IndexError)
def too_many_indices() -> None:
    T.vector("x")[1, 2]


@building(TypeError)
def index_is_no_integer() -> None:
    T.vector("x")[1.5]


@building(TypeError)
def symbolic_index_is_no_integer() -> None:
    T.vector("x")[T.dscalar("d")]


@building(TypeError)
def no_part_to_set() -> None:
    x = T.vector("x")
    T.set_subtensor(x * 2, 0.0)


# -- dtypes and values -----------------------------------------------------------------------------


@building(TypeError)
def op_without_that_dtype() -> None:
    T.dvector("x") & T.dvector("y")


@building(TypeError)
def unknown_dtype() -> None:
    T.cast(T.vector("x"), "float99")


@building(TypeError)
def imaginary_part_is_lost() -> None:
    T.cast(T.zvector("x"), "float64")


@calling(TypeError)
def wrong_number_of_dims(make: Make) -> None:
    x = T.vector("x")
    make([x], x + 1)([[1.0]])


@calling(TypeError)
def static_length_of_an_input(make: Make) -> None:
    x = T.TensorType("float64", shape=(2,))("x")
    make([x], x + 1)([1.0, 2.0, 3.0])


@calling(TypeError)
def array_would_lose_precision(make: Make) -> None:
    x = T.fvector("x")
    make([x], x + 1, name="train")(np.ones(3))


@calling(TypeError)
def list_would_lose_precision(make: Make) -> None:
    x = T.fvector("x")
    make([x], x + 1)([0.1])


@calling(TypeError)
def float_for_an_integer(make: Make) -> None:
    i = T.ivector("i")
    make([i], i + 1)([1.5])


@calling(TypeError)
def integer_overflows(make: Make) -> None:
    i = T.bvector("i")
    make([i], i + 1)([300])


@calling(TypeError)
def integer_fits_no_dtype(make: Make) -> None:
    i = T.lscalar("i")
    make([i], i + 1)(2**70)


@calling(TypeError)
def downcast_is_forbidden(make: Make) -> None:
    x = T.fscalar("x")
    with config.change_flags(floatX="float32"):
        make([x], x + 1, allow_input_downcast=False)(0.1)


@calling(TypeError)
def complex_for_a_real_input(make: Make) -> None:
    x = T.dvector("x")
    make([x], x + 1)(np.ones(3) * 1j)


@calling(TypeError)
def text_for_a_number(make: Make) -> None:
    x = T.dvector("x")
    make([x], x + 1)("abc")


@calling(TypeError)
def nothing_for_a_number(make: Make) -> None:
    x = T.dvector("x")
    make([x], x + 1)(None)


@calling(TypeError)
def variable_for_a_number(make: Make) -> None:
    x = T.dvector("x")
    make([x], x + 1)(T.dvector("y"))


@calling(TypeError)
def ragged_list(make: Make) -> None:
    x = T.matrix("x")
    make([x], x + 1)([[1.0, 2.0], [3.0]])


@calling(TypeError)
def trusted_input(make: Make) -> None:
    x = T.dvector("x")
    f = make([x], x + 1)
    f.trust_input = True
    f([1.0, 2.0])


@building(TypeError)
def bad_default() -> None:
    x = T.vector("x")
    function([In(x, value=[[1.0]])], x, mode="INTERPRET")


@building(ValueError)
def ragged_constant() -> None:
    T.as_tensor_variable([[1.0, 2.0], [3.0]])


@building(AsTensorError)
def text_for_an_operand() -> None:
    T.exp("abc")


@building(TypeError)
def object_for_an_operand() -> None:
    T.dot(T.vector("x"), object())


@building(AsTensorError)
def generic_for_an_operand() -> None:
    T.exp(shared("abc", "s"))


@building(TypeError)
def too_many_operands() -> None:
    T.exp(T.vector("x"), T.vector("y"))


@building(AsTensorError)
def list_of_texts_for_an_operand() -> None:
    T.vector("x") * ["a", "b"]


@building(AsTensorError)
def list_with_nothing_for_an_operand() -> None:
    T.exp([1.0, None])


@building(AsTensorError)
def nothing_for_an_operand() -> None:
    T.sum(None)


@building(AsTensorError)
def masked_array_for_an_operand() -> None:
    T.vector("x") * np.ma.array([1.0, 2.0], mask=[True, False])


@building(AsTensorError)
def sparse_matrix_for_an_operand() -> None:
    T.exp(scipy.sparse.csr_matrix(np.eye(2)))


@building(AsTensorError)
def symbolic_sparse_matrix_for_an_operand() -> None:
    T.exp(sparse.csr_matrix("S"))


@building(TypeError)
def text_for_an_axis() -> None:
    T.sum(T.matrix("x"), axis="a")


@building(TypeError)
def symbolic_axis() -> None:
    T.sum(T.matrix("x"), axis=T.iscalar("axis"))


@building(TypeError)
def number_for_a_shape() -> None:
    T.TensorType("float64", 3)


@building(TypeError)
def two_names_for_a_variable() -> None:
    T.dmatrix("a", "b")


@building(TypeError)
def two_names_with_the_dtype_floatx() -> None:
    T.matrix("a", "b")


@building(TypeError)
def shape_for_a_name() -> None:
    T.matrix((3, 4))


@building(TypeError)
def unknown_keyword_of_a_function_of_elements() -> None:
    T.exp(T.vector("x"), inplace=True)


@building(TypeError)
def output_of_a_function_of_elements() -> None:
    T.exp(T.vector("x"), out=np.zeros(3))


@building(TypeError)
def numpys_function_with_out() -> None:
    np.sum(T.vector("x"), out=np.zeros(()))


@building(TypeError)
def numpys_function_without_symbolic_form() -> None:
    np.histogram(T.vector("x"))


@building(TypeError)
def array_changed_in_place() -> None:
    a = np.zeros(3)
    a += T.dvector("x")


@building(TypeError)
def variable_as_an_array() -> None:
    np.asarray(T.vector("x"))


@building(TypeError)
def array_compared_with_a_variable() -> None:
    _ = np.zeros(3) == T.dvector("x")


@building(MisfitError)
def number_for_a_vector_in_givens() -> None:
    x = T.dvector("x")
    function([], x, givens=[(x, 1)])


@building(TypeError)
def givens_are_a_variable() -> None:
    x = T.dvector("x")
    function([], x, givens=x)


@building(TypeError)
def shared_of_text_in_an_array() -> None:
    shared(np.array(["a", "b"]))


@building(ValueError)
def hessian_of_a_cost_times_a_vector() -> None:
    x = T.dvector("x")
    gradient.hessian_times_vector((x**3).sum(), x, x)


@building(AttributeError)
def function_of_another_module() -> None:
    _ = T.relu


@building(AttributeError)
def misspelled_function() -> None:
    _ = T.argmaxx


@building(AttributeError)
def misspelled_attribute() -> None:
    _ = T.vector("x").shap


@building(AttributeError)
def function_as_an_attribute() -> None:
    _ = T.vector("x").softmax


@calling(TypeError)
def sparse_for_dense(make: Make) -> None:
    x = T.dmatrix("x")
    make([x], x + 1)(scipy.sparse.csr_matrix(np.eye(2)))


@calling(TypeError)
def masked_array_for_an_input(make: Make) -> None:
    x = T.dvector("x")
    make([x], x + 1)(np.ma.array([1.0, 2.0], mask=[True, False]))


# -- arguments of a call ---------------------------------------------------------------------------


@calling(TypeError)
def too_few_arguments(make: Make) -> None:
    x, y = T.vectors("x", "y")
    make([x, y], x + y)([1.0])


@calling(TypeError)
def too_many_arguments(make: Make) -> None:
    x, y = T.vectors("x", "y")
    make([x, In(y, value=[2.0])], x + y, name="train")([1.0], [2.0], [3.0])


@calling(TypeError)
def unknown_argument(make: Make) -> None:
    x, y = T.vector("x"), T.vector()
    make([x, y], x + y)([1.0], z=[3.0])


@calling(TypeError)
def argument_twice(make: Make) -> None:
    x, y = T.vectors("x", "y")
    make([x, y], x + y)([1.0], x=[3.0])


# -- symbolic variables in places of Python values -------------------------------------------------


@building(TypeError)
def truth_value() -> None:
    x = T.scalar("x")
    if x > 0:
        raise AssertionError


@building(TypeError)
def chained_comparison() -> None:
    x = T.scalar("x")
    _ = 0 < x < 1


@building(TypeError)
def length() -> None:
    len(T.vector("x"))


@building(TypeError)
def length_of_a_scalar() -> None:
    len(T.scalar("x"))


@building(TypeError)
def loop() -> None:
    x = T.vector("x")
    for _ in x:
        pass


@building(TypeError)
def unpacking() -> None:
    x = T.vector("x")
    _, _ = x


@building(TypeError)
def loop_over_a_scalar() -> None:
    for _ in T.scalar("x"):
        pass


@building(TypeError)
def as_int() -> None:
    int(T.lscalar("n"))


@building(TypeError)
def as_float() -> None:
    float(T.scalar("x"))


@building(TypeError)
def as_range() -> None:
    range(T.lscalar("n"))


@building(TypeError)
def assignment() -> None:
    x = T.vector("x")
    x[0] = 1.0


@building(TypeError)
def deletion() -> None:
    x = T.vector("x")
    del x[0]


@building(TypeError)
def membership() -> None:
    1.0 in T.vector("x")  # noqa: B015


@building(TypeError)
def larger_of_two() -> None:
    max(T.scalar("x"), 0)


@building(TypeError)
def a_format() -> None:
    print(f"{T.vector('x'):.2f}")


@building(TypeError)
def a_module_that_is_called() -> None:
    module: Any = T
    module([1.0])


@building(TypeError)
def lengths_as_a_name() -> None:
    T.matrix(3, 3)  # type: ignore[arg-type]


@building(TypeError)
def a_type_of_values() -> None:
    T.Tensor([1.0])


@building(TypeError)
def a_number_as_a_name() -> None:
    T.tensor(3.0)  # type: ignore[arg-type]


# -- function() ------------------------------------------------------------------------------------


@building(MissingInputError)
def missing_input() -> None:
    x, y = T.vectors("x", "y")
    function([x], x + y)


@building(UnusedInputError)
def unused_input() -> None:
    x, y = T.vectors("x", "y")
    function([x, y], x + 1)


@building(ValueError)
def unknown_choice_for_unused_inputs() -> None:
    x, y = T.vectors("x", "y")
    function([x, y], x + 1, on_unused_input="complain")


@building(ValueError)
def input_twice() -> None:
    x = T.vector("x")
    function([x, x], x + 1)


@building(TypeError)
def input_is_a_number() -> None:
    function([3], T.vector("x"))


@building(TypeError)
def input_is_shared() -> None:
    w = shared(0.0, "w")
    function([w], w + 1)


@building(TypeError)
def output_is_no_variable() -> None:
    x = T.vector("x")
    function([x], "x + 1")


@building(ValueError)
def update_twice() -> None:
    w = shared(0.0, "w")
    function([], w, updates=[(w, w + 1), (w, w * 2)])


@building(TypeError)
def update_of_an_input() -> None:
    x = T.vector("x")
    function([x], x, updates=[(x, x + 1)])


@building(TypeError)
def update_of_another_dtype() -> None:
    x = T.dscalar("x")
    w = shared(np.float32(0), "w")
    function([x], [], updates=[(w, w + x)])


@building(TypeError)
def update_of_other_dims() -> None:
    w = shared(np.zeros(3), "w")
    function([], [], updates=[(w, w.sum())])


@building(ValueError)
def updates_are_no_pairs() -> None:
    w = shared(0.0, "w")
    function([], w, updates=[w + 1])


@building(TypeError)
def givens_of_another_type() -> None:
    x, y = T.vector("x"), T.ivector("y")
    function([y], x + 1, givens={y: x})


@building(ValueError)
def givens_twice() -> None:
    x, y = T.vectors("x", "y")
    function([y], x + 1, givens=[(x, y), (x, y * 2)])


@building(ValueError)
def unknown_mode() -> None:
    x = T.vector("x")
    function([x], x + 1, mode="FAST")


@building(ValueError)
def unknown_rule() -> None:
    Mode().excluding("fusionn")


@building(AttributeError)
def unknown_option() -> None:
    config.floatx = "float32"


@building(ValueError)
def unknown_value_of_an_option() -> None:
    config.floatX = "float99"


# -- shared variables ------------------------------------------------------------------------------


@building(TypeError)
def value_of_another_kind() -> None:
    w = shared(np.zeros(3), "w")
    try:
        w.set_value("abc")
    finally:
        assert w.get_value().tolist() == [0, 0, 0]


@building(TypeError)
def value_of_other_dims() -> None:
    w = shared(np.zeros(3), "w")
    try:
        w.set_value(np.zeros((3, 3)))
    finally:
        assert w.get_value().tolist() == [0, 0, 0]


@building(TypeError)
def value_that_loses_precision() -> None:
    w = shared(np.zeros(3, "float32"), "w")
    w.set_value(np.ones(3))


# -- gradients -------------------------------------------------------------------------------------


@building(DisconnectedInputError)
def disconnected_gradient() -> None:
    x, y = T.vectors("x", "y")
    grad((x**2).sum(), y)


@building(TypeError)
def gradient_of_a_vector() -> None:
    x = T.vector("x")
    grad(x**2, x)


@building(TypeError)
def gradient_of_an_integer() -> None:
    i = T.iscalar("i")
    grad(i**2, i)


@building(TypeError)
def gradient_by_a_number() -> None:
    x = T.vector("x")
    grad(x.sum(), [x, 3])


class Twice(Op):
    """Twice its input, or what goes wrong in a user's op."""

    __props__ = ("trouble",)

    def __init__(self, trouble: str = "") -> None:
        self.trouble = trouble

    def make_node(self, *inputs: Any) -> Apply:
        x = T.as_tensor_variable(inputs[0])
        return Apply(self, [x], [x.type()])

    def perform(self, node: Any, inputs: Any, output_storage: Any) -> None:
        (x,) = inputs
        if self.trouble == "raises":
            raise KeyError("no such key")
        results = {"": x * 2, "dtype": x * 2j, "dims": x[None], "nothing": None}
        output_storage[0][0] = results[self.trouble]


@building(NullTypeGradError)
def undefined_gradient() -> None:
    x = T.vector("x")
    grad(Twice()(x).sum(), x)


class WrongGradient(Twice):
    """An op with a gradient that is wrong."""

    def grad(self, inputs: Any, gradients: Any) -> Any:
        return [gradients[0] * 3]


@building(GradientError)
def wrong_gradient() -> None:
    verify_grad(WrongGradient(), [[1.0, 2.0]], mode="INTERPRET")


# -- ops of users ----------------------------------------------------------------------------------


@calling(TypeError)
def perform_of_another_dtype(make: Make) -> None:
    x = T.vector("x")
    make([x], Twice("dtype")(x))([1.0, 2.0])


@calling(TypeError)
def perform_of_other_dims(make: Make) -> None:
    x = T.vector("x")
    make([x], Twice("dims")(x))([1.0, 2.0])


@calling(TypeError)
def perform_of_nothing(make: Make) -> None:
    x = T.vector("x")
    make([x], Twice("nothing")(x))([1.0, 2.0])


@calling(KeyError)
def perform_raises(make: Make) -> None:
    x = T.vector("x")
    make([x], Twice("raises")(x))([1.0, 2.0])


@pytest.mark.parametrize("mode", MODES)
def test_the_users_traceback_survives(mode: str) -> None:
    x = T.vector("x")
    f = function([x], Twice("raises")(x) + 1, mode=mode)
    with pytest.raises(KeyError) as caught:
        f([1.0])
    assert "raise KeyError" in str(caught.traceback[-1].statement)


# -- the machine -----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_memory_that_is_not_there(mode: str, golden: Golden) -> None:
    n = T.lscalar("n")
    calls = shared(0, "calls")
    f = function([n], T.ones((n, n)) * 2, updates=[(calls, calls + 1)], mode=mode)
    with pytest.raises(MemoryError) as caught:
        f(2**24)
    assert calls.get_value() == 0
    golden(text_of(caught.value), f"errors/memory_{mode}.txt")


FAILING = """\
import os, sys
if "--version" in sys.argv or "probe.c" in sys.argv:
    os.execv(COMPILER, [COMPILER, *sys.argv[1:]])
print("function.c: In function 'st_function':")
sys.exit("function.c:7:3: error: expected ';' before 'y'")
"""


@pytest.mark.needs_cc
def test_a_compiler_that_fails(tmp_path: Path, golden: Golden) -> None:
    program = tmp_path / "broken.py"
    found = next(path for path in map(shutil.which, ("cc", "gcc", "clang")) if path)
    program.write_text(f"COMPILER = {found!r}\n{FAILING}")
    x = T.vector("x")
    options = {"cc": f"{sys.executable} {program}", "cache_dir": str(tmp_path / "cache")}
    with config.change_flags(**options), pytest.raises(CompileError) as caught:
        function([x], x + 1, mode="FAST_RUN")
    text = text_of(caught.value)
    kept = Path(re.findall(r"source: +(\S+)", text)[0])
    assert "int32_t" in kept.read_text()
    text = re.sub(r"(compiler: +)\S.*", r"\1NAME AND VERSION", text.replace(str(kept), "FILE.c"))
    golden(text, "errors/compiler_fails.txt")


WITHOUT_COMPILER = """\
import warnings
import symtheano.tensor as T
from symtheano import function

x = T.vector("x")
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    f = function([x], x + 1)
    g = function([x], x * 2)
print(f([1.0]), g([1.0]), len(caught))
print(caught[0].filename, caught[0].lineno)
print(caught[0].message)
"""


def test_without_compiler_one_warning_and_the_interpreter(tmp_path: Path, golden: Golden) -> None:
    program = tmp_path / "program.py"
    program.write_text(WITHOUT_COMPILER)
    environment = {key: os.environ[key] for key in os.environ if key not in ("CC", "SYMTHEANO_CC")}
    environment |= {
        "PATH": str(tmp_path),
        "PYTHONPATH": str(PACKAGE.parent),
        "SYMTHEANO_CACHE_DIR": str(tmp_path / "cache"),
    }
    done = subprocess.run(
        [sys.executable, str(program)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    results, place, text = done.stdout.split("\n", 2)
    assert results == "[2.] [2.] 1"
    assert place == f"{program} 8"
    golden(text, "errors/no_compiler.txt")


@pytest.mark.parametrize("called", [((), {}), ((1.0, 2.0), {}), ((), {"y": 1.0}), (("x",), {})])
def test_messages_about_a_call_show_where_the_function_was_compiled(called: Any) -> None:
    x = T.scalar("x")
    origin = current_origin()
    binding = Binding([In(x)], [None], "function", None, origin)
    args, kwargs = called
    with pytest.raises(TypeError) as caught:
        binding.accept(0, binding.bind(args, kwargs)[0])
    assert "      origin = current_origin()\n" in str(caught.value)


# -- classes ---------------------------------------------------------------------------------------

# Theano 1.0's classes and what each derives from there.
THEANO = {
    "AsTensorError": TypeError,
    "DisconnectedInputError": ValueError,
    "EmptyConstantError": NotScalarConstantError,
    "GradientError": Exception,
    "InconsistencyError": Exception,
    "MissingInputError": Exception,
    "NotScalarConstantError": Exception,
    "NullTypeGradError": TypeError,
    "ShapeError": Exception,
    "UnusedInputError": Exception,
}


@pytest.mark.parametrize("name", THEANO)
def test_classes_derive_as_in_theano(name: str) -> None:
    assert issubclass(getattr(errors, name), THEANO[name])


def test_what_numpy_raises_is_caught_too() -> None:
    assert issubclass(ShapeError, ValueError)
    assert issubclass(BoundsError, IndexError)
    assert issubclass(MisfitError, TypeError)


def test_misfits_can_be_pickled() -> None:
    error = pickle.loads(pickle.dumps(MisfitError("no", hint="do")))
    assert str(error) == "no\n  hint: do"
    assert (error.what, error.hint) == ("no", "do")


def test_long_values_are_shown_short() -> None:
    assert len(describe_value(list(range(10**6)))) < 60
    assert len(describe_value("x" * 10**6)) < 80
    assert describe_value(np.ones((2, 3), "int8")) == "ndarray of int8, shape (2, 3)"


# What shows a name of the user's in a message, here one that no stream can encode. `k` is a vector
# and `s` shared, both of this name; `add` is made by a line of this kind, in such a file.
SURROGATE = "k\ud800\udcff"
NAMED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "shapes": lambda k, s, add: add([1.0], [1.0, 2.0]),
    "value": lambda k, s, add: add(SURROGATE, [1.0]),
    "missing": lambda k, s, add: add(),
    "keyword": lambda k, s, add: add([1.0], [1.0], **{SURROGATE + "2": 1}),
    "item": lambda k, s, add: add[SURROGATE + "2"],
    "set_value": lambda k, s, add: s.set_value(np.ones((2, 2))),
    "input": lambda k, s, add: function([], k),
    "unused": lambda k, s, add: function([k], s),
    "update": lambda k, s, add: function([], [], updates={s: T.dmatrix()}),
    "updates": lambda k, s, add: function([], [], updates=[(s, s + 1), (s, s + 2)]),
    "givens": lambda k, s, add: function([], s, givens={s: T.dmatrix(SURROGATE)}),
    "grad": lambda k, s, add: grad(s.sum(), k),
    "truth": lambda k, s, add: bool(k),
    "dtype": lambda k, s, add: T.vector("x", dtype=SURROGATE),
    "mode": lambda k, s, add: function([k], k, mode=SURROGATE),
    "Assert": lambda k, s, add: Assert(SURROGATE)(s, s.sum() > 9).eval(),
    "compiler": lambda k, s, add: find_toolchain(SURROGATE),
    "configuration": lambda k, s, add: _read(),
}  # fmt: skip


@pytest.mark.parametrize("kind", NAMED)
def test_every_message_can_be_printed(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path, line = f"/no/{SURROGATE}.py", f"made = k + s  # {SURROGATE}"
    monkeypatch.setitem(linecache.cache, path, (len(line), None, [line], path))
    config.snapshot()
    monkeypatch.setenv("SYMTHEANO_CONFIG", "/no/k\udcff")  # which is read once, but for _read()
    k, s = T.dvector(SURROGATE), shared(np.zeros(3), SURROGATE)
    names: dict[str, Any] = {"k": k, "s": T.dvector(SURROGATE)}
    exec(compile("made = k + s", "ours", "exec").replace(co_filename=path), names)
    add = function([k, names["s"]], names["made"], mode="INTERPRET")
    with pytest.raises((Exception,), match=r"udcff") as raised:
        NAMED[kind](k, s, add)
    assert not isinstance(raised.value, UnicodeError)
    text = str(raised.value)
    assert text.encode().decode() == text


# -- downcasting -----------------------------------------------------------------------------------

# The dtype of the input, its value, and the value that the function receives for
# allow_input_downcast None, True and False; None if it raises an error. As in Theano, True accepts
# anything, False nothing that may lose precision, and None in addition converts Python floats to
# floatX. floatX is float32 here.
refused = None
DOWNCASTS: list[tuple[str, Any, Any, Any, Any]] = [
    ("int8", 100, 100, 100, 100),
    ("int8", 300, refused, 44, refused),
    ("int8", np.int64(300), refused, 44, refused),
    ("int8", np.array([1], "int16"), refused, [1], refused),
    ("int8", np.array([300], "int16"), refused, [44], refused),
    ("uint8", -1, refused, 255, refused),
    ("int32", 1.5, refused, 1, refused),
    ("int32", 2.0, 2, 2, 2),
    ("int32", [1.0, 2.5], refused, [1, 2], refused),
    ("int32", np.array([2.0]), refused, [2], refused),
    ("float32", 0.1, np.float32(0.1), np.float32(0.1), refused),
    ("float32", 0.5, 0.5, 0.5, 0.5),
    ("float32", np.float64(0.1), refused, np.float32(0.1), refused),
    ("float32", [0.5], [0.5], [0.5], [0.5]),
    ("float32", [0.1], refused, [np.float32(0.1)], refused),
    ("float32", np.array([0.5]), refused, [0.5], refused),
    ("float32", 2**24 + 1, refused, 2**24, refused),
    ("float32", np.array([1], "int64"), refused, [1], refused),
    ("float32", np.array([1], "int16"), [1], [1], [1]),
    ("float16", 0.1, refused, np.float16(0.1), refused),
    ("float64", np.array([1], "int64"), [1], [1], [1]),
    ("float64", 1j, refused, refused, refused),
    ("bool", 2, refused, True, refused),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("position", "allow"), [(0, None), (1, True), (2, False)])
def test_downcasts(mode: str, position: int, allow: bool | None) -> None:
    with config.change_flags(floatX="float32"):
        for dtype, value, *expected in DOWNCASTS:
            x = T.TensorType(dtype, (None,) * np.ndim(value))("x")
            seen = partial(function([x], x, mode=mode, allow_input_downcast=allow), value)
            if expected[position] is refused:
                with pytest.raises(TypeError, match=r"bad value for input x"):
                    seen()
                continue
            result = seen()
            assert result.dtype == dtype
            assert result.tolist() == np.asarray(expected[position]).tolist(), (dtype, value)
