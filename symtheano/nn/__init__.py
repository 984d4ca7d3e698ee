"""Neural networks: layers, models, losses, optimizers and training.

The package uses only the public functions of symtheano. ``import symtheano`` does not load it, and
each module is imported when a name of it is first used.
"""

# Users import from here what is imported here.
# mypy: implicit-reexport

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

# Names by module.
_LATE = {
    "constraints": "Constraint MaxNorm MinMaxNorm NonNegative UnitNorm",
    "estimators": "Classifier Regressor",
    "functions": "activation attention avgpool batch_norm bidirectional concatenate conv dense "
    "dropout embedding flatten gru layer_norm linear lstm maxpool multi_head_attention reshape rnn "
    "time_distributed",
    "initializers": "Constant GlorotNormal GlorotUniform HeNormal HeUniform Identity Initializer "
    "LeCunNormal LeCunUniform Normal Ones Orthogonal Sparse TruncatedNormal Uniform Zeros",
    "layers.activation": "ELU LeakyReLU Maxout ReLU Softmax",
    "layers.attention": "Attention MultiHeadAttention",
    "layers.base": "Layer",
    "layers.convolution": "Conv1D Conv2D Conv3D",
    "layers.dense": "Activation Dense Lambda PReLU",
    "layers.embedding": "Embedding Masking",
    "layers.merging": "Add Average Concatenate Dot Maximum Minimum Multiply Subtract",
    "layers.noise": "ActivityRegularization AlphaDropout DropConnect Dropout GaussianDropout "
    "GaussianNoise SpatialDropout1D SpatialDropout2D SpatialDropout3D",
    "layers.normalization": "BatchNorm GroupNorm InstanceNorm LayerNorm LocalResponseNorm RMSNorm "
    "UnitNormalization",
    "layers.parameters": "Parameter",
    "layers.pooling": "AveragePool1D AveragePool2D AveragePool3D GlobalAveragePool GlobalMaxPool "
    "MaxPool1D MaxPool2D MaxPool3D",
    "layers.positions": "PositionEmbedding PositionalEncoding",
    "layers.recurrent": "GRU LSTM SimpleRNN",
    "layers.resizing": "Cropping1D Cropping2D Cropping3D UpSampling1D UpSampling2D UpSampling3D "
    "ZeroPadding1D ZeroPadding2D ZeroPadding3D",
    "layers.separable": "DepthwiseConv1D DepthwiseConv2D SeparableConv1D SeparableConv2D",
    "layers.shapes": "Flatten Permute RepeatVector Reshape",
    "layers.transformer": "TransformerBlock",
    "layers.transposed": "Conv1DTranspose Conv2DTranspose Conv3DTranspose",
    "layers.weights": "SpectralNorm WeightNorm",
    "layers.wrappers": "Bidirectional TimeDistributed",
    "losses": "Loss",
    "model": "Model",
    "network": "Network",
    "optimizers": "Adadelta Adagrad Adam Adamax AdamW AMSGrad BFGS ConjugateGradient LBFGS Lion "
    "NAdam Optimizer RMSProp SGD",
    "randomness": "Randomness seed",
    "regularizers": "L1 L1L2 L2 Regularizer",
    "schedules": "CosineDecay CosineRestarts ExponentialDecay InverseTimeDecay OneCycle "
    "PiecewiseConstant PolynomialDecay Schedule Warmup",
    "sequential": "Sequential",
    "session.elementwise": "abs add ceil clip_by_value cos divide equal exp floor greater "
    "greater_equal less less_equal log logical_and logical_not logical_or maximum minimum mod "
    "multiply not_equal pow relu round rsqrt sigmoid sign sin softplus sqrt square subtract tanh",
    "session.functions": "argmax argmin cast concat cumsum expand_dims gather log_softmax matmul "
    "one_hot ones_like reduce_all reduce_any reduce_logsumexp reduce_max reduce_mean reduce_min "
    "reduce_prod reduce_sum sigmoid_cross_entropy_with_logits softmax "
    "softmax_cross_entropy_with_logits sparse_softmax_cross_entropy_with_logits squeeze stack "
    "stop_gradient tensordot tile transpose where zeros_like",
    "session.graph": "Graph get_default_graph reset_default_graph",
    "session.leaves": "Variable global_variables placeholder trainable_variables",
    "session.operations": "Operation assign assign_add assign_sub global_variables_initializer "
    "gradients group no_op",
    "session.session": "Session",
    "training.callbacks": "Checkpoint CSVLogger EarlyStopping LearningRateScheduler "
    "ReduceOnPlateau TerminateOnNaN",
    "training.history": "History",
    "training.hooks": "Callback LambdaCallback",
    "training.soundness": "TrainingWarning",
    "values": "Input Value",
}
_MODULE_OF = {name: module for module, names in _LATE.items() for name in names.split()}
_MODULES = (
    "activations", "constraints", "data", "functions", "initializers", "losses", "metrics",
    "optimizers", "regularizers", "schedules", "updates",
)  # fmt: skip

# True to mypy, which reads only literals of ``__all__``, so ``import *`` would lack the names of
# the stub. Without the list, it exports all public names.
MYPY = False

if not MYPY:
    __all__: list[str] = []


if TYPE_CHECKING:
    from symtheano.nn import lazy as _lazy
    from symtheano.nn.lazy import *  # noqa: F403 (written from the tables above)

    if not MYPY:
        __all__ += _lazy.__all__
else:
    __all__ += [*_MODULE_OF, *_MODULES]

    def __getattr__(name: str) -> Any:
        """Import a name on first access."""
        import_module(f"{__name__}.layers")  # whose classes are found by name, and by operators
        if name in _MODULES:
            return import_module(f"{__name__}.{name}")
        if name in _MODULE_OF:
            value = globals()[name] = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
            return value
        functions = import_module(f"{__name__}.activations").TABLE
        missing: AttributeError = import_module(f"{__name__}.missing").MissingNetworkName(
            __name__, name, __all__, functions
        )
        raise missing


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(globals()["__all__"])
