"""Bind a compiled file and call it with NumPy arrays.

This is the only module that implements the transition from Python to C and back.
"""

from __future__ import annotations

import ctypes
import sys
import weakref
from collections.abc import Callable, Sequence
from functools import cache
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from symtheano.codegen.abi import ErrorCode
from symtheano.codegen.record import OutputSpec
from symtheano.codegen.runtime.library import LoadedLibrary, symbol_address
from symtheano.codegen.runtime.python_ops import Array, ArraySpec, PythonOp
from symtheano.codegen.threads import allowed_threads, load_openmp
from symtheano.graph.stacks import require_stack

if TYPE_CHECKING:
    from pathlib import Path

    from symtheano.codegen.runtime.device_array import DeviceMemory
    from symtheano.codegen.runtime.link import Linked

CData: TypeAlias = Any
"""What cffi makes, which has no types: its module, pointers, C arrays."""

_POOLED_BYTES = 1 << 16
_POOLED_ARRAYS = 2


class EntryError(Exception):
    """A compiled function returned an error code; ``function`` turns it into a message.

    Attributes
    ----------
    code
        The kind of the error.
    site
        Number of the check that failed.
    values
        Eight integers whose meaning depends on the site.
    """

    def __init__(self, code: ErrorCode, site: int, values: tuple[int, ...]) -> None:
        super().__init__(code, site, values)
        self.code = code
        self.site = site
        self.values = values


@cache
def foreign() -> CData:
    """Return the foreign-function interface with the ABI's types declared."""
    from symtheano.codegen._abi_ffi import ffi

    return ffi


def blas_pointer(table: ctypes.Structure | None) -> CData:
    """Return a BLAS table, or None, as the interface passes it to C."""
    return foreign().cast("st_blas *", 0 if table is None else ctypes.addressof(table))


class CompiledEntry:
    """A compiled file's entry point, as a callable.

    Calls may run in parallel and may be nested. The GIL is released while C runs.

    Parameters
    ----------
    path
        The compiled file; it is loaded as long as this object exists.
    symbol
        Name of its entry point.
    blas
        The BLAS table, from :func:`symtheano.codegen.runtime.blas.table`; None where it calls none.
    functions
        Addresses of the external functions that the file names, in its order.

    Raises
    ------
    OSError
        When the file can't be loaded.
    AttributeError
        When it has no such entry point.
    """

    def __init__(
        self,
        path: Path,
        symbol: str,
        blas: ctypes.Structure | None = None,
        functions: Sequence[int] = (),
    ) -> None:
        load_openmp()
        library = LoadedLibrary(str(path))
        pointers = (ctypes.c_void_p * max(1, len(functions)))(*functions)
        self._bind(library, symbol_address(library, symbol), blas, pointers)

    @classmethod
    def of(cls, linked: Linked) -> CompiledEntry:
        """Return the entry point of a file that is loaded."""
        entry = cls.__new__(cls)
        entry._bind(linked.library, linked.address, linked.blas, linked.functions)
        entry._memory = None if linked.module is None else linked.module.memory
        return entry

    def _bind(
        self,
        library: LoadedLibrary,
        address: int,
        blas: ctypes.Structure | None,
        functions: ctypes.Array[ctypes.c_void_p],
    ) -> None:
        ffi = foreign()
        self._alive = (library, functions)
        self._blas = blas_pointer(blas)
        self._functions = ffi.cast("void *const *", ctypes.addressof(functions))
        self._entry = ffi.cast("st_entry", address)
        self._pool = OutputPool()
        self._memory: DeviceMemory | None = None

    def __call__(
        self,
        inputs: Sequence[Array],
        outputs: Sequence[OutputSpec],
        python_ops: Sequence[PythonOp] = (),
        threads: int = 1,
    ) -> list[Array]:
        """Run it, and return its outputs.

        Parameters
        ----------
        inputs
            C-contiguous, aligned arrays in native byte order, on the device those that the file
            wants there. This is not checked.
        outputs
            Specifications of the outputs.
        python_ops
            The Python ops it may call, by their numbers.
        threads
            How many threads it may use.

        Raises
        ------
        EntryError
            When it returns an error code.
        BaseException
            What a Python op raised.
        """
        ffi = foreign()
        threads = allowed_threads(threads)
        call = _Call(outputs, python_ops, self._pool, self._memory)
        context = ffi.new_handle(call)
        allocate, python, poll = _callbacks()
        lent = (context, allocate, python, poll, ffi.NULL, self._blas, threads, self._functions)
        runtime = call.runtime = ffi.new("st_runtime *", (*lent, ffi.NULL, 0, poll))
        arguments, alive = describe_arrays(inputs)
        results = ffi.new("st_array[]", len(outputs))
        error = ffi.new("st_error *")
        code = self._entry(runtime, arguments, results, error)
        del alive
        raised, call.raised = call.raised, None  # Its traceback refers to the call already.
        if raised is not None:
            raise raised
        if code != ErrorCode.OK:
            values = (*tuple(error.values)[:2], *call.refused)
            if code != ErrorCode.MEMORY:
                values = tuple(error.values)
            raise EntryError(ErrorCode(code), error.site, values)
        # Temporary memory of a branch that did not run is not there.
        arrays = [
            inputs[spec.donor] if spec.donor is not None else call.allocated.get(i, _NOTHING)
            for i, spec in enumerate(outputs)
        ]
        for i, spec in enumerate(outputs):
            if not (spec.on_device or spec.donor is not None or i in call.varying):
                self._pool.keep(i, arrays[i])
        return arrays

    def release(self) -> None:
        """Free the memory of released outputs that is kept for the next call."""
        self._pool.clear()


