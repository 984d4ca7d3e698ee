# Lesson 13: a stateful recurrent layer that writes text.
#
# A network reads the documentation of Python's standard library, learns to predict the next
# character, and then writes its own text. Its recurrent layer is stateful: the state is kept from
# batch to batch. The network can therefore be trained on consecutive parts of long texts, and can
# write one character per call. The progress of training, and the predictions for a piece of new
# text, are drawn to writing.png.

import codecs
import importlib
import inspect
import time
from contextlib import redirect_stdout

import matplotlib.pyplot as plt
import numpy as np

from symtheano import nn

UNITS, STREAMS, STEPS, EPOCHS, RATE = 128, 16, 40, 4, 0.007

# The text: the output of `import this`, then docstrings in a random order, which differ slightly
# between versions of Python. The last tenth is used for validation.

with redirect_stdout(None):
    import this

MODULES = """argparse configparser csv difflib doctest email.message fractions ftplib heapq inspect
json logging mailbox optparse pathlib pdb random shutil smtplib socketserver statistics string
subprocess tarfile tempfile textwrap threading unittest.case urllib.request uuid zipfile""".split()


def docstrings(item, module):
    """Yield the docstrings of a module or a class, and of the classes and functions in it."""
    yield inspect.cleandoc(item.__doc__ or "")
    for part in vars(item).values():
        if getattr(part, "__module__", None) == module and inspect.isclass(part):
            yield from docstrings(part, module)
        elif getattr(part, "__module__", None) == module and inspect.isfunction(part):
            yield inspect.cleandoc(part.__doc__ or "")


