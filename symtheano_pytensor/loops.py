"""Loops, branches and graphs inside of ops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import symtheano.tensor as T
from symtheano import ifelse
from symtheano.loops.scan_op import Scan
from symtheano_pytensor.graph import convert_graph, input_for
from symtheano_pytensor.registry import converts
from symtheano_pytensor.values import fitted


@converts("OpFromGraph")
def _op_from_graph(op: Any, node: Any, *operands: Any) -> Any:
    return convert_graph(op.fgraph, operands)


@converts("IfElse")
def _if_else(op: Any, node: Any, condition: Any, *operands: Any) -> Any:
    count = op.n_outs
    return _chosen(condition, operands[:count], operands[count:])


@converts("LazyIfElse")
def _lazy_if_else(op: Any, node: Any, condition: Any, *operands: Any) -> Any:
    branches = [convert_graph(branch.fgraph, operands)
                for branch in (op.true_branch, op.false_branch)]  # fmt: skip
    return _chosen(condition, *branches)


def _chosen(condition: Any, first: Sequence[Any], second: Sequence[Any]) -> list[Any]:
    result = ifelse.ifelse(condition, list(first), list(second))
    return list(result) if isinstance(result, list | tuple) else [result]


# -- scan ------------------------------------------------------------------------------------------


class _Loop:
    """The parts of a PyTensor scan, as they become those of symtheano's ``Scan``.

    PyTensor's loops write into arrays that the caller provides. Here, each array that a loop writes
    is a history, whose first rows are those of the array.
    """

    def __init__(self, op: Any, node: Any, operands: Sequence[Any]) -> None:
        self.op, self.node, self.info = op, node, op.info
        self.outer = list(operands)
        self.inner = list(op.fgraph.inputs)
        self.steps: Any = T.cast(operands[0], "int64")
        self.memo: dict[Any, Any] = {}
        self.sequences: list[tuple[Any, Any]] = []
        self.histories: list[list[tuple[int, Any]]] = []
        self.initials: list[Any] = []
        self.states: list[tuple[Any, Any]] = []
        self.others: list[tuple[Any, Any]] = []
        self.read()

    def read(self) -> None:
        """Sort the inputs of the graph by what they are."""
        op, inner, outer = self.op, self.inner, self.outer
        for old, rows in zip(op.inner_seqs(inner), op.outer_seqs(outer), strict=True):
            self.sequences.append((self.input(old), rows[: self.steps]))
        self.written: list[tuple[Any, dict[int, int]]] = []
        taps = self.info.normalized_mit_mot_in_slices
        puts = self.info.normalized_mit_mot_out_slices
        groups = zip(
            op.inner_mitmot_grouped(inner), op.outer_mitmot(outer), taps, puts, strict=True
        )
        for olds, buffer, reads, writes in groups:
            self.read_written(olds, buffer, reads, writes)
        for olds, buffer, reads in zip(
            op.inner_mitsot_grouped(inner), op.outer_mitsot(outer),
            self.info.mit_sot_in_slices, strict=True,
        ):  # fmt: skip
            self.history(reads, [self.input(old) for old in olds], buffer[: -min(reads)])
        for old, buffer in zip(op.inner_sitsot(inner), op.outer_sitsot(outer), strict=True):
            self.history((-1,), [self.input(old)], buffer[:1])
        self.histories.extend([] for _ in op.outer_nitsot(outer))
        for old, value in zip(
            _untraced(op, "inner")(inner), _untraced(op, "outer")(outer), strict=True
        ):
            self.states.append((self.input(old), value))
        for old, value in zip(op.inner_non_seqs(inner), op.outer_non_seqs(outer), strict=True):
            if value is None or isinstance(value, slice):
                self.memo[old] = value
            else:
                self.others.append((self.input(old), value))

    def input(self, old: Any) -> Any:
        """Return the variable of the step for an input of PyTensor's graph."""
        new = self.memo[old] = input_for(old)
        return new

    def history(self, taps: Sequence[int], rows: Sequence[Any], initial: Any) -> int:
        """Add a history with initial rows, and return its number."""
        self.histories.append(list(zip(taps, rows, strict=True)))
        self.initials.append(initial)
        return len(self.histories) - 1

    def read_written(self, olds: Any, buffer: Any, reads: Any, writes: Any) -> None:
        """Divide an array that iterations read and write at several rows into histories.

        In iteration ``t``, row ``t + w`` is written for each ``w`` in ``writes``. Row ``t + r`` was
        last written by the smallest ``w`` above ``r``, ``w - r`` iterations before. If there is
        none, it has its original value, and is a row of a sequence.
        """
        taps: dict[int, list[tuple[int, Any]]] = {w: [] for w in writes}
        for old, r in zip(olds, reads, strict=True):
            writer = min((w for w in writes if w > r), default=None)
            if writer is None:
                self.sequences.append((self.input(old), buffer[r : r + self.steps]))
            else:
                taps[writer].append((r - writer, self.input(old)))
        numbers = {}
        for w in writes:
            lags = sorted(taps[w], key=lambda item: item[0])
            numbers[w] = len(self.histories)
            self.histories.append(lags)
            if lags:
                first = w + lags[0][0]
                self.initials.append(buffer[first:w])
        self.written.append((buffer, numbers))

    def results(self) -> list[Any]:
        """Return what the graph computes: histories, states and the condition."""
        inputs = [self.memo[old] for old in self.inner]
        results = convert_graph(self.op.fgraph, inputs)
        olds = list(self.op.fgraph.outputs)
        if self.info.as_while:
            results[-1] = T.neq(results[-1], 0) if results[-1].dtype != "bool" else results[-1]
        return [fitted(new, old.type) for new, old in zip(results, olds, strict=True)]

    def build(self) -> list[Any]:
        """Return the results of PyTensor's node."""
        number = T.lscalar()
        loop = Scan(
            number,
            self.results(),
            sequences=[row for row, _ in self.sequences],
            histories=self.histories,
            states=[state for state, _ in self.states],
            others=[other for other, _ in self.others],
            until=self.info.as_while,
            name=self.op.name,
        )
        made = loop(
            self.steps,
            *(rows for _, rows in self.sequences),
            *self.initials,
            *(value for _, value in self.states),
            *(value for _, value in self.others),
        )
        made = list(made) if isinstance(made, list | tuple) else [made]
        count = len(self.histories)
        states = made[count : count + len(self.states)]
        rows = [self.after(k, made[k]) for k in range(count)]
        return [*self.buffers(rows), *states]

    def after(self, number: int, history: Any) -> Any:
        """Return the rows of a history that were computed, if it is part of a written array."""
        written = any(number in numbers.values() for _, numbers in self.written)
        taps = self.histories[number]
        return history[-min(tap for tap, _ in taps) :] if written and taps else history

    def buffers(self, rows: list[Any]) -> list[Any]:
        """Return the arrays that PyTensor's node returns."""
        results = []
        for buffer, numbers in self.written:
            result = buffer
            for w in sorted(numbers, reverse=True):
                part = result[w : w + self.steps]
                result = T.set_subtensor(part, rows[numbers[w]])
            results.append(result)
        first = sum(len(numbers) for _, numbers in self.written)
        kept = [*self.op.outer_mitsot(self.outer), *self.op.outer_sitsot(self.outer)]
        lengths = [buffer.shape[0] for buffer in kept] + list(self.op.outer_nitsot(self.outer))
        for history, length in zip(rows[first:], lengths, strict=True):
            results.append(_last(history, T.cast(length, "int64")))
        return results


def _untraced(op: Any, side: str) -> Any:
    """Return the method for states of which only the last value is kept, in any version."""
    names = (f"{side}_untraced_sit_sot", f"{side}_shared")
    return next(getattr(op, name) for name in names if hasattr(op, name))


def _last(history: Any, length: Any) -> Any:
    """Return the last rows of a history, at most ``length``."""
    return history[T.maximum(history.shape[0] - length, 0) :]


@converts("Scan")
def _scan(op: Any, node: Any, *operands: Any) -> Any:
    return _Loop(op, node, operands).build()
