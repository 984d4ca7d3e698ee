"""Models in files: arrays in the format of safetensors, all else as JSON in its header.

Loading runs no code of the file: layers and optimizers are looked up by name among those that
exist. Everything is checked before the first value of a model is changed.
"""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano.nn import losses, metrics, optimizers
from symtheano.nn.network import Network
from symtheano.nn.training.data import Array
from symtheano.nn.training.history import History
from symtheano.nn.training.subject import Subject

KEY = "symtheano.nn"
VERSION = 1


def to_bytes(model: Subject) -> bytes:
    """Return the content of a model's file."""
    from safetensors.numpy import save as as_bytes

    arrays = {name: v.get_value() for name, v in variables(model).items()}
    for k, callback in enumerate(model.callbacks):
        arrays |= {f"callbacks/{k}/{i}": array for i, array in enumerate(callback.arrays())}
    return bytes(as_bytes(arrays, metadata={KEY: dumps(description(model))}))


def save(model: Subject, path: Path) -> None:
    """Write a model to a file, which it replaces when it is complete."""
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path}: there is no directory {path.parent}")
    content = to_bytes(model)
    descriptor, temporary = tempfile.mkstemp(prefix=path.name, dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~umask())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def load(cls: Any, path: Path) -> Any:
    """Return the model of a file."""
    return made(cls, path, *read(path))


def from_bytes(cls: Any, content: bytes) -> Any:
    """Return the model of a file's content."""
    return made(cls, "from_bytes", *parse("from_bytes", content))


def made(cls: Any, path: Path | str, described: dict[str, Any], arrays: dict[str, Array]) -> Any:
    """Return the model that a file describes."""
    try:
        model = cls.from_network(Network.from_config(described["network"]), described["name"])
        settings = described["compiled"]
        if settings is None:
            arrays = {k: v for k, v in arrays.items() if not k.startswith("optimizer/")}
        else:
            optimizer = optimizers.from_config(described["optimizer"])
            loss = revived(settings.pop("loss"), losses.from_config)
            measured = revived(settings.pop("metrics"), metrics.from_config)
            model.compile(loss, optimizer, measured, **settings)
        variables(model)  # fails for options of the optimizer that are no numbers
    except Exception as error:  # whatever a description that somebody changed leads to
        raise ValueError(f"{path}: the description of the model does not fit: {error}") from None
    assign(model, path, described, arrays)
    return model


def restore(model: Subject, path: Path) -> None:
    """Set a model's arrays and the state of training from a file."""
    described, arrays = read(path)
    mine = loads(dumps(description(model)))
    for what in ("network", "optimizer"):
        if fixed(mine[what]) != fixed(described.get(what)):
            raise ValueError(f"{path}: the {what} of the file is another one than the model's")
    assign(model, path, described, arrays)


def variables(model: Subject) -> dict[str, Any]:
    """Return the shared variables of a model by name.

    They are parameters, the optimizer's, what goes from batch to batch, and random numbers.
    """
    network = model.applied
    network.name_layers()
    found = {f"parameters/{p.variable.name}": p.variable for p in network.parameters}
    if model.optimizer is not None:
        trained = [p.variable for p in network.parameters if p.trains]
        if trained:  # makes the state for parameters that it has not seen yet
            model.optimizer.updates(None, trained, [T.zeros_like(v) for v in trained])
        state = model.optimizer.state_of(trained)
        found |= {f"optimizer/{name}": v for name, v in state.items()}
    found |= {f"states/{state.name}": state for state in network.states}
    states = network.randomness.streams.updates()
    return found | {f"random/{k}": state for k, (state, _) in enumerate(states)}


