"""C callbacks of plain numbers that call a compiled entry point, for other libraries.

SciPy's integrators and filters, among others, take such functions as ``LowLevelCallable`` and
call them without Python: https://docs.scipy.org/doc/scipy/reference/generated/scipy.LowLevelCallable.html
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.runtime.library import load_copy, symbol_address
from symtheano.codegen.runtime.link import Linked
from symtheano.graph.ports import Port, Ports
from symtheano.scalar.render import c_type

_CType: TypeAlias = (
    type[ctypes.c_double] | type[ctypes.c_int] | type[ctypes.c_ssize_t] | type[ctypes.c_void_p]
)
_C_TYPES: dict[str, tuple[_CType, ...]] = {
    "double (double)": (ctypes.c_double, ctypes.c_double),
    "double (double, void *)": (ctypes.c_double, ctypes.c_double, ctypes.c_void_p),
    "double (int, double *)": (ctypes.c_double, ctypes.c_int, ctypes.c_void_p),
    "double (int, double *, void *)": (
        *(ctypes.c_double, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p),
    ),
    "int (double *, intptr_t, double *, void *)": (
        *(ctypes.c_int, ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_void_p, ctypes.c_void_p),
    ),
}
SIGNATURES = tuple(_C_TYPES)
"""The supported C signatures: of numbers, and of a vector with its length."""

_HEAD = """
/* Constants and the BLAS table, provided by the process that has loaded this file. */
static const st_runtime *st_host;
static const st_array *st_lent;

ST_EXPORT void st_bind(const st_runtime *host, const st_array *lent) {
    st_host = host;
    st_lent = lent;
}

static void *st_result(void *context, int32_t output, const int64_t *shape) {
    (void)output, (void)shape;
    return context;
}
"""


def default_signature(ports: Ports) -> str:
    """Return the simplest signature that is sufficient for a function."""
    arguments = [port for port in ports.inputs if port.argument is not None]
    simple = len(arguments) == 1 and arguments[0].type.ndim == 0
    return "double (double)" if simple else "double (int, double *)"


def callback_source(source: str, entry: str, ports: Ports, output: str, signature: str) -> str:
    """Return C text with a function ``callback`` of a signature.

    Parameters
    ----------
    source, entry
        The text of a compiled function, and its entry point.
    ports
        Its inputs.
    output
        Dtype of its output.
    signature
        One of :data:`SIGNATURES`.

    Raises
    ------
    NotImplementedError
        For other signatures, or inputs that can't be made of what the signature gives.
    """
    if signature not in SIGNATURES:
        raise NotImplementedError(
            f"the signature {signature!r} is not supported; use one of {'; '.join(SIGNATURES)}"
        )
    arguments = [port for port in ports.inputs if port.argument is not None]
    lines = _inputs(arguments, signature)
    lines += [
        f"    inputs[{k}] = st_lent[{k}];"
        for k, port in enumerate(ports.inputs)
        if port.argument is None
    ]
    head, failed, succeeded = _frame(signature)
    body = "\n".join(lines)
    return f"""{source}{_HEAD}
ST_EXPORT {head} {{
    {c_type(output)} result = 0;
    const st_runtime runtime = {{
        .context = &result, .allocate = st_result, .blas = st_host->blas, .threads = 1,
        .functions = st_host->functions,
    }};
    st_array inputs[{max(1, len(ports.inputs))}], outputs[1];
    st_error error;
{body}
    if ({entry}(&runtime, inputs, outputs, &error) != ST_OK) {failed}
    {succeeded}
}}
"""


def _frame(signature: str) -> tuple[str, str, str]:
    """Return a signature with names, and the statements for failure and success."""
    if signature.startswith("int"):
        head = "int callback(double *x, intptr_t n, double *y, void *data)"
        return head, "return 0;", "*y = (double)result;\n    return 1;"
    parameters = {
        "double (double)": "double x0",
        "double (double, void *)": "double x0, void *data",
        "double (int, double *)": "int n, double *x",
        "double (int, double *, void *)": "int n, double *x, void *data",
    }[signature]
    return f"double callback({parameters})", 'return __builtin_nan("");', "return (double)result;"


def _inputs(arguments: Sequence[Port], signature: str) -> list[str]:
    """Return the lines that convert the callback's arguments to the entry point's first inputs."""
    line = "double *" in signature
    if line and len(arguments) == 1 and arguments[0].type.ndim == 1:
        if arguments[0].type.dtype != "float64":
            raise NotImplementedError("a C callback of a line of numbers takes float64 vectors")
        return ["    const int64_t length = n;", "    inputs[0] = (st_array){x, &length};"]
    if any(port.type.ndim or port.type.dtype.startswith("complex") for port in arguments):
        raise NotImplementedError(
            "a C callback takes real numbers, or one float64 vector: "
            f"{', '.join(str(port.type) for port in arguments)} are neither"
        )
    if not line and len(arguments) != 1:
        raise NotImplementedError(
            f"a C callback of signature {signature!r} takes one number, not {len(arguments)}; "
            "use 'double (int, double *)'"
        )
    count = len(arguments)
    fail = "return 0;" if signature.startswith("int") else 'return __builtin_nan("");'
    lines = [f"    if (n != {count}) {fail}"] if line else []
    for k, port in enumerate(arguments):
        kind = c_type(port.type.dtype)
        value = f"x[{k}]" if line else f"x{k}"
        lines.append(f"    const {kind} v{k} = ({kind}){value};")
        lines.append(f"    inputs[{k}] = (st_array){{(void *)&v{k}, NULL}};")
    return lines


class Callback:
    """A compiled callback, with the objects that must stay alive for its calls.

    Parameters
    ----------
    source
        From :func:`callback_source`.
    linked, ports
        The function. The current values of shared variables are copied.
    store, toolchain
        Where and with what it is compiled.
    """

    def __init__(
        self, source: str, linked: Linked, ports: Ports, store: Cache, toolchain: Toolchain
    ) -> None:
        from symtheano.codegen.runtime.load import blas_pointer, describe_arrays, foreign

        ffi = foreign()
        self.library = store.load(source, toolchain, load_copy)
        values = [_kept(port) for port in ports.inputs]
        self._lent = describe_arrays(values)
        functions = ffi.cast("void *const *", linked.functions_address)
        nulls = [ffi.NULL] * 5
        fields = (*nulls, blas_pointer(linked.blas), 1, functions)
        self._host = ffi.new("st_runtime *", fields)
        self._alive = linked
        # The variables that are set here are those of this callback alone.
        bind = self.library["st_bind"]
        bind.argtypes, bind.restype = [ctypes.c_void_p, ctypes.c_void_p], None
        bind(
            int(ffi.cast("uintptr_t", self._host)),
            int(ffi.cast("uintptr_t", self._lent[0])),
        )

    def low_level_callable(self, signature: str) -> object:
        """Return the C function in SciPy's form."""
        from scipy import LowLevelCallable

        # Not through the library's attribute: two callers may need different types.
        prototype = ctypes.CFUNCTYPE(*_C_TYPES[signature])
        pointer = prototype(symbol_address(self.library, "callback"))
        pointer.callback = self  # type: ignore[attr-defined]
        return LowLevelCallable(pointer, signature=signature)


def _kept(port: Port) -> np.ndarray:
    if port.argument is not None:
        return np.empty(0)
    value = port.constant if port.container is None else port.container.value
    return np.array(value, dtype=port.type.dtype, order="C")
