"""Lines that arrange elements anew, join arrays, and count with lengths."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.language.program import Program


def arrange(p: Program) -> None:
    x = p.pick_of("fciub", 1, 3)
    if not x:
        return
    value = p.values[x]
    number = value.dtype.kind in "fi" and value.dtype.itemsize == 8
    texts = ["T.tile({x}, (2, 1))", "T.tile({x}, 2)", "T.roll({x}, 1)", "T.expand_dims({x}, 0)",
             "T.flatten({x}, 1)", "{x}.T", "{x}.reshape((-1,))", "{x}.reshape((-1, 1))",
             "T.stack([{x}, {x}[::-1]], axis={axis})",
             "T.concatenate([{x}, {x}[:1]], axis=0)",
             "T.pad({x}, 1, mode='constant')" if number else "T.flip({x})",
             "{x}.reshape((1, *[{x}.shape[i] for i in range({ndim})]))",
             "T.dimshuffle({x}, *{order})", "T.broadcast_to({x}, (2, *{shape}))",
             "T.take({x}, np.array([0, -1]), axis=0)" if value.shape[0] else "{x}.T"]  # fmt: skip
    if value.ndim >= 2:
        texts += ["T.moveaxis({x}, 0, -1)", "T.swapaxes({x}, 0, 1)", "T.flatten({x}, 2)",
                  "{x}.reshape(({x}.shape[0], -1))" if value.shape[0] else "{x}.T",
                  "{x}.reshape(({x}.shape[1], {x}.shape[0], -1))" if value.size else "{x}.T",
                  "T.stack([{x}[0], {x}[-1]])" if value.shape[0] else "{x}.T"]  # fmt: skip
    if value.ndim == 2:
        texts += ["T.tril({x}, {k})", "T.triu({x}, {k})", "T.rot90({x}, {k})", "T.diag({x}, {k})",
                  "T.diagonal({x}, {k})", "T.trace({x}, {k})"]  # fmt: skip
    if value.ndim == 1:
        texts += ["T.diag({x}, {k})", "T.diag({x})"]
    if number and value.shape[0]:
        texts += ["T.pad({x}, 1, mode='edge')" if value.size else "{x}.T",
                  "T.split({x}, [1, {rest}], 2, axis=0)[{which}]"]  # fmt: skip
    order = list(p.draw(st.permutations(range(value.ndim))))
    text = p.one_of(*texts)
    if ("trace" in text or "diag" in text) and value.dtype.kind == "b":
        return
    shape = "".join(f"{x}.shape[{i}], " for i in range(value.ndim))
    p.add(text.format(
        x=x, axis=p.axis(x), ndim=value.ndim, order=[*order, "x"], shape=f"({shape})",
        k=p.one_of(0, 1, -1), rest=(value.shape[0] - 1), which=p.one_of(0, 1),
    ))  # fmt: skip


def join(p: Program) -> None:
    x = p.pick_of("fi", 1)
    if not x:
        return
    shape, dtype = p.values[x].shape, p.values[x].dtype
    y = p.pick(lambda value: value.shape == shape and value.dtype == dtype)
    if y:
        name, axis = p.one_of(("concatenate", p.axis(x)), ("stack", p.axis(x)), ("stack", 0))
        p.add(f"T.{name}([{x}, {y}, {x}], axis={axis})")


def lengths(p: Program) -> None:
    """Lengths are numbers like any other."""
    x = p.pick_of("fi", 1, 2)
    y = p.pick(lambda value: value.dtype == "float64" and value.ndim in (1, 2))
    if x and y:
        p.add(p.one_of(
            f"T.arange({x}.shape[0])", f"T.arange({x}.shape[0] + {y}.shape[-1], 0, -2)",
            f"{y}[:{x}.shape[0]]", f"{y}[{x}.shape[0] // 2:]", f"{y} * {x}.shape[0] * 0.125",
            f"T.eye({x}.shape[0], {y}.shape[0])", f"T.alloc(s, {x}.shape[0], {y}.shape[-1])",
            f"T.ones_like({x})", f"T.zeros_like({y}) + {y}.shape[0]",
            f"T.arange({x}.shape[0] * {y}.shape[0]).reshape(({x}.shape[0], {y}.shape[0]))",
            f"{y}[T.arange({y}.shape[0]) % 2]" if len(p.values[y]) > 1 else f"{y}[::-1]",
            f"T.stack([{x}.shape[0], {y}.shape[0]])",
            f"{y}[({x}.shape[0] - 3):]",
        ))  # fmt: skip
