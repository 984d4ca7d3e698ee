"""Compiled functions, and the ways of calling them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Generic, Protocol, overload

import numpy as np

from symtheano.config import config
from symtheano.errors import NoCompilerError
from symtheano.function.available import (
    dispatcher_module,
    warn_of_no_compiler,
    warn_of_slow_code,
)
from symtheano.function.binding import Binding
from symtheano.function.c_callers import CallsFromC
from symtheano.function.calling import SlowCall
from symtheano.function.inspection import Inspection
from symtheano.function.kept import KeptValues
from symtheano.function.mapping.method import MappedCalls
from symtheano.function.request import In, Request
from symtheano.function.signature import ShownSignature
from symtheano.function.stages import Stages
from symtheano.graph.forks import after_fork
from symtheano.graph.origin import Origin
from symtheano.graph.ports import Port, Ports
from symtheano.graph.shared import Container
from symtheano.graph.stacks import require_stack

if TYPE_CHECKING:
    from symtheano.codegen.native.later import Later
    from symtheano.codegen.runtime.library import LoadedLibrary
    from symtheano.codegen.runtime.link import Linked

if TYPE_CHECKING:
    import numpy.typing as npt
    from typing_extensions import TypeVar

    from symtheano.scalar.operand import Tensor

    Asked = TypeVar("Asked", default=Any)
    Outputs = TypeVar("Outputs", default=Any, covariant=True)
    """The type of the argument ``outputs``: a variable, several, or a dict of them."""
else:
    from typing import TypeVar

    Asked = TypeVar("Asked")
    Outputs = TypeVar("Outputs", covariant=True)

# When calls ask for optimized code, by the dispatcher's numbers.
_IN_CALL, _BEFORE_CALL, _WAITING = range(3)

# Held while a function changes from one way of calling to another.
_SWAPPING = threading.RLock()


@after_fork
def _renew_lock() -> None:
    global _SWAPPING
    _SWAPPING = threading.RLock()


class Recipe(Protocol):
    """How a function was made, for copying and pickling."""

    def make(self, request: Request, name: str | None, profile: bool) -> Function:
        """Return a function for another request."""

    def restore(self, request: Request, name: str | None, profile: bool) -> Function:
        """Return a function that was pickled; the compiled code comes from this machine's cache."""


