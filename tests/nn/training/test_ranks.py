"""Models that several processes train together, against one process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano
from symtheano import distributed, nn
from symtheano.nn.training.ranks import Ranks, part_of, plan_of
from tests.support.ranks import results_of, run_ranks

pytestmark = [pytest.mark.needs_mpi, pytest.mark.needs_cc]


@pytest.mark.parametrize("size", [1, 2, 3, 5])
@pytest.mark.parametrize(("count", "batch"), [(10, 5), (11, 5), (7, 7), (6, 5), (0, 5), (4, 9)])
def test_each_sample_is_in_one_part_of_its_batch(size: int, count: int, batch: int) -> None:
    order = np.random.default_rng(count).permutation(count)
    parts = [part_of(order, batch, rank, size) for rank in range(size)]
    assert len({batches for _, _, batches in parts}) == 1
    for number in range(parts[0][2]):
        whole = order[number * batch : (number + 1) * batch]
        mine = [rows[number * length : (number + 1) * length] for rows, length, _ in parts]
        np.testing.assert_array_equal(np.concatenate(mine), whole)
    assert sorted(np.concatenate([rows for rows, _, _ in parts]).tolist()) == list(range(count))


MODEL = """
numbers = np.random.default_rng(3)
X = numbers.normal(size=(103, 8)).astype("float32")
Y = (X[:, 0] * X[:, 1] > 0).astype(int)

def model(*layers, optimizer=None, seed=1, **options):
    # All but rank 0 begin with other values and another order of samples.
    made = nn.Model(seed=seed + rank)
    for layer in (nn.Dense(16, "tanh", kernel_regularizer="l2"), *layers, nn.Dense(2, "softmax")):
        made.add(layer)
    made.compile("categorical_crossentropy", optimizer or nn.Adam(0.01), metrics=["accuracy"],
                 **options)
    return made

def fit(made, distribute, epochs=3, **options):
    options = {"validation_split": 0.2, "batch_size": 21, "verbose": 2, **options}
    return made.fit(X, Y, epochs=epochs, distribute=distribute, **options)

def facts(made):
    return made.get_weights(), made.history.history
"""

TRAINED = (
    MODEL
    + """
sync = distributed.DataParallel(synchronize_batch_norm=True, bucket_bytes=100)
cases = {
    "plain": ([], {}, "mpi"),
    "clipped": ([], {"optimizer": nn.SGD(0.1, global_clipnorm=0.05)}, "mpi"),
    "normalized": ([nn.BatchNorm()], {}, sync),
}
for name, (layers, options, how) in cases.items():
    for kind, distribute in (("alone", None), ("together", how)):
        if kind == "alone" and rank:
            continue
        made = model(*[nn.BatchNorm() for _ in layers], **options)
        fit(made, distribute)
        result[name, kind] = facts(made)
made = model()
weights = np.linspace(0.5, 2, len(X))
fit(made, "mpi", sample_weight=weights, class_weight={0: 1.0, 1: 2.0})
result["weighted", "together"] = facts(made)
if rank == 0:
    made = model()
    fit(made, None, sample_weight=weights, class_weight={0: 1.0, 1: 2.0})
    result["weighted", "alone"] = facts(made)
