"""The warnings that are due before the first step."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from symtheano.nn.training import checks
from symtheano.nn.training.data import Samples


def test_each_check_gets_what_it_looks_at(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: dict[str, tuple[Any, ...]] = {}
    names = [name for name in vars(checks) if name.startswith("check_") and name != "check_before"]
    for name in names:
        monkeypatch.setattr(checks, name, lambda *args, name=name: calls.update({name: args}))
    model: Any = SimpleNamespace(optimizer="optimizer", applied="applied", network="network")
    samples = Samples((np.zeros((3, 2)),))
    checks.check_before(model, samples, 32)
    assert calls == {
        "check_units": (model,),
        "check_rate": ("optimizer",),
        "check_probabilities": (model,),
        "check_trained": ("applied",),
        "check_registered": ("network",),
        "check_batch_of_one": ("network", 3),  # a batch is not larger than the samples
        "check_targets": (model, samples),
        "check_weights": (samples,),
    }
    assert set(names) == set(calls)
    checks.check_before(model, samples, 2)
    assert calls["check_batch_of_one"] == ("network", 2)
