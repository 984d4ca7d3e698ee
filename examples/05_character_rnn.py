# Lesson 5: a recurrent network that writes text.
#
# The network reads a text character by character and predicts the next character. `scan` runs one
# step of an LSTM for each character. The gradient of this loop is another loop, and both are part
# of the same C file. The text is the documentation of Python's syntax, which Python itself
# contains.

import time
from pydoc_data.topics import topics

import numpy as np
from rich.progress import track

import symtheano
import symtheano.tensor as T
from symtheano import shared
from symtheano.tensor.shared_randomstreams import RandomStreams

symtheano.config.floatX = "float32"

UNITS, LENGTH, BATCH, STEPS, RATE, CLIP = 96, 40, 32, 600, 0.005, 5.0

text = "\n".join(topics[name] for name in sorted(topics))[:200_000]
alphabet = sorted(set(text))
codes = np.array([alphabet.index(character) for character in text])
rng = np.random.default_rng(1)


def weights(rows: int, columns: int, name: str):
    return shared((rng.normal(size=(rows, columns)) / np.sqrt(rows)).astype("float32"), name=name)


# The parameters. W and U have the contributions of a character and of the previous hidden values to
# the four gates. The initial bias of the forget gate is 1, so that the cells keep their values at
# first.

W = weights(len(alphabet), 4 * UNITS, "W")
U = weights(UNITS, 4 * UNITS, "U")
V = weights(UNITS, len(alphabet), "V")
b = shared(np.repeat(np.float32([0, 1, 0, 0]), UNITS), name="b")
a = shared(np.zeros(len(alphabet), "float32"), name="a")
parameters = [W, U, V, b, a]


def lstm(contribution, h, c):
    """Return the hidden values and the cells after a character, from its part of the gates."""
    gates = contribution + T.dot(h, U) + b
    take, keep, show = (T.nnet.sigmoid(gates[:, k * UNITS : (k + 1) * UNITS]) for k in range(3))
    c = keep * c + take * T.tanh(gates[:, 3 * UNITS :])
    return show * T.tanh(c), c


# Training. Each column of `characters` is one piece of text. W[characters] has the contributions of
# all characters to the gates, for all steps at once.

characters = T.lmatrix("characters")
zeros = T.zeros((characters.shape[1], UNITS))
(hidden, _), _ = symtheano.scan(lstm, W[characters[:-1]], [zeros, zeros])
scores = T.dot(hidden.reshape((-1, UNITS)), V) + a
cost = T.nnet.categorical_crossentropy(T.nnet.softmax(scores), characters[1:].flatten()).mean()

# Adam: each parameter has a running mean of its gradients, and one of their squares.

gradients = T.grad(cost, parameters)
norm = T.sqrt(sum(T.sqr(g).sum() for g in gradients))
count = shared(np.float32(0), name="count")
updates = [(count, count + 1)]
for parameter, gradient in zip(parameters, gradients):
    gradient = gradient * T.minimum(1, CLIP / norm)
    mean, square = (shared(np.zeros_like(parameter.get_value())) for _ in range(2))
    new_mean, new_square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * T.sqr(gradient)
    unbiased = T.sqrt(1 - 0.999 ** (count + 1)) / (1 - 0.9 ** (count + 1))
    step = RATE * unbiased * new_mean / (T.sqrt(new_square) + 1e-8)
    updates += [(mean, new_mean), (square, new_square), (parameter, parameter - step)]

start = time.perf_counter()
train = symtheano.function([characters], cost, updates=updates)

# Writing. Each step draws the next character. To draw from softmax, Gumbel noise is added to the
# scores, and the largest sum is chosen. The character is a state of the loop, like the hidden
# values.

random = RandomStreams(seed=2)
seed = T.lscalar("seed")


def write(code, h, c):
    """Draw the next character."""
    h, c = lstm(W[code].dimshuffle("x", 0), h, c)
    noise = -T.log(-T.log(random.uniform((len(alphabet),), dtype="float32")))
    return T.argmax((T.dot(h, V) + a)[0] / 0.7 + noise), h, c


nothing = T.zeros((1, UNITS))
(written, _, _), changes = symtheano.scan(write, None, [seed, nothing, nothing], n_steps=200)
sample = symtheano.function([seed], written, updates=changes)
print(f"compiled in {time.perf_counter() - start:.2f} s")

start = time.perf_counter()
costs = []
for _ in track(range(STEPS), description="training"):
    places = rng.integers(len(codes) - LENGTH - 1, size=BATCH)
    costs.append(train(np.stack([codes[k : k + LENGTH + 1] for k in places], axis=1)))
print(f"trained in {time.perf_counter() - start:.2f} s")

first, last = float(np.mean(costs[:10])), float(np.mean(costs[-50:]))
print(f"cross-entropy per character: {first:.2f} at the beginning, {last:.2f} at the end")
assert last < 2.4 < first

print("The network writes:\n")
print("".join(alphabet[code] for code in sample(alphabet.index("T"))))
