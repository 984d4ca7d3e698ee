# Lesson 3: a network with a hidden layer, trained on minibatches.
#
# The linear model of lesson 2 gets about 97 % of the digits right. Now a layer of 100 units is
# inserted between pixels and scores. Each unit is the tanh of a linear function of the pixels.
# Nothing else changes: write the cost, compute its gradient, and take steps along the negative
# gradient.

import time

import matplotlib.pyplot as plt
import numpy as np
from rich.progress import track
from sklearn.datasets import load_digits

import symtheano
import symtheano.tensor as T
from symtheano import shared

symtheano.config.floatX = "float32"

HIDDEN, BATCH, EPOCHS, RATE, MOMENTUM = 100, 50, 40, 0.1, 0.9

rng = np.random.default_rng(1)
digits = load_digits()
shuffled = rng.permutation(len(digits.target))
images = (digits.data[shuffled] / 16).astype("float32")
labels = digits.target[shuffled]
N_TRAIN = 1400


# The parameters. The initial weights are small random numbers, so that the units differ.


def weights(rows: int, columns: int, name: str):
    scale = np.sqrt(6 / (rows + columns))
    return shared(rng.uniform(-scale, scale, (rows, columns)).astype("float32"), name=name)


W1, b1 = weights(64, HIDDEN, "W1"), shared(np.zeros(HIDDEN, "float32"), name="b1")
W2, b2 = weights(HIDDEN, 10, "W2"), shared(np.zeros(10, "float32"), name="b2")
parameters = [W1, b1, W2, b2]

# The model and its cost, for any images x with labels y.

x = T.matrix("x")
y = T.lvector("y")
hidden = T.tanh(T.dot(x, W1) + b1)
p = T.nnet.softmax(T.dot(hidden, W2) + b2)
cost = T.nnet.categorical_crossentropy(p, y).mean()
error = T.mean(T.neq(T.argmax(p, axis=1), y))

# Gradient descent with momentum: each parameter has a velocity, which decays and is changed by the
# gradient. One list of updates changes both the velocities and the parameters.

updates = []
for parameter, gradient in zip(parameters, T.grad(cost, parameters)):
    velocity = shared(np.zeros_like(parameter.get_value()))
    faster = MOMENTUM * velocity - RATE * gradient
    updates += [(velocity, faster), (parameter, parameter + faster)]

# The training images and labels are shared variables, too. A call only passes the row numbers of
# the batch, and `givens` replaces x and y by these rows.

train_x, train_y = shared(images[:N_TRAIN]), shared(labels[:N_TRAIN])
rows = T.lvector("rows")
batch = {x: train_x[rows], y: train_y[rows]}

start = time.perf_counter()
step = symtheano.function([rows], cost, updates=updates, givens=batch)
measure = symtheano.function([x, y], [cost, error])
print(f"compiled in {time.perf_counter() - start:.2f} s")

start = time.perf_counter()
curve = []
for _ in track(range(EPOCHS), description="training"):
    chosen = rng.permutation(N_TRAIN).reshape(-1, BATCH)
    train_cost = np.mean([step(some) for some in chosen])
    test_cost, test_error = measure(images[N_TRAIN:], labels[N_TRAIN:])
    curve.append((train_cost, test_cost))
print(f"trained in {time.perf_counter() - start:.2f} s")

accuracy = 1 - float(test_error)
print(f"accuracy on {len(labels) - N_TRAIN} test images: {100 * accuracy:.1f} %")
assert accuracy >= 0.95

figure, axis = plt.subplots(figsize=(8, 4.5), layout="constrained")
for cost_of_epochs, name, color in zip(
    zip(*curve), ("training images", "test images"), ("C0", "C1")
):
    axis.semilogy(cost_of_epochs, color=color)
    axis.annotate(
        name, (EPOCHS - 1, cost_of_epochs[-1]), (6, 0), textcoords="offset points",
        color=color, va="center",
    )  # fmt: skip
axis.set_title(
    f"Handwritten digits: {100 * accuracy:.1f} % of the test images are right", loc="left"
)
axis.set(xlabel="epoch", ylabel="mean cross-entropy", xlim=(0, 1.22 * EPOCHS))
axis.set_xticks(range(0, EPOCHS + 1, 10))
axis.grid(alpha=0.3)
axis.spines[["top", "right"]].set_visible(False)
figure.savefig("digits_mlp.png", dpi=150)
print("wrote digits_mlp.png")
