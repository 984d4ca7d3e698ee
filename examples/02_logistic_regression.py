# Lesson 2: training a model.
# The task is to recognize handwritten digits. There are 1,797 images of 8 x 8 pixels, so each of
# them is 64 numbers, with labels from 0 to 9. The model computes a score for each class, which is
# linear in the pixels. Softmax turns the ten scores into probabilities.

import time

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

import symtheano
import symtheano.tensor as T
from symtheano import shared

symtheano.config.floatX = "float32"

pixels, labels = load_digits(return_X_y=True)
pixels = (pixels / 16).astype("float32")
order = np.random.default_rng(0).permutation(len(pixels))
train, test = order[:1400], order[1400:]

# Inputs are passed in each call. A shared variable keeps its value between calls, as a parameter
# does during training.

x = T.matrix("x")
y = T.lvector("y")
W = shared(np.zeros((64, 10), dtype="float32"), name="W")
b = shared(np.zeros(10, dtype="float32"), name="b")

p = T.nnet.softmax(T.dot(x, W) + b)

# The cost is the mean of -log p of the right label. p has a row for each image; indexing with (0,
# 1, 2, ...) and y selects the probability of the right label in each row. Computed as written, the
# logarithm would be infinite if p rounds to 0. symtheano recognizes the logarithm of a softmax and
# computes it in a stable form.

cost = -T.mean(T.log(p)[T.arange(y.shape[0]), y])
error = T.mean(T.neq(T.argmax(p, axis=1), y))

# A step of gradient descent is a function with `updates`: pairs of a shared variable and its next
# value. All next values are computed from the current values before they are stored.

rate = 0.5
gradients = T.grad(cost, [W, b])
updates = [(parameter, parameter - rate * g) for parameter, g in zip([W, b], gradients)]

start = time.perf_counter()
step = symtheano.function([x, y], cost, updates=updates)
errors_on = symtheano.function([x, y], error)
print(f"compiled in {time.perf_counter() - start:.2f} s")

start = time.perf_counter()
costs = [float(step(pixels[train], labels[train])) for _ in range(500)]
print(f"500 steps in {time.perf_counter() - start:.2f} s, cost {costs[0]:.3f} to {costs[-1]:.3f}")

accuracy = 1 - float(errors_on(pixels[test], labels[test]))
print(f"accuracy on {len(test)} test images: {100 * accuracy:.1f} %")
assert accuracy >= 0.94

# Plot the weights of each digit: positive weights are red, and negative ones are blue.

figure, axes = plt.subplots(1, 10, figsize=(10, 1.6), layout="constrained")
for digit, axis in enumerate(axes):
    image = axis.imshow(W.get_value()[:, digit].reshape(8, 8), cmap="RdBu_r", vmin=-2, vmax=2)
    axis.set_title(digit)
    axis.axis("off")
figure.colorbar(image, ax=axes, label="weight", shrink=0.8, pad=0.01)
figure.suptitle("The weights of the pixels for each digit", x=0.01, ha="left")
figure.savefig("logistic_regression.png", dpi=150)
print("wrote logistic_regression.png")
