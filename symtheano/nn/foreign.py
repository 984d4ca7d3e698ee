"""Tables from names of Keras, torch, JAX, Flax and scikit-learn to the names in symtheano.nn.

Error messages about missing names and unknown arguments use these tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

from symtheano import keywords
from symtheano.errors import format_error
from symtheano.names import close, places_of

P = ParamSpec("P")
R = TypeVar("R")
Self = TypeVar("Self", bound="Explained")

# From names of other libraries to our names. The keys are in lower case, without underscores. `{}`
# is the number of axes: 1, 2 or 3.
_NAMES = {
    "batchnormalization batchnorm{}d": "nn.BatchNorm()",
    "layernormalization": "nn.LayerNorm()",
    "groupnormalization": "nn.GroupNorm()",
    "rmsnormalization": "nn.RMSNorm()",
    "instancenorm{}d": "nn.InstanceNorm()",
    "spectralnormalization": "nn.SpectralNorm(layer)",
    "maxpooling{}d maxpool": "nn.MaxPool{}D()",
    "averagepooling{}d avgpool{}d": "nn.AveragePool{}D()",
    "globalaveragepooling{}d adaptiveavgpool{}d": "nn.GlobalAveragePool()",
    "globalmaxpooling{}d adaptivemaxpool{}d": "nn.GlobalMaxPool()",
    "conv{}d": "nn.conv(x, filters, kernel_size)",
    "convolution{}d": "nn.Conv{}D(filters, kernel_size)",
    "convtranspose{}d": "nn.Conv{}DTranspose(filters, kernel_size)",
    "convtranspose": "nn.Conv2DTranspose(filters, kernel_size), or of 1 or 3 axes",
    "linear lazylinear densegeneral": "nn.Dense(units)",
    "embed": "nn.Embedding(input_dim, output_dim)",
    "dropout{}d": "nn.SpatialDropout{}D(rate)",
    "upsample upsamplingbilinear2d": "nn.UpSampling2D(size), or of 1 or 3 axes",
    "rnn simplernncell rnncell": "nn.SimpleRNN(units)",
    "lstmcell optimizedlstmcell": "nn.LSTM(units)",
    "grucell": "nn.GRU(units)",
    "multiheaddotproductattention selfattention": "nn.MultiHeadAttention(heads, key_dim)",
    "scaleddotproductattention": "nn.attention(query, value, key)",
    "transformerencoderlayer": "nn.TransformerBlock(heads, hidden)",
    "inputlayer": "nn.Input(shape)",
    "identity": 'nn.Activation("linear")',
    "module": "nn.Layer for a layer of your own, with build and call, or nn.Model for a network",
    "functional": "nn.functions",
    "optim": "nn.optimizers",
    "init": "nn.initializers",
    "modulelist moduledict compact": "a list or a dict of layers",
    "parameterlist": "layer.parameters, a list of nn.Parameter",
    "crossentropyloss": (
        "compile(\"categorical_crossentropy\") after a softmax, or of outputs without one "
        "nn.Loss(\"categorical_crossentropy\", from_logits=True)"
    ),
    "sparsecategoricalcrossentropy categoricalcrossentropy crossentropy softmaxcrossentropy "
    "softmaxcrossentropywithintegerlabels": 'nn.losses.categorical_crossentropy',
    "bceloss binarycrossentropy": 'nn.losses.binary_crossentropy',
    "bcewithlogitsloss binarycrossentropywithlogits sigmoidbinarycrossentropy": (
        'nn.Loss("binary_crossentropy", from_logits=True)'
    ),
    "mse mseloss meansquarederror l2loss squarederror": 'nn.losses.mean_squared_error, or "mse"',
    "mae l1loss maeloss meanabsoluteerror": 'nn.losses.mean_absolute_error, or "mae"',
    "rmse rmseloss": 'nn.losses.root_mean_squared_error, or "rmse"',
    "nllloss": "nn.losses.nll",
    "huberloss huber": "nn.losses.huber",
    "smoothl1loss": "nn.losses.smooth_l1",
    "kldivloss kldivergence": "nn.losses.kl_divergence",
    "ctcloss": "nn.losses.ctc",
    "hingeloss hinge hingeembeddingloss": "nn.losses.hinge",
    "cosineembeddingloss": "nn.losses.cosine_embedding",
    "tripletmarginloss": "nn.losses.triplet_margin",
    "modelcheckpoint": "nn.Checkpoint(path)",
    "reducelronplateau": "nn.ReduceOnPlateau(monitor)",
    "onecyclelr": "nn.OneCycle(max_rate, total_steps)",
    "cosineannealinglr cosinedecayschedule": "nn.CosineDecay(initial, decay_steps)",
    "exponentiallr": "nn.ExponentialDecay(initial, decay_steps, decay_rate)",
    "steplr multisteplr piecewiseconstantdecay": "nn.PiecewiseConstant",
    "mlpclassifier kerasclassifier neuralnetclassifier": "nn.Classifier()",
    "mlpregressor kerasregressor neuralnetregressor": "nn.Regressor()",
    "glorotnormalinitializer xaviernormal": "nn.GlorotNormal()",
    "xavieruniform": "nn.GlorotUniform()",
    "kaimingnormal": "nn.HeNormal()",
    "kaiminguniform": "nn.HeUniform()",
    "randomnormal": "nn.Normal()",
    "randomuniform": "nn.Uniform()",
    "loadmodel load": "nn.Model.load(path)",
    "save": "model.save(path)",
    "nograd": "model.predict(x), or value.test of a layer's output",
    "eval": "model.predict(x), or value.test of a layer's output",
    "setrandomseed manualseed prngkey randomseed": "nn.seed(0), or nn.Model(seed=0)",
    "gradienttape autograd": "symtheano.grad(cost, wrt)",
    "standardscaler": "nn.BatchNorm()",
    "normalizer": "nn.LayerNorm()",
    "functiontransformer": "nn.Lambda(function)",
    "pipeline": "nn.Sequential(layers)",
    "logloss": 'nn.losses.categorical_crossentropy, or nn.losses.binary_crossentropy',
    "softmaxcrossentropywithlogits": "nn.softmax_cross_entropy_with_logits",
    "gradientdescentoptimizer": "nn.SGD(learning_rate)",
    "momentumoptimizer": "nn.SGD(learning_rate, momentum)",
    "adamoptimizer": "nn.Adam(learning_rate)",
    "adagradoptimizer": "nn.Adagrad(learning_rate)",
    "adadeltaoptimizer": "nn.Adadelta(learning_rate)",
    "rmspropoptimizer": "nn.RMSProp(learning_rate)",
    "lbfgsb": "nn.LBFGS()",
    "cg newtoncg fmincg": "nn.ConjugateGradient()",
    "getvariable": "nn.Variable(initial, name)",
    "saver dump": "model.save(path)",
    "tabulate": "model.summary()",
    "dataloader dataset": "model.fit(x, y, batch_size), or an iterable of batches (x, y)",
}  # fmt: skip

REMARKS: dict[str, str] = {
    **dict.fromkeys(
        ("to_categorical",),
        "losses take labels as they are; rows with a one are nn.one_hot(labels, classes) of an "
        "expression, and numpy.eye(classes)[labels] of an array",
    ),
    **dict.fromkeys(
        ("clip_grad_norm_", "clip_grad_norm", "clip_by_global_norm", "clip_by_norm"),
        "optimizers shorten gradients: nn.Adam(global_clipnorm=1.0)",
    ),
    **dict.fromkeys(("clip_grad_value_",), "optimizers limit gradients: nn.Adam(clipvalue=1.0)"),
    **{
        f"Conv{n}d": f"it is nn.Conv{n}D(filters, kernel_size), without the channels of the input"
        for n in (1, 2, 3)
    },
    "callbacks": "callbacks are in nn itself: nn.EarlyStopping, nn.Checkpoint, nn.CSVLogger",
    "layers": "layers are in nn itself: nn.Dense, nn.Conv2D, and as functions nn.dense, nn.conv",
    "models": "models are in nn itself: nn.Sequential, nn.Model, nn.Model.load",
    "datasets": "it has no data sets; sklearn.datasets has some, as arrays",
    **dict.fromkeys(
        ("pad_sequences", "pad_sequence"),
        "numpy.pad each sequence with zeros to one length; nn.Embedding(mask_zero=True) leaves "
        "the zeros out",
    ),
}
"""What to do instead, by names of others for which there is no name here."""

NAMES: dict[str, str] = {
    name.replace("{}", axes): ours.replace("{}", axes)
    for names, ours in _NAMES.items()
    for name in names.split()
    for axes in ("1", "2", "3")
    if "{}" in name or axes == "2"
}
"""Our names by the names of other libraries, which are in lower case and without underscores."""

OF_MODELS = frozenset(
    "compile fit evaluate predict summary train_on_batch get_weights set_weights build".split()
)
"""Methods of models that some look for in the package."""

KEYWORDS: dict[str, str] = {
    "learning_rate": "lr learning_rate_init rate step_size eta",
    "epochs": "epoch n_epochs num_epochs nb_epoch max_iter iterations",
    "batch_size": "batch batchsize n_batch",
    "x": "X data inputs features",
    "y": "Y target targets labels label",
    "validation_data": "validation val_data eval_set valid",
    "validation_split": "val_split validation_fraction",
    "callbacks": "callback",
    "class_weight": "class_weights",
    "sample_weight": "sample_weights weights",
    "loss": "criterion loss_fn loss_function objective",
    "optimizer": "opt optim solver",
    "metrics": "metric",
    "backend": "device",
    "seed": "random_state random_seed rng key",
    "random_state": "seed",
    "units": "out_features features hidden_size num_units n_units output_dim out_dim",
    "filters": "out_channels features num_filters n_filters nb_filter",
    "kernel_size": "kernel kernel_shape filter_size window",
    "pool_size": "kernel_size window_shape window size",
    "strides": "stride subsample subsample_length",
    "dilation_rate": "dilation kernel_dilation",
    "use_bias": "bias",
    "rate": "p drop dropout_rate rate_drop prob",
    "stddev": "std sigma",
    "epsilon": "eps",
    "negative_slope": "alpha slope leakiness",
    "input_dim": "num_embeddings vocab_size n_vocab",
    "output_dim": "embedding_dim features embed_dim",
    "heads": "num_heads nhead n_heads",
    "hidden": "hidden_layer_sizes dim_feedforward",
    "axis": "dim",
    "axes": "dims",
    "kernel_initializer": "kernel_init init weight_init",
    "bias_initializer": "bias_init",
    "kernel_regularizer": "W_regularizer weight_regularizer",
    "return_sequences": "return_sequence",
    "groups": "feature_group_count num_groups",
    "clipnorm": "max_grad_norm clip_norm",
    "clipvalue": "clip_value",
    "beta_1": "b1 beta1",
    "beta_2": "b2 beta2",
    "rho": "decay",
    "weight_decay": "l2",
    "monitor": "metric",
    "path": "filepath filename",
    "l2": "alpha",
    "initial": "initial_learning_rate base_lr",
    "function": "func fn f",
    "shape": "output_shape input_shape target_shape batch_shape",
    "times": "n",
}
"""Names of arguments in other libraries by our names. Some of them occur several times."""

_FROM_INPUT = (
    "leave it out: it is the shape of the input, which nn.Input(shape) or the first data have"
)
NOTES: dict[str, str] = {
    **dict.fromkeys(
        (
            "in_features", "in_channels", "input_dim", "input_shape", "num_features",
            "input_size", "batch_input_shape", "normalized_shape",
        ),
        _FROM_INPUT,
    ),
    "input_length": "leave it out: it is the length of the sequences",
    "save_best_only": "leave it out: with monitor, the best epoch is saved",
    "save_weights_only": "leave it out: the file has the layers, the parameters and the optimizer",
    "start_dim": "leave it out: the axis of the batch stays",
    "betas": "pass the two numbers as beta_1 and beta_2",
    "inplace": "leave it out: expressions never change their inputs",
    "batch_first": "leave it out: the first axis is always the batch",
    "device": 'leave it out: compile(..., device="cuda") lets the functions of a model run there',
    "dtype": 'leave it out: layers have the dtype of the input, nn.Input(shape, dtype="float64")',
    "params": "leave it out: compile, or the method updates(cost, parameters), sets them",
    "training": "leave it out: fit trains the layers, and predict and evaluate do not",
    "return_dict": "leave it out: the results have names, and dict(results) is a dict",
    **dict.fromkeys(("run_eagerly", "jit_compile"), "leave it out: all functions are compiled"),
    "bidirectional": "use the layer nn.Bidirectional(layer)",
    "num_layers": "add a layer several times",
    **dict.fromkeys(
        ("lr", "learning_rate"), "a search along a line finds the length of a step: leave it out"
    ),
    "weight": "it is class_weight of fit, by label",
    "validate_indices": "indices are always checked: leave it out",
}  # fmt: skip
"""Hints for arguments of other libraries that have no counterpart."""


def named(name: str, own_names: Iterable[str] = ()) -> str | None:
    """Return our name for a name of another library, or a known name that differs only in case.

    Examples
    --------
    >>> named("mse_loss"), named("Conv2d", ["Conv2D"]), named("mouse")
    ('nn.losses.mean_squared_error, or "mse"', 'Conv2D', None)
    """
    plain = key(name)
    return next((own for own in own_names if key(own) == plain), None) or NAMES.get(plain)


def where(name: str, functions: Iterable[str] = ()) -> str | None:
    """Return a hint that says what a name of another library is in :mod:`symtheano.nn`.

    Parameters
    ----------
    name
        The name.
    functions
        The names of activation functions.

    Examples
    --------
    >>> where("BatchNorm2d"), where("HeNormal"), where("random_normal"), where("mouse")
    ('it is nn.BatchNorm()', 'it is nn.HeNormal', 'it is symtheano.random_normal', None)
    """
    public = import_module("symtheano.nn").__all__
    plain, large = key(name), name[:1].isupper()
    same = [own for own in public if key(own) == plain]
    if name in REMARKS:
        return REMARKS[name]
    for own in same:
        if own[0].isupper() == large:
            return f"it is nn.{own}"
    if not large and "symtheano" in places_of(name):
        return f"it is symtheano.{name}"
    if ours := NAMES.get(plain):
        return f"it is {ours}"
    for function in functions:
        if key(function) == plain:
            layer = f'nn.Activation("{function}")'
            return f"it is {layer if large else f'nn.activations.{function}'}"
    if same:
        return f"it is nn.{same[0]}"
    for module in ("metrics", "losses", "initializers"):
        if name in import_module(f"symtheano.nn.{module}").__all__:
            return f"it is nn.{module}.{name}"
    return f"it is a method: model.{name}" if name in OF_MODELS else None


def key(name: str) -> str:
    """Return a name in lower case, without underscores and hyphens."""
    return name.replace("_", "").replace("-", "").lower()


def hint(keyword: str, keywords: tuple[str, ...]) -> str:
    """Return a hint for an unknown keyword: our name for it, a reason, or all known keywords.

    Examples
    --------
    >>> hint("epoch", ("x", "epochs")), hint("what", ("x", "y"))
    ('it is epochs', 'there are x, y')
    """
    meant = [ours for ours, theirs in KEYWORDS.items() if keyword in theirs.split()]
    for ours in meant:
        if ours in keywords:
            return f"it is {ours}"
    if keyword in NOTES:
        return NOTES[keyword]
    if similar := close(keyword, keywords, 3):
        return f"it is {similar[0]}"
    return f"there are {', '.join(keywords)}" if keywords else "there are none"


def explained(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function whose errors for wrong arguments name ours.

    Examples
    --------
    >>> explained(lambda epochs: epochs)(epochs=2)
    2
    """
    return keywords.explained(hint)(function)


def check_keywords(make: Any, name: str, options: Mapping[str, Any]) -> None:
    """Raise an error for keyword arguments that a class or function called ``name`` does not take.

    If a keyword is one of another library, the message has ours.

    Raises
    ------
    TypeError
        If a keyword is unknown.

    Examples
    --------
    >>> nn.Adam(lr=0.1)
    Traceback (most recent call last):
    ...
    TypeError: Adam has no argument 'lr'
      hint: it is learning_rate
    """
    keywords.check_keywords(make, name, options, hint)


class Explained:
    """Base class of classes whose constructors raise helpful errors for unknown keywords."""

    def __new__(cls: type[Self], *args: Any, **options: Any) -> Self:
        """Return a new object, after a check of the keywords."""
        check_keywords(cls, cls.__name__, options)
        make: Any = cls
        first = keywords.keywords(make)[0][: len(args)]
        for name in options:
            if name in first:
                order = f"the first arguments are {', '.join(first)}"
                raise TypeError(
                    format_error(f"{cls.__name__} has {name} by position and by name", hint=order)
                )
        return super().__new__(cls)
