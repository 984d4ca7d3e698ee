"""What callbacks are: the methods that fit calls, and how they are shown."""

from __future__ import annotations

import numpy as np
import pytest

from symtheano import nn
from symtheano.nn.training.hooks import HOOKS, hooks


def test_methods_that_fit_does_not_call() -> None:
    with pytest.raises(TypeError, match=r"no method 'on_train_batch_end'\n  hint: it is on_b"):
        type("Mine", (nn.Callback,), {"on_train_batch_end": print})
    with pytest.raises(TypeError, match="there are on_batch_end, on_epoch_begin, on_epoch_end"):
        type("Mine", (nn.Callback,), {"on_foo": print})
    assert type("Mine", (nn.Callback,), {"on_train_end": print, "only": 1})


def test_the_methods_that_messages_name_exist() -> None:
    assert {ours.partition("(")[0] for ours in HOOKS.values()} <= set(hooks())
    assert not set(HOOKS) & set(hooks())


def test_functions_are_called_with_epochs_and_measures() -> None:
    seen: list[object] = []
    callback = nn.LambdaCallback(
        lambda epoch, logs: seen.append((epoch, sorted(logs))), seen.append
    )
    net = nn.Sequential([nn.Dense(1)], seed=0).loss("mse")
    net.train(np.ones((4, 2)), np.ones(4), epochs=2, callbacks=callback)
    assert seen == [0, (0, ["loss"]), 1, (1, ["loss"])]
