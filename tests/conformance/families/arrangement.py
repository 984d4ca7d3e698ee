"""Items in another order, repeated, or with a border around them."""

from __future__ import annotations

from tests.conformance.draws import one_of, size
from tests.conformance.row import FEW, Arg, Row, each

PLACES = Arg("", "int64", one_of(*range(-9, 10)))
TURNED = [
    *each(
        ["[T.roll(x, 1), T.roll(x, -2), T.roll(x, 9), T.roll(x, s)]"],
        ["n", "n m"],
        args={"s": PLACES},
        letters=FEW,
    ),
    Row(
        "[T.roll(x, 1, axis=0), T.roll(x, s, -1), T.roll(x, -7, axis=1), T.roll(x, t, 0)]",
        {"x": Arg("n m"), "s": PLACES, "t": PLACES},
    ),
    Row(
        "[T.roll(x, (1, s), (0, -1)), T.roll(x, 2, axis=(1, 2)), T.roll(x, (1, 2), 0)]",
        {"x": Arg("n m k"), "s": PLACES},
        dtypes=FEW,
    ),
    Row(
        "T.roll(x, s, 0)",
        {"x": Arg("n", "float64"), "s": Arg("", draw=one_of(0, 1, 5), edges=False)},
        "iu",
        slope=False,
    ),
    *each(["[T.flip(x), T.flip(x, 0), T.flip(x, axis=-1)]"], ["n", "n m", "n m k"], letters=FEW),
    Row("T.flip(x)", {"x": Arg()}, dtypes=FEW),
    Row(
        "[T.flip(x, (0, 2)), T.flip(x, [1]), T.flipud(x), T.fliplr(x)]",
        {"x": Arg("n m k")},
        dtypes=FEW,
    ),
    Row(
        "[T.flipud(x), T.fliplr(x), T.rot90(x), T.rot90(x, 2), T.rot90(x, k=-1), T.rot90(x, 4)]",
        {"x": Arg("n m")},
    ),
    Row("T.flipud(x)", {"x": Arg("n")}, dtypes=FEW),
    Row(
        "[T.rot90(x), T.rot90(x, 1, (2, 0)), T.rot90(x, 3, axes=(1, 2)), T.rot90(x, 6, (0, -1))]",
        {"x": Arg("n m k")},
        dtypes=FEW,
    ),
]

