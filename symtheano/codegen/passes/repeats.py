"""Kernels that differ only in names from an earlier one get its loops, under their own names.

A deep network has the same kernels in every layer, and the passes would do the same with each. They
see of a kernel what its statements tell, so kernels of one form have the same result. It has the
names that it would have after the passes: as many new ones are asked for, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from symtheano.dataclass import dataclass, replace
from symtheano.loopir import Buffer, Kernel
from symtheano.loopir.alike import Form, Renamer, Repeat, form_of, kinds_of
from symtheano.loopir.builder import Names
from symtheano.loopir.rewrite import base_name

Place = Callable[[Buffer], Buffer]
Change = Callable[[Kernel, Names, Place], Kernel]


class _Recorder(Names):
    """Names that notes what it was asked for."""

    def __init__(self, names: Names) -> None:
        self._used = names._used
        self.asked: list[tuple[str, str]] = []

    def fresh(self, wish: str) -> str:
        name = super().fresh(wish)
        self.asked.append((wish, name))
        return name


@dataclass(frozen=True)
class _Done:
    """What was made of a kernel.

    Attributes
    ----------
    naive
        The kernel before.
    kernel
        The kernel afterwards.
    asked
        Wishes for new names, and the names; ``early`` of them before memory got its place.
    early
        Number of these.
    placed
        The kernel's own memory, and its place in the workspace.
    """

    naive: Kernel
    kernel: Kernel
    asked: list[tuple[str, str]]
    early: int
    placed: list[tuple[Buffer, Buffer]]


class Repeats:
    """The kernels of a program, each form of which is changed once.

    Parameters
    ----------
    change
        Function that returns a kernel after all passes; it is given where new names come from, and
        the function that gives a place to a kernel's own memory.

    Attributes
    ----------
    repeated
        The kernels that one function can compute together with an earlier one.
    """

    def __init__(self, change: Change) -> None:
        self.change = change
        self.done: dict[tuple[object, ...], tuple[Form, _Done]] = {}
        # By the kinds of statements; None where there were several kernels, which are in `done`.
        self._alone: dict[tuple[object, ...], _Done | None] = {}
        self.repeated: list[Repeat] = []

    def changed(self, naive: Kernel, names: Names, place: Place) -> Kernel:
        """Return what a kernel is after the change."""
        kinds = kinds_of(naive.body)
        if kinds not in self._alone:
            done = self._alone[kinds] = self._do(naive, names, place)
            return done.kernel
        alone = self._alone[kinds]
        if alone is not None:
            first = form_of(alone.naive)
            self.done[first.key] = first, alone
            self._alone[kinds] = None
        form = form_of(naive)
        earlier = self.done.get(form.key)
        if earlier is None:
            done = self._do(naive, names, place)
            self.done[form.key] = form, done
            return done.kernel
        repeat = _again(*earlier, form, names, place)
        if all(buffer.memory.passed for buffer in form.buffers):
            self.repeated.append(repeat)
        return replace(naive, body=repeat.body)

    def _do(self, naive: Kernel, names: Names, place: Place) -> _Done:
        recorder = _Recorder(names)
        placed: list[tuple[Buffer, Buffer]] = []
        early: list[int] = []

        def note(buffer: Buffer) -> Buffer:
            early.append(len(recorder.asked))
            placed.append((buffer, place(buffer)))
            return placed[-1][1]

        kernel = self.change(naive, recorder, note)
        asked = recorder.asked
        return _Done(naive, kernel, asked, early[0] if early else len(asked), placed)


def _again(first: Form, done: _Done, form: Form, names: Names, place: Place) -> Repeat:
    """Return what a kernel is after the change that another one of its form has had."""
    new_names = dict(zip(first.names, form.names, strict=True))
    bases = {base_name(old): base_name(new) for old, new in reversed(new_names.items())}

    def ask(wishes: Iterable[tuple[str, str]]) -> None:
        for wish, old in wishes:
            read = new_names.get(wish.removesuffix("_i"))  # an element is called after its buffer
            new = names.fresh(
                f"{read}_i" if read and wish not in new_names else bases.get(wish, wish)
            )
            new_names[old] = new
            bases.setdefault(base_name(old), base_name(new))

    ask(done.asked[: done.early])
    buffers = {old.name: new for old, new in zip(first.buffers, form.buffers, strict=True)}
    places = {id(old): new for old, new in zip(first.places, form.places, strict=True)}
    renamer = Renamer(new_names, buffers, places)
    for own, old in done.placed:
        buffers[old.name] = place(renamer.copy(own))
    ask(done.asked[done.early :])
    renamer = Renamer(new_names, buffers, places)
    return Repeat(renamer.copy(done.kernel.body), done.kernel.body, renamer)
