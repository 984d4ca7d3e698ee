"""Recurrent layers, which compute one state after the other along the steps of a sequence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import symtheano
import symtheano.tensor as T
from symtheano.nn import activations, initializers
from symtheano.nn.layers.base import Layer
from symtheano.nn.layers.noise import check_rate
from symtheano.nn.randomness import drop
from symtheano.nn.values import Shape, shown


@dataclass(eq=False)
class Recurrent(Layer):
    """Base class of recurrent layers. Samples have shape (steps, features).

    The input is multiplied by its matrix for all steps at once. Only the product of the state is
    computed step by step, in a loop of :func:`symtheano.scan`. The matrices of the gates are
    concatenated along the last axis, in the same order as in Keras.

    Steps that the mask of the input leaves out do not change the state. The final states are the
    attribute ``states`` of the output. The initial states are zeros, unless they are passed as
    further inputs, ``layer(x, h)``, or as ``layer(x, initial_state=h)``.

    Parameters
    ----------
    units
        The number of units, which is the length of the state.
    activation
        The activation function of the new state: a name, ``"tanh"`` by default, or a function of an
        expression.
    use_bias
        Whether a bias is added.
    return_sequences
        Whether the output has the states of all steps, shape (steps, units), or only the last one,
        shape (units,). The default is False.
    return_state
        Whether a call of the layer returns a tuple of the output and the final states.
    stateful
        Whether sample k of a batch continues with the final state of sample k of the previous
        batch, in training and at test. The first batch, and the first batch after
        ``reset_states()``, begin with zeros. All batches between two resets must have the same
        number of samples. Gradients do not flow from one batch to the previous one. Saved models
        contain the states.
    go_backwards
        Whether the sequence is processed from its last step to its first. The output is in the
        order of processing.
    dropout, recurrent_dropout
        The probabilities that an element of the input, or of the state in its product, is set to
        zero in training. All steps of a sample have the same zeros; see Gal and Ghahramani, 2016, A
        Theoretically Grounded Application of Dropout in Recurrent Neural Networks. The defaults
        are 0.
    kernel_initializer, recurrent_initializer, bias_initializer
        Initial values of the matrix of the input, of the matrix of the state, and of the bias: the
        name of an initializer, an :class:`Initializer`, a number, or an array.
    kernel_regularizer, recurrent_regularizer, bias_regularizer
        Penalties on the matrix of the input, on the matrix of the state, and on the bias, which are
        added to the loss: a name such as ``"l2"``, a :class:`Regularizer`, or None.
    kernel_constraint, recurrent_constraint, bias_constraint
        Conditions that the matrix of the input, the matrix of the state, and the bias satisfy after
        each update: a name such as ``"max_norm"``, a :class:`Constraint`, or None.
    activity_regularizer
        A penalty on the output. It is divided by the number of samples and added to the loss.
    """

    units: int
    activation: activations.Activation = "tanh"
    use_bias: bool = True
    return_sequences: bool = False
    return_state: bool = False
    stateful: bool = False
    go_backwards: bool = False
    dropout: float = 0.0
    recurrent_dropout: float = 0.0
    kernel_initializer: Any = "glorot_uniform"
    recurrent_initializer: Any = "orthogonal"
    bias_initializer: Any = "zeros"
    kernel_regularizer: Any = None
    recurrent_regularizer: Any = None
    bias_regularizer: Any = None
    kernel_constraint: Any = None
    recurrent_constraint: Any = None
    bias_constraint: Any = None
    activity_regularizer: Any = None

    arity = None
    counts = ("units",)
    # The number of matrices that are concatenated, and the number of states.
    gates: ClassVar[int] = 1
    state_count: ClassVar[int] = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        for rate in (self.dropout, self.recurrent_dropout):
            check_rate(self, rate)
        self.differs = self.dropout > 0 or self.recurrent_dropout > 0
        self.keeps_steps = self.return_sequences
        if self.stateful and self.go_backwards:
            raise self.error(
                "a layer with go_backwards=True cannot be stateful, because each batch would need "
                "the states of the next batch"
            )

    def __call__(self, *values: Any, initial_state: Any = None) -> Any:
        """Return the output, or with ``return_state`` a tuple of the output and the final states.

        Parameters
        ----------
        values
            The sequence, with samples of shape (steps, features), optionally followed by the
            initial states, of shape (units,).
        initial_state
            The initial states, given by name: a value, or a list of values.
        """
        y = super().__call__(*values, *states_of(initial_state))
        return (y, *y.states) if self.return_state else y

    def build(self, *shapes: Shape) -> None:
        features, width = shapes[0][1], self.gates * self.units
        assert features is not None
        self.kernel = self.described("kernel", (features, width))
        self.recurrent_kernel = self.described(
            "recurrent_kernel", (self.units, width), of="recurrent"
        )
        if self.use_bias:
            self.bias = self.described("bias", self.bias_shape, initializer=self.initial_bias())
        for k in range(self.state_count if self.stateful else 0):
            self.carried(f"state_{k}", (self.units,))

    def output_shape(self, *shapes: Shape) -> Shape:
        if len(shapes[0]) != 2 or shapes[0][1] is None:
            raise self.error(
                "takes samples of shape (n, steps, features) with a known number of features, not "
                f"{shown(shapes[0])}"
            )
        if len(shapes) not in (1, 1 + self.state_count):
            raise self.error(
                f"takes a sequence, and {self.state_count} initial states or none, not "
                f"{len(shapes) - 1}"
            )
        if self.stateful and shapes[1:]:
            raise self.error(
                "a stateful layer takes no initial states in a call: set them with "
                "reset_states(...)"
            )
        for shape in shapes[1:]:
            if shape != (self.units,):
                raise self.error(
                    f"takes initial states of shape {shown((self.units,))}, not {shown(shape)}"
                )
        return (shapes[0][0], self.units) if self.return_sequences else (self.units,)

    def apply(self, *inputs: Any, training: bool) -> Any:
        x, streams = inputs[0], self.streams
        if training and self.dropout:
            x = drop(x, streams, self.dropout, shared_axes=(1,))
        z = T.dot(x, self.kernel)
        if self.use_bias:
            z = z + self.input_bias()
        start = T.zeros((x.shape[0], self.units), dtype=x.dtype)
        initial = inputs[1:] or (start,) * self.state_count
        if self.stateful:
            initial = tuple(self.carried_rows(state, x.shape[0]) for state in self.states)
        factors = None
        if training and self.recurrent_dropout:
            factors = drop(T.ones_like(start), streams, self.recurrent_dropout)
        steps = self._scan(z, initial, factors)
        last = [states[-1] for states in steps]
        for final in last:
            self.state(final, (self.units,))
        for carried, final in zip(self.states, last, strict=False):  # none, or all
            self.carry(carried, final)
        y = steps[0].dimshuffle(1, 0, 2) if self.return_sequences else last[0]
        self.regularize(y, self.activity_regularizer)
        return y

    def mask(self, *inputs: Any) -> Any:
        mask = self.masks[0] if self.return_sequences else None
        return mask[:, ::-1] if mask is not None and self.go_backwards else mask

    def _scan(self, z: Any, initial: tuple[Any, ...], factors: Any) -> list[Any]:
        """Return the states of all steps, each of shape (steps, samples, units)."""

        def step(row: Any, *others: Any) -> list[Any]:
            # The factors of dropout are an argument, because a step that draws them itself would
            # draw new ones each time.
            states, factor = others[: self.state_count], others[self.state_count :]
            kept = states[0] * factor[0] if factor else states[0]
            return list(self.step(row, kept, *states))

        def masked(row: Any, exists: Any, *others: Any) -> list[Any]:
            pairs = zip(step(row, *others), others, strict=False)
            return [T.switch(exists, new, old) for new, old in pairs]

        sequences, mask = [z.dimshuffle(1, 0, 2)], self.masks[0] if self.masks else None
        if mask is not None:
            sequences.append(mask.dimshuffle(1, 0, "x"))
        states, _ = symtheano.scan(
            step if mask is None else masked,
            sequences=sequences,
            outputs_info=list(initial),
            non_sequences=[] if factors is None else [factors],
            go_backwards=self.go_backwards,
            name=self.name,
            return_list=True,
        )
        return list(states)

    # What subclasses define.

    @property
    def bias_shape(self) -> tuple[int, ...]:
        """The shape of the bias."""
        return (self.gates * self.units,)

    def initial_bias(self) -> Any:
        """Return the initial values of the bias, or the initializer that makes them."""
        return self.bias_initializer

    def input_bias(self) -> Any:
        """Return the part of the bias that is added to the products of the input."""
        return self.bias

    def step(self, row: Any, kept: Any, *states: Any) -> tuple[Any, ...]:
        """Return the next states, as a tuple. The first one is the output.

        Parameters
        ----------
        row
            The products of the input for one step, shape (samples, gates * units).
        kept
            The first state, with elements set to zero by the recurrent dropout, shape (samples,
            units).
        states
            The states after the previous step, each of shape (samples, units).
        """
        raise NotImplementedError(f"{type(self).__name__} does not define step")

    def gate(self, products: Any, k: int) -> Any:
        """Return the columns of products that belong to gate k."""
        return products[:, k * self.units : (k + 1) * self.units]


def states_of(states: Any) -> tuple[Any, ...]:
    """Return a tuple of initial states, from None, one state or several."""
    if states is None:
        return ()
    return tuple(states) if isinstance(states, list | tuple) else (states,)


@dataclass(eq=False)
class SimpleRNN(Recurrent):
    """Simple recurrent layer: ``activation(x @ kernel + state @ recurrent_kernel + bias)``.

    See Elman, 1990, Finding Structure in Time.

    Examples
    --------
    >>> nn.SimpleRNN(4)(nn.Input((None, 3)))
    Value(float32, (n, 4) of simple_rnn)
    """

    def step(self, row: Any, kept: Any, *states: Any) -> tuple[Any, ...]:
        return (activations.applied(self.activation, row + T.dot(kept, self.recurrent_kernel)),)


@dataclass(eq=False)
class LSTM(Recurrent):
    """Long short-term memory layer.

    Each step computes ``memory = f * memory + i * activation(candidate)`` and
    ``state = o * activation(memory)`` with an input gate i, a forget gate f and an output gate o.
    The layer has two states, the state and the memory. The columns of the matrices are in the order
    i, f, candidate, o. See Hochreiter and Schmidhuber, 1997, Long Short-Term Memory, and Gers et
    al., 2000, Learning to Forget.

    Parameters
    ----------
    recurrent_activation
        The activation function of the gates: a name, ``"sigmoid"`` by default, or a function of an
        expression.
    unit_forget_bias
        Whether the bias of the forget gate begins with 1, whatever ``bias_initializer`` is. The
        default is True.

    Examples
    --------
    >>> y = nn.LSTM(4, return_sequences=True)(nn.Input((None, 3)))
    >>> y, y.states
    (Value(float32, (n, ?, 4) of lstm), (Value(float32, (n, 4)), Value(float32, (n, 4))))
    """

    recurrent_activation: activations.Activation = "sigmoid"
    unit_forget_bias: bool = True

    gates = 4
    state_count = 2

    def initial_bias(self) -> Any:
        make, units = initializers.get(self.bias_initializer), self.units
        bias = self._randomness.initial(make, (4 * units,), self._dtype)
        if self.unit_forget_bias:
            bias[units : 2 * units] = 1
        return bias

    def step(self, row: Any, kept: Any, *states: Any) -> tuple[Any, ...]:
        function = partial(activations.applied, self.activation)
        opening = partial(activations.applied, self.recurrent_activation)
        z = row + T.dot(kept, self.recurrent_kernel)
        i, f, candidate, o = (self.gate(z, k) for k in range(4))
        memory = opening(f) * states[1] + opening(i) * function(candidate)
        return opening(o) * function(memory), memory


@dataclass(eq=False)
class GRU(Recurrent):
    """Gated recurrent unit: ``state = z * state + (1 - z) * candidate``.

    The update gate z weights the old state. The reset gate r weights the old state in the formula
    of the candidate. The columns of the matrices are in the order z, r, candidate. See Cho et al.,
    2014, Learning Phrase Representations using RNN Encoder-Decoder.

    Parameters
    ----------
    recurrent_activation
        The activation function of the gates: a name, ``"sigmoid"`` by default, or a function of an
        expression.
    reset_after
        Whether the reset gate multiplies the state after its product with the matrix, as in cuDNN,
        or before. If it is True, the default, the bias has shape (2, 3 * units), with a row for the
        input and a row for the state; else it has shape (3 * units,).

    Examples
    --------
    >>> nn.GRU(4)(nn.Input((None, 3)))
    Value(float32, (n, 4) of gru)
    """

    recurrent_activation: activations.Activation = "sigmoid"
    reset_after: bool = True

    gates = 3

    @property
    def bias_shape(self) -> tuple[int, ...]:
        width = 3 * self.units
        return (2, width) if self.reset_after else (width,)

    def input_bias(self) -> Any:
        return self.bias[0] if self.reset_after else self.bias

    def step(self, row: Any, kept: Any, *states: Any) -> tuple[Any, ...]:
        function = partial(activations.applied, self.activation)
        opening = partial(activations.applied, self.recurrent_activation)
        matrix, units = self.recurrent_kernel, self.units
        if self.reset_after:
            products = T.dot(kept, matrix)
            if self.use_bias:
                products = products + self.bias[1]
        else:
            products = T.dot(kept, matrix[:, : 2 * units])
        z, r = (opening(self.gate(row, k) + self.gate(products, k)) for k in range(2))
        if self.reset_after:
            inner = r * self.gate(products, 2)
        else:
            inner = T.dot(r * kept, matrix[:, 2 * units :])
        candidate = function(self.gate(row, 2) + inner)
        return (z * states[0] + (1 - z) * candidate,)
