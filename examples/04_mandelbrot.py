# Lesson 4: a computation other than training.
# A point c of the plane belongs to the Mandelbrot set if the iteration z <- z * z + c, starting at
# 0, stays bounded. Once |z| exceeds 2, it diverges, so we count the number of steps for which each
# point stays inside; the counts are the picture. NumPy would need about fifteen passes over the
# picture for each step, and each pass would store its result in an array. Here, the step is one
# function: symtheano fuses all operations into a single loop that reads each point once and updates
# its values in place. (The command `symtheano c 04_mandelbrot.py:step` prints this loop.)

import time

import matplotlib.pyplot as plt
import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano import shared

symtheano.config.floatX = "float32"

WIDTH, HEIGHT, STEPS = 1200, 800, 100

# The real part of z, its imaginary part and the count keep their values between calls.

re = shared(np.zeros((HEIGHT, WIDTH), dtype="float32"), name="re")
im = shared(np.zeros((HEIGHT, WIDTH), dtype="float32"), name="im")
count = shared(np.zeros((HEIGHT, WIDTH), dtype="int32"), name="count")

# c needs no array of the size of the picture: its real part depends only on the column, and its
# imaginary part only on the row. dimshuffle(0, "x") turns a vector into a column. Both are
# broadcast inside of the loop.

c_re = shared(np.linspace(-2.35, 1.1, WIDTH, dtype="float32"), name="c_re")
c_im = shared(np.linspace(-1.15, 1.15, HEIGHT, dtype="float32"), name="c_im").dimshuffle(0, "x")

inside = re * re + im * im < 4
step = symtheano.function(
    [],
    updates=[
        (re, T.where(inside, re * re - im * im + c_re, re)),
        (im, T.where(inside, 2 * re * im + c_im, im)),
        (count, count + T.cast(inside, "int32")),
    ],
)

start = time.perf_counter()
for _ in range(STEPS):
    step()
taken = time.perf_counter() - start
print(f"{1e3 * taken / STEPS:.2f} ms per step for {WIDTH * HEIGHT:,} points")

# The result is known for some points: 0 and -1 stay inside forever, and 0.5 leaves after a few
# steps.

counts = count.get_value()
row = HEIGHT // 2
column = {c: round((c + 2.35) / 3.45 * (WIDTH - 1)) for c in (-1.0, 0.0, 0.5)}
assert counts[row, column[0.0]] == counts[row, column[-1.0]] == STEPS
assert counts[row, column[0.5]] < 10

plt.imsave("mandelbrot.png", np.log1p(counts), cmap="inferno")
print("wrote mandelbrot.png")