class Function(Inspection, KeptValues, MappedCalls, CallsFromC, Generic[Outputs]):
    """A compiled function.

    Attributes
    ----------
    name, origin
        The name of the function, and the line of the program that compiled it.
    inputs, shared
        The variables whose values are passed in calls, and the shared variables that are read or
        updated.
    request
        The normalized arguments of ``function``.
    mode
        The mode.
    stages
        The stages of compilation, from the user's graph to the C.
    times
        Seconds of each stage of compilation.
    profile
        Counts and times of calls if the function was made with ``profile=True``, otherwise None.
    """

    def __init__(
        self,
        recipe: Recipe,
        stages: Stages,
        linked: Linked | None,
        allow: bool | None,
        name: str | None,
        profile: bool,
        origin: Origin | None,
    ) -> None:
        request = self.request = stages.request
        self._recipe = recipe
        self.name = name
        self.origin = origin
        self.mode = stages.mode
        self.inputs: list[Any] = request.inputs
        self.shared: list[Any] = request.shared
        self.times = stages.times
        self.stages, self._linked, self._allow = stages, linked, allow
        self.profile = self._new_profile(linked) if profile else None
        containers = [item.container() for item in request.given]
        self._binding = Binding(request.given, containers, self._label(), allow, origin)
        self._entry_binding = self._binding
        self._ports = self._make_ports(containers)
        self._slow: Any = None
        # What is still being compiled: the C of this function, then the dispatcher; and the way of
        # calling when both are available.
        self._coming: Later[Any] | None = None
        self._quick: Any = None
        # While code of the first tier runs: the library with the optimized code.
        self._optimized = None if linked is None else linked.optimized
        self._connect_to(linked)

    # -- what it is ------------------------------------------------------------------------------

    __signature__ = ShownSignature()

    @property
    def trust_input(self) -> bool:
        """Whether arguments are not converted, but are arrays of exactly the inputs' dtypes."""
        return self._binding.trusting

    @trust_input.setter
    def trust_input(self, value: bool) -> None:
        self._binding.trusting = bool(value)

    @property
    def updates(self) -> list[tuple[Any, Any]]:
        """Pairs (shared variable or input, expression of its new value)."""
        return [
            (target.variable if isinstance(target, In) else target, new)
            for target, new in self.stages.request.updates
        ]

    def get_shared(self) -> list[Any]:
        """Return the shared variables that the function uses."""
        return list(self.shared)

    @property
    def _is_there(self) -> bool:
        """Whether the code is that for a device."""
        return self.stages.options.device != "cpu"

    # -- making ----------------------------------------------------------------------------------

    def _make_ports(self, containers: Sequence[Container | None]) -> Ports:
        request = self.stages.request
        arguments = {k: place for place, k in enumerate(self._entry_binding.arguments)}
        inputs = [
            Port(item.variable.type, arguments.get(k), containers[k])
            for k, item in enumerate(request.given)
        ]
        state = [Port(variable.type, container=variable.container) for variable in request.shared]
        lifted = self._constants()
        own = dict(zip(request.given, containers, strict=True))
        stores = [
            own[target] if isinstance(target, In) else target.container
            for target, _ in request.updates
        ]
        hidden = 0 if self._linked is None else self._linked.record.hidden
        return Ports(
            (*inputs, *state, *lifted),
            len(arguments),
            len(request.outputs),
            (*[None] * len(request.outputs), *stores, *[None] * hidden),
        )

    def _constants(self) -> list[Port]:
        from symtheano.tensor.type import TensorType

        if self._linked is None:
            values = self.stages.constants
        else:
            values = self._linked.record.constant_arrays()
        return [Port(TensorType(value.dtype.name, value.shape), constant=value) for value in values]

    def _new_profile(self, linked: Linked | None) -> Any:
        from symtheano.function.profile import Profile, ProfiledStep

        place = None if self.origin is None else self.origin.place
        # Those of a device are listed when they have run: the host chooses among its kernels.
        known = () if linked is None or self._is_there else linked.record.steps
        steps = [ProfiledStep(*step) for step in known]
        return Profile(self.name or "function", place, self.times, steps=steps)

    def _connect_to(self, linked: Linked | None) -> None:
        dispatcher = self if hasattr(self, "_connect") else self._quick
        there = self._is_there
        if linked is not None and (there or dispatcher is not None):
            if there:
                self._slow = self._device_call(linked)
            if dispatcher is not None:
                self._connect_dispatcher(dispatcher, linked)
            return
        if linked is None:
            # Not in a call: a child that is forked during an import can't import the module.
            import symtheano.interpret  # noqa: F401
        run: Callable[[list[Any]], list[Any]] = self._interpret
        donors: list[int] = []
        if linked is not None:
            from symtheano.codegen.runtime.load import entry_call

            run = entry_call(linked, self._threads(), self.stages.error)
            donors = [k for _, _, k in linked.record.outputs if k is not None]
        self._slow = SlowCall(self._ports, run, donors, self._entry_binding.bind, self._accept)

    def _device_call(self, linked: Linked) -> SlowCall:
        from symtheano.function.devices import DeviceCall, variants_of

        variant = variants_of(self.stages, linked, self._threads(), self.profile)
        borrowed, memory = self.stages.request.borrowed, self.stages.device.memory
        bind = self._entry_binding.bind
        return DeviceCall(self._ports, bind, self._accept, borrowed, memory, variant)

    def _connect_dispatcher(self, dispatcher: Any, linked: Linked) -> None:
        """Let a dispatcher call the code; on a device, choose among that for each place."""
        if not self._is_there:
            dispatcher._connect(*self._connection(linked, self._ports, self.stages))
            return
        module = dispatcher_module(self.stages.dispatcher)
        choices = self._slow.dispatch(module.Dispatcher, self._connection)
        binding = self._entry_binding
        dispatcher._choose(choices, len(binding.arguments), binding.bind, self._call_slowly)

    def _connection(self, linked: Linked, ports: Ports, stages: Stages) -> tuple[Any, ...]:
        """Return the arguments of a dispatcher's ``_connect``."""
        from symtheano.codegen.runtime.dispatch import connection
        from symtheano.codegen.threads import startable_threads

        record, keys = self.profile and self.profile.record, self.stages.request.keys
        place = stages.device.memory.place() if self._is_there else None
        return (
            *connection(linked, ports, keys == (), self._threads()),
            self._entry_binding.bind, self._accept, stages.error, keys or None, record,
            startable_threads, require_stack, self._renew if linked.optimized is not None else None,
            place, (linked, *linked.handles),
        )  # fmt: skip

    def wait(self) -> None:
        """Wait until compilation in the background has finished.

        Without the option ``first_tier``, there is only one thing to wait for: the dispatcher,
        which is compiled on the first use on a machine.

        Raises
        ------
        CompileError
            If the compiler rejects the file, which is a defect of symtheano.

        Examples
        --------
        >>> from symtheano import config, function
        >>> x = T.vector("x")
        >>> with config.change_flags(first_tier="interpreter"):
        ...     f = function([x], x + 1)
        >>> f.wait()
        >>> f.c_source is not None
        True
        """
        while (coming := self._coming) is not None:
            with suppress(Exception):
                coming.result()
            self._advance()
        if self._optimized is not None:
            self._optimized.result()
            self._renew(_WAITING)

    def _advance(self) -> None:
        """Use what has been compiled in the meantime, or raise the error of the compiler."""
        with _SWAPPING:
            coming = self._coming
            if coming is not None and coming.ready:
                (self._use_code if self._linked is None else self._use_dispatcher)(coming)

    def _settle(self) -> None:
        """Wait for this function's C."""
        if self._linked is None:
            self.wait()

    def _use_code(self, coming: Later[Linked]) -> None:
        """Use the C from now on."""
        try:
            linked = coming.result()
        except NoCompilerError as error:
            self._coming = None
            warn_of_no_compiler(str(error))
            return
        self._linked, self._optimized = linked, linked.optimized
        self._ports = self._make_ports(self._entry_binding.containers)
        self._connect_to(linked)
        self._coming = self.stages.dispatcher

    def _renew(self, occasion: int) -> None:
        """Use optimized code from now on if it has been compiled.

        Parameters
        ----------
        occasion
            0 in a call, 1 before a call, 2 in order to wait for it.
        """
        coming = self._optimized
        if occasion == _WAITING and coming is not None:
            coming.wait()
        if coming is None or not coming.ready:
            return
        # In a call, no other thread may be waited for: it could wait for this call.
        if not _SWAPPING.acquire(blocking=occasion != _IN_CALL):
            return
        try:
            if self._linked is not None and self._linked.optimized is not None:
                self._exchange_code(self._linked, coming, occasion)
        finally:
            _SWAPPING.release()

    def _exchange_code(self, linked: Linked, coming: Later[LoadedLibrary], occasion: int) -> None:
        target = self._quick or self
        # On a device, no dispatcher calls code of the first tier.
        exchange = None if self._is_there else getattr(target, "_exchange", None)
        try:
            library = coming.result()
        except Exception as error:
            if occasion == _IN_CALL:
                return
            linked.optimized = None
            if exchange is not None:
                exchange(0, None)
            warn_of_slow_code(self._label(), error)
            return
        self._linked, self._optimized = linked.with_optimized(library), None
        if exchange is None:
            self._connect_to(self._linked)
        else:
            exchange(self._linked.address, (self._linked, *self._linked.handles))

    def _use_dispatcher(self, coming: Later[Any]) -> None:
        """Use the dispatcher from now on."""
        module = dispatcher_module(coming, wait=True)
        if self._linked is not None and module is not None:
            quick = module.Dispatcher()
            self._connect_dispatcher(quick, self._linked)
            self._quick = quick
        self._coming = None

    def _threads(self) -> int:
        from symtheano.codegen.threads import usable_threads

        return self.stages.options.threads or usable_threads()

    def _values(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """Return the values of all inputs of the graph for a call."""
        binding = self._entry_binding.bind
        call = SlowCall(self._ports, self._interpret, (), binding, self._accept)
        return call.values(args, kwargs)[: len(self.graph.inputs)]

    def _interpret(self, values: list[Any]) -> list[Any]:
        results = self.mode.run(self.stages, values)
        taken: list[Any] = []
        given = [value for value in values if isinstance(value, np.ndarray)]
        for result in results:
            if not isinstance(result, np.ndarray):
                taken.append(result)
                continue
            others = (*given, *(each for each in taken if isinstance(each, np.ndarray)))
            lent = any(np.may_share_memory(result, other) for other in others)
            own = result.flags.owndata and result.flags.c_contiguous and result.flags.writeable
            taken.append(result if own and not lent else np.array(result, order="C"))
        return taken

    # -- calling ---------------------------------------------------------------------------------

    if TYPE_CHECKING:

        @overload
        def __call__(self: Function[Tensor], *args: Any, **kwargs: Any) -> npt.NDArray[Any]: ...
        @overload
        def __call__(
            self: Function[Sequence[Tensor]], *args: Any, **kwargs: Any
        ) -> list[npt.NDArray[Any]]: ...
        @overload
        def __call__(
            self: Function[Mapping[str, Tensor]], *args: Any, **kwargs: Any
        ) -> dict[str, npt.NDArray[Any]]: ...
        @overload
        def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the outputs for input values given in order or by name.

        Raises
        ------
        TypeError
            For a wrong number of inputs, an unknown name, or an unsuitable value.
        ShapeError, IndexError, ValueError
            If shapes or indices are invalid.
        """
        if self._quick is not None:
            return self._quick(*args, **kwargs)
        return self._call_slowly(*args, **kwargs)

    def _call_slowly(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function without the dispatcher."""
        if self._slow is None:
            raise ValueError(f"{self._label()} was freed and can't be called any more")
        coming = self._coming
        if coming is not None and coming.ready:
            self._advance()
        if self._optimized is not None:
            self._renew(_BEFORE_CALL)
        lend = getattr(self._slow, "lend", None)
        lent = None if lend is None else lend(args, kwargs)
        if lent is not None:
            return (self._quick or self)(*lent)
        started = time.perf_counter()
        results = self._slow(args, kwargs)
        if self.profile is not None:
            self.profile.record(time.perf_counter() - started)
        return self.stages.request.shape_of_result(results)

    # -- copies ----------------------------------------------------------------------------------

    def copy(
        self,
        share_memory: bool = False,
        swap: Mapping[Any, Any] | None = None,
        delete_updates: bool = False,
        name: str | None = None,
        profile: bool | None = None,
    ) -> Function:
        """Return a function of the same graph.

        Parameters
        ----------
        share_memory
            Accepted and ignored: each call has its own workspace.
        swap
            Replacements of shared variables, ``{old: new}``, with the same types.
        delete_updates
            Whether to omit the updates.
        name
            Name of the copy; by default the same name.
        profile
            Whether to measure its calls; by default as for this function.

        Returns
        -------
        Function
            The function. With ``config.theano_semantics``, it returns a list if this one returns a
            single output.

        Examples
        --------
        >>> from symtheano import function, shared
        >>> n, m = shared(0, "n"), shared(10, "m")
        >>> count = function([], n, updates={n: n + 1})
        >>> other = count.copy(swap={n: m})
        >>> [int(f()) for f in (count, count, other, other)]
        [0, 1, 10, 11]
        """
        request = self.request.swapped(dict(swap or {}), delete_updates)
        if config.theano_semantics and request.keys == ():
            request.keys = None
        chosen = self.name if name is None else name
        wanted = self.profile is not None if profile is None else bool(profile)
        return self._recipe.make(request, chosen, wanted)

    def free(self) -> None:
        """Free the memory that is kept for later calls, on a device as well.

        Examples
        --------
        >>> from symtheano import function
        >>> x = T.vector("x")
        >>> f = function([x], x + 1)
        >>> f.free()
        >>> f([2.0])
        array([3.])
        """
        owners = (self._quick or self, "_release"), (self._slow, "release")
        for owner, name in owners:
            release = getattr(owner, name, None)
            if release is not None:
                release()

    def __reduce__(self) -> Any:
        request = self.request.with_containers(self._binding.containers)
        return self._recipe.restore, (request, self.name, self.profile is not None)

    def __copy__(self) -> Function:
        return self._recipe.make(
            self.request.swapped({}, False), self.name, self.profile is not None
        )

    def __repr__(self) -> str:
        number = len(self.inputs)
        how = f"{self.mode.linker}, {self.mode.optimizer}"
        # A function of the interpreter runs on the host, whatever the options name.
        there = self._is_there and self._linked is not None
        where = f"; on {self.stages.options.device}" if there else ""
        return f"<{self._label()}: {number} input{'' if number == 1 else 's'}; {how}{where}>"
