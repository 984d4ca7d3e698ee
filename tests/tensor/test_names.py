"""The names of the tensor module, also those of rows, which become functions on first access."""

from __future__ import annotations

import json
import subprocess
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import symtheano
import symtheano.tensor as T
from symtheano import dtypes
from symtheano.graph.walk import ancestors
from symtheano.scalar import table
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.linalg import products


@pytest.mark.parametrize("name", ["exp", "power", "matrix", "fmatrix", "dot", "nnet"])
def test_completion_knows_the_name(name: str) -> None:
    assert name in dir(T)


def test_a_star_import_brings_rows_and_constructors() -> None:
    names: dict[str, Any] = {}
    exec("from symtheano.tensor import *", names)
    assert names["exp"] is T.exp
    assert names["power"] is T.power
    assert names["fmatrix"] is T.fmatrix
    assert names["dot"] is T.dot


def test_every_public_name_is_there() -> None:
    assert all(hasattr(T, name) for name in T.__all__)


def test_a_row_is_one_function_under_all_its_names() -> None:
    assert isinstance(T.power, Elemwise)
    assert T.power is T.pow
    assert T.power.scalar_op is table.scalar_op("pow")


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'exponential'"):
        T.exponential  # noqa: B018


# Submodules that share their name with a function, and a program's possible ways to them.
SHARED = ("sort", "vectorize", "var")


IMPORTS = (
    "import symtheano.tensor.{name}",
    "from symtheano.tensor.{name} import *",
    "T.{name}\nimport symtheano.tensor.{name}",
    "import importlib; importlib.import_module('symtheano.tensor.{name}')",
    "from symtheano.tensor import {name}",
)


@pytest.mark.parametrize("form", range(len(IMPORTS)))
def test_a_function_keeps_its_name_when_its_module_is_imported(form: int) -> None:
    lines = ["import json, types", "import symtheano.tensor as T"]
    for name in SHARED:
        lines += [IMPORTS[form].format(name=name)]
    lines += [f"found = [isinstance(getattr(T, name), types.FunctionType) for name in {SHARED}]"]
    lines += ["print(json.dumps(found))"]
    result = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout) == [True] * len(SHARED)


def test_modules_that_are_no_functions_are_attributes() -> None:
    for name in ("elemwise", "fft", "nlinalg", "slinalg", "extra_ops", "opt", "xlogx", "linalg"):
        assert isinstance(getattr(T, name), ModuleType), name


def test_what_belongs_to_rooms_further_right_is_lent() -> None:
    assert T.grad is symtheano.grad
    assert T.jacobian is symtheano.gradient.jacobian
    assert T.numeric_grad is symtheano.gradient.numeric_grad
    assert {"grad", "hessian", "verify_grad"} <= set(T.__all__)


def test_lists_of_dtypes() -> None:
    assert sorted(T.all_dtypes) == sorted(dtypes.ALL)
    assert T.integer_dtypes == T.int_dtypes + T.uint_dtypes
    assert set(T.discrete_dtypes) - set(T.integer_dtypes) == {"bool"}
    assert T.continuous_dtypes == T.float_dtypes + T.complex_dtypes


def test_functions_of_each_dtype() -> None:
    for dtype in T.all_dtypes:
        assert getattr(T, f"_convert_to_{dtype}")(T.scalar(dtype="bool")).dtype == dtype


def test_identity_is_elementwise_and_matmul_the_general_one() -> None:
    assert isinstance(T.identity, Elemwise)
    x, y = T.tensor4("x"), T.tensor3("y")
    assert T.matmul is products.matmul
    assert (x @ y).type == T.matmul(x, y).type
    assert (np.ones((2, 2)) @ x).ndim == 4


def test_names_of_the_package() -> None:
    assert all(hasattr(symtheano, name) for name in symtheano.__all__)
    assert set(symtheano.__all__) <= set(dir(symtheano))
    assert symtheano.scalar.add is table.scalar_op("add")
    assert symtheano.scalar.upcast("int8", "float32") == "float32"
    with pytest.raises(AttributeError, match="has no attribute 'float33'"):
        symtheano.scalar.float33  # noqa: B018
    assert symtheano._asarray([1], "floatX").dtype == symtheano.config.floatX


def test_dot_takes_sparse_factors_on_either_side() -> None:
    a, x = symtheano.sparse.csr_matrix("a", dtype="float64"), T.dmatrix("x")
    left, right, dense = (symtheano.dot(*pair) for pair in ((a, x), (x, a), (x, x)))
    f = symtheano.function([a, x], [left, right, dense])
    matrix = np.array([[0.0, 2.0], [3.0, 0.0]])
    other = np.array([[1.0, 2.0], [3.0, 4.0]])
    expected = [matrix @ other, other @ matrix, other @ other]
    for got, want in zip(f(scipy.sparse.csr_matrix(matrix), other), expected, strict=True):
        np.testing.assert_array_equal(got, want)


def test_clone_replaces_and_copies() -> None:
    x, y, w = T.dvector("x"), T.dvector("y"), symtheano.shared(np.ones(2), "w")
    z = T.exp(x) * w
    np.testing.assert_allclose(symtheano.clone(z, [(x, 2 * y)]).eval({y: [0.0, 1.0]}), [1, np.e**2])
    both = symtheano.clone([z, x], {x: y})
    assert both[1] is y
    assert symtheano.clone(z) is z
    copied = symtheano.clone(z, share_inputs=False)
    assert x not in set(ancestors([copied]))
    assert w in set(ancestors([copied]))
    with pytest.raises(TypeError, match="a replacement does not have the type"):
        symtheano.clone(z, {x: T.dmatrix()})
    assert symtheano.clone(z, {x: T.fvector()}, strict=False).dtype == "float64"
    with pytest.raises(TypeError, match="is not a symbolic variable"):
        symtheano.clone(z, {x: 2.0})


def test_constructors_make_variables_of_their_dims_and_dtype() -> None:
    letters = {"b": "int8", "w": "int16", "i": "int32", "l": "int64", "f": "float32"}
    letters |= {"d": "float64", "c": "complex64", "z": "complex128", "": symtheano.config.floatX}
    dims = {"scalar": 0, "vector": 1, "row": 2, "col": 2, "matrix": 2}
    dims |= {f"tensor{ndim}": ndim for ndim in range(3, 8)}
    plurals = {"matrix": "matrices"}
    for letter, dtype in letters.items():
        for name, ndim in dims.items():
            made = getattr(T, letter + name)("x")
            assert (made.name, made.dtype, made.ndim) == ("x", dtype, ndim)
            several = getattr(T, letter + plurals.get(name, f"{name}s"))("x", "y")
            assert [item.type for item in several] == [made.type, made.type]
    assert T.row().broadcastable == (True, False)
    assert T.col().broadcastable == (False, True)


def test_classes_of_variables() -> None:
    assert T.Tensor is T.TensorType
    assert isinstance(T.as_tensor([1, 2]), T.TensorConstant)
    assert isinstance(symtheano.shared([1.0]), T.TensorSharedVariable)
    assert isinstance(symtheano.shared("text"), T.TensorSharedVariable) is False
    assert isinstance(symtheano.shared(np.ones(1)), T.sharedvar.TensorSharedVariable)
    assert isinstance(symtheano.sparse.csc_matrix("x"), symtheano.sparse.SparseVariable)


def test_notes_on_variables_are_kept_and_not_computed_with() -> None:
    assert symtheano.config.compute_test_value == "off"
    x = T.dvector("x")
    x.tag.test_value = np.ones(2)
    assert not hasattr((2 * x).tag, "test_value")
