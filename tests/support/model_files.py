"""Files of models whose descriptions are changed, one place after the other."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

import numpy as np

from symtheano import nn
from symtheano.nn.layers.configuration import LAYERS

Path = tuple[Any, ...]

KEY = "symtheano.nn"


def nested(depth: int) -> Any:
    """Return lists in one another."""
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


VALUES: list[Any] = [
    None, True, False, [], {}, "", "zeros", "softmax", "a" * 100_000, 0, 1, -1, 2, 3, 7, 0.5, -1.5,
    2**24, 3 * 10**8, 2**31, 2**63, 10**30, -(2**63), 1e30, -1e300,
    {"float": []}, {"float": "nan"}, {"float": "inf"}, {"float": "-inf"}, {"float": {"float": "x"}},
    [None], [1, 2], [2, 2, 2], [0, 0], [-1, 3], [3 * 10**8] * 2, ["a", {}], [[1, 1], [0, 2]],
    {"class": None}, {"class": "Dense"}, {"class": "L2"}, {"class": "Zeros", "x": []},
    {"class": "Dense", "units": 3}, {"class": "Loss", "name": "mse"}, {"a": [{}]}, nested(100),
    "float64", "int32", "same", "valid",
]  # fmt: skip
"""What is put into each place."""


def split(content: bytes) -> tuple[dict[str, Any], dict[str, Any], bytes]:
    """Return the description of a file, its header and the bytes of its arrays."""
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    return json.loads(header["__metadata__"][KEY]), header, content[8 + length :]


def joined(described: Any, header: dict[str, Any], arrays: bytes) -> bytes:
    """Return a file."""
    text = described if isinstance(described, str) else json.dumps(described)
    text = json.dumps({**header, "__metadata__": {KEY: text}})
    data = text.encode() + b" " * (-len(text.encode()) % 8)
    return len(data).to_bytes(8, "little") + data + arrays


def places(described: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the paths to all parts of a description, and to arguments that layers leave out."""
    if path:
        yield path
    if isinstance(described, dict):
        for key, item in described.items():
            yield from places(item, (*path, key))
        if described.get("class") in LAYERS:
            for field in fields(LAYERS[described["class"]]):
                if field.name not in described:
                    yield (*path, field.name)
        yield (*path, "unknown")
    elif isinstance(described, list):
        for k, item in enumerate(described):
            yield from places(item, (*path, k))


def changed(described: Any, path: Path, change: Callable[[Any, Any], None]) -> Any:
    """Return a copy of a description in which one place is changed."""
    copy = json.loads(json.dumps(described))
    item = copy
    for key in path[:-1]:
        item = item[key]
    change(item, path[-1])
    return copy


def remove(item: Any, key: Any) -> None:
    """Remove a part, if it is there."""
    if isinstance(item, list) or key in item:
        del item[key]


def mutants(content: bytes, within: Path = ()) -> Iterator[tuple[str, bytes]]:
    """Yield what was changed, and the file: each value in each place within another one."""
    described, header, arrays = split(content)
    for path in places(described):
        if path[: len(within)] != within:
            continue
        yield f"{path} removed", joined(changed(described, path, remove), header, arrays)
        for value in VALUES:

            def put(item: Any, key: Any, value: Any = value) -> None:
                item[key] = value

            text = f"{path} = {str(value)[:50]}"
            yield text, joined(changed(described, path, put), header, arrays)


def trained() -> nn.Model:
    """Return a model with everything that a file may describe."""
    x = nn.Input((4, 3), seed=0)
    y, *states = nn.LSTM(3, return_sequences=True, return_state=True)(x)
    z = nn.dropout(nn.batch_norm(nn.dense(y, 3, "relu", kernel_regularizer=nn.L2(0.1))), 0.2)
    z = nn.flatten(x + z)
    bounded = nn.Dense(2, kernel_constraint=nn.constraints.MaxNorm(2.0), name="out")
    model = nn.Model(x, [bounded(z), nn.dense(states[0], 3, "softmax")])
    rate = nn.schedules.ExponentialDecay(0.1, 2, 0.5)
    losses = {"out": nn.Loss("huber", delta=0.5), "dense_1": "categorical_crossentropy"}
    metrics = {"out": ["mae", nn.metrics.R2()], "dense_1": "accuracy"}
    model.compile(losses, nn.Adam(rate, clipnorm=1.0), metrics, backend="numpy",
                  loss_weights={"out": 0.5, "dense_1": 1.0})  # fmt: skip
    rng = np.random.default_rng(0)
    stops = [nn.EarlyStopping("loss", 3, restore_best_weights=True), nn.EarlyStopping("out_loss")]
    arrays = [rng.normal(size=(8, 2)), rng.integers(0, 3, 8)]
    data = rng.normal(size=(8, 4, 3)).astype("float32")
    model.fit(data, arrays, epochs=2, verbose=0, callbacks=stops)
    return model
