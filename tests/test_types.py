"""What type checkers see: types of expressions of users' programs, and calls that they refuse."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from mypy import api

import symtheano.tensor as T
from symtheano.graph.variable import Variable
from symtheano.scalar import operand

ROOT = Path(__file__).parent.parent

PROGRAM = """
import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano import Mode, Variable, function, grad, nn, scan, shared

x, v, i = T.matrix("x"), T.dvector("v"), T.ivector("i")
w = shared(np.zeros(3), name="w")
f = function([x], x * 2, updates=[(w, w + 1)], mode=Mode("interpret", None))
model = nn.Model(seed=0)


def norm(a: T.TensorVariable, *, axis: int = 0) -> T.TensorVariable:
    return T.sqrt((a**2).sum(axis))


def step(row: T.TensorVariable, total: T.TensorVariable) -> T.TensorVariable:
    return total + row


def two(row: T.TensorVariable) -> tuple[T.TensorVariable, T.TensorVariable]:
    return row, 2 * row


class Scale(nn.Layer):
    def build(self, shape: tuple[int, ...]) -> None:
        self.scale = self.add_weight(shape[-1:], "ones", name="scale")

    def output_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        return shape

    def apply(self, x: T.TensorVariable, training: bool) -> T.TensorVariable:
        return x * self.scale


class Product(nn.Layer):
    def build(self, left: tuple[int, ...], right: tuple[int, ...]) -> None:
        self.scale = self.add_weight(left[-1:], "ones", name="scale")

    def call(self, x: T.TensorVariable, y: T.TensorVariable) -> T.TensorVariable:
        return x * y * self.scale


def gradients(cost: Variable, parameters: list[T.TensorSharedVariable]) -> list[T.TensorVariable]:
    return grad(cost, parameters)


