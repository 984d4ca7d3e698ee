"""Tables from names of Keras, torch, JAX, Flax and scikit-learn to the names in symtheano.nn.

Error messages about missing names and unknown arguments use these tables.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from functools import cache, wraps
from inspect import Parameter, signature
from typing import Any, ParamSpec, TypeVar

from symtheano.errors import format_error
from symtheano.names import MissingName

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
    "mseloss meansquarederror l2loss squarederror": 'nn.losses.mean_squared_error, or "mse"',
    "l1loss maeloss meanabsoluteerror": 'nn.losses.mean_absolute_error, or "mae"',
    "rmseloss": 'nn.losses.root_mean_squared_error, or "rmse"',
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
    "dataloader dataset": "model.fit(x, y, batch_size), or an iterable of batches (x, y)",
}  # fmt: skip

NAMES: dict[str, str] = {
    name.replace("{}", axes): ours.replace("{}", axes)
    for names, ours in _NAMES.items()
    for name in names.split()
    for axes in ("1", "2", "3")
    if "{}" in name or axes == "2"
}
"""Our names by the names of other libraries, which are in lower case and without underscores."""

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
    "betas": "pass the two numbers as beta_1 and beta_2",
    "inplace": "leave it out: expressions never change their inputs",
    "batch_first": "leave it out: the first axis is always the batch",
    "device": 'leave it out: compiled functions run on the CPU, with compile(..., backend="c")',
    "dtype": 'leave it out: layers have the dtype of the input, nn.Input(shape, dtype="float64")',
    "params": "leave it out: compile, or the method updates(cost, parameters), sets them",
    "training": "leave it out: fit trains the layers, and predict and evaluate do not",
    "return_dict": "leave it out: the results are always a dict",
    **dict.fromkeys(("run_eagerly", "jit_compile"), "leave it out: all functions are compiled"),
    "bidirectional": "use the layer nn.Bidirectional(layer)",
    "num_layers": "add a layer several times",
}  # fmt: skip
"""Hints for arguments of other libraries that have no counterpart."""


METHODS: dict[str, str] = {
    name: ours
    for names, ours in {
        "train fit_generator partial_fit learn": "fit(x, y)",
        "forward apply call": "a call, model(x), with values or symbolic arrays",
        "eval predict_proba predict_classes transform": "predict(x)",
        "score test evaluate_generator": "evaluate(x, y)",
        "state_dict weights variables trainable_weights": "get_weights(), or parameters",
        "load_state_dict": "set_weights(arrays)",
        "load_weights": "restore(path)",
        "save_weights export to_json": "save(path), or to_bytes()",
        "count_params info": "summary()",
        "zero_grad backward step": "fit(x, y), or train_on_batch(x, y)",
        "to cuda cpu": 'compile(..., backend="c"), the only device',
        "init": "build(shape)",
        "freeze": "trainable = False",
        "metrics_names": "history.history, by name",
    }.items()
    for name in names.split()
}
"""Our methods of models by the names of methods in other libraries."""


class MissingNetworkName(MissingName):
    """The error for a name that a module of :mod:`symtheano.nn` does not have.

    If it is a name of another library, the message has our name.

    Parameters
    ----------
    owner
        The name of the module.
    name
        The missing name.
    known
        The names of :mod:`symtheano.nn`.
    functions
        The names of activation functions.

    Examples
    --------
    >>> print(MissingNetworkName("symtheano.nn", "BatchNorm2d"))
    module 'symtheano.nn' has no attribute 'BatchNorm2d'
      hint: it is nn.BatchNorm()
    """

    def __init__(
        self, owner: str, name: str, known: Iterable[str] = (), functions: Iterable[str] = ()
    ) -> None:
        super().__init__(owner, name)
        self.args = owner, name, known, functions
        self._known, self._functions = known, functions

    def _where(self) -> str | None:
        plain, large = key(self.asked), self.asked[:1].isupper()
        for own in self._known:
            if key(own) == plain and own[0].isupper() == large:
                return f"it is nn.{own}"
        if ours := named(self.asked):
            return f"it is {ours}"
        for function in self._functions:
            if key(function) == plain:
                layer = f'nn.Activation("{function}")'
                return f"it is {layer if large else f'nn.activations.{function}'}"
        return super()._where()


class MissingMethod(MissingName):
    """The error for a method that models do not have.

    If it is a method of another library, the message has our method.

    Examples
    --------
    >>> print(MissingMethod(dict, "load_state_dict"))
    'dict' object has no attribute 'load_state_dict'
      hint: it is set_weights(arrays)
    """

    def _where(self) -> str | None:
        ours = METHODS.get(self.asked)
        return f"it is {ours}" if ours else None


def named(name: str, known: Iterable[str] = ()) -> str | None:
    """Return our name for a name of another library, or a known name that differs only in case.

    Examples
    --------
    >>> named("mse_loss"), named("Conv2d", ["Conv2D"]), named("mouse")
    ('nn.losses.mean_squared_error, or "mse"', 'Conv2D', None)
    """
    plain = key(name)
    return next((own for own in known if key(own) == plain), None) or NAMES.get(plain)


def key(name: str) -> str:
    """Return a name in lower case, without underscores and hyphens."""
    return name.replace("_", "").replace("-", "").lower()


def check_keywords(make: Any, name: str, options: Mapping[str, Any]) -> None:
    """Raise an error for keyword arguments that a class or a function does not take.

    Parameters
    ----------
    make
        The class or function.
    name
        The name of the class or function, for the error message.
    options
        The keyword arguments of the call.

    Raises
    ------
    TypeError
        If a keyword is unknown. If it is a keyword of another library, the message has ours.

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.Adam(lr=0.1)
    Traceback (most recent call last):
    ...
    TypeError: Adam has no argument 'lr'
      hint: it is learning_rate
    """
    known, open_ = keywords(make)
    for given in options:
        if not open_ and given not in known:
            raise TypeError(
                format_error(f"{name} has no argument {given!r}", hint=hint(given, known))
            )


def hint(keyword: str, known: tuple[str, ...]) -> str:
    """Return a hint for an unknown keyword: our name for it, a reason, or all known keywords.

    Examples
    --------
    >>> hint("epoch", ("x", "epochs")), hint("what", ("x", "y"))
    ('it is epochs', 'there are x, y')
    """
    meant = [ours for ours, theirs in KEYWORDS.items() if keyword in theirs.split()]
    for ours in (*meant, *difflib.get_close_matches(keyword, known, 1, 0.75)):
        if ours in known:
            return f"it is {ours}"
    return NOTES.get(keyword) or (f"there are {', '.join(known)}" if known else "there are none")


@cache
def keywords(make: Any) -> tuple[tuple[str, ...], bool]:
    """Return the keywords of a class or function, and whether it takes any other keyword.

    Constructors that take ``**options`` also take the keywords of the base classes.
    """
    found: dict[str, None] = {}
    chain = [vars(kind).get("__init__") for kind in make.__mro__] if isinstance(make, type) else []
    for constructor in [one for one in chain if one not in (None, object.__init__)] or [make]:
        taken = signature(constructor).parameters.values()
        found.update(dict.fromkeys(p.name for p in taken if p.kind in KEYWORD_KINDS))
        if not any(p.kind is Parameter.VAR_KEYWORD for p in taken):
            return tuple(name for name in found if name != "self"), False
        if not str(getattr(constructor, "__module__", "")).startswith("symtheano."):
            break  # the constructor of a user's class may take any keyword
    return tuple(found), True


KEYWORD_KINDS = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


def explained(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function whose errors for unknown keywords name ours.

    Examples
    --------
    >>> explained(lambda epochs: epochs)(epochs=2)
    2
    """

    @wraps(function)
    def call(*args: P.args, **options: P.kwargs) -> R:
        check_keywords(function, function.__name__, options)
        return function(*args, **options)

    return call


class Explained:
    """Base class of classes whose constructors raise helpful errors for unknown keywords."""

    def __new__(cls: type[Self], *args: Any, **options: Any) -> Self:
        """Return a new object, after a check of the keywords."""
        check_keywords(cls, cls.__name__, options)
        return super().__new__(cls)
