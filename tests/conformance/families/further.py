"""NumPy's further names: parts and wholes, selections, windows, computed borders, without NaN."""

from __future__ import annotations

from tests.conformance.draws import one_of
from tests.conformance.row import Arg, Row, each

HOLED = {"n": 1, "m": 1}
WIDTH = Arg("", "int64", one_of(0, 1, 2, 4))
COUNT = Arg("", "int64", one_of(-1, 0, 1, 2, 3, 8))

PARTS = [
    Row("[*T.array_split(x, 3), *T.array_split(x, [1, a], axis=0)]",
        {"x": Arg("n m"), "a": Arg("", "int64", one_of(0, 1, 2))}),
    Row("[*T.hsplit(x, [1]), *T.vsplit(x, [1, 2])]", {"x": Arg("n m")}),
    Row("[*T.hsplit(x, 2), *T.dsplit(y, [1])]", {"x": Arg("n 4"), "y": Arg("n m k")}),
    Row("[*T.unstack(x, 1)]", {"x": Arg("n 3")}, slope=False, plain="[x[:, 0], x[:, 1], x[:, 2]]"),
    Row("[T.append(x, y), T.append(x, x, 0), T.ravel(x), T.ravel(x, 'F')]",
        {"x": Arg("n m"), "y": Arg("k")}),
]  # fmt: skip

SELECTED = [
    *each(
        ["T.count_nonzero(x)", "[T.count_nonzero(x, -1), T.count_nonzero(x, 0, keepdims=True)]"],
        ["n", "n m"], slope=False,
    ),
    *each(["[*T.where(x)]"], ["n", "n m"], slope=False),
    Row("T.where(x > 0, x, y)", {"x": Arg("n m"), "y": Arg("n m")}, "biuf"),
    Row("T.extract(c, x)", {"c": Arg("n m", "bool"), "x": Arg("n m")}),
    Row("T.select([c, x > 1], [x, y], 0)",
        {"c": Arg("n", "bool"), "x": Arg("n"), "y": Arg("n")}, "iuf"),
    Row("[T.isin(x, y), T.isin(x, y, invert=True)]", {"x": Arg("n m"), "y": Arg("k")}, "biuf",
        slope=False),
    Row("[T.array_equal(x, y), T.array_equal(x, x), T.array_equal(x, x, equal_nan=True)]",
        {"x": Arg("n m"), "y": Arg("n k")}, slope=False),
]  # fmt: skip

PLACES = [
    Row("[T.indices((2, 3)), T.indices((a, 2)), *T.indices((a, 2), sparse=True)]", {"a": WIDTH},
        "l", slope=False),
    Row("x[T.ix_(c, [0])]", {"x": Arg("n m"), "c": Arg("n", "bool")}, least={"m": 1}),
    Row("[T.bartlett(a), T.hanning(a), T.hamming(a), T.blackman(a)]", {"a": COUNT}, "l",
        slope=False),
    Row("[T.diagflat(x), T.diagflat(x, -2)]", {"x": Arg("n m")}),
    Row("[*T.diag_indices(a), *T.diag_indices(2, 3), *T.diag_indices_from(x)]",
        {"a": WIDTH, "x": Arg("n n")}, slope=False),
]  # fmt: skip

BORDERS = [
    *[
        Row(f"[T.pad(x, 2, {mode!r}), T.pad(x, ((1, a), (0, 5)), mode={mode!r}, stat_length=2)]",
            {"x": Arg("n m"), "a": WIDTH}, "F", least=HOLED, slack=10)
        for mode in ("maximum", "minimum", "mean", "median")
    ],
    Row("[T.pad(x, 2, 'linear_ramp'), T.pad(x, (a, 3), 'linear_ramp', end_values=(1, 2))]",
        {"x": Arg("n"), "a": WIDTH}, "F", least=HOLED, slack=10, edges=False),
    *[
        Row(f"T.pad(x, ((1, a), (0, 9)), {mode!r}, reflect_type='odd')",
            {"x": Arg("n m"), "a": WIDTH}, "iuF", least=HOLED, slack=100, edges=False)
        for mode in ("reflect", "symmetric")
    ],
]  # fmt: skip

WITHOUT_NAN = [
    *each(["[T.nanquantile(x, 0.3), T.nanquantile(x, [0.5, 1.0], 0)]", "T.nanpercentile(x, 75, -1)",
           "[T.nanmedian(x), T.nanmedian(x, 0, keepdims=True)]"], ["n m"], "D",
          least=HOLED, slack=10, x_edges=False, slope=False),
    *each(["[T.nanargmax(x, 1), T.nanargmin(x)]"], ["n m"], "iuF", least=HOLED, slope=False),
    *each(["[T.nancumsum(x, 0), T.nancumprod(x, 1), T.nancumsum(x)]"], ["n m"], "iuF", slack=10),
]  # fmt: skip

ROWS: list[Row] = [*PARTS, *SELECTED, *PLACES, *BORDERS, *WITHOUT_NAN]
