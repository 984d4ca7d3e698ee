"""Ops of users with C code: compiled, called, and told of when they fail."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from symtheano.errors import CompileError

pytestmark = pytest.mark.needs_cc

SCALE = """
if (PyArray_NDIM({x}) != 1) {{
    PyErr_SetString(PyExc_ValueError, "not a vector");
    {fail}
}}
npy_intp count = PyArray_DIMS({x})[0];
if ({z} == NULL || PyArray_DIMS({z})[0] != count) {{
    Py_XDECREF({z});
    {z} = (PyArrayObject *)PyArray_EMPTY(1, PyArray_DIMS({x}), PyArray_TYPE({x}), 0);
    if ({z} == NULL) {fail}
}}
for (npy_intp k = 0; k < count; k++) {{
    dtype_{x} value = *(dtype_{x} *)PyArray_GETPTR1({x}, k);
    if (value < 0) {{
        PyErr_Format(PyExc_ValueError, "element %d is negative", (int)k);
        {fail}
    }}
    *(dtype_{z} *)PyArray_GETPTR1({z}, k) = scaled_{name}(value);
}}
"""


def make_scale(theano: Any, factor: str = "2", **methods: Any) -> Any:
    """Return an op that multiplies a vector, in C."""

    class Scale(theano.Op):
        __props__ = ("factor",)

        def __init__(self) -> None:
            self.factor = factor

        def make_node(self, x: Any) -> Any:
            return theano.Apply(self, [x], [x.type()])

        def c_support_code_apply(self, node: Any, name: str) -> str:
            kind = node.inputs[0].type.dtype_specs()[1]
            return f"static {kind} scaled_{name}({kind} x) {{ return x * {self.factor}; }}"

        def c_code(self, node: Any, name: str, inp: Any, out: Any, sub: Any) -> str:
            return SCALE.format(x=inp[0], z=out[0], name=name, fail=sub["fail"])

        def c_code_cache_version(self) -> tuple[int, ...]:
            return (1,)

    for name, method in methods.items():
        setattr(Scale, name, method)
    return Scale()


@pytest.mark.parametrize("dtype", ["float32", "float64", "int16"])
def test_c_code_runs_between_compiled_nodes(theano: Any, dtype: str) -> None:
    x = theano.tensor.vector("x", dtype=dtype)
    f = theano.function([x], make_scale(theano)(x + x) + 1)
    value = np.arange(6, dtype=dtype)
    for array in (value, value[::2], value[::-1], value[:0]):
        np.testing.assert_array_equal(f(array), array * 4 + 1)


def test_an_exception_names_the_op_and_the_line(theano: Any) -> None:
    x = theano.tensor.dvector("x")
    f = theano.function([x], make_scale(theano)(x))  # the line
    with pytest.raises(ValueError, match="element 1 is negative") as caught:
        f([1.0, -1.0])
    (note,) = caught.value.__notes__
    assert "Scale" in note
    assert "# the line" in note
    np.testing.assert_array_equal(f([1.0]), [2.0])


def test_failing_without_an_exception_is_told(theano: Any) -> None:
    def c_code(self: Any, node: Any, name: str, inp: Any, out: Any, sub: Any) -> str:
        return str(sub["fail"])

    x = theano.tensor.dvector("x")
    f = theano.function([x], make_scale(theano, c_code=c_code)(x))
    with pytest.raises(RuntimeError, match=r"failed without an exception: Scale.*test_c_code\.py"):
        f([1.0])


def test_code_that_the_compiler_rejects_names_the_op(theano: Any) -> None:
    x = theano.tensor.dvector("x")
    f = theano.function([x], make_scale(theano, "undeclared_name")(x))
    with pytest.raises(CompileError, match=r"the C code of Scale.*undeclared_name"):
        f([1.0])


def test_cleanup_runs_whether_the_code_fails_or_not(theano: Any) -> None:
    def support(self: Any) -> str:
        return "static int opened = 0;"

    def cleanup(self: Any, node: Any, name: str, inp: Any, out: Any, sub: Any) -> str:
        return 'opened++; PySys_WriteStdout("closed %d\\n", opened);'

    scale = make_scale(theano, c_support_code=support, c_code_cleanup=cleanup)
    x = theano.tensor.dvector("x")
    f = theano.function([x], scale(x))
    f([1.0])
    with pytest.raises(ValueError, match="negative"):
        f([-1.0])


def test_a_struct_lives_from_call_to_call(theano: Any) -> None:
    def struct(self: Any, node: Any, name: str) -> str:
        return f"int calls_{name};"

    def start(self: Any, node: Any, name: str, sub: Any) -> str:
        return f"calls_{name} = 10;"

    def code(self: Any, node: Any, name: str, inp: Any, out: Any, sub: Any) -> str:
        return f"""Py_XDECREF({out[0]});
        {out[0]} = (PyArrayObject *)PyArray_ZEROS(1, PyArray_DIMS({inp[0]}), NPY_DOUBLE, 0);
        *(double *)PyArray_DATA({out[0]}) = ++calls_{name};"""

    scale = make_scale(theano, c_support_code_struct=struct, c_init_code_struct=start, c_code=code)
    x = theano.tensor.dvector("x")
    f = theano.function([x], scale(x))
    assert [float(f([0.0])[0]) for _ in range(3)] == [11.0, 12.0, 13.0]


def test_without_c_code_perform_runs(theano: Any) -> None:
    def perform(self: Any, node: Any, inputs: Any, outputs: Any) -> None:
        outputs[0][0] = inputs[0] * 3

    def no_code(self: Any, *arguments: Any) -> str:
        raise theano.gof.utils.MethodNotDefined("c_code")

    x = theano.tensor.dvector("x")
    scale = make_scale(theano, c_code=no_code, perform=perform)
    np.testing.assert_array_equal(theano.function([x], scale(x))([2.0]), [6.0])


def test_make_thunk_replaces_perform(theano: Any) -> None:
    def make_thunk(self: Any, node: Any, storage: Any, computed: Any, *more: Any) -> Any:
        def thunk() -> None:
            storage[node.outputs[0]][0] = storage[node.inputs[0]][0] + 100

        return thunk

    x = theano.tensor.dvector("x")
    f = theano.function([x], make_scale(theano, make_thunk=make_thunk)(x))
    np.testing.assert_array_equal(f([1.0]), [101.0])


def test_parameters_are_a_struct(theano: Any) -> None:
    from theano.gof import EnumList, ParamsType

    class Line(theano.Op):
        __props__ = ("a", "b", "kind")
        params_type = ParamsType(
            a=theano.tensor.TensorType("float64", ()),
            b=theano.Generic(),
            kind=EnumList(("TIMES", "*"), ("PLUS", "+")),
        )

        def __init__(self, a: float, b: float, kind: str) -> None:
            self.a, self.b, self.kind = a, b, kind

        def make_node(self, x: Any) -> Any:
            return theano.Apply(self, [x], [x.type()])

        def c_code(self, node: Any, name: str, inp: Any, out: Any, sub: Any) -> str:
            return f"""
            double a = *(double *)PyArray_DATA({sub["params"]}->a);
            double b = PyFloat_AsDouble({sub["params"]}->b);
            Py_XDECREF({out[0]});
            {out[0]} = (PyArrayObject *)PyArray_NewCopy({inp[0]}, NPY_CORDER);
            double *x = (double *)PyArray_DATA({out[0]});
            for (npy_intp k = 0; k < PyArray_SIZE({out[0]}); k++)
                x[k] = {sub["params"]}->kind == PLUS ? x[k] + a + b : x[k] * a * b;
            """

    x = theano.tensor.dvector("x")
    f = theano.function([x], [Line(2.0, 0.5, "+")(x), Line(2.0, 4.0, "*")(x)])
    np.testing.assert_array_equal(f([1.0, 2.0]), [[3.5, 4.5], [8.0, 16.0]])


def test_code_in_a_file(theano: Any, tmp_path: Path) -> None:
    (tmp_path / "twice.c").write_text(
        textwrap.dedent(
            """
            #section support_code
            static double two(void) { return 2.0; }
            #section support_code_apply
            int APPLY_SPECIFIC(twice)(PyArrayObject *x, PyArrayObject **z)
            {
                Py_XDECREF(*z);
                *z = (PyArrayObject *)PyArray_EMPTY(1, PyArray_DIMS(x), TYPENUM_OUTPUT_0, 0);
                if (*z == NULL) return 1;
                for (npy_intp k = 0; k < PyArray_DIMS(x)[0]; k++)
                    *(DTYPE_OUTPUT_0 *)PyArray_GETPTR1(*z, k) =
                        two() * *(DTYPE_INPUT_0 *)PyArray_GETPTR1(x, k);
                return 0;
            }
            """
        )
    )

    class Twice(theano.gof.COp):
        __props__ = ()

        def __init__(self) -> None:
            super().__init__(str(tmp_path / "twice.c"), "APPLY_SPECIFIC(twice)")

        def make_node(self, x: Any) -> Any:
            return theano.Apply(self, [x], [x.type()])

    x = theano.tensor.fvector("x")
    np.testing.assert_array_equal(theano.function([x], Twice()(x))([1.0, 3.0]), [2.0, 6.0])
    (tmp_path / "twice.c").write_text("int x;")
    with pytest.raises(ValueError, match="No valid section marker"):
        Twice()


def test_values_of_a_users_type_with_c_code(theano: Any) -> None:
    class Double(theano.Type):
        def filter(self, value: Any, strict: bool = False, allow_downcast: Any = None) -> float:
            if strict and not isinstance(value, float):
                raise TypeError("not a float")
            return float(value)

        def c_declare(self, name: str, sub: Any) -> str:
            return f"double {name};"

        def c_init(self, name: str, sub: Any) -> str:
            return f"{name} = 0.0;"

        def c_extract(self, name: str, sub: Any) -> str:
            return f"{name} = PyFloat_AsDouble(py_{name});"

        def c_sync(self, name: str, sub: Any) -> str:
            return f"Py_XDECREF(py_{name}); py_{name} = PyFloat_FromDouble({name});"

        def c_cleanup(self, name: str, sub: Any) -> str:
            return ""

    double = Double()

    class Times(theano.Op):
        __props__ = ()

        def make_node(self, x: Any, y: Any) -> Any:
            return theano.Apply(self, [x, y], [double()])

        def c_code(self, node: Any, name: str, inp: Any, out: Any, sub: Any) -> str:
            return f"{out[0]} = {inp[0]} * {inp[1]};"

    x, y = double("x"), double("y")
    assert theano.function([x, y], Times()(Times()(x, y), y))(2, 3) == 18.0


def test_numbers_are_numbers_in_c(theano: Any) -> None:
    scalar = theano.scalar

    class Mean(theano.Op):
        __props__ = ()

        def make_node(self, a: Any, b: Any) -> Any:
            numbers = [scalar.as_scalar(a), scalar.as_scalar(b)]
            return theano.Apply(self, numbers, [scalar.float64()])

        def c_code(self, node: Any, name: str, inp: Any, out: Any, sub: Any) -> str:
            return f"{out[0]} = ({inp[0]} + {inp[1]}) / 2.0;"

    a, b = scalar.int32("a"), scalar.float64("b")
    mean = Mean()(a, b)
    assert float(theano.function([a, b], mean)(3, 4.0)) == 3.5
    assert float(theano.function([a, b], Mean()(mean * 2, 1))(3, 4.0)) == 4.0


def test_fields_that_numpy_does_not_show_any_more(theano: Any) -> None:
    def c_code(self: Any, node: Any, name: str, inp: Any, out: Any, sub: Any) -> str:
        return f"""
        npy_intp bytes[1] = {{PyArray_DESCR({inp[0]})->elsize}};
        Py_XDECREF({out[0]});
        {out[0]} = (PyArrayObject *)PyArray_ZEROS(1, bytes, NPY_DOUBLE, 0);
        """

    x = theano.tensor.dvector("x")
    assert theano.function([x], make_scale(theano, c_code=c_code)(x))([1.0]).shape == (8,)


CRASH = """
from symtheano import compat
compat.install(replace=True)
import theano

class Crash(theano.Op):
    __props__ = ()
    def make_node(self, x):
        return theano.Apply(self, [x], [x.type()])
    def c_code(self, node, name, inp, out, sub):
        return "int *nowhere = (int *)(uintptr_t)8; *nowhere = 1;"

x = theano.tensor.dvector("x")
theano.function([x], Crash()(x))([1.0])
"""


def test_a_crash_names_the_op(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(CRASH)
    ended = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, check=False
    )
    assert ended.returncode < 0
    assert f"the C code of an op has crashed: Crash, {program}:14" in ended.stderr