def entry_call(
    linked: Linked, threads: int, explain: Callable[[int, int, Sequence[int]], Exception]
) -> Callable[[list[Array]], list[Array]]:
    """Return a callable that runs a linked file through cffi on contiguous arrays.

    It writes into the inputs that the record calls donors. ``explain`` makes the exception for an
    error's code, site and values.
    """
    entry = CompiledEntry.of(linked)
    outputs = linked.record.output_specs()
    least, ample = linked.record.stacks

    def call(inputs: list[Array]) -> list[Array]:
        allowed = threads if require_stack(least) >= ample else 1
        try:
            return entry(inputs, outputs, linked.python, allowed)
        except EntryError as error:
            raise explain(error.code, error.site, error.values) from None

    return call


def describe_arrays(arrays: Sequence[Array]) -> tuple[CData, list[CData]]:
    """Describe arrays for C; return the description, and objects that must stay alive."""
    ffi = foreign()
    block = ffi.new("st_array[]", len(arrays))
    alive = []
    for slot, array in zip(block, arrays, strict=True):
        address = getattr(array, "address", None)  # of an array on a device
        data = ffi.from_buffer(array) if address is None else ffi.cast("void *", address)
        shape = ffi.new("int64_t[]", array.shape)
        slot.data, slot.shape = data, shape
        alive += [data, shape]
    return block, alive


class OutputPool:
    """Keeps large outputs, to reuse their memory when the caller has released them.

    Allocating new pages costs more than the work of most kernels. At most two arrays are kept for
    each output; they are freed when a call needs another shape.
    """

    def __init__(self) -> None:
        self._held: dict[int, list[Array]] = {}

    def keep(self, output: int, array: Array) -> None:
        """Record an array that is returned to the caller."""
        if array.nbytes >= _POOLED_BYTES:
            held = self._held.setdefault(output, [])
            if len(held) < _POOLED_ARRAYS:
                held.append(array)

    def take(self, output: int, shape: tuple[int, ...], dtype: np.dtype) -> Array | None:
        """Return a kept array of this shape and dtype that has no other references, if any."""
        held = self._held.get(output)
        in_use = []
        free = None
        # A list's pop is atomic, so no other thread uses what it returned.
        while held and free is None:
            try:
                array = held.pop()
            except IndexError:
                break
            if _references(array) > _ALONE or weakref.getweakrefcount(array):
                in_use.append(array)
            elif array.shape == shape and array.dtype is dtype and _is_as_new(array):
                free = array
        if held is not None:
            held += in_use
        return free

    def clear(self) -> None:
        """Drop all arrays."""
        self._held.clear()


def _is_as_new(array: Array) -> bool:
    """Return whether the caller left an array's memory, layout and flags alone."""
    flags, stride = array.flags, array.itemsize
    for length, step in zip(array.shape[::-1], array.strides[::-1], strict=True):
        if step != stride:  # the stride of an axis of one element may be anything
            return False
        stride *= length
    return bool(flags.c_contiguous and flags.writeable and flags.owndata and flags.aligned)


def _references(array: Array) -> int:
    return sys.getrefcount(array)