SOME = Arg("", "int64", one_of(0, 1, 2, 5))
COUNTS = Arg("n", "int64", one_of(0, 1, 2, 3))
REPEATED = [
    Row("[T.repeat(x, 2), T.repeat(x, a), x.repeat(3)]", {"x": Arg(), "a": SOME}, dtypes=FEW),
    Row(
        "[T.repeat(x, 2), x.repeat(a), T.repeat(x, 3, axis=0), T.repeat(x, [2], 0)]",
        {"x": Arg("n"), "a": SOME},
        dtypes=FEW,
    ),
    Row(
        "[T.repeat(x, 2), T.repeat(x, a, 0), x.repeat(a, axis=1), T.repeat(x, 1, axis=-1)]",
        {"x": Arg("n m"), "a": SOME},
    ),
    Row("[T.repeat(x, c, axis=0), x.repeat(c, 0)]", {"x": Arg("n m"), "c": COUNTS}),
    Row("T.repeat(x, c)", {"x": Arg("n"), "c": COUNTS}, dtypes=FEW),
    Row("T.repeat(x, c, axis=-2)", {"x": Arg("m n k"), "c": COUNTS}, dtypes=FEW),
    Row("T.repeat(x, [0, 2, 1], axis=1)", {"x": Arg("m 3")}, dtypes=FEW),
    Row(
        "T.repeat(x, a, 0)",
        {"x": Arg("n m"), "a": Arg("", "int64", size("n - 2"))},
        least={"n": 1},
        slope=False,
        dtypes=FEW,
    ),
    Row(
        "T.repeat(x, c, 0)",
        {"x": Arg("3"), "c": Arg("n", "int64", size("2"))},
        least={"n": 2},
        slope=False,
        dtypes=FEW,
    ),
    Row(
        "T.repeat(x, c, 0)",
        {"x": Arg("n"), "c": Arg("n", "int64", size("n - 2"))},
        slope=False,
        dtypes=FEW,
    ),
    Row(
        "[T.repeat(x, c, 0), T.repeat(x, c[0], 0)]",
        {"x": Arg("n m", "float32"), "c": Arg("n", draw=one_of(0, 1, 3), edges=False)},
        "iu",
        "[x.repeat(c.astype('int64'), 0), x.repeat(c[0].astype('int64'), 0)]",
        slope=False,
        least={"n": 1},
    ),
    Row(
        "T.RepeatOp(axis=1)(x, a)",
        {"x": Arg("n m"), "a": SOME},
        plain="np.repeat(x, a, 1)",
        dtypes=FEW,
    ),
    Row(
        "[T.tile(x, 3), T.tile(x, (2, 1)), T.tile(x, (a, 2)), T.tile(x, ())]",
        {"x": Arg(), "a": SOME},
        dtypes=FEW,
    ),
    Row(
        "[T.tile(x, 2), T.tile(x, (3,)), T.tile(x, a), T.tile(x, (2, a)), T.tile(x, (a, 1, 2))]",
        {"x": Arg("n"), "a": SOME},
        dtypes=FEW,
    ),
    Row(
        "[T.tile(x, 2), T.tile(x, (2, 3)), T.tile(x, (2, 1, a)), T.tile(x, [a, a])]",
        {"x": Arg("n m"), "a": SOME},
    ),
    Row(
        "[T.tile(x, (2,)), T.tile(x, (1, a, 2)), T.tile(x, (1, 1, 1))]",
        {"x": Arg("n m k"), "a": SOME},
        dtypes=FEW,
    ),
    Row(
        "[T.tile(x, 2, ndim=3), T.tile(x, v, ndim=2), T.Tile(2)(x, v)]",
        {"x": Arg("n m"), "v": Arg("2", "int64", one_of(0, 1, 2, 3))},
        plain="[np.tile(x, (1, 1, 2)), np.tile(x, v), np.tile(x, v)]",
        dtypes=FEW,
    ),
    Row(
        "T.tile(x, (a, 2))",
        {"x": Arg("n m"), "a": Arg("", "int64", size("n - 2"))},
        least={"n": 1},
        slope=False,
        dtypes=FEW,
    ),
]

WIDTH = Arg("", "int64", one_of(0, 1, 2, 4))
BORDERED = [
    *each(
        ["[T.pad(x, 2), T.pad(x, (1, 3)), T.pad(x, a), T.pad(x, ((1, a),))]"],
        ["n", "n m"],
        args={"a": WIDTH},
        letters=FEW,
    ),
    Row(
        "[T.pad(x, ((1, 2), (0, a))), T.pad(x, 1, constant_values=y), T.pad(x, {-1: (2, 1)})]",
        {"x": Arg("n m"), "a": WIDTH, "y": Arg()},
        plain="[np.pad(x, ((1, 2), (0, a))), np.pad(x, 1, constant_values=y), "
        "np.pad(x, ((0, 0), (2, 1)))]",
    ),
    Row(
        "[T.pad(x, (1, 2), constant_values=(1, 0)), "
        "T.pad(x, 2, mode='constant', constant_values=((0, 1), (1, 1)))]",
        {"x": Arg("n m")},
    ),
    *[
        Row(
            f"[T.pad(x, 2, {mode!r}), T.pad(x, ((1, a), (0, 5)), mode={mode!r})]",
            {"x": Arg("n m"), "a": WIDTH},
            dtypes=FEW,
        )
        for mode in ("edge", "reflect", "symmetric", "wrap")
    ],
    *[
        Row(
            f"[T.pad(x, (3, 8), {mode!r}), T.pad(x, (a, 0), {mode!r})]",
            {"x": Arg("n"), "a": WIDTH},
            dtypes=FEW,
        )
        for mode in ("edge", "reflect", "symmetric", "wrap")
    ],
    Row("T.pad(x, ((0, 1), (1, 0), (2, 2)), 'edge')", {"x": Arg("n m k")}, dtypes=FEW),
    Row(
        "T.pad(x, a)",
        {"x": Arg("n"), "a": Arg("", "int64", size("n - 1"))},
        slope=False,
        dtypes=FEW,
    ),
]

ROWS: list[Row] = [*TURNED, *REPEATED, *BORDERED]
