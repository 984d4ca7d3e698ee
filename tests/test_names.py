"""What dir() shows, and what names that do not exist are answered with."""

from __future__ import annotations

import copy
import importlib
import operator
import pickle
import pkgutil
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano import shared, sparse
from symtheano.names import ELSEWHERE, ELSEWHERE_OF_VARIABLES, OF_NUMPY, MissingName, close

PAGE = Path(__file__).parents[1] / "docs" / "names.md"

MODULES = """
    symtheano symtheano.tensor symtheano.tensor.nnet symtheano.tensor.nlinalg
    symtheano.tensor.slinalg symtheano.tensor.extra_ops symtheano.tensor.fft symtheano.tensor.opt
    symtheano.tensor.linalg symtheano.tensor.random symtheano.tensor.special
    symtheano.tensor.xlogx symtheano.gradient symtheano.sparse symtheano.printing symtheano.compile
""".split()
X = T.dmatrix("x")
AS_OP = "; symtheano.as_op makes an op of a function of arrays, without a gradient"
MEANT: list[tuple[Any, str, str | None]] = [
    (T.special, "ellipk", f"scipy.special.ellipk has no counterpart here{AS_OP}"),
    (T, "savetxt", f"numpy.savetxt has no counterpart here{AS_OP}"),
    (T, "relu", "it is symtheano.tensor.nnet.relu"),
    (T, "softmax", "it is symtheano.tensor.nnet.softmax"),
    (T, "function", "it is symtheano.function"),
    (T, "csr_matrix", "it is symtheano.sparse.csr_matrix"),
    (T, "sofmax", "did you mean symtheano.tensor.nnet.softmax?"),
    (T, "argmaxx", "did you mean argmax?"),
    (T, "Dmatrix", "did you mean dmatrix?"),
    (T, "zzzzzz", None),
    (T, "trapz", "it is T.trapezoid(y, x)"),
    (T.fft, "next_fast_len", "scipy.fft.next_fast_len(n) of an integer"),
    (T, "weight", None),
    (T.linalg, "logm", f"scipy.linalg.logm has no counterpart here{AS_OP}"),
    (T.linalg, "sqrtm", f"scipy.linalg.sqrtm has no counterpart here{AS_OP}"),
    (T.random, "randint", "it is T.random.integers(low, high, size)"),
    (symtheano, "manual_seed", "it is nn.seed(0), or nn.Model(seed=0)"),
    (
        shared(1.0),
        "assign",
        "it is set_value(value) of a shared variable, or in a session nn.assign(w, value)",
    ),
    (
        X,
        "requires_grad",
        "derivatives are symtheano.grad(cost, wrt), with respect to any expression",
    ),
    (symtheano, "random", "it is symtheano.tensor.random"),
    (symtheano, "fft", "it is symtheano.tensor.fft"),
    (symtheano, "bool", 'dtypes are strings: "bool", or symtheano.bool_'),
    (symtheano, "jit", "symtheano.function(inputs, outputs) compiles expressions"),
    (T, "cat", "it is symtheano.tensor.concatenate"),
    (T, "from_numpy", "it is T.as_tensor_variable(x), or T.constant(x)"),
    (X, "view", "it is reshape"),
    (X, "permute", "it is transpose, or dimshuffle"),
    (X, "float", 'it is astype("float32"), or "float64"; function(..., device=...) names a device'),
    (X, "cuda", "leave it out: function(..., device=...) names a device"),
    (shared(1.0), "get_shape", "it is shape, an expression, or static_shape, a tuple"),
    (shared(1.0), "load", "it is set_value(value) of a shared variable"),
    (T.nnet, "reluu", "did you mean relu?"),
    (T.nnet, "dot", "it is symtheano.dot"),
    (T.nlinalg, "solve", "it is symtheano.tensor.slinalg.solve"),
    (T.slinalg, "det", "it is symtheano.tensor.nlinalg.det"),
    (T.extra_ops, "cumsumm", "did you mean cumsum?"),
    (T.fft, "fftshif", "did you mean fftshift?"),
    (T.inplace, "exp", "it is symtheano.tensor.exp"),
    (symtheano, "matrix", "it is symtheano.tensor.matrix"),
    (symtheano, "functon", "did you mean function?"),
    (symtheano.gradient, "jacobain", "did you mean jacobian?"),
    (symtheano.printing, "debugprnt", "did you mean debugprint?"),
    (sparse, "csr_mat", "did you mean csr_matrix?"),
    (sparse, "exp", "it is symtheano.tensor.exp"),
    (X, "shap", "did you mean shape?"),
    (X, "softmax", "it is a function: symtheano.tensor.nnet.softmax(x)"),
    (X, "concatenate", "it is a function: symtheano.tensor.concatenate(x)"),
    (X, "_private", None),
    (X, "foo", None),
    (T.exp(X), "astyp", "did you mean astype?"),
    (shared(1.0), "get_valu", "did you mean get_value?"),
    (sparse.csr_matrix("S"), "toaray", "did you mean toarray?"),
]


@pytest.mark.parametrize(("owner", "name", "hint"), MEANT, ids=lambda item: str(item)[:30])
def test_a_name_that_does_not_exist(owner: Any, name: str, hint: str | None) -> None:
    assert not hasattr(owner, name)
    with pytest.raises(AttributeError) as caught:
        getattr(owner, name)
    text = str(caught.value)
    assert f"has no attribute {name!r}" in text
    assert text.partition("hint: ")[2] == (hint or "")
    whose = owner.__name__ if isinstance(owner, ModuleType) else type(owner).__name__
    assert repr(whose) in text
    assert str(pickle.loads(pickle.dumps(caught.value))) == text


