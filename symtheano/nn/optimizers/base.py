"""The base class of optimizers: learning rate, step counter, state, clipping, weight decay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano import OrderedUpdates
from symtheano.nn.configuration import plain_data
from symtheano.nn.documentation import Documented
from symtheano.nn.floats import like, setting
from symtheano.nn.foreign import Explained
from symtheano.nn.missing import OF_OPTIMIZERS, MissingMethod
from symtheano.nn.optimizers.clipping import Clipping
from symtheano.nn.optimizers.memory import Memory
from symtheano.nn.schedules import Schedule, from_config as schedule_from_config
from symtheano.nn.session.operations import Operation, minimize


class LearningRate:
    """The field of optimizers for the learning rate of the next update.

    Users pass a number, a schedule or a 0-d variable, and read a number. They can set it again,
    unless it is a schedule or an expression. Setting it compiles nothing again.
    """

    def __init__(self, default: float) -> None:
        self.default = default

    def __get__(self, optimizer: Any, kind: type | None = None) -> float:
        if optimizer is None:
            return self.default
        if isinstance(rate := optimizer._rate, Schedule):
            rate = rate(optimizer.step)
        if isinstance(rate, T.TensorSharedVariable):
            return float(rate.get_value())
        # Compilation would take longer than computing one number.
        return float(rate.eval(mode=symtheano.Mode("interpret", "fast_compile")))

    def __set__(self, optimizer: Any, value: Any) -> None:
        if not hasattr(optimizer, "_state"):
            optimizer._rate = value  # which __post_init__ checks
            return
        if not isinstance(rate := optimizer._rate, T.TensorSharedVariable):
            raise ValueError(
                f"{type(optimizer).__name__}: the learning rate is given by {rate!r} and cannot be "
                "set; only a learning rate that is a number can be set"
            )
        rate.set_value(np.asarray(_as_float(optimizer, value), rate.dtype))


def _as_float(optimizer: Any, rate: Any) -> float:
    try:
        return float(rate)
    except (TypeError, ValueError):
        raise TypeError(
            f"{type(optimizer).__name__}: learning_rate must be a number, a schedule or a 0-d "
            f"variable, not {rate!r}"
        ) from None


@dataclass(eq=False, repr=False)
class Optimizer(Explained, Documented):
    """Base class of optimizers, which update parameters with the gradients of a cost.

    The state of an optimizer, such as running means, is kept in shared variables, :attr:`state`.
    Subclasses define the method ``change``. They also define ``begin`` if they need numbers that
    are the same for all parameters.

    Parameters
    ----------
    learning_rate
        The learning rate: a number, a :class:`~symtheano.nn.schedules.Schedule`, or a 0-d variable.
        A number is stored in a shared variable and can be changed later.
    weight_decay
        A factor d of weight decay. ``d * parameter`` is added to the gradient of each parameter,
        after clipping. Optimizers with decoupled weight decay, such as AdamW, subtract
        ``learning_rate * d * parameter`` from the parameter instead. The default is 0.
    exclude_from_weight_decay
        A list of parts of names, such as ``["bias", "batch_norm"]``. Parameters whose names contain
        one of them do not decay.
    clipvalue
        The largest absolute value of elements of gradients: they are limited to the range
        ``[-clipvalue, clipvalue]``. None: no limit.
    clipnorm
        The largest L2 norm of the gradient of a parameter. Longer gradients are scaled down to this
        norm. None: no limit.
    global_clipnorm
        The largest L2 norm of all gradients together. If they are longer, all gradients are scaled
        down by the same factor. None: no limit. At most one of ``clipvalue``, ``clipnorm`` and
        ``global_clipnorm`` can be given. See Pascanu et al., 2013, On the difficulty of training
        recurrent neural networks.

    Examples
    --------
    >>> class Signs(Optimizer):
    ...     def change(self, gradient, memory, numbers):
    ...         return numbers["rate"] * T.sgn(gradient)
    >>> w = symtheano.shared(np.array([1.0, -1.0]), "w")
    >>> _ = symtheano.function([], updates=Signs(0.25).updates((w**2).sum(), [w]))()
    >>> w.get_value()
    array([ 0.75, -0.75])
    """

    learning_rate: LearningRate = LearningRate(0.01)
    weight_decay: float = field(default=0.0, kw_only=True)
    exclude_from_weight_decay: Sequence[str] = field(default=(), kw_only=True)
    clipvalue: float | None = field(default=None, kw_only=True)
    clipnorm: float | None = field(default=None, kw_only=True)
    global_clipnorm: float | None = field(default=None, kw_only=True)

    decoupled: ClassVar[bool] = False
    # Arguments that say which share of a mean or a velocity is kept.
    shares: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        name = type(self).__name__
        self._memories: dict[Any, Memory] = {}
        self._settings: dict[str, Any] = {}
        self._state = {"step": symtheano.shared(np.asarray(0, "int64"), "step")}
        rate: Any = vars(self)["_rate"]
        if isinstance(rate, Mapping):
            rate = schedule_from_config(rate)
        if not isinstance(rate, Schedule | symtheano.Variable):
            rate = self.number("learning_rate", _as_float(self, rate))
        self._rate: Any = rate
        if not self.weight_decay >= 0:
            raise ValueError(f"{name}: weight_decay must be at least 0, not {self.weight_decay!r}")
        self.exclude_from_weight_decay = self._parts(self.exclude_from_weight_decay)
        self._clip = Clipping(name, self.clipvalue, self.clipnorm, self.global_clipnorm)
        for share in self.shares:
            # With 1, nothing would ever be forgotten.
            if not 0 <= getattr(self, share) < 1:
                raise ValueError(
                    f"{name}: {share} must be at least 0 and below 1, not {getattr(self, share)!r}"
                )

    # What users call.

    def updates(
        self, cost: Any, parameters: Any, gradients: Sequence[Any] | None = None
    ) -> OrderedUpdates:
        """Return the updates of one step, for ``function(updates=...)``.

        Parameters
        ----------
        cost
            The cost to minimize, a 0-d expression. None if gradients are given.
        parameters
            The parameters to change: shared variables of floats, of any shapes.
        gradients
            An expression for each parameter, with the shape of the parameter. None: the gradients
            of the cost.

        Returns
        -------
        A mapping from shared variables, the parameters and the state of the optimizer, to the
        expressions of their new values. The state of a parameter is created the first time it is
        passed. Further calls use the same state.

        Raises
        ------
        TypeError
            If a parameter is not a shared variable of floats.
        ValueError
            If a parameter is given twice, or the numbers of gradients and parameters differ.

        Examples
        --------
        >>> w = symtheano.shared(np.ones(2), "w")
        >>> list(nn.SGD(0.1, momentum=0.9).updates((w**2).sum(), [w]))
        [w, w.velocity, step]
        """
        parameters = self._checked(parameters)
        self._settings = {}
        if gradients is None:
            gradients = symtheano.grad(cost, parameters)
        if len(gradients) != len(parameters):
            name = type(self).__name__
            raise ValueError(
                f"{name}: {len(gradients)} gradients were given for {len(parameters)} parameters"
            )
        memories = [self._memory(p) for p in parameters]
        wide = [T.cast(g, m.dtype) for g, m in zip(gradients, memories, strict=True)]
        updates = OrderedUpdates()
        step = self._state["step"]
        rate = self._rate(step) if isinstance(self._rate, Schedule) else self._rate
        later = OrderedUpdates()
        numbers = self.begin(T.cast(step + 1, "float64"), T.cast(rate, "float64"), later)
        for memory, gradient in zip(memories, self._clip(wide), strict=True):
            updates.update(self._updates_of(memory, gradient, numbers))
        updates.update(later)
        updates[step] = step + 1
        for memory in memories:
            memory.is_complete = True
        return updates

    def create_state(self, parameters: Sequence[Any]) -> None:
        """Create the state of parameters that have not been passed to :meth:`updates` yet.

        Expressions of updates take long to make, so this makes none if the state exists.

        Examples
        --------
        >>> w, optimizer = symtheano.shared(np.ones(2), "w"), nn.SGD(0.1, momentum=0.9)
        >>> optimizer.create_state([w])
        >>> list(optimizer.state)
        ['step', 'learning_rate', 'w.velocity']
        """
        memories = [self._memories.get(parameter) for parameter in parameters]
        if not all(memory is not None and memory.is_complete for memory in memories):
            self.updates(None, parameters, [T.zeros_like(p) for p in parameters])

    def minimize(self, loss: Any, var_list: Any = None) -> Operation:
        """Return an operation that takes one step, for ``Session.run``.

        The operation is added to the default graph. Running it also updates the running statistics
        of layers, such as those of ``BatchNorm``.

        Parameters
        ----------
        loss
            The loss, a 0-d array. Layers in it compute what they compute in training. The penalties
            of layers are not added: add ``y.penalty`` to the loss, where y is the output of the
            last layer. (``Model.fit`` adds them itself.)
        var_list
            The variables to change. None: all trainable variables that the loss depends on.

        Raises
        ------
        ValueError
            If the loss is not 0-d, or does not depend on a trainable variable.

        Examples
        --------
        >>> with nn.Graph().as_default(), nn.Session() as session:
        ...     w = nn.Variable(2.0)
        ...     step = nn.SGD(0.25).minimize(w**2)
        ...     print(session.run([w, step]), w.get_value())
        [array(2., dtype=float32), None] 1.0

        >>> with nn.Graph().as_default(), nn.Session() as session:
        ...     x = nn.placeholder("float32", (None, 1))
        ...     y = nn.dense(x, 1, kernel_initializer="ones", kernel_regularizer=nn.L2(0.25))
        ...     loss = nn.reduce_mean(y**2) + y.penalty
        ...     step = nn.SGD(1.0).minimize(loss)
        ...     print(session.run([loss, step], {x: [[0.0]]}), y.parameters[0].get_value())
        [array(0.25, dtype=float32), None] [[0.5]]
        """
        return minimize(self, loss, var_list)

    def __setattr__(self, name: str, value: Any) -> None:
        # Attributes of other libraries, such as lr, would have no effect.
        if name in OF_OPTIMIZERS and type(self).__module__.startswith("symtheano."):
            raise MissingMethod(type(self), name, OF_OPTIMIZERS)
        super().__setattr__(name, value)

    @property
    def has_fixed_rate(self) -> bool:
        """Whether the learning rate is a number, which only the user changes."""
        return isinstance(self._rate, T.TensorSharedVariable)

    @property
    def step(self) -> int:
        """The number of updates so far."""
        return int(self._state["step"].get_value())

    @property
    def state(self) -> dict[str, Any]:
        """The shared variables of the state, by name.

        They are the number of updates, the learning rate if it is a number, and the arrays of each
        parameter that was passed to :meth:`updates`, such as ``"w.velocity"``.
        """
        return self.state_of(list(self._memories))

    def state_of(self, parameters: Sequence[Any]) -> dict[str, Any]:
        """Return the part of :attr:`state` that belongs to these parameters.

        An optimizer may be used for the parameters of several models.
        """
        state = dict(self._state)
        labels: list[str] = []
        for parameter in parameters:
            if parameter in self._memories:
                labels.append(numbered(parameter.name or "parameter", labels))
                state.update(self._memories[parameter].state(labels[-1]))
        return state

    def restore(self, values: Mapping[str, Any]) -> None:
        """Set the state. If a value does not fit, nothing is changed.

        Parameters
        ----------
        values
            A mapping from the names of :attr:`state` to arrays.

        Raises
        ------
        ValueError
            If a name is missing or unknown, or an array has another shape or dtype.
        """
        state, name = self.state, type(self).__name__
        if differing := sorted(state.keys() ^ values.keys()):
            raise ValueError(
                f"{name}: the names of the state to restore differ from those of the optimizer: "
                f"{differing}"
            )
        arrays = {key: np.asarray(value) for key, value in values.items()}
        for key, array in arrays.items():
            old = state[key].get_value(borrow=True)
            if (array.shape, array.dtype) != (old.shape, old.dtype):
                raise ValueError(
                    f"{name}: {key} is {old.dtype} of shape {old.shape}, but the value to restore "
                    f"is {array.dtype} of shape {array.shape}"
                )
        for key, array in arrays.items():
            state[key].set_value(array)

    def config(self) -> dict[str, Any]:
        """Return the class and the arguments as data for JSON, without the state."""
        names = [*_arguments(type(self)), *_arguments(Optimizer)]
        return (
            {"class": type(self).__name__}
            | {n: plain_data(getattr(self, n)) for n in names}
            | {"learning_rate": self._rate_config()}
        )

    def __repr__(self) -> str:
        """Return the class, the learning rate, and the arguments that have not their defaults."""
        defaults = {
            item.name: plain_data(item.default)
            for kind in (Optimizer, type(self))
            for item in signature(kind).parameters.values()
        }
        shown = [
            f"{name}={value!r}"
            for name, value in self.config().items()
            if name == "learning_rate" or (name != "class" and value != defaults[name])
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    if not TYPE_CHECKING:  # for which every attribute would exist

        def __getattr__(self, name: str) -> Any:
            """Say what an attribute of other libraries is here."""
            raise MissingMethod(type(self), name, OF_OPTIMIZERS, vars(self))

    # What subclasses define and call.

    def begin(self, count: Any, rate: Any, updates: Any) -> dict[str, Any]:
        """Return the numbers of an update that are the same for all parameters.

        Parameters
        ----------
        count
            The number of this update. The first update has the number 1.
        rate
            The learning rate.
        updates
            A mapping from shared variables to their next values. :meth:`updates` returns what this
            method adds to it.

        Returns
        -------
        A dict from names to 0-d float64 expressions. It must have the learning rate as ``"rate"``.
        """
        return {"rate": rate}

    def change(self, gradient: Any, memory: Memory, numbers: Mapping[str, Any]) -> Any:
        """Return the change to subtract from a parameter. Subclasses define this method.

        Parameters
        ----------
        gradient
            The gradient, in the dtype of the parameter, or float32 if the parameter is float16.
        memory
            The arrays that the optimizer keeps for this parameter.
        numbers
            The result of ``begin``, in the dtype of the gradient.
        """
        raise NotImplementedError(f"{type(self).__name__} has no method 'change'")

    def number(self, name: str, value: float) -> Any:
        """Return a 0-d float64 shared variable of the state, which the first call creates."""
        if name not in self._state:
            self._state[name] = symtheano.shared(np.asarray(value, "float64"), name)
        return self._state[name]

    def setting(self, name: str) -> Any:
        """Return a numeric argument of the constructor as a 0-d float64 variable.

        The value of a variable is not part of compiled code, so other values need no compilation.
        """
        if name not in self._settings:
            self._settings[name] = setting(name, getattr(self, name))
        return self._settings[name]

    # Internal methods.

    def _updates_of(
        self, memory: Memory, gradient: Any, numbers: Mapping[str, Any]
    ) -> Iterator[tuple[Any, Any]]:
        own = {name: T.cast(number, memory.dtype) for name, number in numbers.items()}
        old = T.cast(memory.parameter, memory.dtype)
        decay = like(self.setting("weight_decay"), old) if self._decays(memory.parameter) else None
        if decay is not None and not self.decoupled:
            gradient = gradient + decay * old
        change = self.change(gradient, memory, own)
        if decay is not None and self.decoupled:
            old = old - own["rate"] * decay * old
        yield memory.parameter, T.cast(old - change, memory.parameter.dtype)
        yield from memory.updates()

    def _decays(self, parameter: Any) -> bool:
        excluded = any(n in (parameter.name or "") for n in self.exclude_from_weight_decay)
        return bool(self.weight_decay) and not excluded

    def _parts(self, names: Any) -> tuple[str, ...]:
        if isinstance(names, str) or not all(isinstance(n, str) and n for n in names):
            raise TypeError(
                f"{type(self).__name__}: exclude_from_weight_decay must be a list of parts of "
                f"names, such as ['bias', 'batch_norm'], not {names!r}"
            )
        return tuple(names)

    def _checked(self, parameters: Any) -> list[Any]:
        variables = [parameters] if isinstance(parameters, symtheano.Variable) else list(parameters)
        for item in variables:
            if not isinstance(item, T.TensorSharedVariable) or item.dtype not in T.float_dtypes:
                raise TypeError(
                    f"{type(self).__name__}: parameters must be shared variables of floats, not "
                    f"{item}"
                )
        if len(set(variables)) < len(variables):
            twice = next(item for n, item in enumerate(variables) if item in variables[:n])
            raise ValueError(f"{type(self).__name__}: the parameter {twice} is given twice")
        return variables

    def _memory(self, parameter: Any) -> Memory:
        if parameter not in self._memories:
            taken = [memory.label for memory in self._memories.values()]
            label = numbered(parameter.name or "parameter", taken)
            self._memories[parameter] = Memory(parameter, label)
        return self._memories[parameter]

    def _rate_config(self) -> Any:
        return self._rate.config() if isinstance(self._rate, Schedule) else self.learning_rate


def numbered(name: str, taken: Sequence[str]) -> str:
    """Return a name, with a number appended if the name is taken: w, w_2, ..."""
    candidate, count = name, 1
    while candidate in taken:
        count += 1
        candidate = f"{name}_{count}"
    return candidate


def _arguments(kind: type) -> list[str]:
    """Return the names of a constructor's arguments."""
    parameters = signature(kind).parameters.values()
    return [item.name for item in parameters if item.kind is not Parameter.VAR_KEYWORD]
