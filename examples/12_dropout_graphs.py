# Lesson 12: one network, two graphs.
#
# Dropout and batch normalization compute something else in training than at test. Each value of
# symtheano.nn therefore has an expression for training and one for tests, which use the same
# parameters. This program prints both graphs and compares them: predictions in training vary from
# call to call, and their mean is near the prediction at test.

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano import nn
from symtheano.printing import debugprint

x = nn.Input((3,), name="x", seed=0)
h = nn.dropout(nn.batch_norm(nn.dense(x, 64, "tanh"), momentum=0.9), 0.2)
y = nn.dense(h, 1)
print("parameters:", ", ".join(p.name for p in y.parameters))
print("updated in training:", ", ".join(s.name for s, _ in y.updates))

training = symtheano.function([x.train], y.train, updates=y.updates, name="training")
test = symtheano.function([x.test], y.test, name="test")
print("\nin training:")
debugprint(training)
print("\nat test:")
debugprint(test)

# Fit a surface. The penalties of the layers are added to the cost, and the updates of their running
# statistics to the updates of the function.

rng = np.random.default_rng(0)
points = rng.uniform(-1, 1, (512, 3)).astype("float32")
surface = (np.sin(3 * points[:, :1]) * points[:, 1:2] + points[:, 2:] ** 2).astype("float32")
target = T.fmatrix("target")
cost = T.mean((y.train - target) ** 2) + y.penalty
updates = [*nn.Adam(0.003).updates(cost, y.parameters).items(), *y.updates]
step = symtheano.function([x.train, target], cost, updates=updates)
for _ in range(2000):
    last = step(points, surface)

new = rng.uniform(-1, 1, (256, 3)).astype("float32")
expected = np.sin(3 * new[:, :1]) * new[:, 1:2] + new[:, 2:] ** 2
once = test(new)
assert np.array_equal(once, test(new)), "at test, nothing is random"
error = np.sqrt(np.mean((once - expected) ** 2))
frozen = symtheano.function([x.train], y.train)  # without the updates of running statistics
draws = np.stack([frozen(new) for _ in range(400)])
spread = draws.std(axis=0).mean()
difference = np.sqrt(np.mean((draws.mean(axis=0) - once) ** 2))
print(f"\nerror at test: {error:.3f}; standard deviation of predictions in training: {spread:.3f}")
print(
    f"difference between the mean of 400 predictions in training and the one at test: "
    f"{difference:.3f}"
)
assert error < 0.3
assert difference < 0.7 * spread
