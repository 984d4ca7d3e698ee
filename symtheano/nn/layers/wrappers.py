"""Wrappers that apply a layer in both directions of time, or to each step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import symtheano.tensor as T
from symtheano.nn.layers.base import Layer
from symtheano.nn.layers.recurrent import Recurrent, states_of
from symtheano.nn.values import Format, Shape, shown

MERGES: dict[str, Callable[[Any, Any], Any]] = {
    "concat": lambda left, right: T.concatenate([left, right], axis=-1),
    "sum": lambda left, right: left + right,
    "mul": lambda left, right: left * right,
    "average": lambda left, right: (left + right) / 2,
}


@dataclass(eq=False)
class Bidirectional(Layer):
    """Applies a recurrent layer to a sequence forwards and backwards, and merges both outputs.

    The backward layer has its own parameters. If ``layer`` has ``return_state=True``, a call
    returns the output followed by the final states of the forward layer and of the backward layer.
    Initial states are passed in the same order. Stateful layers are not supported. Outputs
    of steps that the mask leaves out are zeros. See Schuster and Paliwal, 1997, Bidirectional
    recurrent neural networks.

    Parameters
    ----------
    layer
        The recurrent layer for the forward direction, such as ``nn.LSTM(8)``. It must not have been
        called yet.
    merge_mode
        How the two outputs are merged: ``"concat"``, the default, joins them along the last axis;
        ``"sum"``, ``"mul"`` and ``"average"`` combine them by elements.
    backward_layer
        The layer for the backward direction. It must have the opposite ``go_backwards`` and the
        same ``return_sequences``. None: a layer with the arguments of ``layer``.

    Examples
    --------
    >>> nn.Bidirectional(nn.GRU(4, return_sequences=True))(nn.Input((None, 3)))
    Value(float32, (n, ?, 8) of bidirectional)
    """

    layer: Layer
    merge_mode: str = "concat"
    backward_layer: Layer | None = None

    arity = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.merge_mode not in MERGES:
            raise self.error(
                f"merge_mode must be one of {', '.join(MERGES)}, not {self.merge_mode!r}"
            )
        if not isinstance(self.layer, Recurrent):
            raise self.error(f"takes a recurrent layer, not {type(self.layer).__name__}")
        forward = self.layer
        if forward.stateful or getattr(self.backward_layer, "stateful", False):
            raise self.error(
                "does not support stateful layers, because the backward layer would need the "
                "states of the next batch"
            )
        backward = self.backward_layer
        if backward is None:
            backward = replace(forward, go_backwards=not forward.go_backwards)
        if not isinstance(backward, Recurrent) or (
            backward.go_backwards == forward.go_backwards
            or backward.return_sequences != forward.return_sequences
        ):
            raise self.error(
                "backward_layer must be a recurrent layer with the opposite go_backwards and the "
                "same return_sequences"
            )
        self._pair = forward, backward
        self.differs = forward.differs or backward.differs
        self.keeps_steps = forward.return_sequences

    def __call__(self, *values: Any, initial_state: Any = None) -> Any:
        """Return the output, or with ``return_state`` a tuple of the output and the final states.

        Parameters
        ----------
        values
            The sequence, with samples of shape (steps, features), optionally followed by the
            initial states of the forward layer and of the backward layer.
        initial_state
            The initial states, given by name: a list of values.
        """
        y = super().__call__(*values, *states_of(initial_state))
        return (y, *y.states) if self._pair[0].return_state else y

    def build(self, *shapes: Shape) -> None:
        for layer, prefix, own in zip(
            self._pair, ("forward/", "backward/"), self._shares(shapes), strict=True
        ):
            self.build_part(layer, prefix, *own)

    def output_shape(self, *shapes: Shape) -> Shape:
        pairs = zip(self._pair, self._shares(shapes), strict=True)
        left, right = (layer.output_shape(*own) for layer, own in pairs)
        if self.merge_mode != "concat":
            if left != right:
                raise self.error(
                    f"outputs of shapes {shown(left)} and {shown(right)} cannot be merged by "
                    f"{self.merge_mode!r}"
                )
            return left
        units = [layer.units for layer in self._pair]
        return (*left[:-1], sum(units))

    def apply(self, *inputs: Any, training: bool) -> Any:
        outputs = []
        for layer, own in zip(self._pair, self._shares(inputs), strict=True):
            y, states = self.apply_recurrent_part(
                layer, *own, training=training, masks=self.masks[: len(own)]
            )
            outputs.append(y[:, ::-1] if layer.return_sequences and layer.go_backwards else y)
            for final, shape in states:
                self.state(final, shape)
        y = MERGES[self.merge_mode](*outputs)
        if not self.keeps_steps or self.masks[0] is None:
            return y
        return T.switch(self.masks[0].dimshuffle(0, 1, "x"), y, T.zeros_like(y))

    def mask(self, *inputs: Any) -> Any:
        return self.masks[0] if self.keeps_steps else None

    def _shares(self, items: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """Return the inputs of each of both layers: the sequence, and its initial states."""
        states = items[1:]
        first = self._pair[0].state_count if states else 0
        return [(items[0], *states[:first]), (items[0], *states[first:])]


@dataclass(eq=False)
class TimeDistributed(Layer):
    """Applies a layer to each step of a sequence, with the same parameters for all steps.

    Samples have shape (steps, *shape). The layer treats each step as a sample of this shape.

    Parameters
    ----------
    layer
        The layer to apply, which takes one input. It must not have been called yet.

    Examples
    --------
    >>> nn.TimeDistributed(nn.Conv2D(4, 3))(nn.Input((None, 1, 8, 8)))
    Value(float32, (n, ?, 4, 6, 6) of time_distributed)
    """

    layer: Layer

    keeps_steps = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.layer, Layer):
            raise self.error(f"takes a layer, not {self.layer!r}")
        self.differs = self.layer.differs
        if self.layer.arity not in (None, 1):
            raise self.error(f"takes a layer of one input, not {type(self.layer).__name__}")

    def build(self, *shapes: Shape) -> None:
        self.build_part(self.layer, "", shapes[0][1:])
        if self.states:
            raise self.error(
                "does not support stateful layers, because each step is a separate sample"
            )

    def output_shape(self, *shapes: Shape) -> Shape:
        if not shapes[0]:
            raise self.error(f"takes samples of shape (n, steps, ...), not {shown(shapes[0])}")
        return (shapes[0][0], *self.layer.output_shape(shapes[0][1:]))

    def take_channels_last(self) -> None:
        self.layer.take_channels_last()

    def output_format(self, data_format: Format, shapes: Sequence[Shape], shape: Shape) -> Format:
        return self.layer.output_format(data_format, [one[1:] for one in shapes], shape[1:])

    def apply(self, *inputs: Any, training: bool) -> Any:
        x = inputs[0]
        count = x.shape[0] * x.shape[1]
        each = x.reshape((count, *(x.shape[k] for k in range(2, x.ndim))), ndim=x.ndim - 1)
        y = self.apply_part(self.layer, each, training=training)
        rest = [y.shape[k] for k in range(1, y.ndim)]
        return y.reshape((x.shape[0], x.shape[1], *rest), ndim=y.ndim + 1)
