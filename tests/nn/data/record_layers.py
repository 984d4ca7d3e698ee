"""Record what layers of Keras and torch compute, for tests that have none of them.

Run by hand, where they are installed; it writes ``layers.json`` beside it:

    KERAS_BACKEND=torch python tests/nn/data/record_layers.py

A case is: the class and the arguments of our layer, the inputs, a mask, the parameters by our names
and in our layout, the output, and final states.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.nn.data.record import write

Array = Any
RNG = np.random.default_rng(18)
STEPS = [[True, True, True, False], [True, True, True, True], [True, False, False, False]]


def numbers(*shape: int) -> Array:
    return RNG.normal(size=shape).round(3)


def set_weights(layer: Any) -> list[Array]:
    """Give a layer of Keras random weights, and return them."""
    layer.set_weights([0.5 * numbers(*w.shape) for w in layer.weights])
    return [w.value.detach().numpy() for w in layer.weights]


def case(
    ours: str, arguments: Any, inputs: list[Array], weights: Any, output: Any, **more: Any
) -> Any:
    described = {"class": ours, "arguments": arguments, "inputs": inputs, "weights": weights}
    return {**described, "output": output, **more}


# -- recurrent layers ------------------------------------------------------------------------------

RECURRENT_WEIGHTS = ["kernel", "recurrent_kernel", "bias"]


def recurrent() -> Iterator[tuple[str, Any]]:
    from keras import layers

    kinds: dict[str, tuple[Any, str, dict[str, Any]]] = {
        "rnn": (layers.SimpleRNN, "SimpleRNN", {}),
        "lstm": (layers.LSTM, "LSTM", {}),
        "gru": (layers.GRU, "GRU", {}),
        "gru_reset_before": (layers.GRU, "GRU", {"reset_after": False}),
        "gru_without_bias": (layers.GRU, "GRU", {"use_bias": False}),
        "rnn_backwards": (layers.SimpleRNN, "SimpleRNN", {"go_backwards": True}),
        "lstm_backwards": (layers.LSTM, "LSTM", {"go_backwards": True}),
    }
    for name, (kind, ours, options) in kinds.items():
        for masked in (False, True):
            x, mask = numbers(3, 4, 3), np.array(STEPS) if masked else None
            arguments = {"units": 2, "return_sequences": True, **options}
            layer = kind(**arguments, return_state=True)
            layer.build(x.shape)
            weights = dict(zip(RECURRENT_WEIGHTS, set_weights(layer), strict=False))
            y, *states = layer(as_tensor(x), mask=None if mask is None else as_tensor(mask))
            key = f"{name}_masked" if masked else name
            yield key, case(ours, arguments, [x], weights, y, states=states, mask=mask)
        if not options:
            initial = [numbers(3, 2) for _ in states]
            y, *states = layer(as_tensor(x), initial_state=[as_tensor(s) for s in initial])
            yield (
                f"{name}_initial",
                case(ours, arguments, [x, *initial], weights, y, states=states),
            )


def bidirectional() -> Iterator[tuple[str, Any]]:
    from keras import layers

    for mode in ("concat", "sum", "mul", "ave"):
        for sequences in (True, False):
            x, mask = numbers(3, 4, 3), np.array(STEPS)
            inner = layers.GRU(2, return_sequences=sequences)
            layer = layers.Bidirectional(inner, merge_mode=mode)
            layer.build(x.shape)
            found = set_weights(layer)
            names = [f"{d}/{n}" for d in ("forward", "backward") for n in RECURRENT_WEIGHTS]
            weights = dict(zip(names, found, strict=True))
            y = layer(as_tensor(x), mask=as_tensor(mask))
            arguments = {
                "layer": {"class": "GRU", "units": 2, "return_sequences": sequences},
                "merge_mode": "average" if mode == "ave" else mode,
            }
            key = f"bidirectional_{mode}_{'sequences' if sequences else 'last'}"
            yield key, case("Bidirectional", arguments, [x], weights, y, mask=mask)


def as_tensor(array: Array) -> Any:
    import torch

    return torch.tensor(array)


# -- attention -------------------------------------------------------------------------------------


def attention() -> Iterator[tuple[str, Any]]:
    from keras import layers

    query, value, key = numbers(3, 5, 4), numbers(3, 4, 3), numbers(3, 4, 4)
    mask = np.array(STEPS)
    for causal in (False, True):
        y = layers.Attention()(
            [as_tensor(a) for a in (query, value, key)],
            mask=[None, as_tensor(mask), as_tensor(mask)],
            use_causal_mask=causal,
        )
        arguments = {"scale": 1.0, "causal": causal}
        inputs = [query, value, key]
        yield f"attention_{causal}", case("Attention", arguments, inputs, {}, y, value_mask=mask)
    for name, causal, masked in (
        ("multi_head", False, False),
        ("multi_head_causal", True, False),
        ("multi_head_masked", True, True),
    ):
        layer = layers.MultiHeadAttention(2, 3, 2, output_shape=5)
        layer.build(query.shape, value.shape, key.shape)
        found = set_weights(layer)
        weights = heads(found, ["query", "key", "value"])
        y = layer(
            *(as_tensor(a) for a in (query, value, key)),
            value_mask=as_tensor(mask) if masked else None,
            use_causal_mask=causal,
        )
        arguments = {"heads": 2, "key_dim": 3, "value_dim": 2, "output_dim": 5, "causal": causal}
        more = {"value_mask": mask} if masked else {}
        inputs = [query, value, key]
        yield name, case("MultiHeadAttention", arguments, inputs, weights, y, **more)
    layer = layers.GroupQueryAttention(3, 4, 2)
    layer.build(query.shape, value.shape, key.shape)
    weights = heads(set_weights(layer), ["query", "key", "value"])
    y = layer(*(as_tensor(a) for a in (query, value, key)), use_causal_mask=True)
    arguments = {"heads": 4, "kv_heads": 2, "key_dim": 3, "causal": True}
    yield "grouped", case("MultiHeadAttention", arguments, [query, value, key], weights, y)


def heads(found: list[Array], names: list[str]) -> dict[str, Array]:
    """Return kernels (features, heads, d) and the last one, (heads, d, features), as matrices."""
    weights = {}
    for k, name in enumerate(names):
        weights[f"{name}_kernel"] = found[2 * k].reshape(found[2 * k].shape[0], -1)
        weights[f"{name}_bias"] = found[2 * k + 1].reshape(-1)
    weights["output_kernel"] = found[-2].reshape(-1, found[-2].shape[-1])
    weights["output_bias"] = found[-1]
    return weights


def transformer() -> Iterator[tuple[str, Any]]:
    import torch

    for first in (False, True):
        x, mask = numbers(3, 4, 6), np.array(STEPS)
        layer = torch.nn.TransformerEncoderLayer(
            6, 2, 5, dropout=0.0, activation="relu", norm_first=first, batch_first=True
        ).double()
        state = {
            name: torch.tensor(0.5 * numbers(*p.shape)) for name, p in layer.state_dict().items()
        }
        layer.load_state_dict(state)
        layer.train()
        y = layer(torch.tensor(x), src_key_padding_mask=~torch.tensor(mask))
        weights = {
            "attention/output_kernel": state["self_attn.out_proj.weight"].T,
            "attention/output_bias": state["self_attn.out_proj.bias"],
            "dense/kernel": state["linear1.weight"].T,
            "dense/bias": state["linear1.bias"],
            "dense_1/kernel": state["linear2.weight"].T,
            "dense_1/bias": state["linear2.bias"],
        }
        for k, name in enumerate(("query", "key", "value")):
            part = slice(6 * k, 6 * k + 6)
            weights[f"attention/{name}_kernel"] = state["self_attn.in_proj_weight"][part].T
            weights[f"attention/{name}_bias"] = state["self_attn.in_proj_bias"][part]
        for k, name in enumerate(("norm", "norm_1")):
            weights[f"{name}/gamma"] = state[f"norm{k + 1}.weight"]
            weights[f"{name}/beta"] = state[f"norm{k + 1}.bias"]
        arguments = {"heads": 2, "hidden": 5, "norm_first": first}
        yield (
            f"transformer_{first}",
            case("TransformerBlock", arguments, [x], weights, y, mask=mask),
        )


# -- convolutions ----------------------------------------------------------------------------------

TRANSPOSED: list[tuple[int, dict[str, Any]]] = [
    (1, {"kernel_size": 3, "strides": 2}),
    (1, {"kernel_size": 2, "strides": 3, "padding": "same"}),
    (1, {"kernel_size": 4, "strides": 3, "padding": "same", "output_padding": 1}),
    (2, {"kernel_size": 3, "strides": 2, "padding": "same"}),
    (2, {"kernel_size": [3, 2], "strides": [1, 2], "padding": "valid", "use_bias": False}),
    (2, {"kernel_size": 3, "strides": 2, "padding": "valid", "output_padding": [1, 0]}),
    (2, {"kernel_size": 2, "dilation_rate": 2}),
    (3, {"kernel_size": 2, "strides": 2, "padding": "same"}),
]


def transposed() -> Iterator[tuple[str, Any]]:
    from keras import layers

    for k, (axes, options) in enumerate(TRANSPOSED):
        x = numbers(2, 3, *(4, 3, 2)[:axes])
        given = {n: tuple(v) if isinstance(v, list) else v for n, v in options.items()}
        layer = getattr(layers, f"Conv{axes}DTranspose")(2, **given)
        layer.build(x.shape)
        found = set_weights(layer)
        weights = {"kernel": np.moveaxis(found[0], (-1, -2), (0, 1))}
        if len(found) > 1:
            weights["bias"] = found[1]
        name = f"Conv{axes}DTranspose"
        arguments = {"filters": 2, **options}
        yield f"transposed_{k}", case(name, arguments, [x], weights, layer(as_tensor(x)))


def apart() -> Iterator[tuple[str, Any]]:
    from keras import layers

    def filters(kernel: Array) -> Array:
        """Return (window, channels, multiplier) as (channels * multiplier, 1, window)."""
        moved = np.moveaxis(kernel, (-2, -1), (0, 1))
        return moved.reshape(-1, 1, *moved.shape[2:])

    for axes in (1, 2):
        x = numbers(2, 3, *(6, 5)[:axes])
        options = {"kernel_size": 3, "strides": 2, "padding": "same", "depth_multiplier": 2}
        layer = getattr(layers, f"DepthwiseConv{axes}D")(**options)
        layer.build(x.shape)
        found = set_weights(layer)
        weights = {"kernel": filters(found[0]), "bias": found[1]}
        yield (
            f"depthwise_{axes}",
            case(f"DepthwiseConv{axes}D", options, [x], weights, layer(as_tensor(x))),
        )
        more = {"filters": 4, **options, "activation": "tanh"}
        layer = getattr(layers, f"SeparableConv{axes}D")(**more)
        layer.build(x.shape)
        found = set_weights(layer)
        weights = {
            "depthwise_kernel": filters(found[0]),
            "pointwise_kernel": np.moveaxis(found[1], (-1, -2), (0, 1)),
            "pointwise_bias": found[2],
        }
        yield (
            f"separable_{axes}",
            case(f"SeparableConv{axes}D", more, [x], weights, layer(as_tensor(x))),
        )


# -- others ----------------------------------------------------------------------------------------


def others() -> Iterator[tuple[str, Any]]:
    import torch
    from keras import layers

    kinds: list[tuple[str, dict[str, Any], str, dict[str, Any], tuple[int, ...]]] = [
        ("LeakyReLU", {"negative_slope": 0.2}, "LeakyReLU", {}, (2, 3)),
        ("ELU", {"alpha": 0.7}, "ELU", {}, (2, 3)),
        ("ReLU", {"max_value": 1.0, "negative_slope": 0.1, "threshold": 0.3}, "ReLU", {}, (4, 9)),
        ("Softmax", {"axis": 1}, "Softmax", {}, (2, 3, 2)),
        ("UnitNormalization", {"axis": -1}, "UnitNormalization", {}, (2, 3)),
        ("ZeroPadding2D", {"padding": [[1, 0], [2, 1]]}, "ZeroPadding2D", {}, (1, 2, 2, 3)),
        ("Cropping2D", {"cropping": [[1, 0], [2, 1]]}, "Cropping2D", {}, (1, 2, 3, 5)),
        ("UpSampling2D", {"size": [2, 3]}, "UpSampling2D", {}, (1, 2, 2, 2)),
        ("MaxPool2D", {"pool_size": 3, "strides": 2, "padding": "same"}, "MaxPooling2D", {},
         (2, 2, 4, 5)),
        ("MaxPool3D", {"pool_size": 2, "strides": 2, "padding": "same"}, "MaxPooling3D", {},
         (1, 2, 3, 2, 3)),
    ]  # fmt: skip
    for ours, arguments, theirs, more, shape in kinds:
        x = numbers(*shape)
        given = {
            n: tuple(tuple(p) if isinstance(p, list) else p for p in v)
            if isinstance(v, list)
            else v
            for n, v in arguments.items()
        }
        y = getattr(layers, theirs)(**given, **more)(as_tensor(x))
        yield ours, case(ours, arguments, [x], {}, y)
    x = numbers(2, 4, 3, 2)
    gamma, beta = numbers(4), numbers(4)
    weights = {"gamma": gamma, "beta": beta}
    y = torch.nn.functional.instance_norm(
        as_tensor(x), weight=as_tensor(gamma), bias=as_tensor(beta)
    )
    yield "instance", case("InstanceNorm", {}, [x], weights, y)
    y = torch.nn.functional.local_response_norm(as_tensor(x), 3, alpha=0.6, beta=0.5, k=1.5)
    arguments = {"channels": 3, "alpha": 0.2, "beta": 0.5, "k": 1.5}
    yield "response", case("LocalResponseNorm", arguments, [x], {}, y)


def main() -> None:
    """Write the file."""
    os.environ.setdefault("KERAS_BACKEND", "torch")
    import keras
    import torch

    keras.config.set_floatx("float64")
    torch.set_default_dtype(torch.float64)
    keras.config.set_image_data_format("channels_first")
    parts = (recurrent, bidirectional, attention, transformer, transposed, apart, others)
    write("layers", {name: found for part in parts for name, found in part()})


if __name__ == "__main__":
    main()
