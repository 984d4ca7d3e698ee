"""What all optimizers share: dtypes, state, learning rate, clipping, descriptions, errors."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import symtheano.tensor as T
from symtheano import function, grad, nn, shared
from symtheano.nn import SGD, Adam, optimizers
from symtheano.nn.optimizers import NAdam, Optimizer
from symtheano.nn.schedules import ExponentialDecay, Warmup
from tests.nn.optimizers.rules import CLIPPING, INTERPRET, quadratic

KINDS = {name: kind for name, kind in optimizers.OPTIMIZERS.items() if issubclass(kind, Optimizer)}


# Options with which a rule uses all of its formula.
FULL: dict[str, dict[str, Any]] = {
    "sgd": {"momentum": 0.9, "dampening": 0.1},
    "rmsprop": {"momentum": 0.9, "centered": True},
    "adam": {"amsgrad": True},
    "adagrad": {"learning_rate_decay": 0.1},
}


def made(name: str, **options: Any) -> Optimizer:
    rule: Optimizer = KINDS[name](**FULL.get(name, {}), **options)
    return rule


def values(rule: Optimizer) -> dict[str, Any]:
    return {name: variable.get_value() for name, variable in rule.state.items()}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("clipping", CLIPPING, ids=lambda item: next(iter(item), "no"))
@pytest.mark.parametrize("rate", [0.1, ExponentialDecay(0.1, 3, 0.3)], ids=["number", "schedule"])
def test_every_update_has_the_dtype_of_its_variable(
    name: str, dtype: str, clipping: dict[str, Any], rate: Any
) -> None:
    rule = made(name, learning_rate=rate, weight_decay=0.1, **clipping)
    cost, parameters = quadratic((3, 2), (2,), (), dtype=dtype)
    found = rule.updates(cost, parameters)
    assert set(parameters) <= set(found)
    for variable, new in found.items():
        assert (new.dtype, new.ndim) == (variable.dtype, variable.ndim)
    numbers = {"step": "int64", "learning_rate": "float64", "momentum_product": "float64"}
    for key, variable in rule.state.items():
        assert variable.dtype == numbers.get(key, dtype)


@pytest.mark.parametrize("name", KINDS)
def test_nothing_of_float32_is_computed_in_float64(name: str) -> None:
    """Only 0-d values are float64."""
    cost, parameters = quadratic((3, 2), (2,))
    found = made(name, weight_decay=0.1, global_clipnorm=1.0).updates(cost, parameters)
    step = function([], [], updates=found, mode=INTERPRET)
    wide = [
        out
        for node in step.graph.toposort()
        for out in node.outputs
        if getattr(out, "dtype", "") == "float64" and out.ndim
    ]
    assert wide == []


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("shape", [(0, 3), (1,), (), (2, 3, 2, 2)])
def test_any_shape(name: str, shape: tuple[int, ...]) -> None:
    cost, (p,) = quadratic(shape, dtype="float64")
    old = p.get_value()
    function([], [], updates=made(name).updates(cost, [p]), mode=INTERPRET)()
    assert p.get_value().shape == shape
    assert (np.sign(old - p.get_value()) == np.sign(old)).all()


@pytest.mark.parametrize("name", KINDS)
def test_zero_gradients_change_nothing(name: str) -> None:
    p = shared(np.array([1.0, -2.0], "float32"), "p")
    rule = made(name, weight_decay=0.0)
    found = rule.updates(None, [p], [T.zeros_like(p)])
    step = function([], [], updates=found, mode=INTERPRET)
    for _ in range(3):
        step()
    assert_array_equal(p.get_value(), np.array([1.0, -2.0], "float32"))
    assert all(np.isfinite(value).all() for value in values(rule).values())


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_tiny_and_large_gradients_give_no_nan(name: str, dtype: str) -> None:
    p = shared(np.array([1.0, -2.0], dtype), "p")
    for size in (1e-7, 100.0):
        gradient = T.full_like(p, size)
        step = function([], [], updates=made(name).updates(None, [p], [gradient]), mode=INTERPRET)
        for _ in range(3):
            step()
        assert np.isfinite(p.get_value()).all()


@pytest.mark.parametrize("name", KINDS)
def test_training_goes_on_from_a_saved_state(name: str) -> None:
    def train(rule: Optimizer, parameters: list[Any], cost: Any, count: int) -> None:
        step = function([], [], updates=rule.updates(cost, parameters), mode=INTERPRET)
        for _ in range(count):
            step()

    cost, parameters = quadratic((3, 2), (2,))
    rule = made(name, learning_rate=ExponentialDecay(0.1, 3, 0.3))
    train(rule, parameters, cost, 3)
    saved = pickle.loads(pickle.dumps(values(rule)))
    config = json.loads(json.dumps(rule.config()))
    half = [p.get_value() for p in parameters]
    train(rule, parameters, cost, 3)

    cost, others = quadratic((3, 2), (2,))
    other = optimizers.from_config(config)
    for p, value in zip(others, half, strict=True):
        p.set_value(value)
    other.updates(cost, others)
    other.restore(saved)
    assert other.step == 3
    train(other, others, cost, 3)
    for one, two in zip(parameters, others, strict=True):
        assert_array_equal(one.get_value(), two.get_value())
    assert values(rule).keys() == values(other).keys()
    for key, value in values(rule).items():
        assert_array_equal(value, values(other)[key])


def test_expressions_are_made_only_for_parameters_without_a_state() -> None:
    calls = []

    class Counted(nn.Adam):
        def change(self, gradient: Any, memory: Any, numbers: Any) -> Any:
            calls.append(memory.label)
            if memory.label == "bad":
                raise KeyError("bad")
            return super().change(gradient, memory, numbers)

    rule, (u, v, bad) = Counted(), (shared(np.ones(2), name) for name in ("u", "v", "bad"))
    rule.create_state([u])
    assert calls == ["u"]
    rule.create_state([u])
    assert calls == ["u"]
    rule.create_state([u, v])
    assert calls == ["u", "u", "v"]
    for _ in range(2):  # the state of a parameter may be a part only, if this fails
        with pytest.raises(KeyError, match="bad"):
            rule.create_state([u, v, bad])
    assert {"u.mean", "u.square", "v.mean", "v.square"} <= {*rule.state}
    calls.clear()
    rule.create_state([u, v])
    assert calls == []


def test_a_state_that_does_not_fit_changes_nothing() -> None:
    cost, parameters = quadratic((3,))
    rule = SGD(0.1, momentum=0.5)
    rule.updates(cost, parameters)
    before = values(rule)
    good = {**before, "step": np.asarray(9)}
    for wrong, message in [
        ({"step": np.asarray(9)}, "names of the state to restore differ"),
        ({**good, "other": 1}, r"those of the optimizer: \['other'\]"),
        ({**good, "p0.velocity": np.zeros(4, "float32")}, r"of shape \(4,\)"),
        ({**good, "p0.velocity": np.zeros(3)}, "p0.velocity is float32.*is float64"),
        ({**good, "step": np.asarray(9.0)}, "step is int64"),
    ]:
        with pytest.raises(ValueError, match=message):
            rule.restore(wrong)
        assert rule.step == 0
    rule.restore(good)
    assert rule.step == 9


def test_the_learning_rate_changes_without_a_new_function() -> None:
    p = shared(np.array(0.0), "p")
    rule = SGD(0.5)
    step = function([], [], updates=rule.updates(p, [p]), mode=INTERPRET)
    step()
    assert rule.learning_rate == 0.5
    rule.learning_rate = 0.25
    step()
    assert rule.learning_rate == 0.25
    assert p.get_value() == -0.75
    assert rule.config()["learning_rate"] == 0.25
    assert rule.step == 2


def test_a_schedule_counts_updates() -> None:
    p = shared(np.array(0.0), "p")
    rule = SGD(Warmup(1.0, 4))
    assert "learning_rate" not in rule.state
    step = function([], [], updates=rule.updates(p, [p]), mode=INTERPRET)
    path = []
    for _ in range(6):
        path.append(rule.learning_rate)
        step()
    assert path == [0, 0.25, 0.5, 0.75, 1, 1]
    assert p.get_value() == -3.5
    with pytest.raises(ValueError, match=r"is given by Warmup\(.*only a learning rate that is"):
        rule.learning_rate = 0.1


def test_the_learning_rate_may_be_an_expression() -> None:
    p, rate = shared(np.array(0.0, "float32"), "p"), T.dscalar("rate")
    found = SGD(rate).updates(p, [p])
    assert found[p].dtype == "float32"
    step = function([rate], [], updates=found, mode=INTERPRET)
    step(0.5)
    assert p.get_value() == -0.5
    own = shared(np.array(0.5, "float32"), "own")
    rule = SGD(own)
    rule.learning_rate = 0.25
    assert own.get_value() == 0.25
    assert own.dtype == "float32"


@pytest.mark.parametrize("name", ["sgd", "adamw"])
def test_weight_decay_by_names(name: str) -> None:
    """Three steps are those of the formulas in NumPy; two of four parameters do not decay."""
    rng = np.random.default_rng(5)
    names = ["dense/kernel", "dense/bias", "batch_norm/gamma", "kernel_of_mine"]
    old = {key: rng.normal(size=3) for key in names}
    slopes = {key: rng.normal(size=3) for key in names}
    parameters = [shared(old[key].copy(), key) for key in names]
    rule = optimizers.OPTIMIZERS[name](
        0.1, weight_decay=0.3, exclude_from_weight_decay=["bias", "norm"]
    )
    gradients = [T.constant(slopes[key]) for key in names]
    step = function([], [], updates=rule.updates(None, parameters, gradients), mode=INTERPRET)
    for _ in range(3):
        step()
    for key, p in zip(names, parameters, strict=True):
        decay, w = (0.3 if "kernel" in key else 0.0), old[key]
        m = v = np.zeros(3)
        for t in range(1, 4):
            if name == "sgd":
                w = w - 0.1 * (slopes[key] + decay * w)
                continue
            m = 0.9 * m + 0.1 * slopes[key]
            v = 0.999 * v + 0.001 * slopes[key] ** 2
            root = np.sqrt(v / (1 - 0.999**t)) + 1e-8
            w = w - 0.1 * decay * w - 0.1 * (m / (1 - 0.9**t)) / root
        assert_allclose(p.get_value(), w, rtol=1e-12)
    again = optimizers.from_config(json.loads(json.dumps(rule.config())))
    assert again.exclude_from_weight_decay == rule.exclude_from_weight_decay == ("bias", "norm")


def test_layers_of_a_model_do_not_decay() -> None:
    def trained(decay: float, excluded: list[str]) -> dict[str, Any]:
        x = nn.Input(3, "float64", seed=0)
        model = nn.Model(x, nn.dense(nn.batch_norm(nn.dense(x, 2, bias_initializer="ones")), 2))
        rule = nn.SGD(0.1, weight_decay=decay, exclude_from_weight_decay=excluded)
        model.compile("mse", rule, backend="numpy")
        zeros = np.zeros((4, 2))
        model.fit(np.ones((4, 3)), zeros, epochs=1, verbose=0)
        return {p.variable.name: p.variable.get_value() for p in model.parameters}

    plain, partly = trained(0.0, []), trained(0.5, ["bias", "norm"])
    differing = {key for key in plain if (plain[key] != partly[key]).any()}
    assert differing == {"dense/kernel", "dense_1/kernel"}


def test_gradients_of_another_dtype() -> None:
    p = shared(np.zeros(2, "float32"), "p")
    found = SGD(1.0).updates(None, [p], [T.constant(np.array([0.1, 0.2]))])
    assert found[p].dtype == "float32"


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("clipping", CLIPPING, ids=lambda item: next(iter(item), "no"))
def test_descriptions_come_back(name: str, clipping: dict[str, Any]) -> None:
    for rate in (0.25, Warmup(ExponentialDecay(0.1, 3, 0.3), 5)):
        rule = made(name, learning_rate=rate, weight_decay=0.125, **clipping)
        config = json.loads(json.dumps(rule.config()))
        back = optimizers.from_config(config)
        assert type(back) is type(rule)
        assert back.config() == rule.config() == config
        assert repr(back) == repr(rule)


def test_get() -> None:
    for name, kind in optimizers.OPTIMIZERS.items():
        assert type(optimizers.get(name)) is kind
        assert type(optimizers.get(kind.__name__)) is kind
        assert type(optimizers.get(kind)) is kind
    rule = Adam(0.5)
    assert optimizers.get(rule) is rule
    assert optimizers.get(rule.config()).learning_rate == 0.5
    with pytest.raises(ValueError, match="unknown optimizer 'addam'; did you mean 'adam'"):
        optimizers.get("addam")
    with pytest.raises(TypeError, match="a name or an Optimizer, not 3"):
        optimizers.get(3)
    assert nn.Adam is Adam


def test_wrong_arguments() -> None:
    p = shared(np.zeros(2), "p")
    with pytest.raises(
        TypeError, match=r"SGD: exclude_from_weight_decay must be a list .* not 'bias'"
    ):
        SGD(weight_decay=0.1, exclude_from_weight_decay="bias")
    with pytest.raises(ValueError, match="SGD: at most one of clipvalue, clipnorm"):
        SGD(clipvalue=1.0, clipnorm=1.0)
    with pytest.raises(ValueError, match="Adam: clipnorm must be positive, not 0"):
        Adam(clipnorm=0)
    with pytest.raises(ValueError, match="nesterov=True needs momentum > 0 and dampening = 0"):
        SGD(nesterov=True)
    with pytest.raises(TypeError, match="Adam has no argument 'momentum'"):
        Adam(momentum=0.9)
    with pytest.raises(
        TypeError, match="SGD: parameters must be shared variables of floats, not x"
    ):
        SGD().updates(p.sum(), [T.vector("x")])
    counts = shared(np.zeros(2, "int64"), "counts")
    with pytest.raises(TypeError, match="shared variables of floats, not counts"):
        SGD().updates(p.sum(), [counts])
    with pytest.raises(ValueError, match="the parameter p is given twice"):
        SGD().updates(p.sum(), [p, p])
    with pytest.raises(ValueError, match="2 gradients were given for 1 parameters"):
        SGD().updates(None, [p], [p, p])
    with pytest.raises(ValueError, match=r"has wrong arguments.*momentun"):
        optimizers.from_config({"class": "SGD", "momentun": 0.9})


def test_one_parameter_without_a_list() -> None:
    p = shared(np.zeros(2), "p")
    assert p in SGD().updates(p.sum(), p)


def test_no_parameters() -> None:
    assert list(NAdam(global_clipnorm=1.0).updates(T.constant(1.0), [])) != []


def test_a_parameter_that_the_cost_does_not_need() -> None:
    p, q = shared(np.zeros(2), "p"), shared(np.zeros(2), "q")
    with pytest.raises(Exception, match="q") as caught:
        SGD().updates(p.sum(), [p, q])
    with pytest.raises(type(caught.value)):
        grad(p.sum(), q)


@pytest.mark.parametrize("rate", [[1, 2], "a", None])
def test_a_learning_rate_is_a_number(rate: Any) -> None:
    with pytest.raises(TypeError, match="SGD: learning_rate must be a number, a schedule or a 0-d"):
        SGD(rate)
    optimizer = SGD(0.5)
    with pytest.raises(TypeError, match="SGD: learning_rate must be a number"):
        optimizer.learning_rate = rate
    assert optimizer.learning_rate == 0.5


@pytest.mark.parametrize(
    ("optimizer", "text"),
    [
        (nn.SGD(), "SGD(learning_rate=0.01)"),
        (nn.SGD(0.5, momentum=0.9), "SGD(learning_rate=0.5, momentum=0.9)"),
        (nn.Adam(clipnorm=1.0), "Adam(learning_rate=0.001, clipnorm=1.0)"),
    ],
)
def test_text_has_the_arguments_that_differ_from_their_defaults(optimizer: Any, text: str) -> None:
    assert repr(optimizer) == text
