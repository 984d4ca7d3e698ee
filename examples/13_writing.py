# Lesson 13: a recurrent layer that writes.
#
# A network reads the documentation of Python's standard library, predicts each next character, and
# then writes text of its own. Its recurrent layer is stateful: what it remembers goes from batch to
# batch. So it is trained on parts of long texts, and writes with one step for each character, by
# the same parameters. How it learned, and what it expects after each character of new text, are
# drawn to writing.png.

import codecs
import importlib
import inspect
import time
from contextlib import redirect_stdout

import matplotlib.pyplot as plt
import numpy as np

from symtheano import nn

UNITS, STREAMS, STEPS, EPOCHS, RATE = 128, 16, 40, 4, 0.007

# The text: what `import this` prints, then docstrings in a random order. Versions of Python have
# slightly different ones. The last tenth is only evaluated.

with redirect_stdout(None):
    import this

MODULES = """argparse configparser csv difflib doctest email.message fractions ftplib heapq inspect
json logging mailbox optparse pathlib pdb random shutil smtplib socketserver statistics string
subprocess tarfile tempfile textwrap threading unittest.case urllib.request uuid zipfile""".split()


def docstrings(item, module):
    """Yield the docstrings of a module or a class, and of what it defines."""
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
print(f"{len(old):,} characters to learn from, {len(alphabet)} different ones, {len(new):,} others")

# For comparison: predictions from how often each character followed those before it.


def counted(before):
    """Return the bits per character of the new text by counting in the old one."""
    size = len(alphabet)
    table = np.full((size**before, size), 0.03)

    def places(part):
        known = sum(size**k * part[k : len(part) - before + k].astype(int) for k in range(before))
        return known + np.zeros(len(part) - before, int), part[before:]

    np.add.at(table, places(old), 1)
    return -np.log2(table / table.sum(axis=1, keepdims=True))[places(new)].mean()


bounds = [counted(before) for before in range(4)]
print("bits per new character, from counting 0 to 3 before it:", *(f"{b:.2f}" for b in bounds))


def batches(part):
    """Return samples, of which number k of a batch goes on where that of the batch before ends."""
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

# Writing: each step takes one character, and draws the next one.


def written(beginning, length, temperature):
    """Return a text with a beginning; at low temperatures, characters are the likely ones."""
    model.reset_states()
    given = [alphabet.index(character) for character in beginning]
    probabilities = model.predict([given])[0, -1]
    for _ in range(length):
        # The largest score plus this noise is a way to draw from softmax.
        noise = rng.gumbel(size=len(alphabet))
        given.append(int(np.argmax(np.log(probabilities) / temperature + noise)))
        probabilities = model.predict([given[-1:]])[0, 0]
    return "".join(alphabet[code] for code in given)


start = time.perf_counter()
for temperature in (0.3, 0.6, 1.0):
    print(f"\nAt temperature {temperature}:\n\n{written('Return a ', 400, temperature)}")
print(f"\n1,200 characters in {time.perf_counter() - start:.2f} s")

# What the network expects after each character of a piece of the new text, one with many letters.

ROWS, COLUMNS = 6, 44
new_text = text[len(old) :]
starts = [k for k in range(100, len(new) - COLUMNS) if new_text[k - 1] == " "]
first = max(starts, key=lambda k: sum(map(str.isalpha, new_text[k : k + COLUMNS])))
model.reset_states()
expected = model.predict(new[np.newaxis, : first + COLUMNS])[0, first:]
likely = np.argsort(-expected, axis=1)[:, :ROWS]
shares = np.take_along_axis(expected, likely, axis=1)


def shown(code):
    """Return a character that can be seen."""
    return {"\n": "↵", " ": "␣"}.get(alphabet[code], alphabet[code])


figure, (top, bottom) = plt.subplots(2, 1, figsize=(11, 7), layout="constrained")
epochs = np.arange(1, EPOCHS + 1)
top.plot(epochs, bits, "o-", label="old text")
top.plot(epochs, new_bits, "o-", label="new text")
for before, bound in enumerate(bounds):
    top.axhline(bound, color="gray", linewidth=0.8, linestyle="--")
    label = f"counting, {before} character{'s' * (before != 1)} before"
    top.text(EPOCHS + 0.95, bound + 0.03, label, ha="right", va="bottom", color="gray")
top.set(title="bits per character", xlabel="epoch", ylabel="bits", xticks=epochs)
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
bottom.set(
    title="what is expected after each character of new text; what follows is framed",
    xlabel="the new text", ylabel="place", yticks=range(ROWS), yticklabels=range(1, ROWS + 1),
)  # fmt: skip
figure.savefig("writing.png", dpi=150)
