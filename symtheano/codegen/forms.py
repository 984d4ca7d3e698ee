"""What the forms of ops declare, with types; ``op.form`` tells which one applies to an op."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from symtheano.graph.variable import Apply
from symtheano.loopir import Builder, Index, View
from symtheano.loopir.builder import Reader
from symtheano.loopir.operands import Operand


class _View(Protocol):
    def view(
        self, node: Apply, operand: View, scalars: Sequence[Index], shape: Sequence[Index]
    ) -> View: ...


class _Element(Protocol):
    def element(
        self,
        b: Builder,
        node: Apply,
        index: Sequence[Index],
        read: Reader,
        scalars: Sequence[Index],
    ) -> Operand: ...


class _Put(Protocol):
    def put(
        self, b: Builder, view: View, index: Sequence[Index], value: Operand, before: View
    ) -> None: ...


class Scatter(_Put, Protocol):
    """An op that stores rows of a value where indices tell."""

    def outer_axes(self, node: Apply) -> int:
        """Return the number of axes of the index arrays."""

    def destination(
        self, b: Builder, node: Apply, rows: Sequence[Index], read: Reader, shape: Sequence[Index]
    ) -> Sequence[Index]:
        """Generate where a row goes."""


class Parts(_Put, Protocol):
    """An op that stores operands in parts of its result."""

    def put_inputs(self, node: Apply) -> Sequence[int]:
        """Return which operands may be computed where they are stored."""

    def parts(
        self, target: View, scalars: Sequence[Index], shapes: Sequence[Sequence[Index]]
    ) -> Mapping[int, View]:
        """Return the part of the result for each operand that is stored."""

    def shown_inputs(self, node: Apply) -> Sequence[int]:
        """Return which operands are parts of a result that has little beside them."""

    def leaves_edges(self, node: Apply) -> bool:
        """Return whether only a few elements remain, at the ends of axes."""

    def kept(self, node: Apply, view: View, scalars: Sequence[Index]) -> Sequence[View]:
        """Return the parts of an array that remain, or nothing if they are not simple."""


class _Whole(Protocol):
    def lower(
        self,
        b: Builder,
        node: Apply,
        inputs: Sequence[View],
        outputs: Sequence[View],
        scalars: Sequence[Index],
    ) -> None: ...


class _Loop(Protocol):
    def lower(
        self,
        b: Builder,
        node: Apply,
        inputs: Sequence[View],
        outputs: Sequence[View],
        scalars: Sequence[Index],
        body: object,
    ) -> None: ...


def view_of(node: Apply, operand: View, scalars: Sequence[Index], shape: Sequence[Index]) -> View:
    """Return the view that a node of the form ``view`` makes of its operand's."""
    return cast(_View, node.op).view(node, operand, scalars, shape)


def element_from(
    b: Builder, node: Apply, index: Sequence[Index], read: Reader, scalars: Sequence[Index]
) -> Operand:
    """Generate an element of a node of the form ``element``."""
    return cast(_Element, node.op).element(b, node, index, read, scalars)


def scatter_of(node: Apply) -> Scatter:
    """Return the op of a node of the form ``scatter``."""
    return cast(Scatter, node.op)


def parts_of(node: Apply) -> Parts:
    """Return the op of a node of the form ``parts``."""
    return cast(Parts, node.op)


def put_of(node: Apply) -> _Put:
    """Return the op of a node that puts values into its result."""
    return cast(_Put, node.op)


def lower_whole(
    b: Builder,
    node: Apply,
    inputs: Sequence[View],
    outputs: Sequence[View],
    scalars: Sequence[Index],
) -> None:
    """Generate the statements of a node of the form ``whole``."""
    cast(_Whole, node.op).lower(b, node, inputs, outputs, scalars)


def lower_loop(
    b: Builder,
    node: Apply,
    inputs: Sequence[View],
    outputs: Sequence[View],
    scalars: Sequence[Index],
    body: object,
) -> None:
    """Generate the statements of a node of the form ``region``, around those of its graph."""
    cast(_Loop, node.op).lower(b, node, inputs, outputs, scalars, body)
