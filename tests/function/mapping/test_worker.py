"""Calls in workers: what is sent once, and kept."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, shared
from symtheano.function.mapping import worker
from symtheano.function.mapping.worker import Sent, call, call_sent, call_started, listed
from symtheano.sources import as_source


def model(value: float = 2.0) -> Any:
    x, y = T.dvector("x"), T.dvector("y")
    return function([x, y], x + y * shared(value, "w"), mode="INTERPRET")


def test_a_call_gets_its_values_by_position_or_name() -> None:
    part = as_source(np.arange(5.0)).part(1, 3)
    for order in ([None, None], ["x", "y"], [None, "y"]):
        (got,) = call(model(), {1: np.ones(2)}, {0: part}, order, 1)
        np.testing.assert_array_equal(got, [3, 4])


def test_the_form_of_results() -> None:
    assert listed({"a": 1, "b": 2}) == [1, 2]
    assert listed([1]) == [1]
    assert [len(one) for one in listed(np.ones(3))] == [3]


def test_a_function_is_unpickled_once() -> None:
    parts = {0: as_source(np.arange(4.0)).part(0, 2), 1: as_source(np.ones(4)).part(0, 2)}
    worker._kept.clear()
    for number in range(worker._MOST_KEPT + 2):
        sent = pickle.loads(pickle.dumps(Sent(model(number), {})))
        assert len(sent.data) < 10_000
        first = call_sent(sent, parts, [None, None], 1)
        kept = worker._kept[sent.digest]
        np.testing.assert_array_equal(first[0], np.arange(2.0) + number)
        again = pickle.loads(pickle.dumps(sent))
        call_sent(again, parts, [None, None], 1)
        assert worker._kept[sent.digest] is kept
    assert len(worker._kept) == worker._MOST_KEPT


def test_a_process_is_started_for_one_function(monkeypatch: Any) -> None:
    from symtheano.config import config

    monkeypatch.setattr(worker.signal, "signal", lambda *arguments: None)
    monkeypatch.setattr(worker, "_started", [])
    with config.change_flags(cache_size=config.cache_size):
        worker.start(Sent(model(), {1: np.ones(2)}), {"cache_size": 77}, frozenset())
        assert config.cache_size == 77
        (got,) = call_started({0: as_source(np.arange(2.0)).part(0, 2)}, [None, None], 1)
    np.testing.assert_array_equal(got, [2, 3])


def test_functions_of_the_main_program_are_sent_by_their_code() -> None:
    from symtheano.tensor.as_op import as_op

    x = T.dvector("x")
    local = as_op([T.dvector], [T.dvector])(lambda value: value * 3)
    f = function([x], local(x), mode="INTERPRET", name="local")
    with pytest.raises(TypeError, match=r"(?s)function local: map can't send it.*engine="):
        Sent(f, {})
    pytest.importorskip("cloudpickle")
    sent = pickle.loads(pickle.dumps(Sent(f, {}, ("not_installed", "cloudpickle"))))
    (got,) = call_sent(sent, {0: as_source(np.ones(3)).part(0, 2)}, [None], 1)
    np.testing.assert_array_equal(got, [3, 3])
