"""Files that somebody changed: a clear error that names the place, or a model; nothing half done.

Each part of a description is replaced by values of other kinds and sizes, and bytes are changed,
removed and added. A normal run takes a sample, ``SYMTHEANO_LONG_RUN=1`` everything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from symtheano import nn
from tests.nn.layers.cases import CASES
from tests.support.extent import TIMES
from tests.support.memory import little_memory
from tests.support.model_files import changed, joined, mutants, split, trained

# The beginnings of messages, after the name of the file.
PLACES = re.compile(
    r"from_bytes: (network\b|more than 64 lists|a text of"
    r"|the file was written by another version|the file is damaged or"
    r"|this is a safetensors file, but not|the description of the model is damaged"
    r"|the description of the model is wrong: (network|name|compiled|optimizer)"
    r"|the state of training is damaged: (epochs|history|callbacks|network)"
    r"|the file and the model have different arrays|[\w/.]+ is \w+ of shape)"
)
SHARE = 1.0 if TIMES else 0.001


@pytest.fixture(autouse=True)
def limit() -> Iterator[None]:
    """Limit memory: what a description asks for is compared with the file before it is taken."""
    with little_memory(1 << 29):
        yield


@cache
def content() -> bytes:
    """Return the file of a model with everything that a file may describe."""
    return trained().to_bytes()


def files_of_layers() -> Iterator[tuple[str, bytes]]:
    """Yield the file of each layer that a file may have."""
    for name, case in CASES.items():
        values = case.values()
        try:
            yield name, nn.Model(values, [case.make()(*values)]).to_bytes()
        except TypeError:  # a function is no data
            continue


def complaint(data: bytes) -> str | None:
    """Return what is wrong with the answer to a changed file, None if nothing is."""
    try:
        nn.Model.from_bytes(data)
    except ValueError as error:
        if not PLACES.match(str(error)):
            return f"no place: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def test_each_part_of_a_description() -> None:
    random = Random(TIMES)
    taken = [m for m in mutants(content()) if random.random() < SHARE * 10]
    found = {text: complaint(data) for text, data in taken}
    assert len(found) > 50
    assert {text: one for text, one in found.items() if one} == {}


def test_each_argument_of_each_layer() -> None:
    random = Random(TIMES)
    found = {}
    for name, data in files_of_layers():
        for text, mutant in mutants(data, ("network", "layers")):
            if random.random() < SHARE:
                found[name, text] = complaint(mutant)
    assert len(found) > 50
    assert {text: one for text, one in found.items() if one} == {}


def test_bytes_that_are_changed_cut_and_added() -> None:
    random, data = Random(TIMES), content()
    header = 8 + int.from_bytes(data[:8], "little")
    for _ in range(20_000 if TIMES else 100):
        bad = bytearray(data)
        kind = random.randrange(4)
        at = random.randrange(8 if kind == 0 else header)
        if kind == 3:
            del bad[random.randrange(len(bad)) :]
        elif kind == 2:
            bad[at:at] = random.randbytes(random.randrange(1, 9))
        else:
            bad[at] ^= 1 << random.randrange(8)
        assert complaint(bytes(bad)) is None


@cache
def restored_from() -> tuple[nn.Model, nn.Model]:
    """Return a trained model, and an equal one that was trained otherwise."""
    first = trained()
    other = trained()
    first.fit(*data_of(first), epochs=1, verbose=0, callbacks=stops())
    return first, other


def stops() -> list[nn.Callback]:
    """Return callbacks with states."""
    return [
        nn.EarlyStopping("loss", 3, restore_best_weights=True),
        nn.ReduceOnPlateau("loss", patience=9),
        nn.EarlyStopping("out_loss"),
    ]


def data_of(model: nn.Model) -> tuple[Any, Any]:
    """Return samples and targets."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(8, 4, 3)).astype("float32")
    return x, [rng.normal(size=(8, 2)), rng.integers(0, 3, 8)]


def everything(model: nn.Model) -> tuple[Any, ...]:
    """Return all that restoring could change, as one comparable value."""
    from symtheano.nn.saving import variables

    arrays = {name: v.get_value().tobytes() for name, v in variables(model).items()}
    callbacks = [(c.state(), [a.tobytes() for a in c.arrays()]) for c in model.callbacks]
    seed = model.network.randomness.seed
    return arrays, callbacks, seed, model.epochs_done, model.history.epochs, model.history.history


STATES = [
    (("callbacks", 0, "state"), None), (("callbacks", 2, "state"), None),
    (("callbacks", 0, "state", "wait"), -3), (("callbacks", 1, "state", "value"), "low"),
    (("callbacks", 1, "state", "rest"), None), (("callbacks", 2, "state", "epoch"), 1.5),
    (("callbacks", 0, "arrays"), 1), (("callbacks", 0, "arrays"), 10**12),
    (("callbacks", 0, "arrays"), -1), (("callbacks", 1), None), (("callbacks",), None),
    (("epochs_done",), -1), (("epochs_done",), 2.5), (("epochs_done",), None),
    (("epochs_done",), {"float": []}), (("epochs_done",), {"float": "nan"}), (("epochs", 0), -4),
    (("network", "seed"), -1), (("network", "seed"), None), (("network", "seed"), 2**80),
    (("history", "loss"), [1.0]), (("history", "loss"), None), (("history",), []),
]  # fmt: skip


@pytest.mark.parametrize(("where", "value"), STATES)
def test_restoring_changes_everything_or_nothing(where: Any, value: Any, tmp_path: Path) -> None:
    source, model = restored_from()
    described, header, arrays = split(source.to_bytes())

    def put(item: Any, key: Any) -> None:
        item[key] = value

    path = tmp_path / "file"
    path.write_bytes(joined(changed(described, where, put), header, arrays))
    model.fit(*data_of(model), epochs=0, verbose=0, callbacks=stops())
    before = everything(model)
    with pytest.raises(ValueError, match=r"the state of training is damaged: (call|epo|net|his)"):
        model.restore(path)
    assert everything(model) == before
    resume = [*stops(), nn.Checkpoint(path, resume=True)]
    with pytest.raises(ValueError, match="the state of training is damaged"):
        model.fit(*data_of(model), epochs=1, verbose=0, callbacks=resume)
    weights, *_, done, epochs, history = everything(model)
    assert (weights, done, epochs, history) == (before[0], *before[3:])


def test_restoring_stops_where_memory_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, model = restored_from()
    path = tmp_path / "file"
    source.save(path)
    before = everything(model)
    calls = []

    def refuse(self: Any, state: Any, arrays: Any) -> None:
        calls.append(state)
        raise MemoryError("no memory")

    model.fit(*data_of(model), epochs=0, verbose=0, callbacks=stops())
    before = everything(model)
    with monkeypatch.context() as patch:
        patch.setattr(nn.ReduceOnPlateau, "restore", refuse)
        with pytest.raises(MemoryError, match="no memory"):
            model.restore(path)
    assert len(calls) == 2  # the second one is to have the old state again
    assert everything(model) == before
    model.restore(path)
    for a, b in zip(model.get_weights(), source.get_weights(), strict=True):
        assert_array_equal(a, b)
