"""Names of symtheano.nn that are imported or made on first access, for type checkers.

Written from the package's tables by ``pytest --update-golden tests/test_lazy_stubs.py``.
"""

from symtheano.nn import (
    activations as activations, constraints as constraints, data as data, functions as functions,
    initializers as initializers, losses as losses, metrics as metrics, optimizers as optimizers,
    regularizers as regularizers, schedules as schedules, updates as updates,
)
from symtheano.nn.constraints import (
    Constraint as Constraint, MaxNorm as MaxNorm, MinMaxNorm as MinMaxNorm,
    NonNegative as NonNegative, UnitNorm as UnitNorm,
)
from symtheano.nn.estimators import Classifier as Classifier, Regressor as Regressor
from symtheano.nn.functions import (
    activation as activation, attention as attention, avgpool as avgpool, batch_norm as batch_norm,
    bidirectional as bidirectional, concatenate as concatenate, conv as conv, dense as dense,
    dropout as dropout, embedding as embedding, flatten as flatten, gru as gru,
    layer_norm as layer_norm, linear as linear, lstm as lstm, maxpool as maxpool,
    multi_head_attention as multi_head_attention, reshape as reshape, rnn as rnn,
    time_distributed as time_distributed,
)
from symtheano.nn.initializers import (
    Constant as Constant, GlorotNormal as GlorotNormal, GlorotUniform as GlorotUniform,
    HeNormal as HeNormal, HeUniform as HeUniform, Identity as Identity, Initializer as Initializer,
    LeCunNormal as LeCunNormal, LeCunUniform as LeCunUniform, Normal as Normal, Ones as Ones,
    Orthogonal as Orthogonal, Sparse as Sparse, TruncatedNormal as TruncatedNormal,
    Uniform as Uniform, Zeros as Zeros,
)
from symtheano.nn.layers.activation import (
    ELU as ELU, LeakyReLU as LeakyReLU, Maxout as Maxout, ReLU as ReLU, Softmax as Softmax,
)
from symtheano.nn.layers.attention import (
    Attention as Attention, MultiHeadAttention as MultiHeadAttention,
)
from symtheano.nn.layers.base import Layer as Layer
from symtheano.nn.layers.convolution import Conv1D as Conv1D, Conv2D as Conv2D, Conv3D as Conv3D
from symtheano.nn.layers.dense import (
    Activation as Activation, Dense as Dense, Lambda as Lambda, PReLU as PReLU,
)
from symtheano.nn.layers.embedding import Embedding as Embedding, Masking as Masking
from symtheano.nn.layers.merging import (
    Add as Add, Average as Average, Concatenate as Concatenate, Dot as Dot, Maximum as Maximum,
    Minimum as Minimum, Multiply as Multiply, Subtract as Subtract,
)
from symtheano.nn.layers.noise import (
    ActivityRegularization as ActivityRegularization, AlphaDropout as AlphaDropout,
    DropConnect as DropConnect, Dropout as Dropout, GaussianDropout as GaussianDropout,
    GaussianNoise as GaussianNoise, SpatialDropout1D as SpatialDropout1D,
    SpatialDropout2D as SpatialDropout2D, SpatialDropout3D as SpatialDropout3D,
)
from symtheano.nn.layers.normalization import (
    BatchNorm as BatchNorm, GroupNorm as GroupNorm, InstanceNorm as InstanceNorm,
    LayerNorm as LayerNorm, LocalResponseNorm as LocalResponseNorm, RMSNorm as RMSNorm,
    UnitNormalization as UnitNormalization,
)
from symtheano.nn.layers.parameters import Parameter as Parameter
from symtheano.nn.layers.pooling import (
    AveragePool1D as AveragePool1D, AveragePool2D as AveragePool2D, AveragePool3D as AveragePool3D,
    GlobalAveragePool as GlobalAveragePool, GlobalMaxPool as GlobalMaxPool, MaxPool1D as MaxPool1D,
    MaxPool2D as MaxPool2D, MaxPool3D as MaxPool3D,
)
from symtheano.nn.layers.positions import (
    PositionEmbedding as PositionEmbedding, PositionalEncoding as PositionalEncoding,
)
from symtheano.nn.layers.recurrent import GRU as GRU, LSTM as LSTM, SimpleRNN as SimpleRNN
from symtheano.nn.layers.resizing import (
    Cropping1D as Cropping1D, Cropping2D as Cropping2D, Cropping3D as Cropping3D,
    UpSampling1D as UpSampling1D, UpSampling2D as UpSampling2D, UpSampling3D as UpSampling3D,
    ZeroPadding1D as ZeroPadding1D, ZeroPadding2D as ZeroPadding2D, ZeroPadding3D as ZeroPadding3D,
)
from symtheano.nn.layers.separable import (
    DepthwiseConv1D as DepthwiseConv1D, DepthwiseConv2D as DepthwiseConv2D,
    SeparableConv1D as SeparableConv1D, SeparableConv2D as SeparableConv2D,
)
from symtheano.nn.layers.shapes import (
    Flatten as Flatten, Permute as Permute, RepeatVector as RepeatVector, Reshape as Reshape,
)
from symtheano.nn.layers.transformer import TransformerBlock as TransformerBlock
from symtheano.nn.layers.transposed import (
    Conv1DTranspose as Conv1DTranspose, Conv2DTranspose as Conv2DTranspose,
    Conv3DTranspose as Conv3DTranspose,
)
from symtheano.nn.layers.weights import SpectralNorm as SpectralNorm, WeightNorm as WeightNorm
from symtheano.nn.layers.wrappers import (
    Bidirectional as Bidirectional, TimeDistributed as TimeDistributed,
)
from symtheano.nn.losses import Loss as Loss
from symtheano.nn.model import Model as Model
from symtheano.nn.network import Network as Network
from symtheano.nn.optimizers import (
    AMSGrad as AMSGrad, Adadelta as Adadelta, Adagrad as Adagrad, Adam as Adam, AdamW as AdamW,
    Adamax as Adamax, BFGS as BFGS, ConjugateGradient as ConjugateGradient, LBFGS as LBFGS,
    Lion as Lion, NAdam as NAdam, Optimizer as Optimizer, RMSProp as RMSProp, SGD as SGD,
)
from symtheano.nn.randomness import Randomness as Randomness, seed as seed
from symtheano.nn.regularizers import L1 as L1, L1L2 as L1L2, L2 as L2, Regularizer as Regularizer
from symtheano.nn.schedules import (
    CosineDecay as CosineDecay, CosineRestarts as CosineRestarts,
    ExponentialDecay as ExponentialDecay, InverseTimeDecay as InverseTimeDecay,
    OneCycle as OneCycle, PiecewiseConstant as PiecewiseConstant,
    PolynomialDecay as PolynomialDecay, Schedule as Schedule, Warmup as Warmup,
)
from symtheano.nn.sequential import Sequential as Sequential
from symtheano.nn.session.elementwise import (
    abs as abs, add as add, ceil as ceil, clip_by_value as clip_by_value, cos as cos,
    divide as divide, equal as equal, exp as exp, floor as floor, greater as greater,
    greater_equal as greater_equal, less as less, less_equal as less_equal, log as log,
    logical_and as logical_and, logical_not as logical_not, logical_or as logical_or,
    maximum as maximum, minimum as minimum, mod as mod, multiply as multiply,
    not_equal as not_equal, pow as pow, relu as relu, round as round, rsqrt as rsqrt,
    sigmoid as sigmoid, sign as sign, sin as sin, softplus as softplus, sqrt as sqrt,
    square as square, subtract as subtract, tanh as tanh,
)
from symtheano.nn.session.functions import (
    argmax as argmax, argmin as argmin, cast as cast, concat as concat, cumsum as cumsum,
    expand_dims as expand_dims, gather as gather, log_softmax as log_softmax, matmul as matmul,
    one_hot as one_hot, ones_like as ones_like, reduce_all as reduce_all, reduce_any as reduce_any,
    reduce_logsumexp as reduce_logsumexp, reduce_max as reduce_max, reduce_mean as reduce_mean,
    reduce_min as reduce_min, reduce_prod as reduce_prod, reduce_sum as reduce_sum,
    sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits, softmax as softmax,
    softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits,
    squeeze as squeeze, stack as stack, stop_gradient as stop_gradient, tensordot as tensordot,
    tile as tile, transpose as transpose, where as where, zeros_like as zeros_like,
)
from symtheano.nn.session.graph import (
    Graph as Graph, get_default_graph as get_default_graph,
    reset_default_graph as reset_default_graph,
)
from symtheano.nn.session.leaves import (
    Variable as Variable, global_variables as global_variables, placeholder as placeholder,
    trainable_variables as trainable_variables,
)
from symtheano.nn.session.operations import (
    Operation as Operation, assign as assign, assign_add as assign_add, assign_sub as assign_sub,
    global_variables_initializer as global_variables_initializer, gradients as gradients,
    group as group, no_op as no_op,
)
from symtheano.nn.session.session import Session as Session
from symtheano.nn.training.callbacks import (
    CSVLogger as CSVLogger, Checkpoint as Checkpoint, EarlyStopping as EarlyStopping,
    LearningRateScheduler as LearningRateScheduler, ReduceOnPlateau as ReduceOnPlateau,
    TerminateOnNaN as TerminateOnNaN,
)
from symtheano.nn.training.history import History as History
from symtheano.nn.training.hooks import Callback as Callback, LambdaCallback as LambdaCallback
from symtheano.nn.training.soundness import TrainingWarning as TrainingWarning
from symtheano.nn.values import Input as Input, Value as Value

