"""Saving models to files, and loading them.

Loading runs no code from the file: layers and optimizers are looked up by name. Everything is
checked before the first value of a model is changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from symtheano.errors import memory_for
from symtheano.files import read_regular, save_file
from symtheano.nn import content, losses, metrics, optimizers
from symtheano.nn.content import VERSION, at, dumps, loads, shortened
from symtheano.nn.network import Network
from symtheano.nn.training.data import Array
from symtheano.nn.training.history import History
from symtheano.nn.training.subject import Subject


def to_bytes(model: Subject) -> bytes:
    """Return the content of a model's file."""
    arrays = {name: v.get_value(borrow=True) for name, v in variables(model).items()}
    for k, callback in enumerate(model.callbacks):
        arrays |= {f"callbacks/{k}/{i}": array for i, array in enumerate(callback.arrays())}
    return content.to_bytes(arrays, description(model))


def save(model: Subject, path: Path) -> None:
    """Write a model to a file. An existing file is replaced when the new one is complete."""
    with memory_for("save"):
        save_file(path, to_bytes(model))


def load(cls: Any, path: Path) -> Any:
    """Return the model from a file."""
    with memory_for("load"):
        return model_from(cls, path, *read(path))


def from_bytes(cls: Any, data: bytes) -> Any:
    """Return the model from the content of a file."""
    return model_from(cls, "from_bytes", *parse("from_bytes", data))


def model_from(
    cls: Any, path: Path | str, described: dict[str, Any], arrays: dict[str, Array]
) -> Any:
    """Return the model that a file describes."""
    try:
        elements = sum(a.size for name, a in arrays.items() if name.startswith("parameters/"))
        model = built(cls, described, elements)
        if described.get("compiled") is None:
            arrays = {k: v for k, v in arrays.items() if not k.startswith("optimizer/")}
    except content.DescriptionError as error:
        raise ValueError(f"{path}: the description of the model is wrong: {error}") from None
    assign(model, path, described, arrays)
    return model


def built(cls: Any, described: Mapping[str, Any], elements: int) -> Any:
    """Return the model from a description. Its parameters are zeros.

    Parameters
    ----------
    cls
        The class of the model.
    described
        The description.
    elements
        The largest number of elements of all parameters.
    """
    network = Network.from_config(described["network"], elements)
    with at("name"):
        if not isinstance(described["name"], str):
            raise ValueError(f"it must be a string, not {shortened(described['name'])}")
        model = cls.from_network(network, described["name"])
    with at("compiled"):
        settings = dict(described["compiled"] or {})
    if settings:
        with at("optimizer"):
            optimizer = optimizers.from_config(described["optimizer"])
        with at("compiled.loss"):
            loss = revived(settings.pop("loss"), losses.from_config)
        with at("compiled.metrics"):
            measured = revived(settings.pop("metrics"), metrics.from_config)
        with at("compiled"):
            model.compile(loss, optimizer, measured, **settings)
    with at("optimizer"):
        variables(model)  # raises an error if an option of the optimizer is not a number
    return model


def restore(model: Subject, path: Path) -> None:
    """Set the arrays of a model and the state of training from a file."""
    with memory_for("restore"):
        described, arrays = read(path)
        mine = loads(dumps(description(model)))
        for what in ("network", "optimizer"):
            if fixed(mine[what]) != fixed(described.get(what)):
                raise ValueError(f"{path}: the {what} of the file differs from that of the model")
        assign(model, path, described, arrays)


def variables(model: Subject) -> dict[str, Any]:
    """Return the shared variables of a model by name.

    They are the parameters, the state of the optimizer, the states that layers carry from batch to
    batch, and the states of the random streams.
    """
    network = model.applied
    network.name_layers()
    by_name = {f"parameters/{p.variable.name}": p.variable for p in network.parameters}
    if isinstance(model.optimizer, optimizers.Optimizer):
        trained = [p.variable for p in network.parameters if p.trains]
        if trained:
            model.optimizer.create_state(trained)
        state = model.optimizer.state_of(trained)
        by_name |= {f"optimizer/{name}": v for name, v in state.items()}
    by_name |= {f"states/{state.name}": state for state in network.states}
    states = network.randomness.streams.updates()
    return by_name | {f"random/{k}": state for k, (state, _) in enumerate(states)}


def description(model: Subject) -> dict[str, Any]:
    """Return the description of a model, without its arrays, as data for JSON."""
    return {
        "version": VERSION,
        "name": model.name,
        "network": model.network.config(),
        "compiled": compiled_of(model.settings),
        "optimizer": None if model.optimizer is None else model.optimizer.config(),
        "epochs_done": model.epochs_done,
        "epochs": model.history.epochs,
        "history": model.history.history,
        "callbacks": [
            {"class": type(c).__name__, "state": c.state(), "arrays": len(c.arrays())}
            for c in model.callbacks
        ],
    }


def assign(
    model: Subject, path: Path | str, described: Mapping[str, Any], arrays: Mapping[str, Array]
) -> None:
    """Set the arrays of a model and the state of training. After an error, nothing is changed."""
    by_name = variables(model)
    check_arrays(path, by_name, arrays)
    try:
        history, done, seed, states = training_of(described, arrays)
    except content.DescriptionError as error:
        raise ValueError(f"{path}: the state of training is damaged: {error}") from None
    new = [np.array(arrays[name]) for name in by_name]
    olds = [variable.get_value(borrow=True) for variable in by_name.values()]
    randomness, told = model.network.randomness, []
    before = randomness.seed, model.history, model.epochs_done
    try:
        for variable, array in zip(by_name.values(), new, strict=True):
            variable.set_value(array, borrow=True)
        randomness.seed, model.history, model.epochs_done = seed, history, done
        for callback in model.callbacks:
            kinds = [kind for kind, _, _ in states]
            # Several callbacks of one class get the saved states of this class in order.
            if type(callback).__name__ in kinds:
                k = kinds.index(type(callback).__name__)
                told.append((callback, callback.state(), callback.arrays()))
                with at(f"callbacks: the state of {kinds[k]}"):
                    callback.restore(*states.pop(k)[1:])
    except BaseException as error:
        for variable, array in zip(by_name.values(), olds, strict=True):
            variable.set_value(array, borrow=True)
        randomness.seed, model.history, model.epochs_done = before
        for callback, state, values in told:
            with suppress(Exception):
                callback.restore(state, values)
        if isinstance(error, content.DescriptionError):
            raise ValueError(f"{path}: the state of training is damaged: {error}") from None
        raise


