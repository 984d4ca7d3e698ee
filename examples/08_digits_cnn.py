# Lesson 8: a convolutional network.
#
# Two convolutions and two dense layers learn the handwritten digits of scikit-learn, 1,797 images
# of 8 x 8 pixels. In each epoch, images are shifted randomly by up to one pixel, so that the
# network learns to ignore shifts. The outputs of the first layer for an image, and the least
# certain predictions, are drawn to digits_cnn.png.

import time

import matplotlib.pyplot as plt
import numpy as np
from rich.progress import track
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

import symtheano
import symtheano.tensor as T
from symtheano import shared
from symtheano.tensor.shared_randomstreams import RandomStreams
from symtheano.tensor.signal.pool import pool_2d

symtheano.config.floatX = "float32"

FILTERS, UNITS, BATCH, EPOCHS, RATE = (32, 64), 128, 32, 30, 2e-3

digits = load_digits()
images = (digits.images[:, np.newaxis] / 16).astype("float32")
labels = digits.target.astype("int32")
train_x, test_x, train_y, test_y = train_test_split(
    images, labels, test_size=0.2, stratify=labels, random_state=0
)

# The parameters. Filters have shape (filters, channels, rows, columns).

rng = np.random.default_rng(0)
parameters = []


def parameter(*shape):
    """Return a shared variable of normal numbers, scaled for a layer with rectified inputs."""
    inputs = np.prod(shape[1:]) if len(shape) == 4 else shape[0]
    scale = np.sqrt(2 / inputs) if len(shape) > 1 else 0
    made = shared((rng.normal(size=shape) * scale).astype("float32"))
    parameters.append(made)
    return made


def convolution(x, channels, filters):
    """Return rectified 3 x 3 convolutions of images that are padded with zeros."""
    w, b = parameter(filters, channels, 3, 3), parameter(filters)
    return T.nnet.relu(T.nnet.conv2d(x, w, border_mode="half") + b.dimshuffle("x", 0, "x", "x"))


def dense(x, inputs, units):
    """Return the output of a dense layer without an activation function."""
    return T.dot(x, parameter(inputs, units)) + parameter(units)


# The network. In training, half of the units of the hidden layer are dropped.

x, y = T.tensor4("x"), T.ivector("y")
keep = T.scalar("keep")
random = RandomStreams(seed=1)
first_layer = convolution(x, 1, FILTERS[0])
h = pool_2d(first_layer, (2, 2), ignore_border=True)
h = pool_2d(convolution(h, *FILTERS), (2, 2), ignore_border=True).flatten(2)
h = T.nnet.relu(dense(h, FILTERS[1] * 4, UNITS))
h = T.switch(random.uniform(h.shape, dtype="float32") < keep, h / keep, 0)
scores = T.nnet.softmax(dense(h, UNITS, 10))
loss = T.mean(T.nnet.categorical_crossentropy(scores, y))

# Adam (Kingma and Ba, 2015), with a learning rate that falls to zero, so that the result depends
# less on the last batches.

steps = shared(np.float32(0))
left = 1 - steps / (EPOCHS * (len(train_x) // BATCH))
updates = [(steps, steps + 1)]
for item, g in zip(parameters, T.grad(loss, parameters)):
    first, second = (shared(np.zeros_like(item.get_value())) for _ in range(2))
    new_first = 0.9 * first + 0.1 * g
    new_second = 0.999 * second + 0.001 * T.sqr(g)
    rate = RATE * left * T.sqrt(1 - 0.999 ** (steps + 1)) / (1 - 0.9 ** (steps + 1))
    change = rate * new_first / (T.sqrt(new_second) + 1e-8)
    updates += [
        (first, T.cast(new_first, "float32")),
        (second, T.cast(new_second, "float32")),
        (item, T.cast(item - change, "float32")),
    ]

step = symtheano.function([x, y], loss, updates=updates, givens={keep: np.float32(0.5)})
predict = symtheano.function([x], scores.argmax(axis=1), givens={keep: np.float32(1)})


def moved(batch):
    """Return images, each shifted randomly by at most one pixel along both axes."""
    padded = np.pad(batch, ((0, 0), (0, 0), (1, 1), (1, 1)))
    corners = rng.integers(0, 3, (len(batch), 2))
    return np.stack([p[:, i : i + 8, j : j + 8] for p, (i, j) in zip(padded, corners)])


start = time.perf_counter()
for _ in track(range(EPOCHS), description="training"):
    order = rng.permutation(len(train_x))
    for chosen in np.array_split(order, len(order) // BATCH):
        step(moved(train_x[chosen]), train_y[chosen])
seconds = time.perf_counter() - start

found = predict(test_x)
accuracy = np.mean(found == test_y)
print(f"test accuracy {accuracy:.2%} after {EPOCHS} epochs in {seconds:.1f} s")
assert accuracy >= 0.985, accuracy

# Top: an image, and the outputs of the eight filters of the first layer that differ most from image
# to image. Bottom: the test images for which the network is least certain.

look = symtheano.function([x], [first_layer, scores], givens={keep: np.float32(1)})
responses, probabilities = look(test_x)
telling = np.argsort(-responses.mean(axis=(2, 3)).std(axis=0))[:8]
uncertain = np.argsort(probabilities.max(axis=1))[:9]

figure = plt.figure(figsize=(9, 3.1), layout="constrained")
top, bottom = figure.subfigures(2, 1, height_ratios=(1, 1.2))
top.suptitle("An image, and the outputs of eight filters of the first layer", x=0.01, ha="left")
bottom.suptitle(
    f"{100 * accuracy:.1f} % of {len(test_y)} test images are right; the least certain predictions",
    x=0.01, ha="left",
)  # fmt: skip
axes = top.subplots(1, 9)
axes[0].imshow(test_x[0, 0], cmap="gray_r")
for axis, filter in zip(axes[1:], telling):
    axis.imshow(responses[0, filter], cmap="magma")
for axis, k in zip(bottom.subplots(1, 9), uncertain):
    axis.imshow(test_x[k, 0], cmap="gray_r")
    mark = "" if found[k] == test_y[k] else f", not {test_y[k]}"
    axis.set_title(f"{found[k]}{mark}\n{100 * probabilities[k].max():.0f} %", fontsize=9)
for axis in (*top.axes, *bottom.axes):
    axis.set(xticks=[], yticks=[])
figure.savefig("digits_cnn.png", dpi=150)