# The last batch has one sample, so that ranks have none.
made = model(nn.BatchNorm())
fit(made, "mpi", validation_split=None, batch_size=51)
result["short", "together"] = facts(made)
made = model(nn.Dropout(0.5))
fit(made, "mpi", epochs=2)
result["dropout", "together"] = facts(made)
result["predicted"] = made.predict(X[:4])
result["randomness"] = [s.get_value() for s, _ in made.network.randomness.streams.updates()]
"""
)


def test_it_is_as_one_process(tmp_path: Path) -> None:
    ended = run_ranks(tmp_path, 2, TRAINED)
    assert ended.status == 0, ended.output
    results = ended.results
    for name in ("plain", "clipped", "normalized", "weighted"):
        weights, history = results[0][name, "alone"]
        for result in results:
            mine, logs = result[name, "together"]
            for a, b in zip(mine, weights, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-3, atol=2e-5, err_msg=name)
            assert logs.keys() == history.keys() == {
                "loss", "accuracy", "val_loss", "val_accuracy"
            }  # fmt: skip
            for key in logs:
                np.testing.assert_allclose(logs[key], history[key], rtol=1e-4, err_msg=name)
    for name in ("plain", "clipped", "normalized", "weighted", "short", "dropout"):
        for a, b in zip(*(result[name, "together"][0] for result in results), strict=True):
            assert a.tobytes() == b.tobytes(), name
            assert np.isfinite(a).all()
        assert results[0][name, "together"][1] == results[1][name, "together"][1]
    np.testing.assert_array_equal(results[0]["predicted"], results[1]["predicted"])
    np.testing.assert_array_equal(results[0]["randomness"], results[1]["randomness"])
    # Rank 0 alone shows progress: of the six fits together, and of its own four.
    assert ended.output.count("epoch 1/") == 10


MASKED = """
numbers = np.random.default_rng(5)
N = 43
X = numbers.normal(size=(N, 6, 3)).astype("float32")
LENGTHS = numbers.integers(0, 7, N)  # rows without any step are among them
for row, length in zip(X, LENGTHS):
    row[length:] = 9.0
Y = numbers.normal(size=(N, 6, 2)).astype("float32")

def model(kind):
    x = nn.Input((6, 3), seed=1 + rank)
    y = nn.SimpleRNN(5, return_sequences=True, kernel_regularizer="l2", stateful=kind == "stateful",
                     )(x if kind in ("rmse", "stateful") else nn.Masking(9.0)(x))
    outputs = nn.Dense(2)(y)
    if kind == "several":  # a loss with a mask, and one without
        outputs = [outputs, nn.Dense(1)(nn.Flatten()(x))]
    made = nn.Model(x, outputs)
    losses = ["mse", "mae"] if kind == "several" else "rmse" if kind == "rmse" else "mse"
    made.compile(losses, nn.Adam(0.01), metrics=None if kind == "several" else ["mae"])
    return made

def train(kind, distribute):
    made = model(kind)
    y = [Y, Y[:, 0, :1]] if kind == "several" else Y
    options = {"batch_size": 7, "epochs": 2, "verbose": 0, "distribute": distribute}
    if kind == "stateful":
        options |= {"shuffle": False, "batch_size": 9}
        split = slice(0, 36), slice(36, 43)
        data = X[split[0]], y[split[0]]
        held = X[18:36], y[18:36]
    else:
        data, held = (X, y), (X[:20], [each[:20] for each in y] if kind == "several" else y[:20])
        options["sample_weight"] = np.linspace(0.5, 2, N)
        if kind == "several":
            options["sample_weight"] = None
    made.fit(*data, validation_data=held, **options)
    return made.get_weights(), made.history.history, [s.get_value() for s in made.network.states]

for kind in ("masked", "several", "rmse", "stateful"):
    result[kind, "together"] = train(kind, "mpi")
    if rank == 0:
        result[kind, "alone"] = train(kind, None)
"""


def test_losses_that_are_no_means_over_samples_and_carried_states(tmp_path: Path) -> None:
    results = results_of(tmp_path, 2, MASKED)
    for kind in ("masked", "several", "rmse", "stateful"):
        weights, history, states = results[0][kind, "alone"]
        assert len(states) == (kind == "stateful")
        for result in results:
            mine, logs, carried = result[kind, "together"]
            for a, b in zip([*mine, *carried], [*weights, *states], strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-3, atol=2e-5, err_msg=kind)
            assert logs.keys() == history.keys()
            for key in logs:
                np.testing.assert_allclose(
                    logs[key], history[key], rtol=1e-4, err_msg=f"{kind}: {key}"
                )
        for a, b in zip(*(result[kind, "together"][0] for result in results), strict=True):
            assert a.tobytes() == b.tobytes(), kind


ONE_BATCH = (
    MODEL
    + """
cuts = [(0, 13, 20), (20, 20, 31), (31, 60, 60), (60, 81, 103)]  # ranks without samples, too
def steps(made, distribute):
    measures = []
    for first, middle, last in cuts:
        part = slice(first, last)
        if distribute:
            part = slice(middle, last) if rank else slice(first, middle)
        weights = None if "weights" not in distribute_kind else np.linspace(0.5, 2, len(X))[part]
        measures.append(dict(made.train_on_batch(X[part], Y[part], weights, distribute=distribute)))
        measures.append(dict(made.test_on_batch(X[part], Y[part], weights, distribute=distribute)))
    return made.get_weights(), measures