def _references_to_a_local() -> int:
    """Count the references to an array that one local variable refers to, as Python does."""
    array = np.empty(0)
    return _references(array)


_ALONE = _references_to_a_local()


_NOTHING = np.empty(0)


class _Call:
    """Shared state of the callbacks of one call."""

    def __init__(
        self,
        outputs: Sequence[OutputSpec],
        python_ops: Sequence[PythonOp],
        pool: OutputPool,
        memory: DeviceMemory | None = None,
    ) -> None:
        self.memory = memory
        self.outputs = outputs
        self.python_ops = python_ops
        self.pool = pool
        self.allocated: dict[int, Array] = {}
        # Of these the call has asked for several shapes: none is kept for later.
        self.varying: set[int] = set()
        self.alive: list[CData] = []
        self.raised: BaseException | None = None
        self.refused: tuple[int, ...] = ()
        self.runtime: CData = None

    def end(self, error: BaseException) -> None:
        """Keep an exception, and let the call end where it can."""
        self.raised = error
        self.runtime.ended = 1

    def allocate(self, output: int, shape: CData) -> CData:
        spec = self.outputs[output]
        wanted = tuple(shape[0 : spec.ndim])
        if spec.on_device:
            return self._allocate_on_device(output, wanted, spec.dtype)
        before = self.allocated.pop(output, None)
        if before is not None and before.shape != wanted:
            self.varying.add(output)
        before = None
        array = self.pool.take(output, wanted, spec.dtype)
        if array is None:
            try:
                array = np.empty(wanted, spec.dtype)
            except (MemoryError, ValueError):
                self.refused = wanted
                return foreign().NULL  # The caller has a better message for it.
        self.allocated[output] = array
        return foreign().from_buffer(array)

    def _allocate_on_device(
        self, output: int, shape: tuple[int, ...], dtype: np.dtype[Any]
    ) -> CData:
        from symtheano.codegen.runtime.device_array import DeviceArray

        assert self.memory is not None
        self.allocated.pop(output, None)
        try:
            array: Any = DeviceArray(self.memory, shape, dtype)
        except MemoryError:
            self.refused = shape
            return foreign().NULL
        self.allocated[output] = array
        return foreign().cast("void *", array.address)

    def python(self, node: int, inputs: CData, outputs: CData) -> None:
        op = self.python_ops[node]
        arguments = [_copy_in(inputs[i], spec) for i, spec in enumerate(op.inputs)]
        for i, array in enumerate(op.run(*arguments)):
            block, alive = describe_arrays([array])
            outputs[i] = block[0]
            self.alive += [array, *alive]


def _copy_in(array: CData, spec: ArraySpec) -> Array:
    """Copy a C array: a Python op may keep its inputs, the workspace is gone after the call."""
    shape = tuple(array.shape[0 : spec.ndim]) if spec.ndim else ()
    copy = np.empty(shape, spec.dtype)
    foreign().memmove(foreign().from_buffer(copy), array.data, copy.nbytes)
    return copy


@cache
def _callbacks() -> tuple[CData, CData, CData]:
    """Return the callbacks for C, which all calls share."""
    ffi = foreign()

    def interrupted(
        kind: type[BaseException], error: BaseException, traceback: TracebackType | None
    ) -> None:
        """Keep an exception that was raised before or after the ``try`` statement."""
        context = None if traceback is None else traceback.tb_frame.f_locals.get("context")
        if context is not None:
            ffi.from_handle(context).end(error)

    def allocate(context: CData, output: int, shape: CData) -> CData:
        call = ffi.from_handle(context)
        try:
            return call.allocate(output, shape)
        except BaseException as error:
            call.raised = error
            return ffi.NULL

    def python(context: CData, node: int, inputs: CData, outputs: CData) -> int:
        call = ffi.from_handle(context)
        try:
            call.python(node, inputs, outputs)
        except BaseException as error:
            call.raised = error
            return int(ErrorCode.PYTHON)
        return 0

    def poll(context: CData) -> None:
        try:
            ctypes.pythonapi.PyErr_CheckSignals()
        except BaseException as error:
            ffi.from_handle(context).end(error)

    failed = int(ErrorCode.PYTHON)
    return (
        ffi.callback("void *(void *, int32_t, const int64_t *)", allocate, onerror=interrupted),
        ffi.callback(
            "int32_t (void *, int32_t, st_array *, st_array *)",
            *(python, failed, interrupted),
        ),
        ffi.callback("void (void *)", poll, onerror=interrupted),
    )
