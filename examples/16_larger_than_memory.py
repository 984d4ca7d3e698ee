# Lesson 16: data that are larger than the memory.
#
# A logistic regression is fitted to rows of a file, 128 MB here; nothing below depends on the size.
# SciPy's minimizer asks for the loss and its gradient. f.map computes both on chunks of the file in
# several threads, and adds them up. Only a few chunks are in memory at one time.

import os
import tempfile
import time

import numpy as np
from scipy.optimize import minimize

import symtheano.tensor as T
from symtheano import function, grad

ROWS, COLUMNS = 1_000_000, 32
folder = tempfile.TemporaryDirectory()
path = os.path.join(folder.name, "rows.npy")

# The file is written in parts, too: rows of random numbers, and labels that follow from them.
rng = np.random.default_rng(0)
truth = rng.normal(size=COLUMNS) / 2
rows = np.lib.format.open_memmap(path, "w+", "float32", (ROWS, COLUMNS))
labels = np.empty(ROWS, "float32")
for start in range(0, ROWS, 100_000):
    part = rng.standard_normal((100_000, COLUMNS), "float32")
    rows[start : start + 100_000] = part
    odds = part @ truth
    labels[start : start + 100_000] = 2 * (rng.random(100_000) < 1 / (1 + np.exp(-odds))) - 1

# The loss of a chunk, summed over its rows, and its gradient.
x, y, w = T.fmatrix("x"), T.fvector("y"), T.dvector("w")
loss = T.nnet.softplus(-y * T.dot(x, w)).sum()
f = function([x, y, w], [loss, grad(loss, w)])

data = np.load(path, mmap_mode="r")
calls = 0


def objective(weights):
    """Return the mean loss of all rows, and its gradient."""
    global calls
    calls += 1
    total, slope = f.map([data, labels, weights], whole=["w"], reduce="sum")
    return total / ROWS, slope / ROWS


start = time.perf_counter()
found = minimize(objective, np.zeros(COLUMNS), jac=True, method="L-BFGS-B")
seconds = time.perf_counter() - start
print(f"loss {found.fun:.4f} after {calls} passes over {data.nbytes >> 20} MiB in {seconds:.1f} s")
print("largest error of a weight:", round(float(np.abs(found.x - truth).max()), 3))
assert found.success
assert np.abs(found.x - truth).max() < 0.02

# Joined results may go to a file as well.
probability = function([x, w], T.nnet.sigmoid(T.dot(x, w)))
out = np.lib.format.open_memmap(os.path.join(folder.name, "p.npy"), "w+", "float64", (ROWS,))
probability.map([data, found.x], whole=["w"], out=out)
right = np.mean((out > 0.5) == (labels > 0))
print(f"{right:.1%} of the rows are on the right side")
assert right > 0.7
folder.cleanup()