sync = distributed.DataParallel(synchronize_batch_norm=True)
made = model(backend="emulated")
fit(made, "mpi", epochs=1)
result["device"] = facts(made)
made = model()
fit(made, "mpi", epochs=1)
result["no device"] = facts(made)
for distribute_kind in ("plain", "weights", "normalized", "dropout"):
    layers = {"normalized": [nn.BatchNorm], "dropout": [nn.Dropout]}.get(distribute_kind, [])
    make = lambda: model(*(kind(*[0.5] * (kind is nn.Dropout)) for kind in layers))
    result[distribute_kind, "together"] = steps(make(), sync if layers else "mpi")
    if rank == 0:
        result[distribute_kind, "alone"] = steps(make(), None)
made = model(nn.BatchNorm())
made.train_on_batch(X[rank:9], Y[rank:9], distribute="mpi")
result["running"] = made.get_weights()
try:
    made.train_on_batch(X, Y, np.ones(len(X)) if rank else None, distribute="mpi")
except distributed.DistributedError as error:
    result["kinds"] = str(error)
carries = nn.Model(seed=0)
carries.add(nn.SimpleRNN(2, stateful=True))
carries.add(nn.Dense(1))
carries.compile("mse", "sgd")
try:
    carries.train_on_batch(np.ones((2, 3, 4)), np.ones((2, 1)), distribute="mpi")
except NotImplementedError as error:
    result["stateful"] = str(error)
"""
)


def test_steps_with_a_batch_of_each_rank(tmp_path: Path) -> None:
    results = results_of(tmp_path, 2, ONE_BATCH)
    for kind in ("plain", "weights", "normalized", "dropout"):
        weights, measures = results[0][kind, "alone"]
        for result in results:
            mine, its = result[kind, "together"]
            assert its == results[0][kind, "together"][1], "all ranks have the same measures"
            if kind == "dropout":  # the ranks drop other units
                continue
            for a, b in zip(mine, weights, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-3, atol=2e-5, err_msg=kind)
            for a, b in zip(its, measures, strict=True):
                assert a == pytest.approx(b, rel=1e-4), kind
        for a, b in zip(*(result[kind, "together"][0] for result in results), strict=True):
            assert a.tobytes() == b.tobytes(), kind
            assert np.isfinite(a).all(), kind
    for result in results:
        for a, b in zip(result["device"][0], result["no device"][0], strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-3, atol=2e-5)
        for name, values in result["no device"][1].items():
            assert result["device"][1][name] == pytest.approx(values, rel=1e-4), name
    for a, b in zip(*(result["running"] for result in results), strict=True):
        assert a.tobytes() == b.tobytes(), "running statistics are averaged"
    for result in results:
        assert "train_on_batch: rank 1 of 2 and rank 0 differ" in result["kinds"]
        assert "stateful layers in fit with arrays only" in result["stateful"]


FED = (
    MODEL
    + """
def batches(size, own):
    for k in range(0, 100, size):
        part = slice(k, k + size) if not own else slice(k + 7 * rank, k + (7, size)[rank])
        yield X[part], Y[part]

held = [(X[:30], Y[:30]), (X[30:50], Y[30:50])]
made = model(nn.BatchNorm())
sync = distributed.DataParallel(synchronize_batch_norm=True)
made.fit(list(batches(20, True)), epochs=2, validation_data=held[rank:rank + 1], verbose=0,
         distribute=sync)
result["together"] = facts(made)
if rank == 0:
    made = model(nn.BatchNorm())
    made.fit(list(batches(20, False)), epochs=2, validation_data=held, verbose=0)
    result["alone"] = facts(made)
made = model()
made.fit(batches(20, True), epochs=1, steps_per_epoch=5, verbose=0, distribute="mpi")
result["generator"] = facts(made)
share = nn.data.Batches(X, Y, batch_size=8, share=(rank, count))
made.fit(share, epochs=2, verbose=0, distribute="mpi")
result["share"] = facts(made)
try:
    made.fit(list(batches(20, True))[: 5 - rank], epochs=1, verbose=0, distribute="mpi")