rng = np.random.default_rng(0)
found = dict.fromkeys(d for m in MODULES for d in docstrings(importlib.import_module(m), m))
texts = [codecs.decode(this.s, "rot13"), *rng.permutation([d for d in found if d.isascii()])]
text = "\n\n".join(texts)[:120_000]
alphabet = sorted(set(text))
codes = np.array([alphabet.index(character) for character in text], "int32")
old, new = np.split(codes, [9 * len(codes) // 10])
print(
    f"{len(old):,} characters for training, {len(alphabet)} different ones, and {len(new):,} for "
    "validation"
)

# For comparison: predictions from counts of how often each character follows the previous ones.


def counted(before):
    """Return the bits per character of the new text, predicted from counts in the old text."""
    size = len(alphabet)
    table = np.full((size**before, size), 0.03)

    def places(part):
        known = sum(size**k * part[k : len(part) - before + k].astype(int) for k in range(before))
        return known + np.zeros(len(part) - before, int), part[before:]

    np.add.at(table, places(old), 1)
    return -np.log2(table / table.sum(axis=1, keepdims=True))[places(new)].mean()


bounds = [counted(before) for before in range(4)]
print(
    "bits per character of new text, from counts with 0 to 3 previous characters:",
    *(f"{b:.2f}" for b in bounds),
)


def batches(part):
    """Return samples and targets. Sample k of a batch continues sample k of the previous batch."""
    count = (len(part) - 1) // (STREAMS * STEPS)
    shape, length = (STREAMS, count, STEPS), STREAMS * count * STEPS
    pair = part[:length], part[1 : length + 1]
    return [one.reshape(shape).swapaxes(0, 1).reshape(-1, STEPS) for one in pair]


x = nn.Input((None,), "int32", seed=0)
h = nn.embedding(x, len(alphabet), 32)
h = nn.gru(h, UNITS, return_sequences=True, stateful=True)
model = nn.Model(x, nn.dense(h, len(alphabet), "softmax"), name="writing")
samples, targets = batches(old)
rate = nn.schedules.CosineDecay(RATE, EPOCHS * len(samples) // STREAMS)
model.compile("categorical_crossentropy", nn.Adam(rate, global_clipnorm=5.0))
model.summary()

start = time.perf_counter()
history = model.fit(
    samples, targets, epochs=EPOCHS, batch_size=STREAMS, shuffle=False, verbose=2,
    validation_data=batches(new),
    callbacks=[nn.LambdaCallback(on_epoch_begin=lambda epoch: model.reset_states())],
)  # fmt: skip
seconds = time.perf_counter() - start
bits, new_bits = (np.array(history[name]) / np.log(2) for name in ("loss", "val_loss"))
print(
    f"trained in {seconds:.1f} s: {bits[-1]:.2f} bits per character, {new_bits[-1]:.2f} of new text"
)
assert new_bits[-1] < bounds[2] - 0.1, (new_bits, bounds)

# Writing: each call takes one character and draws the next one.


def written(beginning, length, temperature):
    """Return a text with a given beginning. Low temperatures prefer likely characters."""
    model.reset_states()
    given = [alphabet.index(character) for character in beginning]
    probabilities = model.predict([given])[0, -1]
    for _ in range(length):
        # To draw from softmax, Gumbel noise is added to the scores, and the largest sum is chosen.
        noise = rng.gumbel(size=len(alphabet))
        given.append(int(np.argmax(np.log(probabilities) / temperature + noise)))
        probabilities = model.predict([given[-1:]])[0, 0]
    return "".join(alphabet[code] for code in given)


start = time.perf_counter()
for temperature in (0.3, 0.6, 1.0):
    print(f"\nAt temperature {temperature}:\n\n{written('Return a ', 400, temperature)}")
print(f"\n1,200 characters in {time.perf_counter() - start:.2f} s")

# The predictions after each character of a piece of new text. The piece has many letters.

ROWS, COLUMNS = 6, 44
new_text = text[len(old) :]
starts = [k for k in range(100, len(new) - COLUMNS) if new_text[k - 1] == " "]
first = max(starts, key=lambda k: sum(map(str.isalpha, new_text[k : k + COLUMNS])))
model.reset_states()
expected = model.predict(new[np.newaxis, : first + COLUMNS])[0, first:]
likely = np.argsort(-expected, axis=1)[:, :ROWS]
shares = np.take_along_axis(expected, likely, axis=1)


def shown(code):
    """Return a visible character for a code."""
    return {"\n": "↵", " ": "␣"}.get(alphabet[code], alphabet[code])


figure, (top, bottom) = plt.subplots(2, 1, figsize=(11, 7), layout="constrained")
epochs = np.arange(1, EPOCHS + 1)
top.plot(epochs, bits, "o-", label="old text (training)")
top.plot(epochs, new_bits, "o-", label="new text")
for before, bound in enumerate(bounds):
    top.axhline(bound, color="gray", linewidth=0.8, linestyle="--")
    label = f"counts with {before} previous character{'s' * (before != 1)}"
    top.text(EPOCHS + 0.95, bound + 0.03, label, ha="right", va="bottom", color="gray")
top.set_title("Predictions of the old text and of new text", loc="left")
top.set(xlabel="epoch", ylabel="bits per character", xticks=epochs)
top.set(xlim=(0.9, EPOCHS + 1), ylim=(min(bits) - 0.2, bounds[0] + 0.4))
top.legend(loc="lower left")
image = bottom.imshow(shares.T, cmap="Blues", vmin=0, vmax=1, aspect="auto")
figure.colorbar(image, ax=bottom, label="probability", pad=0.01)
for column in range(COLUMNS):
    for row in range(ROWS):
        color = "white" if shares[column, row] > 0.5 else "black"
        bottom.text(
            column, row, shown(likely[column, row]), ha="center", va="center", color=color,
            family="monospace",
        )  # fmt: skip
        if likely[column, row] == new[first + column + 1]:
            corner = column - 0.46, row - 0.46
            bottom.add_patch(plt.Rectangle(corner, 0.92, 0.92, fill=False, edgecolor="C1", lw=2))
names = [shown(code) for code in new[first : first + COLUMNS]]
bottom.set_xticks(range(COLUMNS), names, family="monospace")
bottom.set_title("The most probable next characters; the actual one is framed", loc="left")
bottom.set(
    xlabel="new text", ylabel="rank", yticks=range(ROWS), yticklabels=range(1, ROWS + 1),
)  # fmt: skip
figure.savefig("writing.png", dpi=150)
