"""Neural networks: layers, models and training, written in the public language only.

``import symtheano`` does not load this package, and its parts are imported on first access.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# Names by module.
_LATE = {
    "constraints": "Constraint MaxNorm MinMaxNorm NonNegative UnitNorm",
    "functions": "activation avgpool batch_norm concatenate conv dense dropout embedding flatten "
    "layer_norm maxpool reshape",
    "initializers": "Constant GlorotNormal GlorotUniform HeNormal HeUniform Identity Initializer "
    "LeCunNormal LeCunUniform Normal Ones Orthogonal Sparse TruncatedNormal Uniform Zeros",
    "layers.base": "Layer Parameter",
    "layers.convolution": "Conv1D Conv2D Conv3D",
    "layers.dense": "Activation Dense Lambda PReLU",
    "layers.embedding": "Embedding",
    "layers.merging": "Add Average Concatenate Dot Maximum Minimum Multiply Subtract",
    "layers.noise": "ActivityRegularization DropConnect Dropout GaussianDropout GaussianNoise",
    "layers.normalization": "BatchNorm GroupNorm LayerNorm RMSNorm",
    "layers.pooling": "AveragePool1D AveragePool2D AveragePool3D GlobalAveragePool GlobalMaxPool "
    "MaxPool1D MaxPool2D MaxPool3D",
    "layers.shapes": "Flatten Permute RepeatVector Reshape",
    "losses": "Loss",
    "model": "Model",
    "network": "Network",
    "optimizers": "Adadelta Adagrad Adam Adamax AdamW AMSGrad LBFGS Lion NAdam Optimizer RMSProp "
    "SGD",
    "randomness": "Randomness seed",
    "regularizers": "L1 L1L2 L2 Regularizer",
    "schedules": "CosineDecay CosineRestarts ExponentialDecay InverseTimeDecay OneCycle "
    "PiecewiseConstant PolynomialDecay Schedule Warmup",
    "sequential": "Sequential",
    "training.callbacks": "Callback Checkpoint CSVLogger EarlyStopping LambdaCallback "
    "LearningRateScheduler ReduceOnPlateau TerminateOnNaN",
    "training.history": "History",
    "values": "Input Value",
}
_MODULE_OF = {name: module for module, names in _LATE.items() for name in names.split()}
_MODULES = (
    "activations", "constraints", "functions", "initializers", "losses", "metrics", "optimizers",
    "regularizers", "schedules", "updates",
)  # fmt: skip

__all__ = [*_MODULE_OF, *_MODULES]


def __getattr__(name: str) -> Any:
    """Import a name on first access."""
    import_module(f"{__name__}.layers")  # whose classes are found by name, and by operators
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name in _MODULE_OF:
        found = globals()[name] = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