def description(model: Subject) -> dict[str, Any]:
    """Return all but the arrays of a model as data for JSON."""
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
    """Set arrays and the state of training, after all has been checked."""
    found = variables(model)
    own = {name for name in arrays if not name.startswith("callbacks/")}
    if set(found) != own:
        raise ValueError(f"{path}: arrays of the file and the model differ: {names(found, own)}")
    for name, variable in found.items():
        have, new = variable.get_value(borrow=True), arrays[name]
        first = 1 if name.startswith("states/") else 0  # any number of samples
        if (have.ndim, have.shape[first:], have.dtype) != (new.ndim, new.shape[first:], new.dtype):
            raise ValueError(
                f"{path}: {name} is {new.dtype} of shape {new.shape}, and the model's is "
                f"{have.dtype} of shape {have.shape}"
            )
    try:
        history = History()
        history.epochs = [int(k) for k in described["epochs"]]
        history.history = {
            str(k): np.asarray(v, "float64").tolist() for k, v in described["history"].items()
        }
        done = int(described["epochs_done"])
        states = [
            (c["class"], c["state"], [arrays[f"callbacks/{k}/{i}"] for i in range(c["arrays"])])
            for k, c in enumerate(described["callbacks"])
        ]
        seed = int(described["network"]["seed"])
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ValueError(f"{path}: the state of training is damaged: {error}") from None
    for name, variable in found.items():
        variable.set_value(arrays[name])
    model.network.randomness.seed = seed
    model.history, model.epochs_done = history, done
    for callback in model.callbacks:
        kinds = [kind for kind, _, _ in states]
        if type(callback).__name__ in kinds:  # of several of one class, the first that is left
            _, state, values = states.pop(kinds.index(type(callback).__name__))
            callback.restore(state, values)


def read(path: Path) -> tuple[dict[str, Any], dict[str, Array]]:
    """Return the description and the arrays of a file.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it is damaged or foreign.
    """
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file")
    return parse(path, path.read_bytes())


def parse(path: Path | str, content: bytes) -> tuple[dict[str, Any], dict[str, Array]]:
    """Return the description and the arrays of a file's content."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as as_arrays

    try:
        arrays = as_arrays(content)
        # The first 8 bytes are the length of the header, which is checked by now.
        header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    except (SafetensorError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"{path}: damaged, or not a file of safetensors: {error}") from None
    metadata = header.get("__metadata__") or {}
    if KEY not in metadata:
        raise ValueError(f"{path}: a file of safetensors, but not of a symtheano model")
    try:
        described = loads(metadata[KEY])
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: the description of the model is damaged: {error}") from None
    if not isinstance(described, dict) or described.get("version") != VERSION:
        raise ValueError(f"{path}: written by another version of symtheano.nn")
    return described, arrays


def dumps(described: Any) -> str:
    """Return data as JSON; infinities and NaN, which it does not have, as objects."""
    return json.dumps(finite(described), allow_nan=False)


def loads(text: str) -> Any:
    """Return the data of :func:`dumps`.

    Examples
    --------
    >>> loads(dumps({"best": math.inf}))
    {'best': inf}
    """
    return json.loads(text, object_hook=lambda d: float(d["float"]) if set(d) == {"float"} else d)


def finite(value: Any) -> Any:
    """Return data without infinite numbers and NaN."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(value)}
    if isinstance(value, Mapping):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return value


def compiled_of(settings: Any) -> Any:
    """Return the arguments of ``compile`` as data; None if a loss or a metric is a function."""
    try:
        data = as_data(settings)
        json.dumps(data)
    except (TypeError, ValueError):
        return None
    return data


def as_data(value: Any) -> Any:
    """Return data with the descriptions of objects in their places."""
    if hasattr(value, "config"):
        return value.config()
    if isinstance(value, Mapping):
        return {key: as_data(item) for key, item in value.items()}
    return [as_data(item) for item in value] if isinstance(value, list | tuple) else value


def revived(value: Any, make: Callable[[Any], Any]) -> Any:
    """Return data with objects in the places of their descriptions."""
    if isinstance(value, Mapping):
        if "class" in value:
            return make(value)
        return {key: revived(item, make) for key, item in value.items()}
    return [revived(item, make) for item in value] if isinstance(value, list) else value


def fixed(config: Any) -> Any:
    """Return a description without what a file sets: seed, and learning rate if it is a number."""
    if not isinstance(config, dict):
        return config
    rate = isinstance(config.get("learning_rate"), float)
    return {k: v for k, v in config.items() if k != "seed" and not (rate and k == "learning_rate")}


def names(left: Iterable[str], right: Iterable[str]) -> str:
    """Return the names that are only on one side, at most five."""
    differing = sorted(set(left) ^ set(right))
    return ", ".join(differing[:5]) + (" ..." if len(differing) > 5 else "")


def umask() -> int:
    """Return the permissions that new files do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
