# Lesson 11: an autoencoder.
#
# Images of digits go through a layer of two units and are drawn again from these two numbers. The
# codes of the test images, their reconstructions, and images from codes on a grid are drawn to
# autoencoder.png. Encoder and decoder are networks of their own that share their layers.

import time

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from symtheano import nn

digits = load_digits()
images = (digits.data / 16).astype("float32")
train_x, test_x, _, test_y = train_test_split(
    images, digits.target, test_size=0.2, stratify=digits.target, random_state=0
)

# The decoder is made of layers that are called twice: with the codes, and with an input.

image, code = nn.Input(64, seed=0), nn.Input(2)
drawing = [nn.Dense(64, "relu"), nn.Dense(128, "relu"), nn.Dense(64, "sigmoid")]


def drawn(value):
    """Return the image for a code."""
    for layer in drawing:
        value = layer(value)
    return value


h = nn.dense(nn.dense(image, 128, "relu"), 64, "relu")
codes = nn.dense(h, 2)
autoencoder = nn.Model(image, drawn(codes), name="autoencoder")
encoder, decoder = nn.Model(image, codes), nn.Model(code, drawn(code))

autoencoder.compile("binary_crossentropy", nn.Adam(0.002))
start = time.perf_counter()
history = autoencoder.fit(
    train_x, train_x, epochs=150, batch_size=64, validation_data=(test_x, test_x), verbose=0
)
seconds = time.perf_counter() - start

found = encoder.predict(test_x)
again = decoder.predict(found)
assert np.allclose(again, autoencoder.predict(test_x), atol=1e-6)
error, spread = np.mean((again - test_x) ** 2), test_x.var(axis=0).mean()
print(f"trained in {seconds:.1f} s; {1 - error / spread:.0%} of the variance is in two numbers")
assert error < 0.6 * spread, (error, spread)

figure = plt.figure(figsize=(13, 4.5), layout="constrained")
left, middle, right = figure.subplots(1, 3, width_ratios=[1.2, 0.8, 1])
points = left.scatter(*found.T, c=test_y, cmap="tab10", s=8, vmin=-0.5, vmax=9.5)
figure.colorbar(points, ax=left, ticks=range(10), label="digit")
left.set(title="codes of test images", xlabel="first number", ylabel="second number")


def tiled(samples, rows, columns):
    """Return images side by side."""
    framed = np.pad(samples.reshape(rows, columns, 8, 8), ((0, 0), (0, 0), (1, 1), (1, 1)))
    return framed.swapaxes(1, 2).reshape(rows * 10, columns * 10)


shown = np.stack([test_x[:48].reshape(6, 8, 64), again[:48].reshape(6, 8, 64)], axis=1)
middle.imshow(tiled(shown.reshape(-1, 64), 12, 8), cmap="gray")
middle.set(title="images above reconstructions", xticks=[], yticks=[])

low, high = np.percentile(found, [5, 95], axis=0)
grid = np.meshgrid(np.linspace(low[0], high[0], 12), np.linspace(high[1], low[1], 12))
grid = np.stack(grid, -1).reshape(-1, 2).astype("float32")
right.imshow(tiled(decoder.predict(grid), 12, 12), cmap="gray")
right.set(title="images of codes on a grid", xticks=[], yticks=[])
right.set(xlabel="first number", ylabel="second number")
figure.savefig("autoencoder.png", dpi=150)
