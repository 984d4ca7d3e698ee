"""The table of a network's layers."""

from __future__ import annotations

import pytest

from symtheano import nn
from symtheano.nn.network import Network
from symtheano.nn.summary import summary
from symtheano.nn.training.progress import measures


def test_layers_used_twice_are_one_row() -> None:
    shared = nn.Dense(3, name="shared")
    x, y = nn.Input((3,)), nn.Input((3,))
    lines = summary("two", Network([x, y], [nn.Add()([shared(x), shared(y)])])).splitlines()
    assert sum(line.startswith("shared (Dense)") for line in lines) == 1
    assert lines[-1].startswith("12 parameters")


@pytest.mark.parametrize("name", ["\x1b[2J", "a\nforged (Dense)", "a\u202eb"])
def test_names_can_not_control_a_terminal(name: str) -> None:
    x = nn.Input((3,))
    text = summary(name, Network([x], [nn.Dense(2, name=name)(x)]))
    assert len(text.splitlines()) == 4
    for shown in (*text.splitlines(), measures({name: 0.5})):
        assert shown.isprintable()


def test_a_layer_may_be_named_like_an_input() -> None:
    x = nn.Input((3,))
    assert "(Input)" in summary("net", Network([x], [nn.Dense(2, name="a (Input)")(x)]))
