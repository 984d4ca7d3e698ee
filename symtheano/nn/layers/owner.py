"""What a layer owns: its parameters, states, updates and penalties, and its inner layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano.nn import constraints, initializers, regularizers
from symtheano.nn.layers.calling import current_call
from symtheano.nn.layers.parameters import Parameter, set_values
from symtheano.nn.values import Shape, shown

if TYPE_CHECKING:
    from symtheano.nn.layers.configuration import Configured as Base  # which layers are, too
else:
    Base = object


class Owner(Base):
    """Base class of layers: what the methods ``build`` and ``apply`` of layers call.

    Attributes
    ----------
    parameters
        The parameters, in the order of their creation.
    states
        Shared variables that are kept from batch to batch.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        self.parameters: list[Parameter] = []
        self.states: list[Any] = []
        self._built: tuple[Shape, ...] | None = None
        # The first call of the layer sets them.
        self._randomness: Any
        self._dtype: str

    @property
    def masks(self) -> tuple[Any, ...]:
        """The masks of the inputs of the current call, for :meth:`apply` and ``mask``."""
        return current_call().masks

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

    def described(
        self, name: str, shape: tuple[int, ...], of: str = "", **options: Any
    ) -> T.TensorSharedVariable:
        """Create the parameter that arguments such as ``kernel_initializer`` describe.

        Parameters
        ----------
        name, shape
            As of :meth:`parameter`.
        of
            The first word of the arguments; by default ``name``.
        options
            What is used instead of an argument: ``initializer``, ``regularizer``, ``constraint``
            or ``trainable``.
        """
        for kind in ("initializer", "regularizer", "constraint"):
            options.setdefault(kind, vars(self).get(f"{of or name}_{kind}"))
        return self.parameter(name, shape, **options)

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
        current_call().updates.append((variable, T.cast(value, variable.dtype)))

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
        current_call().carried.append((variable, T.cast(value, variable.dtype)))

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
        current_call().penalties.append(term)

    def regularize(self, output: Any, regularizer: Any) -> None:
        """Add the penalty of an output, divided by the number of samples, to the loss."""
        term = regularizers.get(regularizer)
        if term is not None:
            samples = T.cast(T.maximum(output.shape[0], 1), output.dtype)
            self.penalty(term(output) / samples)

    def state(self, final: Any, shape: Shape) -> None:
        """Add a final state to the output. Call this in :meth:`apply`."""
        current_call().final_states.append((final, shape))

    def build_part(self, part: Any, prefix: str, *shapes: Shape) -> None:
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
        self, part: Any, *inputs: Any, training: bool, masks: tuple[Any, ...] = ()
    ) -> Any:
        """Return the output of an inner layer, and take over its updates and penalties.

        Call this in :meth:`apply`.
        """
        return self.apply_recurrent_part(part, *inputs, training=training, masks=masks)[0]

    def apply_recurrent_part(
        self, part: Any, *inputs: Any, training: bool, masks: tuple[Any, ...] = ()
    ) -> tuple[Any, list[tuple[Any, Shape]]]:
        """Return the output and the final states of an inner layer; see :meth:`apply_part`."""
        part._randomness = self._randomness
        trains = training and (part.trainable or not part.frozen_is_test)
        call = current_call().of_part(masks or (None,) * len(inputs))
        with call.active():
            return part.apply(*inputs, training=trains), call.final_states

    def rename(self, name: str) -> None:
        """Change the name of the layer, and the names of its parameters with it."""
        self.name = name
        for item in self.parameters:
            item.variable.name = f"{name}/{item.name}"
        for state in self.states:
            state.name = f"{name}/{state.name.partition('/')[2]}"

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
        arrays = [np.asarray(s, a.dtype) for s, a in zip(states, old, strict=False)]
        if len(states) != len(old) or any(s.shape[1:] != a.shape[1:] or s.ndim != a.ndim
                                          for s, a in zip(arrays, old, strict=True)):  # fmt: skip
            expected = ", ".join(shown(array.shape[1:]) for array in old)
            taken = f"arrays of shape {expected}" if old else "no arrays"
            got = ", ".join(str(np.shape(s)) for s in states)
            raise self.error(f"reset_states takes {taken}, but was given {got}")
        for variable, array in zip(self.states, arrays, strict=True):
            variable.set_value(array)

    @property
    def streams(self) -> Any:
        """The random streams of the network. Use them in :meth:`apply`."""
        return self._randomness.streams

    @property
    def built(self) -> bool:
        """Whether the parameters exist."""
        return self._built is not None
