"""Learning rates: recorded numbers of Keras and torch, ends, descriptions."""

from __future__ import annotations

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

import symtheano.tensor as T
from symtheano import Mode, function
from symtheano.nn import schedules
from symtheano.nn.schedules import (
    Constant,
    CosineDecay,
    CosineRestarts,
    ExponentialDecay,
    InverseTimeDecay,
    OneCycle,
    PiecewiseConstant,
    PolynomialDecay,
    Schedule,
    Warmup,
    from_config,
    get,
)
from tests.nn.data.record import STEP_COUNTS
from tests.nn.recorded import load

INTERPRET = Mode("interpret", "fast_run")
RECORDED = load("schedules")

EQUAL = {
    "exponential": ExponentialDecay(0.3, 7, 0.6),
    "exponential_stairs": ExponentialDecay(0.3, 7, 0.6, staircase=True),
    "inverse_time": InverseTimeDecay(0.3, 7, 0.6),
    "inverse_time_stairs": InverseTimeDecay(0.3, 7, 0.6, staircase=True),
    "piecewise": PiecewiseConstant([3, 10], [0.3, 0.2, 0.1]),
    "polynomial": PolynomialDecay(0.3, 20, 0.01, power=1.5),
    "polynomial_cycle": PolynomialDecay(0.3, 7, 0.01, power=1.5, cycle=True),
    "cosine": CosineDecay(0.3, 20, alpha=0.1),
    "cosine_warmup": Warmup(CosineDecay(0.3, 20, alpha=0.1), 5),
    "cosine_restarts": CosineRestarts(0.3, 7, t_mul=1.5, m_mul=0.8, alpha=0.1),
    "cosine_restarts_equal": CosineRestarts(0.3, 7, t_mul=1.0, m_mul=0.8),
    "one_cycle_cos": OneCycle(0.3, 31),
    "one_cycle_linear": OneCycle(0.3, 31, anneal="linear"),
}


def rates(schedule: Schedule, steps: object = STEP_COUNTS) -> np.ndarray:
    return schedule(np.asarray(steps)).eval(mode=INTERPRET)


def test_all_are_recorded() -> None:
    assert EQUAL.keys() == RECORDED.keys()


@pytest.mark.parametrize("name", EQUAL)
def test_recorded_numbers(name: str) -> None:
    assert_allclose(rates(EQUAL[name]), RECORDED[name], rtol=1e-9)


@pytest.mark.parametrize("name", EQUAL)
def test_one_step_is_a_number(name: str) -> None:
    step = T.lscalar("step")
    rate = EQUAL[name](step)
    assert rate.dtype == "float64"
    assert rate.ndim == 0
    run = function([step], rate)
    found = [float(run(count)) for count in STEP_COUNTS]
    assert_allclose(found, rates(EQUAL[name]), rtol=1e-15)


def test_piecewise_changes_after_its_boundaries() -> None:
    schedule = PiecewiseConstant([3, 10], [0.3, 0.2, 0.1])
    assert rates(schedule, [0, 3, 4, 10, 11]).tolist() == [0.3, 0.3, 0.2, 0.2, 0.1]
    assert rates(PiecewiseConstant([], [0.5]), [0, 9]).tolist() == [0.5, 0.5]


@pytest.mark.parametrize("times", [1.0, 1.1, 1.5, 2.0, 3.0, 10.0])
def test_each_period_of_restarts_begins_at_the_top(times: float) -> None:
    schedule = CosineRestarts(0.3, 10, t_mul=times)
    begins = [sum(10 * times**n for n in range(period)) for period in range(6)]
    whole = [step for step in begins if abs(step - round(step)) < 1e-9]
    assert_allclose(rates(schedule, [round(step) for step in whole]), 0.3, rtol=1e-12)


def test_warmup() -> None:
    schedule = Warmup(0.4, 4, start=0.2)
    assert_allclose(rates(schedule, [0, 1, 2, 3, 4, 5]), [0.2, 0.25, 0.3, 0.35, 0.4, 0.4])
    inner = Warmup(ExponentialDecay(0.4, 1, 0.5), 2)
    assert_allclose(rates(inner, [0, 1, 2, 3, 4]), [0, 0.2, 0.4, 0.2, 0.1])


@pytest.mark.parametrize(("total", "share"), [(1, 0.3), (2, 0.5), (10, 0.0), (10, 1.0), (3, 0.1)])
def test_one_cycle_of_few_updates(total: int, share: float) -> None:
    found = rates(OneCycle(0.3, total, share), range(2 * total))
    assert np.isfinite(found).all()
    assert (found <= 0.3 * (1 + 1e-12)).all()
    assert (found > 0).all()


def test_huge_step_counts() -> None:
    for schedule in EQUAL.values():
        found = rates(schedule, [10**6, 10**9, 10**12])
        assert np.isfinite(found).all()
        assert (found >= 0).all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ExponentialDecay(0.1, 0, 0.5), "decay_steps must be positive, not 0"),
        (lambda: ExponentialDecay(0.1, 1, -0.5), "decay_rate must be positive, not -0.5"),
        (lambda: CosineDecay(0.1, float("nan")), "decay_steps must be positive, not nan"),
        (lambda: CosineRestarts(0.1, 1, t_mul=0.5), "t_mul must be at least 1, not 0.5"),
        (lambda: PiecewiseConstant([1], [0.1]), "1 boundaries need 2 values, not 1"),
        (lambda: PiecewiseConstant([2, 1], [1, 2, 3]), "boundaries must be in ascending order"),
        (lambda: Warmup(0.1, 0), "steps must be positive"),
        (lambda: OneCycle(0.1, 5, anneal="cosine"), "'cos' or 'linear', not 'cosine'"),
        (lambda: OneCycle(0.1, 5, 1.5), "pct_start must be between 0 and 1"),
    ],
)
def test_wrong_arguments(make: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("name", EQUAL)
def test_descriptions_come_back(name: str) -> None:
    schedule = EQUAL[name]
    assert from_config(json.loads(json.dumps(schedule.config()))) == schedule
    assert get(schedule.config()) == schedule


def test_get() -> None:
    schedule = CosineDecay(0.1, 5)
    assert get(schedule) is schedule
    assert get(0.5) == Constant(0.5)
    with pytest.raises(TypeError, match=r"needs arguments: write CosineDecay\("):
        get("cosine_decay")
    with pytest.raises(ValueError, match="did you mean 'cosine_decay'"):
        get("cosine_decai")
    with pytest.raises(TypeError, match="a Schedule or a number"):
        get(None)
    assert set(schedules.SCHEDULES.values()) == {Constant, *map(type, EQUAL.values())}
