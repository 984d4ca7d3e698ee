"""The base class of layers: parameters, calls, names, and the description of a layer as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import reduce
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano.graph.origin import current_origin, origin_scope
from symtheano.nn import activations, constraints, initializers, regularizers
from symtheano.nn.configuration import tuples
from symtheano.nn.documentation import document_inherited_parameters
from symtheano.nn.foreign import Explained
from symtheano.nn.layers.calls import result_shape, takes_training
from symtheano.nn.layers.parameters import Parameter, set_values
from symtheano.nn.lookup import look_up, snake_case
from symtheano.nn.missing import OF_LAYERS, MissingMethod
from symtheano.nn.session.deferred import Deferred
from symtheano.nn.values import Shape, Value, as_value, differ, shown

Self = TypeVar("Self", bound="Layer")

LAYERS: dict[str, type[Layer]] = {}

NAMED: dict[str, Callable[[Any], Any]] = {
    "activation": activations.get,
    "initializer": initializers.get,
    "regularizer": regularizers.get,
    "constraint": constraints.get,
}
"""What finds objects by name, for the arguments whose names end so."""


@dataclass(eq=False)
class Layer(Explained):
    """Base class of all layers: a function of symbolic arrays that owns its parameters.

    Call a layer with one or more :class:`Value` objects; the call returns a :class:`Value`. The
    first call creates the parameters from the shapes of the inputs. Further calls use the same
    parameters.

    To write a layer, derive a dataclass whose fields are the arguments of the layer. Create the
    parameters in :meth:`build`, and compute the output in ``call(self, x)``, or in
    ``call(self, x, training)`` if the layer computes something else in training. The shape of the
    output then follows from the expression. Instead of ``call``, a layer may define
    :meth:`output_shape` and :meth:`apply`.

    Parameters
    ----------
    name
        The name of the layer. By default, the name of the class in snake case. Parameters are saved
        under this name. A network adds numbers to layers of the same name.
    trainable
        Whether training changes the parameters. This attribute can be set at any time. A new value
        takes effect in the next call of ``fit``.

    Examples
    --------
    >>> from symtheano import nn
    >>> class Scaled(nn.Layer):
    ...     def build(self, shape):
    ...         self.scale = self.add_weight((shape[-1],), "ones", name="scale")
    ...
    ...     def call(self, x):
    ...         return T.concatenate([x, x * self.scale], axis=1)
    >>> Scaled()(nn.Input((3,)))
    Value(float32, (n, 6) of scaled)
    """

    name: str = field(default="", kw_only=True)
    trainable: bool = field(default=True, kw_only=True)

    # Whether training differs from test even where the inputs are the same.
    differs = False
    # Whether a frozen layer computes in training what it does at test.
    frozen_is_test: ClassVar[bool] = False
    # The number of values that a call takes; None: one or more.
    arity: ClassVar[int | None] = 1
    # Whether the steps of the output are those of the inputs, so that a mask of them is passed on.
    keeps_steps = False
    # The arguments that are positive integers, or None.
    counts: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        """Register the layer by the name of its class."""
        super().__init_subclass__()
        if "call" in vars(cls) and "differs" not in vars(cls):
            cls.differs = takes_training(vars(cls)["call"])
        document_inherited_parameters(cls)
        LAYERS[cls.__name__] = cls

    def __new__(cls: type[Self], *args: Any, **options: Any) -> Self:
        """Return a layer that knows the user's line."""
        self = super().__new__(cls, *args, **options)
        vars(self)["_origin"] = current_origin()
        return self

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise TypeError(f"{type(self).__name__}: the name must be a string, not {self.name!r}")
        self.name = self.name or snake_case(type(self).__name__)
        self.parameters: list[Parameter] = []
        self._built: tuple[Shape, ...] | None = None
        self.states: list[Any] = []
        self._updates: list[tuple[Any, Any]] = []
        self._carried: list[tuple[Any, Any]] = []
        self._penalties: list[Any] = []
        self.final_states: list[tuple[Any, Shape]] = []
        self.masks: tuple[Any, ...] = ()
        for name in self.counts:
            given = getattr(self, name)
            if not isinstance(given, int | np.integer | None) or (given is not None and given < 1):
                raise self.error(f"{name} must be a positive integer, not {given!r}")
            setattr(self, name, given if given is None else int(given))
        if type(self).__module__.startswith("symtheano."):
            self._check_names()

    def _check_names(self) -> None:
        """Raise an error for an activation, an initializer and the like that does not exist."""
        for item in fields(self):
            kind, value = item.name.rpartition("_")[2], getattr(self, item.name)
            if kind in NAMED and value is not None:
                try:
                    NAMED[kind](value)
                except (ValueError, TypeError) as error:
                    text = f"{type(self).__name__} '{self.name}': {item.name}: {error}"
                    raise type(error)(text) from None

    # What subclasses define.

    # Type checkers accept an override with any parameters only of (*args: Any, **options: Any).

    def build(self, *shapes: Any, **options: Any) -> None:
        """Create the parameters for inputs of these shapes.

        A subclass that has parameters defines this method. The first call of the layer calls it.

        Parameters
        ----------
        shapes
            The shape of one sample of each input, without the batch axis. None stands for an
            unknown length. A layer with one input has one parameter, ``build(self, shape)``.
        options
            Not used.
        """

    def output_shape(self, *shapes: Any, **options: Any) -> Shape:
        """Return the shape of one sample of the output, for samples of these input shapes."""
        shape: Shape = shapes[0]
        return shape

    def take_channels_last(self) -> None:
        """Take this format, for an input that is known to have it.

        Layers with an argument ``data_format`` do so if it was not given; if they are built for
        channels first already, they warn.
        """

    def check_channels(self, value: Value) -> None:
        """Warn of an input whose channels seem to be another axis than the one that is taken.

        The first call of the layer calls it.
        """

    def output_format(
        self, data_format: str | None, shapes: Sequence[Shape], shape: Shape
    ) -> str | None:
        """Return the format of the output, for inputs of a format and of these shapes.

        Layers of this package that move axes return None. Of other layers it is known that they
        keep axes only if the shape stays.
        """
        keeps_axes = all(len(one) == len(shape) for one in shapes)
        is_known = type(self).__module__.startswith("symtheano.") or shape == shapes[0]
        return data_format if keeps_axes and is_known and len(shape) > 1 else None

    def apply(self, *inputs: Any, **options: Any) -> Any:
        """Return the symbolic output for symbolic inputs.

        Parameters
        ----------
        inputs
            Symbolic arrays. Their first axis is the batch.
        options
            ``training``: whether to return the expression for training or the one for tests. A
            layer with one input has the parameters ``apply(self, x, training)``.
        """
        call = getattr(self, "call", None)
        if call is None:
            has_forward = hasattr(type(self), "forward")
            other = "; the method forward is named call here" if has_forward else ""
            raise NotImplementedError(
                f"{type(self).__name__} defines neither call nor apply{other}"
            )
        return call(*inputs, **options) if takes_training(call) else call(*inputs)

    def mask(self, *inputs: Any) -> Any:
        """Return the mask of the output, computed from the masks of the inputs, ``self.masks``.

        The mask is a boolean array of shape (samples, steps) that is False for steps to leave out.
        None means that all steps exist.
        """
        known = [mask for mask in self.masks if mask is not None]
        return reduce(T.and_, known) if self.keeps_steps and known else None

    # What they call.

    def parameter(
        self,
        name: str,
        shape: tuple[int, ...],
        initializer: Any,
        *,
        regularizer: Any = None,
        constraint: Any = None,
        trainable: bool = True,
        dtype: str | None = None,
    ) -> T.TensorSharedVariable:
        """Create a parameter and return its shared variable. Call this in :meth:`build`.

        Parameters
        ----------
        name
            The name of the parameter within the layer.
        shape
            The shape of the parameter, a tuple of integers.
        initializer
            The initial values: the name of an initializer, an :class:`Initializer`, a number, or an
            array.
        regularizer
            A penalty on the parameter that is added to the loss: a name, a :class:`Regularizer`, or
            None.
        constraint
            A condition that the parameter satisfies after each update: a name, a
            :class:`Constraint`, or None.
        trainable
            Whether the gradient of the loss changes the parameter. Use False for running
            statistics.
        dtype
            The dtype. By default, that of the layer.
        """
        if not hasattr(self, "_randomness"):
            raise self.error(
                f"the parameter {name!r} is created before the shape of the input is known: create "
                "it in the method build(self, shape)"
            )
        dtype = dtype or self._dtype
        self._randomness.reserve(shape)
        value = self._randomness.initial(initializers.get(initializer), shape, dtype)
        variable: T.TensorSharedVariable = symtheano.shared(value, name=f"{self.name}/{name}")
        self.parameters.append(
            Parameter(
                name,
                variable,
                self,
                trainable,
                regularizers.get(regularizer),
                constraints.get(constraint),
            )
        )
        return variable

    def add_weight(
        self,
        shape: Any = (),
        initializer: Any = "glorot_uniform",
        *others: Any,
        name: str = "",
        **options: Any,
    ) -> T.TensorSharedVariable:
        """Create a parameter and return its shared variable. Call this in :meth:`build`.

        Parameters
        ----------
        shape
            The shape of the parameter. An integer is the length of a vector.
        initializer
            The initial values: the name of an initializer, an :class:`Initializer`, a number, or an
            array.
        name
            The name of the parameter within the layer. By default ``weight``, ``weight_1`` and so
            on.
        options
            ``regularizer``, ``constraint``, ``trainable`` and ``dtype``, see :meth:`parameter`.
        """
        if others or isinstance(shape, str):
            raise TypeError(
                f"{type(self).__name__} '{self.name}': add_weight takes a shape and an initializer "
                "by position, and all other arguments by name: add_weight(shape, initializer, "
                "name='w')"
            )
        lengths = tuple(shape) if isinstance(shape, list | tuple) else (shape,)
        if not all(isinstance(n, int | np.integer) for n in lengths):
            raise self.error(f"add_weight: the shape must consist of integers, not {shape!r}")
        count = len(self.parameters)
        name = name or (f"weight_{count}" if count else "weight")
        return self.parameter(name, tuple(map(int, lengths)), initializer, **options)

    def update(self, variable: Any, value: Any) -> None:
        """Set a shared variable in each training step. Call this in :meth:`apply`.

        Parameters
        ----------
        variable
            A shared variable of this layer, such as a running mean.
        value
            An expression of its next value.
        """
        self._updates.append((variable, T.cast(value, variable.dtype)))

    def carried(self, name: str, shape: tuple[int, ...]) -> Any:
        """Create a state that is kept from batch to batch. Call this in :meth:`build`.

        The state is a shared variable with one row of this shape for each sample. It has no rows
        before the first batch.
        """
        rows = np.zeros((0, *shape), self._dtype)
        self.states.append(symtheano.shared(rows, name=f"{self.name}/{name}"))
        return self.states[-1]

    def carry(self, variable: Any, value: Any) -> None:
        """Set a carried state in each call, also at test. Call this in :meth:`apply`."""
        self._carried.append((variable, T.cast(value, variable.dtype)))

    def carried_rows(self, variable: Any, samples: Any) -> Any:
        """Return the rows of a carried state for the samples of a batch.

        Call this in :meth:`apply`. The rows are zeros if the state has no rows yet. If a batch has
        another number of samples than the previous batch, the compiled function raises
        ``AssertionError``.
        """
        fits = T.Assert(
            f"{type(self).__name__} '{self.name}' carries its states from batch to batch, so all "
            "batches must have the same number of samples; call reset_states() before a batch with "
            "another number"
        )
        length = variable.shape[0]
        length = fits(length, T.or_(T.eq(length, 0), T.eq(length, samples)))
        zeros = T.zeros((1, *(variable.shape[k] for k in range(1, variable.ndim))), variable.dtype)
        # With no rows, all indices are those of the zeros.
        return T.concatenate([variable, zeros])[T.minimum(T.arange(samples), length)]

    def penalty(self, term: Any) -> None:
        """Add a 0-d expression to the loss. Call this in :meth:`apply`."""
        self._penalties.append(term)

    def regularize(self, output: Any, regularizer: Any) -> None:
        """Add the penalty of an output, divided by the number of samples, to the loss."""
        term = regularizers.get(regularizer)
        if term is not None:
            samples = T.cast(T.maximum(output.shape[0], 1), output.dtype)
            self.penalty(term(output) / samples)

    def state(self, final: Any, shape: Shape) -> None:
        """Add a final state to the output. Call this in :meth:`apply`."""
        self.final_states.append((final, shape))

    def build_part(self, part: Layer, prefix: str, *shapes: Shape) -> None:
        """Create the parameters of an inner layer and make them parameters of this layer.

        Call this in :meth:`build`.
        """
        if part.built:
            raise self.error(
                f"takes a layer that was not called yet, but '{part.name}' has parameters already"
            )
        part._randomness, part._dtype = self._randomness, self._dtype
        part.output_shape(*shapes)
        part.build(*shapes)
        part._built = shapes
        for p in part.parameters:
            name, trains = f"{prefix}{p.name}", p.trainable and part.trainable
            p.variable.name = f"{self.name}/{name}"
            self.parameters.append(replace(p, name=name, layer=self, trainable=trains))
        for state in part.states:
            state.name = f"{self.name}/{prefix}{state.name.partition('/')[2]}"
            self.states.append(state)

    def apply_part(
        self, part: Layer, *inputs: Any, training: bool, masks: tuple[Any, ...] = ()
    ) -> Any:
        """Return the output of an inner layer, and take over its updates and penalties.

        Call this in :meth:`apply`.
        """
        part._randomness = self._randomness
        part._updates, part._carried = self._updates, self._carried
        part._penalties, part.final_states = self._penalties, []
        part.masks = masks or (None,) * len(inputs)
        trains = training and (part.trainable or not part.frozen_is_test)
        return part.apply(*inputs, training=trains)

    def axes_of(self, given: Any, shape: Shape) -> tuple[int, ...]:
        """Return the numbers of axes of a sample, where negative numbers count from the last axis.

        Axis 1 is the first axis of a sample; axis 0 is the batch.

        Raises
        ------
        ValueError
            If a sample has no such axis.
        """
        ndim = len(shape) + 1
        several = tuple(given) if isinstance(given, list | tuple) else (given,)
        axes = tuple(k + ndim if k < 0 else k for k in several)
        if not all(0 < k < ndim for k in axes):
            raise self.error(f"samples of shape {shown(shape)} have no axis {given}")
        return axes

    def argument(self, name: str) -> str:
        """Return an argument of the layer as errors name it.

        Examples
        --------
        >>> Layer(name="first").argument("units")
        "Layer 'first': units"
        """
        return f"{type(self).__name__} '{self.name}': {name}"

    def error(self, text: str) -> ValueError:
        """Return a ``ValueError`` whose message begins with the class and the name of the layer."""
        return ValueError(f"{type(self).__name__} '{self.name}': {text}")

    # What users call.

    def __call__(self, *inputs: T.TensorVariable | Sequence[T.TensorVariable]) -> Value:
        """Return the output for one or more values. The first call creates the parameters.

        Parameters
        ----------
        inputs
            Outputs of layers, inputs made by :func:`Input`, expressions of these, and symbolic
            arrays; or one list of them.
        """
        if not hasattr(self, "_built"):
            raise TypeError(f"{type(self).__name__}.__init__ must call super().__init__()")
        values = self._checked(inputs)
        shapes = tuple(value.shape for value in values)
        self._randomness = values[0].randomness
        formats = {value.data_format for value in values} - {None}
        data_format = formats.pop() if len(formats) == 1 else None
        if data_format == "channels_last":
            self.take_channels_last()
        if self._built is None:
            self._dtype = values[0].dtype if values[0].dtype.startswith("float") else "float32"
            self.output_shape(*shapes)
            self.build(*shapes)
            self._built = shapes
            self.check_channels(values[0])
        elif any(map(differ, self._built, shapes)) or len(shapes) != len(self._built):
            built, now = (", ".join(map(shown, s)) for s in (self._built, shapes))
            raise self.error(f"was built for inputs of shape {built}, but is called with {now}")
        own = type(self).output_shape is not Layer.output_shape
        infers = (self.written_as_call and not own) or self.infers_shape
        shape = None if infers else self.output_shape(*shapes)
        trains = self.trainable or not self.frozen_is_test
        train, mask, states = self._applied(
            [v.train for v in values], [v.masks[0] for v in values], trains
        )
        if shape is None:
            shape = result_shape([v.train for v in values], shapes, train)
        self._check_shape(train, shape)
        updates, penalties = (*self._updates, *self._carried), tuple(self._penalties)
        test, test_mask, test_states = train, mask, states
        if (self.differs and trains) or any(value.train is not value.test for value in values):
            test, test_mask, test_states = self._applied(
                [v.test for v in values], [v.masks[1] for v in values], False
            )
        masks = mask, test_mask
        random = self._randomness
        y = Value(train, test, shape, random, self, values, updates, penalties, masks)
        y.data_format = self.output_format(data_format, shapes, shape)
        y.own_test_updates = tuple(self._carried)
        y.states = tuple(
            Value(of_train, of_test, length, random, inputs=(y,))
            for (of_train, length), (of_test, _) in zip(states, test_states, strict=True)
        )
        return y

    def _applied(self, inputs: list[Any], masks: list[Any], training: bool) -> Any:
        """Return the output, its mask and its final states."""
        self._updates, self._carried, self._penalties, self.final_states = [], [], [], []
        self.masks = tuple(masks)
        # Lines of the layer's own: it may be applied again in a call of ``fit``.
        package = type(self).__module__.startswith("symtheano.") and not hasattr(self, "function")
        with origin_scope(vars(self).get("_origin")) if package else nullcontext():
            output = self.apply(*inputs, training=training)
        if not isinstance(output, symtheano.Variable):
            hint = ""
            if isinstance(output, Value):
                hint = (
                    ", the output of another layer: call build_part(layer, 'name/', shape) in "
                    "build and apply_part(layer, x, training=training) in call, or use "
                    "nn.Sequential"
                )
            raise TypeError(
                f"{type(self).__name__} '{self.name}': its function must return a symbolic array, "
                f"not {output!r}{hint}"
            )
        return output, self.mask(*inputs), self.final_states

    if not TYPE_CHECKING:  # for which every attribute would exist

        def __getattr__(self, name: str) -> Any:
            """Say what an attribute of other libraries is here."""
            waits = name in ("kernel", "bias", "table") and not self.__dict__.get("_built")
            remark = "parameters are made when the layer is first called" if waits else None
            raise MissingMethod(type(self), name, OF_LAYERS, vars(self), remark)

    def get_weights(self) -> list[Any]:
        """Return copies of the values of all parameters, including running statistics."""
        return [p.get_value() for p in self.parameters]

    def set_weights(self, weights: Sequence[Any]) -> None:
        """Set the values of all parameters.

        Parameters
        ----------
        weights
            One array for each parameter, in the order of :meth:`get_weights`.

        Raises
        ------
        ValueError
            If the number of arrays or a shape does not fit. No parameter is changed then.
        """
        set_values(f"{type(self).__name__} '{self.name}': set_weights", self.parameters, weights)

    def reset_states(self, states: Any = None) -> None:
        """Reset the states that are kept from batch to batch.

        The next batch begins with states of zero and may have any number of samples.

        Parameters
        ----------
        states
            The states to begin with instead of zeros: one array for each of :attr:`states`, with
            one row for each sample.

        Raises
        ------
        ValueError
            If the number of arrays or a shape does not fit. No state is changed then.
        """
        old = [v.get_value(borrow=True) for v in self.states]
        if states is None:
            states = [array[:0] for array in old]
        given = [np.asarray(s, a.dtype) for s, a in zip(states, old, strict=False)]
        if len(states) != len(old) or any(s.shape[1:] != a.shape[1:] or s.ndim != a.ndim
                                          for s, a in zip(given, old, strict=True)):  # fmt: skip
            expected = ", ".join(shown(array.shape[1:]) for array in old)
            taken = f"arrays of shape {expected}" if old else "no arrays"
            got = ", ".join(str(np.shape(s)) for s in states)
            raise self.error(f"reset_states takes {taken}, but was given {got}")
        for variable, array in zip(self.states, given, strict=True):
            variable.set_value(array)

    @property
    def infers_shape(self) -> bool:
        """Whether the shape of the output follows from its expression."""
        return False

    @property
    def written_as_call(self) -> bool:
        """Whether a subclass computes the output in a method ``call``."""
        return type(self).apply is Layer.apply

    def _check_shape(self, output: Any, shape: Shape) -> None:
        """Raise an error if an output cannot have the shape that the layer declared."""
        found = tuple(output.type.shape)
        if len(found) != len(shape) + 1 or differ(found[1:], shape):
            raise self.error(
                f"the output is {output.type}, but the layer declares the shape {shown(shape)}: "
                "declare the right shape, with shape= of nn.Lambda or with the method output_shape "
                "of a layer"
            )

    def config(self) -> dict[str, Any]:
        """Return the class and the arguments of the layer as data for JSON.

        Arguments that have their default values are left out.

        Raises
        ------
        TypeError
            If an argument cannot be written as JSON, such as a function.
        """
        described = {"class": type(self).__name__}
        owner = next(kind for kind in type(self).__mro__ if "__init__" in vars(kind))
        if "__dataclass_fields__" not in vars(owner):
            raise TypeError(
                f"{type(self).__name__} cannot be saved, because it has its own __init__; make it "
                "a dataclass, or define config() and from_config()"
            )
        for item in fields(self):
            value = getattr(self, item.name)
            if item.default is MISSING or value != item.default:
                described[item.name] = self._data(item.name, value)
        return described

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Layer:
        """Return a new layer from the result of :meth:`config`, without parameters."""
        makers = {
            "initializer": initializers,
            "regularizer": regularizers,
            "constraint": constraints,
        }
        values = {}
        for name, value in config.items():
            if name != "class":
                maker = makers.get(name.rpartition("_")[2])
                if not isinstance(value, Mapping):
                    values[name] = tuples(value)
                else:
                    values[name] = maker.from_config(value) if maker else layer_from(value)
        return cls(**values)

    def rename(self, name: str) -> None:
        """Change the name of the layer, and the names of its parameters with it."""
        self.name = name
        for item in self.parameters:
            item.variable.name = f"{name}/{item.name}"
        for state in self.states:
            state.name = f"{name}/{state.name.partition('/')[2]}"

    def _data(self, name: str, value: Any) -> Any:
        if value is None or isinstance(value, bool | int | float | str):
            return value
        if isinstance(value, list | tuple):
            return [self._data(name, item) for item in value]
        if hasattr(value, "config"):
            return value.config()
        if isinstance(value, np.ndarray | np.generic):
            return value.tolist()
        if activation := activations.name_of(value):
            return activation
        raise TypeError(
            f"{type(self).__name__} '{self.name}' cannot be saved: {name} is {value!r}, which is "
            "not JSON data; use a name, or write your own layer"
        )

    @property
    def as_function(self) -> Callable[[Any], Any]:
        """The function that a layer without parameters applies at test, used as an activation."""
        if type(self).build is not Layer.build:
            raise TypeError(
                f"{type(self).__name__} has parameters, or depends on a shape, so it cannot be "
                "used as an activation; add it as a layer after this one"
            )
        return lambda x: self.apply(x, training=False)

    @property
    def streams(self) -> Any:
        """The random streams of the network. Use them in :meth:`apply`."""
        return self._randomness.streams

    @property
    def built(self) -> bool:
        """Whether the parameters exist."""
        return self._built is not None

    def _checked(self, values: tuple[Any, ...]) -> tuple[Value, ...]:
        if len(values) == 1 and isinstance(values[0], list | tuple):
            values = tuple(values[0])
        values = tuple(map(as_value, values))
        for value in values:
            if not isinstance(value, Value):
                hint = ""
                if isinstance(value, Deferred):
                    hint = ": give placeholders a shape, as in nn.placeholder('float32', (None, 3))"
                shown = repr(value)
                if isinstance(value, np.ndarray):
                    shown = f"an array of shape {value.shape}"
                    hint = ": model.predict(x) takes arrays of numbers"
                raise TypeError(
                    f"{type(self).__name__} '{self.name}' takes outputs of layers, symbolic arrays "
                    f"and inputs made by nn.Input, not {shown}{hint}"
                )
        if not values or (self.arity is not None and len(values) != self.arity):
            expected = {None: "one or more values", 1: "one value"}.get(
                self.arity, f"{self.arity} values"
            )
            raise TypeError(
                f"{type(self).__name__} '{self.name}' takes {expected}, not {len(values)}"
            )
        return values


def layer_from(config: Mapping[str, Any]) -> Layer:
    """Return a new layer from the result of a layer's ``config``, without parameters."""
    kind = config["class"]
    if not isinstance(kind, str):
        raise TypeError(f"the class of a layer must be a name, not {kind!r}")
    kind = look_up("layer", kind, {name: name for name in LAYERS})
    return LAYERS[kind].from_config(config)
