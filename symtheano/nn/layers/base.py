"""The base class of layers: what a layer computes, and its calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano.graph.origin import current_origin, origin_scope
from symtheano.nn.documentation import document_inherited_parameters
from symtheano.nn.foreign import Explained
from symtheano.nn.layers.calling import Call
from symtheano.nn.layers.calls import result_shape, takes_training
from symtheano.nn.layers.configuration import LAYERS, Configured
from symtheano.nn.layers.formats import Formatted
from symtheano.nn.layers.owner import Owner
from symtheano.nn.missing import OF_LAYERS, MissingMethod
from symtheano.nn.session.deferred import Deferred
from symtheano.nn.values import Shape, Value, as_value, differ, shown

Self = TypeVar("Self", bound="Layer")


@dataclass(eq=False, repr=False)
class Layer(Owner, Formatted, Configured, Explained):
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
    >>> class Scaled(nn.Layer):
    ...     def build(self, shape):
    ...         self.scale = self.add_weight((shape[-1],), "ones", name="scale")
    ...
    ...     def call(self, x):
    ...         return T.concatenate([x, x * self.scale], axis=1)
    >>> Scaled()(nn.Input((3,)))
    Value(float32, (n, 6) of scaled)
    """

    # Whether training differs from test even where the inputs are the same.
    differs = False
    # Whether a frozen layer computes in training what it does at test.
    frozen_is_test: ClassVar[bool] = False
    # The number of values that a call takes; None: one or more.
    arity: ClassVar[int | None] = 1
    # Whether the steps of the output are those of the inputs, so that a mask of them is passed on.
    keeps_steps = False

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
        masks = [mask for mask in self.masks if mask is not None]
        return reduce(T.and_, masks) if self.keeps_steps and masks else None

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
        call = test_call = Call(tuple(value.masks[0] for value in values))
        train, mask = self._applied([value.train for value in values], call, trains)
        if shape is None:
            shape = result_shape([v.train for v in values], shapes, train)
        self._check_shape(train, shape)
        updates, penalties = (*call.updates, *call.carried), tuple(call.penalties)
        test, test_mask = train, mask
        if (self.differs and trains) or any(value.train is not value.test for value in values):
            test_call = Call(tuple(value.masks[1] for value in values))
            test, test_mask = self._applied([value.test for value in values], test_call, False)
        masks = mask, test_mask
        random = self._randomness
        y = Value(train, test, shape, random, self, values, updates, penalties, masks)
        y.data_format = self.output_format(data_format, shapes, shape)
        y.own_test_updates = tuple(test_call.carried)
        y.states = tuple(
            Value(of_train, of_test, length, random, inputs=(y,))
            for (of_train, length), (of_test, _) in zip(
                call.final_states, test_call.final_states, strict=True
            )
        )
        return y

    def _applied(self, inputs: list[Any], call: Call, training: bool) -> tuple[Any, Any]:
        """Return the output and its mask. The rest of what a call makes is in ``call``."""
        # Lines of the layer's own: it may be applied again in a call of ``fit``.
        package = type(self).__module__.startswith("symtheano.") and not hasattr(self, "function")
        with call.active():
            with origin_scope(vars(self).get("_origin")) if package else nullcontext():
                output = self.apply(*inputs, training=training)
            mask = self.mask(*inputs)
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
        return output, mask

    if not TYPE_CHECKING:  # for which every attribute would exist

        def __getattr__(self, name: str) -> Any:
            """Say what an attribute of other libraries is here."""
            waits = name in ("kernel", "bias", "table") and not self.__dict__.get("_built")
            remark = "parameters are made when the layer is first called" if waits else None
            raise MissingMethod(type(self), name, OF_LAYERS, vars(self), remark)

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
        static_shape = tuple(output.type.shape)
        if len(static_shape) != len(shape) + 1 or differ(static_shape[1:], shape):
            raise self.error(
                f"the output is {output.type}, but the layer declares the shape {shown(shape)}: "
                "declare the right shape, with shape= of nn.Lambda or with the method output_shape "
                "of a layer"
            )

    @property
    def as_function(self) -> Callable[[Any], Any]:
        """The function that a layer without parameters applies at test, used as an activation."""
        if type(self).build is not Layer.build:
            raise TypeError(
                f"{type(self).__name__} has parameters, or depends on a shape, so it cannot be "
                "used as an activation; add it as a layer after this one"
            )

        def function(x: Any) -> Any:
            with Call().active():
                return self.apply(x, training=False)

        return function

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
