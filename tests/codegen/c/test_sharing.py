"""Functions that are alike are written once, and those that only look alike are not."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad, shared
from symtheano.codegen.c.sharing import Functions


def layers(count: int) -> tuple[list[T.TensorVariable], T.TensorVariable]:
    """Return the inputs and the output of equal layers, each with its own lengths."""
    x = T.matrix("x")
    weights = [T.matrix(f"w{k}") for k in range(count)]
    value = x
    for k, w in enumerate(weights):
        value = T.tanh(T.dot(value, w) + 1.5) if k % 2 else T.exp(-T.dot(value, w))
    return [x, *weights], value


@pytest.fixture
def functions() -> Functions:
    return Functions(["x", "y", "i", "j", "table"])


def test_names_of_values_do_not_count(functions: Functions) -> None:
    assert functions.add("ST_KERNEL void", "f", ["double *x"], ["x[i] = i;"]) == "f"
    assert functions.add("ST_KERNEL void", "g", ["double *y"], ["y[j] = j;"]) == "f"
    assert len(list(functions.texts())) == 1


@pytest.mark.parametrize(
    ("kind", "parameters", "line"),
    [
        ("ST_KERNEL void", ["double *x"], "x[i] = x;"),  # the same names in other places
        ("ST_KERNEL void", ["double *x"], "x[i] = 2*i;"),
        ("ST_KERNEL void", ["double *x"], "x[i] = sin(i);"),
        ("ST_KERNEL void", ["float *x"], "x[i] = i;"),
        ("ST_KERNEL int32_t", ["double *x"], "x[i] = i;"),
        ("ST_KERNEL void", ["double *x", "double *y"], "x[i] = i;"),
    ],
)
def test_all_else_counts(functions: Functions, kind: str, parameters: list[str], line: str) -> None:
    functions.add("ST_KERNEL void", "f", ["double *x"], ["x[i] = i;"])
    assert functions.add(kind, "g", parameters, [line]) == "g"


def test_what_functions_are_given_counts_but_not_its_names(functions: Functions) -> None:
    for name, given in (("f", "double *x"), ("g", "double *y"), ("h", "float *x")):
        functions.add("ST_KERNEL void", name, ["void *given"], [], given=[given])
    structs, texts = [], []
    for text in functions.texts():
        (structs if text.startswith("typedef struct") else texts).append(text)
    assert structs == [
        "typedef struct f_given {\n    double *x;\n} f_given;\n",
        "typedef struct h_given {\n    float *x;\n} h_given;\n",
    ]
    assert texts[1] == (
        "ST_KERNEL void h(void *given) {\n"
        "    const h_given *const st_given = given;\n"
        "    float *x = st_given->x;\n}\n"
    )


def test_names_of_functions_count(functions: Functions) -> None:
    functions.add("ST_KERNEL void", "f", ["double *x"], ["part_1(x);"])
    assert functions.add("ST_KERNEL void", "g", ["double *x"], ["part_2(x);"]) == "g"


def test_line_breaks_and_comments_do_not_count(functions: Functions) -> None:
    functions.add("ST_KERNEL void", "f", ["double *x"], ["f(x, i,", "  j); /* one */"])
    assert functions.add("ST_KERNEL void", "g", ["double *x"], ["f(x,", "i, j);"]) == "f"


def test_words_stay_apart(functions: Functions) -> None:
    functions.add("ST_KERNEL void", "f", [], ["long i;"])
    assert functions.add("ST_KERNEL void", "g", [], ["longi;"]) == "g"


def test_what_stands_alone_is_never_shared(functions: Functions) -> None:
    for name in ("f", "g"):
        added = functions.add("ST_KERNEL void", name, ["frame *x"], ["x->i = 1;"], alone=True)
        assert added == name


def test_lines_of_all_users_are_shown_up_to_three(functions: Functions) -> None:
    for k in range(5):
        functions.add("ST_KERNEL void", f"f{k}", ["double *x"], ["x[0] = 0;"], "/* zero */",
                      [f"/* a.py:{k} */", "/* a.py:0 */"])  # fmt: skip
    (text,) = functions.texts()
    assert text.splitlines()[:5] == [
        "/* zero */", "/* a.py:0 */", "/* a.py:1 */", "/* a.py:2 */", "/* and 2 lines more */",
    ]  # fmt: skip


@pytest.mark.needs_cc
def test_layers_share_their_kernels_and_compute_what_they_should() -> None:
    inputs, output = layers(6)
    f = function(inputs, output)
    assert f.c_source is not None
    assert len(set(re.findall(r"kernel_\d+_[a-z_]+(?<!_part)\(", f.c_source))) == 2
    rng = np.random.default_rng(0)
    sizes = [3, 5, 2, 7, 4, 6, 3]
    values = [rng.normal(size=(2, 3))]
    values += [rng.normal(size=pair) for pair in pairwise(sizes)]
    expected = function(inputs, output, mode="INTERPRET")(*values)
    np.testing.assert_allclose(f(*values), expected, rtol=1e-12)


@pytest.mark.needs_cc
def test_deep_network_with_updates_agrees_with_the_interpreter() -> None:
    rng = np.random.default_rng(0)
    results = []
    starts = [0.3 * rng.normal(size=(4, 4)) for _ in range(30)]
    given = rng.normal(size=(5, 4))
    for mode in ("FAST_RUN", "INTERPRET"):
        x = T.matrix("x")
        weights = [shared(start, f"w{k}") for k, start in enumerate(starts)]
        value = x
        for w in weights:
            value = T.tanh(T.dot(value, w))
        cost = T.sqr(value).sum()
        updates = [(w, w - 0.1 * g) for w, g in zip(weights, grad(cost, weights), strict=True)]
        f = function([x], cost, updates=updates, mode=mode)
        results.append([f(given), f(given), *(w.get_value() for w in weights)])
    for compiled, interpreted in zip(*results, strict=True):
        np.testing.assert_allclose(compiled, interpreted, rtol=1e-10)


def test_text_is_the_same_each_time(tmp_path: Path) -> None:
    texts = []
    for _ in range(2):
        inputs, output = layers(4)
        made = function(inputs, output)
        texts.append(made.stages.built.source.text)
    assert texts[0] == texts[1]