except distributed.DistributedError as error:
    result["numbers"] = str(error)
"""
)


def test_batches_of_each_rank(tmp_path: Path) -> None:
    results = results_of(tmp_path, 2, FED)
    weights, history = results[0]["alone"]
    for result in results:
        mine, logs = result["together"]
        for a, b in zip(mine, weights, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-3, atol=2e-5)
        for key in history:
            np.testing.assert_allclose(logs[key], history[key], rtol=1e-4, err_msg=key)
        assert "the number of batches is 5 on rank 0" in result["numbers"]
    for name in ("generator", "share"):
        for a, b in zip(results[0][name][0], results[1][name][0], strict=True):
            assert a.tobytes() == b.tobytes()


SHORT = (
    MODEL
    + """
class Wrong(list):
    def __len__(self):
        return 5
made = model()
made.fit(Wrong([(X[:20], Y[:20])] * (5 - 2 * rank)), epochs=1, verbose=0, distribute="mpi")
"""
)


def test_a_rank_whose_batches_end_early_ends_all(tmp_path: Path) -> None:
    ended = run_ranks(tmp_path, 2, SHORT, limit=60)
    assert ended.status != 0
    assert "epoch 0 had only 3 of 5 batches" in ended.output
    assert "this was rank 1 of 2" in ended.output


RESUMED = (
    MODEL
    + """
import os
from pathlib import Path
path = Path(os.environ["CHECKPOINT"])
made = model(nn.Dropout(0.3))
checkpoint = nn.Checkpoint(path, resume=True)
log = nn.CSVLogger(path.with_suffix(".csv"), append=True)
class Count(nn.Callback):
    calls = 0
    def on_epoch_end(self, epoch, logs):
        Count.calls += 1
fit(made, "mpi" if count > 1 else None, epochs=int(os.environ["EPOCHS"]),
    callbacks=[checkpoint, log, Count()])
result["facts"], result["calls"] = facts(made), Count.calls
"""
)


def test_a_file_continues_with_another_number_of_ranks(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("whole", "parts", "others")]
    for folder in folders:
        folder.mkdir()
    path = [str(folder / "model.safetensors") for folder in folders]
    (whole, _) = results_of(folders[0], 2, RESUMED, CHECKPOINT=path[0], EPOCHS="4")
    assert len((folders[0] / "model.csv").read_text().splitlines()) == 5, "rank 0 alone writes"
    results_of(folders[1], 2, RESUMED, CHECKPOINT=path[1], EPOCHS="2")
    (parts, other) = results_of(folders[1], 2, RESUMED, CHECKPOINT=path[1], EPOCHS="4")
    assert parts["calls"] == other["calls"] == 2
    for a, b in zip(whole["facts"][0], parts["facts"][0], strict=True):
        assert a.tobytes() == b.tobytes(), "the same bits as without an interruption"
    assert whole["facts"][1] == parts["facts"][1]
    # Three ranks, then one.
    (three, *_) = results_of(folders[1], 3, RESUMED, CHECKPOINT=path[1], EPOCHS="5")
    (one,) = results_of(folders[1], 1, RESUMED, CHECKPOINT=path[1], EPOCHS="6")
    assert [len(each["facts"][1]["loss"]) for each in (three, one)] == [5, 6]
    assert three["facts"][1]["loss"] == one["facts"][1]["loss"][:5]
    assert not list(folders[1].glob("*.tmp*"))


FULL = (
    MODEL
    + """
made = model()
class Fill(nn.Callback):
    def on_epoch_begin(self, epoch):
        import resource
        if epoch == 2 and rank == 0:  # a file can have no more than 100 bytes, as on a full disk
            import signal
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
fit(made, "mpi", epochs=4, callbacks=[Fill(), nn.Checkpoint("model.safetensors")])
"""
)


def test_a_full_disk_loses_no_file(tmp_path: Path) -> None:
    ended = run_ranks(tmp_path, 2, FULL, limit=60)
    assert ended.status != 0
    assert ended.results == [None, None]
    assert ended.output.count("symtheano: this was rank 0 of 2; all ranks end") == 1
    assert "OSError" in ended.output
    assert nn.Model.load(tmp_path / "model.safetensors").epochs_done == 2


LONG = (
    MODEL
    + """
