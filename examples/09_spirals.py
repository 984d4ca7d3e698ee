# Lesson 9: layers.
#
# Three dense layers of symtheano.nn learn to distinguish the points of two interleaved spirals. A
# part of the points is used for validation after each epoch. The decision boundary and the losses
# of all epochs are drawn to spirals.png.

import time

import matplotlib.pyplot as plt
import numpy as np

from symtheano import nn


def spirals(n, seed):
    """Return n points near two spirals, and the number of the spiral of each point."""
    rng = np.random.default_rng(seed)
    t, label = rng.uniform(0.5, 3, n), rng.integers(0, 2, n)
    angle = 4 * t + np.pi * label
    points = np.stack([t * np.cos(angle), t * np.sin(angle)], 1) + rng.normal(0, 0.05, (n, 2))
    return points.astype("float32"), label


points, labels = spirals(2000, seed=0)
new_points, new_labels = spirals(1000, seed=1)

model = nn.Model(seed=0, name="spirals")
model.add(nn.Input(2))
model.add(nn.Dense(64, "relu"))
model.add(nn.Dense(64, "relu"))
model.add(nn.Dense(2, "softmax"))
model.compile("categorical_crossentropy", nn.Adam(0.005), metrics=["accuracy"])
model.summary()

start = time.perf_counter()
history = model.fit(points, labels, epochs=100, batch_size=32, validation_split=0.1, verbose=0)
seconds = time.perf_counter() - start
accuracy = model.evaluate(new_points, new_labels)["accuracy"]
print(
    f"{accuracy:.1%} of new points are right after {len(history.epochs)} epochs in {seconds:.2f} s"
)
assert accuracy >= 0.99, accuracy

# The predictions of the network on a grid of points.

axis = np.linspace(-3.5, 3.5, 300, dtype="float32")
plane = np.stack(np.meshgrid(axis, axis), -1).reshape(-1, 2)
probability = model.predict(plane, batch_size=len(plane))[:, 1].reshape(300, 300)

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.5), layout="constrained")
left.contourf(axis, axis, probability, levels=np.linspace(0, 1, 11), cmap="RdBu", alpha=0.6)
left.contour(axis, axis, probability, levels=[0.5], colors="black", linewidths=1)
left.scatter(*new_points.T, c=new_labels, cmap="RdBu", s=6, edgecolors="black", linewidths=0.2)
left.set_title(f"{100 * accuracy:.1f} % of new points are right", loc="left")
left.set(aspect="equal")
left.set(xlabel="first coordinate", ylabel="second coordinate")
right.semilogy(history["loss"], label="training")
right.semilogy(history["val_loss"], label="validation")
right.set_title("Loss", loc="left")
right.set(xlabel="epoch", ylabel="mean cross-entropy")
right.legend()
figure.savefig("spirals.png", dpi=150)
