# Lesson 7: a restricted Boltzmann machine.
#
# It is a model of images with hidden units. Each combination of an image and hidden units has an
# energy, and low energies are probable. Training compares the images with the images that the model
# draws from them in one step of Gibbs sampling (contrastive divergence, Hinton 2002). The compiled
# function draws the random numbers.

import time

import matplotlib.pyplot as plt
import numpy as np
from rich.progress import track
from sklearn.datasets import load_digits

import symtheano
import symtheano.tensor as T
from symtheano import shared
from symtheano.tensor.shared_randomstreams import RandomStreams

symtheano.config.floatX = "float32"

HIDDEN, BATCH, EPOCHS, RATE = 64, 50, 60, 0.05

images = (load_digits().data / 16 > 0.4).astype("float32")
rng = np.random.default_rng(1)
pixels = images.shape[1]
W = shared(rng.normal(scale=0.05, size=(pixels, HIDDEN)).astype("float32"), name="W")
to_pixels, to_hidden = (shared(np.zeros(n, "float32")) for n in (pixels, HIDDEN))
parameters = [W, to_pixels, to_hidden]
random = RandomStreams(seed=3)


def energy(v):
    """Return the free energy of images, in which all hidden values are taken into account."""
    inputs = T.dot(v, W) + to_hidden
    return -T.dot(v, to_pixels) - T.nnet.softplus(inputs).sum(axis=1)


def drawn(p):
    """Draw zeros and ones with these probabilities."""
    return T.cast(random.uniform(p.shape, dtype="float32") < p, "float32")


def gibbs(v):
    """Draw hidden values for images, and then images for these hidden values."""
    h = drawn(T.nnet.sigmoid(T.dot(v, W) + to_hidden))
    p = T.nnet.sigmoid(T.dot(h, W.T) + to_pixels)
    return drawn(p), p


# One step of training: the images should have a lower energy than the images drawn from them. The
# gradient treats the drawn images as constants.

v = T.matrix("v")
sample, p = gibbs(v)
cost = T.mean(energy(v)) - T.mean(energy(sample))
gradients = T.grad(cost, parameters, consider_constant=[sample])
updates = [(item, item - RATE * g) for item, g in zip(parameters, gradients)]
error = T.mean(T.sqr(v - p))

# Samples of the model: a long chain of Gibbs steps, from noise. Only the last images are kept.

noise = T.matrix("noise")
(_, dreams), changes = symtheano.scan(gibbs, None, [noise, None], n_steps=1000)

start = time.perf_counter()
train = symtheano.function([v], error, updates=updates)
dream = symtheano.function([noise], dreams[-1], updates=changes)
print(f"compiled in {time.perf_counter() - start:.2f} s")

start = time.perf_counter()
errors = []
for _ in track(range(EPOCHS), description="training"):
    chosen = rng.permutation(len(images))[: len(images) // BATCH * BATCH].reshape(-1, BATCH)
    errors.append(np.mean([train(images[rows]) for rows in chosen]))
print(f"trained in {time.perf_counter() - start:.2f} s")
print(
    f"mean squared error of reconstructions: {errors[0]:.3f} in the first epoch, "
    f"{errors[-1]:.3f} in the last"
)
assert errors[-1] < 0.6 * errors[0]

found = dream((rng.random((40, pixels)) < 0.5).astype("float32"))


def tiled(samples):
    """Return 40 images side by side, with frames."""
    framed = np.pad(samples.reshape(4, 10, 8, 8), ((0, 0), (0, 0), (1, 1), (1, 1)))
    return framed.transpose(0, 2, 1, 3).reshape(40, 100)


figure, (left, right) = plt.subplots(1, 2, figsize=(10, 2.4), layout="constrained")
left.imshow(tiled(images[:40]), cmap="gray")
left.set_title("Images from the data", loc="left")
right.imshow(tiled(found), cmap="gray")
right.set_title("Images that the model drew from noise", loc="left")
for axis in (left, right):
    axis.set(xticks=[], yticks=[])
figure.savefig("rbm.png", dpi=150)
print("wrote rbm.png")