import os, signal, threading
if rank == 1:
    threading.Timer(float(os.environ["DELAY"]), os.kill, (os.getpid(), signal.SIGKILL)).start()
made = model()
fit(made, "mpi", epochs=100_000, verbose=0, callbacks=[nn.Checkpoint("model.safetensors")])
"""
)


def test_a_rank_that_is_killed_at_any_moment_loses_no_file(tmp_path: Path) -> None:
    delay = 1.5 + float(np.random.default_rng().uniform(0, 1))
    ended = run_ranks(tmp_path, 2, LONG, limit=60, DELAY=str(delay))
    assert ended.status != 0
    assert ended.results == [None, None]
    path = tmp_path / "model.safetensors"
    if path.exists():  # else it was killed in the first epoch
        assert nn.Model.load(path).epochs_done > 0


DIFFERENT = (
    MODEL
    + """
made = model()
try:
    made.fit(X[: 50 + rank], Y[: 50 + rank], epochs=1, distribute="mpi", verbose=0)
except distributed.DistributedError as error:
    result["samples"] = str(error)
made = model(*[nn.Dense(4)] * rank)
try:
    made.fit(X, Y, epochs=1, distribute="mpi", verbose=0)
except distributed.DistributedError as error:
    result["layers"] = str(error)
"""
)


def test_ranks_with_other_samples_or_another_model(tmp_path: Path) -> None:
    for result in results_of(tmp_path, 2, DIFFERENT):
        assert (
            "the number of samples is 50 on rank 0, the number of samples is 51 on rank 1"
            in (result["samples"])
        )
        assert "fit: rank 1 of 2 and rank 0 differ" in result["layers"]


def model(*layers: Any, loss: str = "mse", optimizer: Any = "sgd", **options: Any) -> nn.Model:
    made = nn.Model(seed=1)
    for layer in (*layers, nn.Dense(1)):
        made.add(layer)
    made.compile(loss, optimizer, **options)
    return made


X, Y = np.random.default_rng(0).normal(size=(20, 3)).astype("float32"), np.ones((20, 1))


class Unknown:
    def __iter__(self) -> Any:
        return iter([(X, Y)])


def test_what_is_not_supported() -> None:
    def fit(made: nn.Model, x: Any = X, y: Any = Y, **options: Any) -> None:
        made.fit(x, y, distribute="mpi", verbose=0, **options)

    with pytest.raises(ValueError, match="needs the number of batches of an epoch"):
        fit(model(), Unknown(), None)
    with pytest.raises(NotImplementedError, match="on_nan"):
        fit(model(), on_nan="raise")
    with pytest.raises(NotImplementedError, match="LBFGS"):
        fit(model(optimizer=nn.LBFGS()))
    with pytest.raises(ValueError, match="distribute must be 'mpi' or a DataParallel"):
        model().fit(X, Y, distribute="horovod", verbose=0)
    assert plan_of(distributed.DataParallel(bucket_bytes=5)).bucket_bytes == 5


def test_one_process_is_as_without(tmp_path: Path) -> None:
    left, right = model(), model()
    seen: list[int] = []

    class Threads(nn.Callback):
        def on_epoch_end(self, epoch: int, logs: dict[str, Any]) -> None:
            seen.append(symtheano.config.threads)

    left.fit(X, Y, epochs=2, verbose=0)
    right.fit(X, Y, epochs=2, verbose=0, distribute="mpi", callbacks=Threads())
    # Validation has its part of the processors, too.
    assert seen == [symtheano.config.threads or distributed.DataParallel().threads()] * 2
    assert right.ranks is None
    for a, b in zip(left.get_weights(), right.get_weights(), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6)
    assert list(left.history["loss"]) == pytest.approx(list(right.history["loss"]))
    ranks = Ranks(distributed.DataParallel())
    assert ranks.any(True)
    assert not ranks.any(False)
    assert ranks.same("a") == "a"
