# Lesson 11: an autoencoder.
#
# An encoder reduces each image of a digit to a code of two numbers, and a decoder reconstructs the
# image from the code. The codes of the test images, their reconstructions, and images for codes on
# a grid are drawn to autoencoder.png. Encoder and decoder are separate models that share their
# layers with the autoencoder.

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

# The layers of the decoder are called twice: with the codes of the encoder, and with an input.

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
print(
    f"trained in {seconds:.1f} s; two numbers explain {1 - error / spread:.0%} of the variance of "
    "the images"
)
assert error < 0.6 * spread, (error, spread)

# Left: the codes, with each digit at the median of its codes. Right: one image of each digit with
# its reconstruction below it, and the images for codes on a grid.

figure = plt.figure(figsize=(10, 6), layout="constrained")
axes = figure.subplot_mosaic([["codes", "pairs"], ["codes", "grid"]], height_ratios=(1, 3.4))
axes["codes"].scatter(*found.T, c=test_y, cmap="tab10", s=10, alpha=0.6, linewidths=0)
for digit in range(10):
    middle = np.median(found[test_y == digit], axis=0)
    axes["codes"].text(
        *middle, digit, weight="bold", ha="center", va="center",
        bbox={"boxstyle": "circle", "facecolor": "white", "edgecolor": f"C{digit}"},
    )  # fmt: skip
axes["codes"].set_title("Codes of test images", loc="left")
axes["codes"].set(xlabel="first number", ylabel="second number")
axes["codes"].spines[["top", "right"]].set_visible(False)


def tiled(samples, rows, columns):
    """Return images side by side."""
    framed = np.pad(samples.reshape(rows, columns, 8, 8), ((0, 0), (0, 0), (1, 1), (1, 1)))
    return framed.swapaxes(1, 2).reshape(rows * 10, columns * 10)


examples = [np.flatnonzero(test_y == digit)[0] for digit in range(10)]
pairs = tiled(np.concatenate([test_x[examples], again[examples]]), 2, 10)
axes["pairs"].imshow(pairs, cmap="gray_r")
axes["pairs"].set_title("Images (top) and their reconstructions (bottom)", loc="left")
axes["pairs"].set(xticks=[], yticks=[])

low, high = np.percentile(found, [5, 95], axis=0)
grid = np.meshgrid(np.linspace(low[0], high[0], 10), np.linspace(high[1], low[1], 10))
grid = np.stack(grid, -1).reshape(-1, 2).astype("float32")
extent = (low[0], high[0], low[1], high[1])
axes["grid"].imshow(
    tiled(decoder.predict(grid), 10, 10), cmap="gray_r", extent=extent, aspect="auto"
)
axes["grid"].set_title("Images for codes on a grid", loc="left")
axes["grid"].set(xlabel="first number", ylabel="second number")
figure.savefig("autoencoder.png", dpi=150)
