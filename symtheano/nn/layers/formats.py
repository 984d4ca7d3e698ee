"""The axes of samples: which one has the channels, and numbers of axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from symtheano.nn.values import Format, Shape, Value, shown

if TYPE_CHECKING:
    from symtheano.nn.layers.configuration import Configured as Base  # which layers are, too
else:
    Base = object


class Formatted(Base):
    """Base class of layers: the axis of the channels in inputs and in the output."""

    def take_channels_last(self) -> None:
        """Take this format, for an input that is known to have it.

        Layers with an argument ``data_format`` do so if it was not given; if they are built for
        channels first already, they warn.
        """

    def check_channels(self, value: Value) -> None:
        """Warn of an input whose channels seem to be another axis than the one that is taken.

        The first call of the layer calls it.
        """

    def output_format(self, data_format: Format, shapes: Sequence[Shape], shape: Shape) -> Format:
        """Return the format of the output, for inputs of a format and of these shapes.

        Layers of this package that move axes return None. Of other layers it is known that they
        keep axes only if the shape stays.
        """
        keeps_axes = all(len(one) == len(shape) for one in shapes)
        is_known = type(self).__module__.startswith("symtheano.") or shape == shapes[0]
        return data_format if keeps_axes and is_known and len(shape) > 1 else None

    def axes_of(self, numbers: Any, shape: Shape) -> tuple[int, ...]:
        """Return the numbers of axes of a sample, where negative numbers count from the last axis.

        Axis 1 is the first axis of a sample; axis 0 is the batch.

        Raises
        ------
        ValueError
            If a sample has no such axis.
        """
        ndim = len(shape) + 1
        several = tuple(numbers) if isinstance(numbers, list | tuple) else (numbers,)
        axes = tuple(k + ndim if k < 0 else k for k in several)
        if not all(0 < k < ndim for k in axes):
            raise self.error(f"samples of shape {shown(shape)} have no axis {numbers}")
        return axes