def check_arrays(path: Path | str, by_name: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Raise an error if the arrays of a file do not fit the variables of a model."""
    own = {name for name in arrays if not name.startswith("callbacks/")}
    if set(by_name) != own:
        raise ValueError(
            f"{path}: the file and the model have different arrays: {names(by_name, own)}"
        )
    for name, variable in by_name.items():
        have, new = variable.get_value(borrow=True), arrays[name]
        first = 1 if name.startswith("states/") else 0  # any number of samples
        if (have.ndim, have.shape[first:], have.dtype) != (new.ndim, new.shape[first:], new.dtype):
            raise ValueError(
                f"{path}: {name} is {new.dtype} of shape {new.shape} in the file, but {have.dtype} "
                f"of shape {have.shape} in the model"
            )


def history_of(described: Mapping[str, Any]) -> History:
    """Return the history of training from a description."""
    history = History()
    with at("epochs"):
        if not isinstance(described["epochs"], list):
            raise ValueError(f"it must be a list, not {shortened(described['epochs'])}")
        history.epochs = [whole(k) for k in described["epochs"]]
    with at("history"):
        if not isinstance(described["history"], dict):
            raise ValueError(f"it must be a mapping, not {shortened(described['history'])}")
        for name, values in described["history"].items():
            if not isinstance(values, list) or len(values) != len(history.epochs):
                raise ValueError(f"{name} must be a list of {len(history.epochs)} numbers")
            history.history[name] = np.asarray(values, "float64").tolist()
    return history


State = tuple[str, Any, list[Array]]


def training_of(
    described: Mapping[str, Any], arrays: Mapping[str, Array]
) -> tuple[History, int, int, list[State]]:
    """Return the history, the number of epochs, the seed, and the states of callbacks."""
    with at("epochs_done"):
        done = whole(described["epochs_done"])
    with at("network.seed"):
        seed = whole(described["network"]["seed"])
    history = history_of(described)
    states = []
    with at("callbacks"):
        for k, one in enumerate(described["callbacks"]):
            with at(f"callbacks[{k}]"):
                if not isinstance(one, dict):
                    raise ValueError(f"it must be a mapping, not {shortened(one)}")
                if not isinstance(one["class"], str) or not isinstance(one["state"], dict):
                    raise ValueError(f"it must have a class and a state, not {shortened(one)}")
                count = whole(one["arrays"])
                if count > len(arrays):
                    raise ValueError(f"it has {count} arrays, but the file has {len(arrays)}")
                own = [arrays[f"callbacks/{k}/{i}"] for i in range(count)]
                states.append((one["class"], one["state"], own))
    return history, done, seed, states


def whole(value: Any) -> int:
    """Return a non-negative integer, or raise an error for other values."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 63:
        raise ValueError(f"it must be a non-negative integer, not {shortened(value)}")
    return value


def read(path: Path) -> tuple[dict[str, Any], dict[str, Array]]:
    """Return the description and the arrays of a file.

    Raises
    ------
    FileNotFoundError
        If the file does not exist.
    OSError
        If it is not a regular file, or cannot be read.
    ValueError
        If it is damaged, or is not the file of a model.
    """
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file")
    return parse(path, read_regular(path))


def parse(path: Path | str, data: bytes) -> tuple[dict[str, Any], dict[str, Array]]:
    """Return the description and the arrays from the content of a file. Errors name the file."""
    try:
        return content.parse(data)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def compiled_of(settings: Any) -> Any:
    """Return the arguments of ``compile`` as data, or None if a loss or a metric is a function."""
    try:
        data = as_data(settings)
        json.dumps(data)
    except (TypeError, ValueError):
        return None
    return data


def as_data(value: Any) -> Any:
    """Return data in which objects are replaced by their descriptions."""
    if hasattr(value, "config"):
        return value.config()
    if isinstance(value, Mapping):
        return {key: as_data(item) for key, item in value.items()}
    return [as_data(item) for item in value] if isinstance(value, list | tuple) else value


def revived(value: Any, make: Callable[[Any], Any]) -> Any:
    """Return data in which descriptions are replaced by their objects."""
    if isinstance(value, Mapping):
        if "class" in value:
            return make(value)
        return {key: revived(item, make) for key, item in value.items()}
    return [revived(item, make) for item in value] if isinstance(value, list) else value


def fixed(config: Any) -> Any:
    """Return a description without the seed, and without a learning rate that is a number.

    A file may have other values of these than the model.
    """
    if not isinstance(config, dict):
        return config
    rate = isinstance(config.get("learning_rate"), float)
    return {k: v for k, v in config.items() if k != "seed" and not (rate and k == "learning_rate")}


def names(left: Iterable[str], right: Iterable[str]) -> str:
    """Return the names that are only in one of two collections, at most the first five."""
    differing = sorted(set(left) ^ set(right))
    return ", ".join(differing[:5]) + (" ..." if len(differing) > 5 else "")