__all__: list[str] = [
    "AMSGrad", "Activation", "ActivityRegularization", "Adadelta", "Adagrad", "Adam", "AdamW",
    "Adamax", "Add", "AlphaDropout", "Attention", "Average", "AveragePool1D", "AveragePool2D",
    "AveragePool3D", "BFGS", "BatchNorm", "Bidirectional", "CSVLogger", "Callback", "Checkpoint",
    "Classifier", "Concatenate", "ConjugateGradient", "Constant", "Constraint", "Conv1D",
    "Conv1DTranspose", "Conv2D", "Conv2DTranspose", "Conv3D", "Conv3DTranspose", "CosineDecay",
    "CosineRestarts", "Cropping1D", "Cropping2D", "Cropping3D", "Dense", "DepthwiseConv1D",
    "DepthwiseConv2D", "Dot", "DropConnect", "Dropout", "ELU", "EarlyStopping", "Embedding",
    "ExponentialDecay", "Flatten", "GRU", "GaussianDropout", "GaussianNoise", "GlobalAveragePool",
    "GlobalMaxPool", "GlorotNormal", "GlorotUniform", "Graph", "GroupNorm", "HeNormal", "HeUniform",
    "History", "Identity", "Initializer", "Input", "InstanceNorm", "InverseTimeDecay", "L1", "L1L2",
    "L2", "LBFGS", "LSTM", "Lambda", "LambdaCallback", "Layer", "LayerNorm", "LeCunNormal",
    "LeCunUniform", "LeakyReLU", "LearningRateScheduler", "Lion", "LocalResponseNorm", "Loss",
    "Masking", "MaxNorm", "MaxPool1D", "MaxPool2D", "MaxPool3D", "Maximum", "Maxout", "MinMaxNorm",
    "Minimum", "Model", "MultiHeadAttention", "Multiply", "NAdam", "Network", "NonNegative",
    "Normal", "OneCycle", "Ones", "Operation", "Optimizer", "Orthogonal", "PReLU", "Parameter",
    "Permute", "PiecewiseConstant", "PolynomialDecay", "PositionEmbedding", "PositionalEncoding",
    "RMSNorm", "RMSProp", "Randomness", "ReLU", "ReduceOnPlateau", "Regressor", "Regularizer",
    "RepeatVector", "Reshape", "SGD", "Schedule", "SeparableConv1D", "SeparableConv2D",
    "Sequential", "Session", "SimpleRNN", "Softmax", "Sparse", "SpatialDropout1D",
    "SpatialDropout2D", "SpatialDropout3D", "SpectralNorm", "Subtract", "TerminateOnNaN",
    "TimeDistributed", "TrainingWarning", "TransformerBlock", "TruncatedNormal", "Uniform",
    "UnitNorm", "UnitNormalization", "UpSampling1D", "UpSampling2D", "UpSampling3D", "Value",
    "Variable", "Warmup", "WeightNorm", "ZeroPadding1D", "ZeroPadding2D", "ZeroPadding3D", "Zeros",
    "abs", "activation", "activations", "add", "argmax", "argmin", "assign", "assign_add",
    "assign_sub", "attention", "avgpool", "batch_norm", "bidirectional", "cast", "ceil",
    "clip_by_value", "concat", "concatenate", "constraints", "conv", "cos", "cumsum", "data",
    "dense", "divide", "dropout", "embedding", "equal", "exp", "expand_dims", "flatten", "floor",
    "functions", "gather", "get_default_graph", "global_variables", "global_variables_initializer",
    "gradients", "greater", "greater_equal", "group", "gru", "initializers", "layer_norm", "less",
    "less_equal", "linear", "log", "log_softmax", "logical_and", "logical_not", "logical_or",
    "losses", "lstm", "matmul", "maximum", "maxpool", "metrics", "minimum", "mod",
    "multi_head_attention", "multiply", "no_op", "not_equal", "one_hot", "ones_like", "optimizers",
    "placeholder", "pow", "reduce_all", "reduce_any", "reduce_logsumexp", "reduce_max",
    "reduce_mean", "reduce_min", "reduce_prod", "reduce_sum", "regularizers", "relu",
    "reset_default_graph", "reshape", "rnn", "round", "rsqrt", "schedules", "seed", "sigmoid",
    "sigmoid_cross_entropy_with_logits", "sign", "sin", "softmax",
    "softmax_cross_entropy_with_logits", "softplus", "sparse_softmax_cross_entropy_with_logits",
    "sqrt", "square", "squeeze", "stack", "stop_gradient", "subtract", "tanh", "tensordot", "tile",
    "time_distributed", "trainable_variables", "transpose", "updates", "where", "zeros_like",
]