# Modules that are meant to be attributes of another one.
SUBMODULES = {
    "symtheano": set(symtheano._MODULES) | {"compile", "config", "gradient", "tensor"},
    "symtheano.tensor": {*T._MODULES, "nnet"},
    "symtheano.tensor.signal": {"conv", "downsample", "pool"},
    "symtheano.nn": set(symtheano.nn._MODULES),
}


@pytest.mark.parametrize("name", [*MODULES, "symtheano.nn", "symtheano.tensor.signal"])
def test_no_public_name_is_a_submodule_by_accident(name: str) -> None:
    module = import_module(name)
    if hasattr(module, "__path__"):
        for item in pkgutil.iter_modules(module.__path__):
            if not item.ispkg and not item.name.startswith("_"):
                import_module(f"{name}.{item.name}")
    shown = getattr(module, "__all__", ())
    modules = {item for item in shown if isinstance(getattr(module, item), ModuleType)}
    assert modules <= SUBMODULES.get(name, set())


@pytest.mark.parametrize("name", MODULES)
def test_dir_shows_what_is_public(name: str) -> None:
    module = import_module(name)
    shown = dir(module)
    assert {"annotations", "Any", "import_module", "TYPE_CHECKING"}.isdisjoint(shown)
    # Theano's modules in nnet are shown, but ``import *`` does not load them.
    modules = {item for item in shown if isinstance(getattr(module, item), ModuleType)}
    more = modules if name == "symtheano.tensor.nnet" else set()
    assert set(shown) - {"__version__"} == {*module.__all__, *more}
    assert [item for item in shown if not hasattr(module, item)] == []
    if name != "symtheano.tensor":
        assert [item for item in shown if item.startswith("_")] in ([], ["__version__"])


def test_numpy_gradient_is_not_the_derivative() -> None:
    for arguments in [(X.sum(), X), (X.sum(axis=0), X, X)]:
        with pytest.raises(TypeError, match=r"derivatives are symtheano.grad\(cost, wrt\)"):
            T.gradient(*arguments)


ROWS = re.findall(r"^\| (`.*) \| (.*) \|$", PAGE.read_text("utf-8").split("## NumPy")[1], re.M)


@pytest.mark.parametrize(("missing", "remedy"), ROWS)
def test_the_page_says_what_messages_say(missing: str, remedy: str) -> None:
    for name in re.findall(r"`(\w+)`", missing):
        assert OF_NUMPY[name].removeprefix("it is ") == remedy.replace("`", "")


def test_the_page_has_all_functions_with_a_remedy() -> None:
    assert sorted(re.findall(r"`(\w+)`", " ".join(missing for missing, _ in ROWS))) == sorted(
        OF_NUMPY
    )


@pytest.mark.parametrize("name", [*ELSEWHERE, *ELSEWHERE_OF_VARIABLES])
def test_what_stands_elsewhere_is_no_attribute_and_its_counterpart_exists(name: str) -> None:
    of_variables = name in ELSEWHERE_OF_VARIABLES
    text = ELSEWHERE_OF_VARIABLES[name] if of_variables else ELSEWHERE[name]
    assert not hasattr(shared(1.0) if of_variables else T, name)
    owners = {"T": T, "nn": symtheano.nn, "symtheano": symtheano}
    for owner, path in re.findall(r"\b(T|nn|symtheano)\.([a-zA-Z_.]+)\(", text):
        operator.attrgetter(path)(owners[owner])
    for method in re.findall(r"\b(get_value|set_value|eval|dimshuffle)\b", text):
        assert hasattr(shared(1.0), method)


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("fitt", ["fit", "summary"], ["fit"]),
        ("utils", ["until"], []),
        ("weight", ["eigh", "WeightNorm"], []),
        ("AdamOptimizer", ["Optimizer"], []),
        ("Normalization", ["UnitNormalization"], []),
        ("functon", ["Function", "function"], ["function"]),
        ("MaxPool2d", ["MaxPool1D", "max_pool2d", "MaxPool2D"], ["MaxPool2D"]),
        ("sqrtm", ["sqrt"], []),
        ("ab", ["abs"], []),
    ],
)
def test_names_that_are_close(name: str, known: list[str], expected: list[str]) -> None:
    assert close(name, known) == expected


def test_submodules_are_hidden_from_attributes_and_imported() -> None:
    module = importlib.import_module("symtheano.nn.optimizers.adam")
    assert isinstance(module, ModuleType)
    for name in ("adam", "lbfgs"):
        assert not hasattr(symtheano.nn.optimizers, name)
    from symtheano.nn.optimizers import adam

    assert adam is module


def test_what_the_hints_name_exists() -> None:
    for owner, _, hint in MEANT:
        if hint is None or not hint.startswith(("it is symtheano.", "it is a fun", "did you mean")):
            continue
        place = hint.partition("symtheano.")[2].rstrip("?").removesuffix("(x)")
        found: Any = symtheano
        for part in place.split(".") if place else ():
            found = getattr(found, part)
        if not place:
            assert hasattr(owner, hint.split()[-1].rstrip("?"))


def test_python_finds_what_it_asks_variables_for() -> None:
    assert copy.deepcopy(X).type == X.type
    assert not hasattr(X, "__array_interface__")
    assert getattr(X, "missing", 5) == 5
    assert isinstance(np.float64(2.0) * X, T.TensorVariable)
    with pytest.raises(MissingName):
        X.missing  # noqa: B018
    with pytest.raises(ImportError, match="cannot import name 'relu'"):
        from symtheano.tensor import relu  # noqa: F401