"""

TENSOR = "symtheano.scalar.operand.Tensor"
ARRAY = "numpy.ndarray[tuple[Any, ...], numpy.dtype[Any]]"
MEASURES = "symtheano.nn.training.measures.Measures"
SHARED = "symtheano.tensor.variable.TensorSharedVariable"

# The type of each expression, without ``symtheano.scalar.operand.`` in front of Tensor.
EXPRESSIONS = [
    ("x", "Tensor"),
    ("v", "Tensor"),
    ("T.tensor('y', 'float32', (None, 3))", "Tensor"),
    ("T.vectors('a', 'b')", "list[Tensor]"),
    ("T.dvector", "symtheano.tensor.type.TensorType"),
    ("T.tanh(x)", "Tensor"),
    ("T.add(x, 1, v, name='total')", "Tensor"),
    ("T.switch(x > 0, x, 0)", "Tensor"),
    ("T.exp([1.0, 2.0])", "Tensor"),
    ("T.sum(x, axis=0)", "Tensor"),
    ("T.mean(x)", "Tensor"),
    ("T.max(x, axis=-1, keepdims=True)", "Tensor"),
    ("T.argmax(x)", "Tensor"),
    ("T.max_and_argmax(x)", "tuple[Tensor, Tensor]"),
    ("T.dot(x, v)", "Tensor"),
    ("T.concatenate([x, x], axis=1)", "Tensor"),
    ("T.split(x, [1, 2], 2)", "list[Tensor]"),
    ("T.zeros((3, 2))", "Tensor"),
    ("T.arange(3)", "Tensor"),
    ("T.cast(x, 'int8')", "Tensor"),
    ("T.where(x > 0, x, 0)", "Tensor"),
    ("T.where(x > 0)", "tuple[Tensor, ...]"),
    ("T.set_subtensor(x[0], 1)", "Tensor"),
    ("T.nnet.softmax(x)", "Tensor"),
    ("T.nnet.sigmoid(x)", "Tensor"),
    ("T.nlinalg.matrix_inverse(x)", "Tensor"),
    ("T.linalg.solve(T.eye(3), x)", "Tensor"),
    ("T.linalg.inv(x)", "Tensor"),
    ("T.special.expit(x)", "Tensor"),
    ("T.special.round(x)", "Tensor"),
    ("T.special.factorial(x)", "Tensor"),
    ("T.fft.rfft(x)", "Tensor"),
    ("T.random.default_rng(0)", "symtheano.tensor.random.generator.Generator"),
    ("T.random.default_rng(0).normal(size=3)", "Tensor"),
    ("T.random.normal(0.0, 1.0, size=(3,))", "Tensor"),
    ("T.sort(x)", "Tensor"),
    ("T.grad(x.sum(), x)", "Tensor"),
    ("grad(x.sum(), [x])", "list[Tensor]"),
    ("grad(x.sum(), (x, v))", "tuple[Tensor, ...]"),
    ("T.jacobian(v * 2, v)", "Tensor"),
    ("x + 1", "Tensor"),
    ("2.0 / x", "Tensor"),
    ("x @ x", "Tensor"),
    ("x > 0", "Tensor"),
    ("-x[0, 1:]", "Tensor"),
    ("x.T.sum(axis=0).exp()", "Tensor"),
    ("x.reshape((-1,)).argsort()", "Tensor"),
    ("x.shape[0]", "Tensor"),
    ("x.dtype", "str"),
    ("x.ndim", "int"),
    ("x.name", "str | None"),
    ("x.owner", "symtheano.graph.variable.Apply | None"),
    ("w", "TensorSharedVariable"),
    ("w * 2", "Tensor"),
    ("f", "symtheano.function.compiled.Function[Tensor]"),
    ("f(1)", ARRAY),
    ("function([x], [x, x])(1)", f"list[{ARRAY}]"),
    ("function([x], w)(1)", ARRAY),
    ("function([x], {'a': x})(1)['a']", ARRAY),
    ("T.linalg.svd(x)", "tuple[Tensor, Tensor, Tensor]"),
    ("T.linalg.svd(x, compute_uv=False)", "Tensor"),
    ("T.linalg.qr(x)", "tuple[Tensor, Tensor]"),
    ("T.linalg.qr(x, 'r')", "Tensor"),
    ("T.linalg.lu(x, True)", "tuple[Tensor, Tensor]"),
    ("T.linalg.lstsq(x, v)[0]", "Tensor"),
    ("T.linalg.eigvalsh(x)", "Tensor"),
    ("T.linalg.toeplitz(v)", "Tensor"),
    ("T.fft.dct(v, norm='ortho')", "Tensor"),
    ("T.convolve(v, v, 'same')", "Tensor"),
    ("round(x, 2)", "Tensor"),
    ("T.atleast_2d(v)", "Tensor"),
    ("T.atleast_2d(v, x)", "list[Tensor]"),
    ("f.c_source", "str | None"),
    ("scan(step, x, v)", "tuple[Tensor, symtheano.updates.OrderedUpdates]"),
    ("scan(two, x)[0]", "list[Tensor]"),
    ("symtheano.ifelse.ifelse(x.sum() > 0, x, x * 2)", "Tensor"),
    ("symtheano.pp(x)", "str"),
    ("norm(x)", "Tensor"),
    ("shared(0.0)", "TensorSharedVariable"),
    ("nn.relu(nn.Input((3,)))", "Tensor"),
    ("nn.dense(T.tensor('z', 'float32', (None, 3)), 2)", "symtheano.nn.values.Value"),
    ("nn.Add()([nn.Input((3,)), nn.Input((3,))])", "symtheano.nn.values.Value"),
    ("nn.Dense(2)(nn.Input((3,))[:, :2])", "symtheano.nn.values.Value"),
    ("nn.Input((3,)) + nn.Input((3,))", "Tensor"),
    ("2 * nn.Input((3,))", "Tensor"),
    ("nn.Input((3,)).mean(axis=1)", "Tensor"),
    ("nn.reduce_sum(x, axis=1, keepdims=True)", "Tensor"),
    ("nn.placeholder('float32', (None, 3)) + 1", "Tensor"),
    ("nn.Variable(1.0)", "TensorSharedVariable"),
    ("nn.activations.sigmoid(x)", "Tensor"),
    ("nn.Dense(3, 'relu')", "symtheano.nn.layers.dense.Dense"),
    ("nn.Dense(3)(nn.Input((4,)))", "symtheano.nn.values.Value"),
    ("nn.Adam(0.1)", "symtheano.nn.optimizers.adam.Adam"),
    ("nn.Sequential([nn.Dense(3)])", "symtheano.nn.sequential.Sequential"),
    ("nn.Sequential().dense(3, 'relu')", "symtheano.nn.sequential.Sequential"),
    ("nn.Sequential().conv(8, 3).maxpool().loss('mse')", "symtheano.nn.sequential.Sequential"),
    ("nn.Sequential().dense(3).train_on_batch(1, 2)", MEASURES),
    ("nn.Sequential().predict(x)", ARRAY),
    ("nn.Sequential().optimizer.learning_rate", "float"),
    ("nn.Sequential().layers", "list[symtheano.nn.layers.base.Layer]"),
    ("model", "symtheano.nn.model.Model"),
    ("model.fit(1, 2, epochs=3)", "symtheano.nn.training.history.History"),
    ("model.evaluate(1, 2)", MEASURES),
    ("model.predict(1)", f"{ARRAY} | Any"),
    ("nn.Model.load('m')", "symtheano.nn.model.Model"),
]

# Calls and what is said of them.
WRONG = [
    ("T.fft.dct(v, norm=3)", 'Argument "norm" to "dct" has incompatible type "int"'),
    ("T.nnet.conv2d(x, x, data_format='NHWC')", 'Argument "data_format" to "conv2d"'),
    ("T.tahn(x)", 'Module has no attribute "tahn"'),
    ("T.tanh(3, 4, 5, 6)", 'Too many arguments for "tanh"'),
    ("T.tanh()", 'Too few arguments for "tanh"'),
    ("T.tanh('x')", 'Argument 1 to "tanh" has incompatible type "str"'),
    ("T.tanh(x, out=x)", 'Unexpected keyword argument "out"'),
    ("T.switch(x > 0, x)", 'Too few arguments for "switch"'),
    ("T.sum(x, axes=0)", 'Unexpected keyword argument "axes"'),
    ("T.max(x, 0, False, None, 1)", 'Too many arguments for "max"'),
    ("T.matrix(3)", 'Argument 1 to "matrix" has incompatible type "int"'),
    ("T.dvector('a', 'b')", 'Argument 2 to "__call__" of "TensorType"'),
    ("T.transpose('x')", 'Argument 1 to "transpose" has incompatible type "str"'),
    ("x.summ()", '"Tensor" has no attribute "summ"'),
    ("x.sum(keepdims='yes')", 'Argument "keepdims" to "sum" of "Tensor"'),
    ("x.exp(1)", 'Too many arguments for "exp" of "Tensor"'),
    ("grad(x.sum())", 'No overload variant of "grad" matches'),
    ("grad(x.sum(), x, disconnected='ignore')", 'Unexpected keyword argument "disconnected"'),
    ("shared(np.zeros(3), names='w')", 'Unexpected keyword argument "names"'),
    ("function([x], x, update=[])", 'Unexpected keyword argument "update" for "function"'),
    ("function([x], x, mode=3)", 'Argument "mode" to "function" has incompatible type "int"'),
    ("f.c_sources", '"Function[Tensor]" has no attribute "c_sources"'),
    ("scan(step, sequence=x)", 'Unexpected keyword argument "sequence"'),
    ("symtheano.functoin([x], x)", 'Module has no attribute "functoin"'),
    ("nn.Dens(3)", 'Module has no attribute "Dens"'),
    ("nn.Dense('three')", 'Argument 1 to "Dense" has incompatible type "str"'),
    ("nn.Dense(3, biases=True)", 'Unexpected keyword argument "biases" for "Dense"'),
    ("nn.Sequential().dens(3)", '"Sequential" has no attribute "dens"'),
    ("nn.Sequential().dense('three')", 'Argument 1 to "dense" of "ChainMembers"'),
    ("nn.Sequential().lstm(3, states=1)", 'Unexpected keyword argument "states" for "lstm"'),
    ("model.fit(1, 2, epoch=3)", 'Unexpected keyword argument "epoch" for "fit" of "Model"'),
    ('model.fit(1, 2, "three")', 'Argument 3 to "fit" of "Model" has incompatible type "str"'),
    (
        "nn.Sequential().dense(3).fit(1, 2, epoch=3)",
        'Unexpected keyword argument "epoch" for "fit" of "Sequential"',
    ),
    ("nn.Adam(lr=0.1)", 'Unexpected keyword argument "lr" for "Adam"'),
    ("nn.reduce_sum(x, axes=1)", 'Unexpected keyword argument "axes" for "reduce_sum"'),
    ("nn.tanh(x, x)", 'Too many positional arguments for "tanh"'),
    ("nn.activations.sigmoidd(x)", 'Module has no attribute "sigmoidd"'),
    ("T.linalg.solv(x, x)", 'Module has no attribute "solv"'),
    ("T.random.normall(x)", 'Module has no attribute "normall"'),
    ("T.special.expitt(x)", 'Module has no attribute "expitt"'),
    ("T.random.normal(0.0, 1.0, shape=3)", 'Unexpected keyword argument "shape"'),
    ("model.compile()", 'Missing positional argument "loss"'),
    ("model.save(3)", 'Argument 1 to "save" of "Stored" has incompatible type "int"'),
]


# Packages, and an expression of names that ``import *`` gives, with its type.
STARS = {
    "symtheano": ("shared(0.0)", SHARED),
    "symtheano.tensor": ("tanh(dvector('x')) + cumsum(eye(3)) + linalg.inv(eye(3))", TENSOR),
    "symtheano.tensor.nnet": ("relu(1.0)", TENSOR),
    "symtheano.nn": ("Dense(3)(Input((2,)))", "symtheano.nn.values.Value"),
    "symtheano.sparse": ("enable_sparse", "bool"),
}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """Return what ``mypy --strict`` says of each line of a program with all expressions."""
    lines = [f"reveal_type({text})" for text, _ in EXPRESSIONS] + [text for text, _ in WRONG]
    return strictly(PROGRAM + "\n".join(lines) + "\n", tmp_path_factory.mktemp("types"))


def strictly(program: str, folder: Path) -> dict[int, str]:
    """Return what ``mypy --strict`` says of lines of a program, by their numbers."""
    path = folder / "program.py"
    path.write_text(program)
    config = folder / "mypy.ini"
    config.write_text(f"[mypy]\nmypy_path = {ROOT}\n")
    options = ["--strict", "--no-pretty", "--hide-error-context", "--config-file", str(config)]
    # The cache is kept, because the whole package is checked, which takes long.
    cache = ROOT / ".mypy_cache" / "tests"
    out, errors, _ = api.run([*options, "--cache-dir", str(cache), str(path)])
    assert not errors, errors
    found: dict[int, str] = {}
    for line in out.splitlines():
        # From its cache, mypy repeats the folder of an earlier run.
        match = re.match(r".*program\.py:(\d+): (?:error|note): (.*)", line)
        if match is not None:
            found.setdefault(int(match[1]), match[2])
        else:
            assert line.startswith(("Found ", "Success: ")), line
    return found


def test_declared_methods_are_those_of_arrays() -> None:
    tree = ast.parse(Path(operand.__file__).read_text())
    (tensor,) = (
        node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Tensor"
    )
    declared = {node.name for node in ast.walk(tensor) if isinstance(node, ast.FunctionDef)}
    public = {name for name in dir(T.TensorVariable) if not name.startswith("_")}
    assert public - set(dir(Variable)) - {"apply_scalar", "numpy_calls", "stack_with"} == {
        name for name in declared if not name.startswith("_")
    }


FIRST = len(PROGRAM.splitlines()) + 1


@pytest.mark.slow
@pytest.mark.parametrize("package", STARS)
def test_all_names_at_once(package: str, tmp_path: Path) -> None:
    expression, kind = STARS[package]
    program = f"from {package} import *\nreveal_type({expression})\n"
    assert strictly(program, tmp_path) == {2: f'Revealed type is "{kind}"'}


@pytest.mark.slow
def test_programs_without_mistakes_are_accepted(said: dict[int, str]) -> None:
    assert {number: text for number, text in said.items() if number < FIRST} == {}


@pytest.mark.slow
@pytest.mark.parametrize(("number", "text", "kind"), [(k, *e) for k, e in enumerate(EXPRESSIONS)])
def test_type_of_expression(said: dict[int, str], number: int, text: str, kind: str) -> None:
    wanted = re.sub(r"(?<![\w.])Tensor(?!\w)", TENSOR, kind)
    wanted = re.sub(r"(?<![\w.])TensorSharedVariable", SHARED, wanted)
    assert said[FIRST + number] == f'Revealed type is "{wanted}"', text


@pytest.mark.slow
@pytest.mark.parametrize(("number", "text", "error"), [(k, *e) for k, e in enumerate(WRONG)])
def test_wrong_call_is_refused(said: dict[int, str], number: int, text: str, error: str) -> None:
    assert error in said.get(FIRST + len(EXPRESSIONS) + number, "accepted"), text
