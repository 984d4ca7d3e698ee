"""Devices: calls of functions whose arrays stay there, and arrays that are put there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from symtheano.codegen.runtime.device_array import DeviceArray, DeviceMemory
from symtheano.codegen.runtime.foreign_array import ForeignArray, array_on
from symtheano.codegen.runtime.link import Linked
from symtheano.codegen.runtime.load import entry_call
from symtheano.config import Options, config
from symtheano.dataclass import replace
from symtheano.function.calling import SlowCall, lendable
from symtheano.function.stages import Stages, open_cache, open_device
from symtheano.graph.ports import Port, Ports
from symtheano.tensor.shapes.intervals import MOST_ALONG_AXIS

if TYPE_CHECKING:
    from symtheano.function.profile import Profile

Run: TypeAlias = Callable[[list[Any]], list[Any]]
"""A function of arrays in memory that returns all results."""


class Variant(NamedTuple):
    """Code of a function.

    Attributes
    ----------
    run
        What calls it.
    there
        The numbers of the inputs that it takes on the device.
    release
        What frees the memory that is kept for later calls.
    code
        The code.
    stages
        Those from which the code is.
    """

    run: Run
    there: frozenset[int]
    release: Callable[[], None]
    code: Linked
    stages: Stages


class DeviceCall(SlowCall):
    """Calls a function that runs on a device.

    The value of a shared variable is copied to the device when a call first needs it there, and
    remains there. Arguments on the device are taken without a copy, by code that is made for the
    arguments that are there.

    Parameters
    ----------
    ports, bind, accept
        Those of :class:`~symtheano.function.calling.SlowCall`.
    borrowed
        Numbers of the results that are returned as arrays on the device.
    memory
        The memory of the device.
    variant
        Function that returns the code for arguments, by their numbers, that are on the device.
    """

    def __init__(
        self,
        ports: Ports,
        bind: Callable[[Sequence[Any], Mapping[str, Any]], list[Any]],
        accept: Callable[[int, Any], Any],
        borrowed: Sequence[int],
        memory: DeviceMemory,
        variant: Callable[[frozenset[int]], Variant],
    ) -> None:
        super().__init__(ports, self._run_there, (), bind, accept)
        self._borrowed, self._memory, self._variant = borrowed, memory, variant
        self._variants: dict[frozenset[int], Variant] = {}
        self._constants: dict[int, DeviceArray] = {}
        self._choices: list[Any] = []
        self._dispatched: set[frozenset[int]] = set()
        self._connect: Callable[[Variant], Any] | None = None

    def __call__(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """Return the results that the caller gets."""
        results = super().__call__(args, kwargs)
        for number in self._borrowed:
            results[number] = DeviceArray.of(self._memory, results[number])
        for on_device in self._variants.keys() - self._dispatched:
            self._dispatched.add(on_device)
            self._dispatch(self._variants[on_device])
        return results

    def dispatch(
        self, kind: Callable[[], Any], connection: Callable[[Linked, Ports, Stages], Sequence[Any]]
    ) -> list[Any]:
        """Return a list to which dispatchers are added for code that has been called once.

        Parameters
        ----------
        kind
            The class of dispatchers.
        connection
            Function that returns the arguments of ``_connect`` for code, ports and stages.
        """

        def connect(variant: Variant) -> Any:
            dispatcher = kind()
            dispatcher._connect(*connection(variant.code, self._ports_of(variant), variant.stages))
            return dispatcher

        self._connect = connect
        return self._choices

    def _dispatch(self, variant: Variant) -> None:
        """Let a dispatcher call code, if it leaves there all that the caller gets there."""
        record = variant.code.record
        there = set(self._borrowed) <= set(record.resident.outputs)
        if self._connect is not None and there and record.module and not variant.code.optimized:
            self._choices.append(self._connect(variant))

    def _ports_of(self, variant: Variant) -> Ports:
        """Return the inputs and results of code, with the constants that are on the device."""
        inputs = tuple(
            port._replace(constant=self._constants[number]) if number in self._constants else port
            for number, port in enumerate(self._ports.inputs)
        )
        count = len(variant.code.record.outputs) - variant.code.record.hidden
        hidden = [None] * variant.code.record.hidden
        return self._ports._replace(inputs=inputs, stores=(*self._ports.stores[:count], *hidden))

    def lend(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any] | None:
        """Return all arguments for the dispatcher, with arrays of other libraries as ours.

        None: there is no dispatcher for code yet, or no such argument that fits.
        """
        if not self._choices:
            return None
        bound = [*self._bind(args, kwargs)]
        found = False
        for port in self._ports.inputs:
            if port.argument is None or isinstance(bound[port.argument], DeviceArray):
                continue
            array = array_on(bound[port.argument], self._memory)
            if isinstance(array, ForeignArray) and _fits(port.type, array):
                bound[port.argument] = array.as_array()
                found = True
        return bound if found else None

    def release(self) -> None:
        """Free the memory that is kept for later calls."""
        for choice in self._choices:
            choice._release()
        for variant in list(self._variants.values()):
            variant.release()

    def _value(self, number: int, port: Port, bound: Sequence[Any], state: Iterator[Any]) -> Any:
        if port.argument is not None:
            array = array_on(bound[port.argument], self._memory)
            if array is not None and _fits(port.type, array):
                return array
            if isinstance(array, ForeignArray):
                bound = [*bound]
                bound[port.argument] = array.to_host()
        return super()._value(number, port, bound, state)

    def _stored(self, number: int, port: Port, value: Any) -> Any:
        if isinstance(value, DeviceArray):
            if value.memory is self._memory and _fits(port.type, value):
                return value
            value = value.to_host()
        return super()._stored(number, port, value)

    def _check_again(self, values: list[Any]) -> None:
        for number, port in enumerate(self._ports.inputs):
            if port.argument is not None and _is_host(values[number]):
                values[number] = lendable(self._accept(number, values[number]))

    def _moved(self, number: int, port: Port, value: Any) -> DeviceArray:
        """Return a copy on the device of a shared value, or of a constant, and keep it there."""
        if port.container is None:
            if number not in self._constants:
                self._constants[number] = DeviceArray.of(self._memory, value)
            return self._constants[number]
        there = DeviceArray.of(self._memory, value)
        if port.container.storage[0] is value:  # no other one has been set meanwhile
            port.container.storage[0] = there
        return there

    def _run_there(self, values: list[Any]) -> list[Any]:
        """Return the results for values, which are where the caller has them."""
        inputs = self._ports.inputs
        on_device = frozenset(
            number
            for number, port in enumerate(inputs)
            if port.argument is not None and not _is_host(values[number])
        )
        if on_device not in self._variants:
            self._variants[on_device] = self._variant(on_device)
        run, there, _, code, _ = self._variants[on_device]
        written = {donor for _, _, donor in code.record.outputs if donor is not None}
        for number, value in enumerate(values):
            if number in written:
                values[number] = self._copied(value, number in there)
            elif number in there and _is_host(value):
                values[number] = self._moved(number, inputs[number], value)
            elif number not in there and not _is_host(value):
                values[number] = value.to_host()
        return run(values)

    def _copied(self, value: Any, there: bool) -> Any:
        """Return a copy of a value, into which the code may write, on the device or the host."""
        if there:
            return DeviceArray.of(self._memory, value) if _is_host(value) else value.copy()
        return np.array(value, order="C") if _is_host(value) else value.to_host()


def variants_of(
    stages: Stages, linked: Linked, threads: int, profile: Profile | None = None
) -> Callable[[frozenset[int]], Variant]:
    """Return a function that returns the code for arguments that are on the device.

    Parameters
    ----------
    stages, linked
        The stages of the function, and its code for arguments of the host.
    threads
        How many threads of the host it may use.
    profile
        Where times of steps are recorded; None if nothing is measured.
    """
    hidden = linked.record.hidden
    count = len(linked.record.outputs) - hidden

    def variant(on_device: frozenset[int]) -> Variant:
        own = stages.for_device_arguments(on_device) if on_device else stages
        code = own.link() if on_device else linked
        call = entry_call(code, threads, own.error)
        steps = code.record.steps

        def run(values: list[Any]) -> list[Any]:
            results = call(values)
            if profile is not None and code.module is not None:
                profile.record_steps(steps, *code.module.memory.spent(len(steps)))
            # Memory of the host that a call asks for is that of the code for the host's arguments.
            return [*results[:count], *[None] * hidden]

        def release() -> None:
            if code.module is not None:
                code.module.memory.release(code.module.driver)

        return Variant(run, frozenset(code.record.resident.inputs), release, code, own)

    return variant


def _is_host(value: Any) -> bool:
    return isinstance(value, np.ndarray)


def _fits(type: Any, value: DeviceArray | ForeignArray) -> bool:
    """Return whether an array has a type."""
    pairs = zip(type.shape, value.shape, strict=False)
    return (
        (isinstance(value, DeviceArray) or value.is_readable)
        and value.dtype == type.dtype
        and value.ndim == type.ndim
        and max(value.shape, default=0) <= MOST_ALONG_AXIS
        and all(want in (None, length) for want, length in pairs)
    )


def to_device(value: Any, device: str | None = None) -> DeviceArray:
    """Return a copy of an array on a device.

    Parameters
    ----------
    value
        A number, a list, or an array, of any shape; also one of another library that is there.
    device
        Name of the device: ``cuda``, ``cuda:1``, ``emulated``. By default that of
        ``config.device``.

    Returns
    -------
    The copy; ``value`` itself if it is an array on this device.

    Raises
    ------
    ValueError
        If no device is named.
    TypeError
        If ``value`` has no numeric dtype.
    DeviceError, MemoryError
        If the device is not there, or has no memory.

    Examples
    --------
    >>> to_device(np.ones(3), "emulated")
    DeviceArray(shape=(3,), dtype=float64, device='emulated')
    """
    options = config.snapshot()
    if device is not None:
        options = replace(options, device=device)
    if options.device == "cpu":
        raise ValueError(f"to_device: device={device!r} is not a device, such as 'cuda'")
    memory = memory_of(options)
    array = array_on(value, memory)
    return array.copy() if isinstance(array, ForeignArray) else DeviceArray.of(memory, value)


def memory_of(options: Options) -> DeviceMemory:
    """Return the memory of the device that options name.

    Raises
    ------
    DeviceError
        If it is not there.
    """
    from symtheano.codegen.native.toolchain import find_toolchain

    store = open_cache(options)
    toolchain = find_toolchain(options.cc or None, directory=store.place)
    return open_device(options.device, toolchain, store).memory
