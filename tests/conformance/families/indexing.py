"""Parts of arrays by integers, slices, index arrays and masks; the same parts set and added to."""

from __future__ import annotations

from tests.conformance.draws import one_of, permutation, position, size
from tests.conformance.row import FEW, Arg, Row, each

ALL = "biufc"


def parts(x: str, keys: str, least: str = "", letters: str = FEW, **args: Arg) -> Row:
    """Return a row for parts of ``x``.

    Parameters
    ----------
    x
        Lengths of the array's axes.
    keys
        Indices, with semicolons between them.
    least
        Axes that are never empty. What is an error in several of the parts names one of them; and
        an index outside its axis is an error even where another index array selects nothing,
        which is none to NumPy.
    letters
        The dtypes.
    args
        Arguments that the indices name.
    """
    found = ", ".join(f"x[{key.strip()}]" for key in keys.split(";"))
    return Row(f"[{found}]", {"x": Arg(x), **args}, letters, least=dict.fromkeys(least.split(), 1))


def put(
    x: str,
    key: str,
    y: str = "",
    part: str = "",
    least: str = "",
    letters: str = FEW,
    **args: Arg,
) -> Row:
    """Return a row for a part of ``x`` set to ``y``, and incremented by it.

    Parameters
    ----------
    x, y
        Lengths of the array's and the value's axes.
    key
        The index.
    part
        Which part of ``y`` is put; all of it by default.
    least
        Axes that are never empty.
    letters
        The dtypes.
    args
        Arguments that the index names.
    """
    value = f"y[{part}]" if part else "y"
    return Row(
        f"[T.set_subtensor(x[{key}], {value}), T.inc_subtensor(x[{key}], {value})]",
        {"x": Arg(x), "y": Arg(y), **args},
        letters,
        f"[put(x, np.s_[{key}], {value}), put_more(x, np.s_[{key}], {value})]",
        least=dict.fromkeys(least.split(), 1),
    )


AT, TO = (Arg("", "int64", position(axis)) for axis in "nm")
BOUND = Arg("", "int64", one_of(*range(-7, 8)))
BOUNDS = {"i": BOUND, "j": BOUND, "s": Arg("", "int64", one_of(-3, -2, -1, 1, 2, 3))}

BASIC = [
    *each(["x[None]", "x[None, ..., None]"], [""], FEW),
    parts("n", ":; 1:; :-1; 1:3; -2:; :-2; 2:2; 10:2; 5:100; -100:2", letters=ALL),
    parts(
        "n", "::2; 1::3; ::-1; ::-2; -2::-2; :1:-1; 3:0:-1; 1:-1:2; -99:99:5; 99:-99:-3", "", ALL
    ),
    parts("n", "...; None; :, None; ..., None, None; None, ::-1; ()"),
    parts("n", "0; -1; np.int8(0); ..., 0"),
    parts("n m", "1:; :, 1:; ::-1, ::2; ...; ..., 1:, :; None, ..., None; 1:, None, ::2", "", ALL),
    parts("n m", "2:1, ::-3; -2:, -3:-1; :, 100:"),
    parts("n m", "0; -1, 0; :, 0; ..., -1; 1:, ..., 0; ::-1, -1; 0, None; ..., None, -1", "n m"),
    parts("n m", ":, None, 0; None, 0, None, 1:; 0, 0", "n m"),
    parts("n m k", "0; :, 0, :; ..., 1:, 0; 0, ..., ::-1; -1, 1:, None, ::2; :, ::-1", "n m k"),
    parts(
        "n m k j", "0, ..., 1:; :, -1, ::-1; 1:, :, 0, ::2; ..., None, 0, :; -1, ..., 0", "n m k j"
    ),
    parts("3 m", "0; -1; 1:; ::-2, 0; ..., 1:; 2, None"),
    parts("n", "i:; :i; i::2; :i:3; i::-1; :i:-2; -i:; :-i", i=BOUND),
    parts("n", "i:j; i:j:2; i:j:-1; j:i:-2; i:j:s; i::s; :j:s; ::s", "", ALL, **BOUNDS),
    parts("n m", "i; i, j; :, j; i, None, j; ..., j, None; i:, j; ::-1, j", "n m", ALL, i=AT, j=TO),
    parts("n m", "i:, :j; i::s, ::-1; ..., j::s; None, :i, j:", **BOUNDS),
    parts("n m k", "i, :, 0; :, j, 0:; i, ..., ::-1; ..., j, :", "n m k", i=AT, j=TO),
]

ANY = Arg("j", draw=position("n"), edges=False)
DTYPES = [
    Row(
        "[x[i], x[i:], x[:i], x[..., i:, 0], x[p], x[:, p], x[p, p], x[p, 1:]]",
        {"x": Arg("n n", "float64"), "i": Arg("", draw=position("n"), edges=False), "p": ANY},
        "iu",
        slope=False,
    ),
    Row(
        "T.inc_subtensor(x[p], y)",
        {"x": Arg("n m", "float32"), "p": ANY, "y": Arg("j m", "int8")},
        "iu",
        "put_more(x, p, y)",
        slope=False,
    ),
    Row(
        "T.set_subtensor(x[1:], y)",
        {"x": Arg("n m"), "y": Arg("m", "int8")},
        "ifc",
        "put(x, np.s_[1:], y)",
    ),
]

AWAY, FAR = (Arg("", "int64", size(text)) for text in ("n - 4", "3 - n"))
OUTSIDE = [
    Row("x[i]", {"x": Arg("n m"), "i": AWAY}, dtypes=FEW, slope=False),
    Row("x[:, i]", {"x": Arg("m n"), "i": FAR}, dtypes=FEW, slope=False),
    Row(
        "[x[p], x[p, 1:]]",
        {"x": Arg("n m"), "p": Arg("j", "int64", size("n - 4"))},
        dtypes=FEW,
        slope=False,
    ),
    Row(
        "x[1:, p]",
        {"x": Arg("m n"), "p": Arg("2", "int64", size("3 - n"))},
        dtypes=FEW,
        slope=False,
    ),
    Row("x[::i]", {"x": Arg("n"), "i": Arg("", "int64", size("n - 1"))}, dtypes=FEW, slope=False),
    Row("x[2]", {"x": Arg("n m")}, dtypes=FEW, slope=False),
    Row("x[[0, -3]]", {"x": Arg("n m")}, dtypes=FEW, slope=False),
    Row(
        "T.set_subtensor(x[i], y)",
        {"x": Arg("n m"), "y": Arg(), "i": AWAY},
        plain="put(x, i, y)",
        dtypes=FEW,
        slope=False,
    ),
    Row(
        "T.inc_subtensor(x[p, ...], y)",
        {"x": Arg("n"), "y": Arg("j"), "p": Arg("j", "int64", size("n - 4"))},
        plain="put_more(x, p, y)",
        dtypes=FEW,
        slope=False,
    ),
]

P, Q = (Arg("j", "int64", position(axis)) for axis in "nm")
TABLE = Arg("h j", "int64", position("n"))
ONE = Arg("1", "int64", position("m"))
BOTH = {"p": P, "q": Q}
ARRAYS = [
    parts(
        "n",
        "p; p, None; None, p; ..., p; p[::-1]; [0, 0, -1]; np.array([[0], [-1]])",
        "n",
        ALL,
        p=P,
    ),
    parts("n m", "p; p, 1:; p, ::-1; p, None; None, p; p, ..., None; p, :, None", "", ALL, p=P),
    parts("m n", ":, p; 1:, p; ..., p; ::-1, None, p; None, :, p; [0, 0], 1:; :, [0]", "m n", p=P),
    parts("n m", "t; t, 1:; t[:, None]; t.T; [[0, 0], [-1, 0]]; ::2, [[0]]", "n m", t=TABLE),
    parts(
        "n m",
        "p, q; 0, q; -1, q; p, -1; p[:, None], q; p, q[:, None]; p, q, None",
        "n m",
        ALL,
        **BOTH,
    ),
    parts(
        "n m",
        "t, q; p[:, None, None], q; t, o; p, o; i, q; i, o",
        "n m",
        t=TABLE,
        o=ONE,
        i=AT,
        **BOTH,
    ),
    parts(
        "n m k",
        "p, q; p, :, 0; p, q, 0; p, 1:, ::-1; p, ..., 0; p, q, None; p, ..., q - q",
        "n m k",
        **BOTH,
    ),
    parts(
        "n k m",
        "p, :, q; p, None, :, q; p, ::-1, q; p, ..., q; p, 0, q; i, :, q",
        "n k m",
        i=AT,
        **BOTH,
    ),
    parts(
        "k n m", ":, p, q; ::-1, p, q; None, :, p, q; 0, p, q; ..., p, q; :, p, 1:", "k n m", **BOTH
    ),
    parts(
        "n k m h",
        "p, :, q; p, 0, q; p, 1:, q, ::-1; p, :, q, 0; i, ..., q, :",
        "n k m h",
        i=AT,
        **BOTH,
    ),
]

B, C, KEPT = (Arg(dims, "bool") for dims in ("n", "m", "n m"))
MASKS = [
    parts("n", "b; b, None; None, b; ~b; b[::-1]", "", ALL, b=B),
    parts("n m", "b; b, 0; b, 1:; b, ::-1; b, None; None, b; b, ..., -1", "m", b=B),
    parts("n m", ":, b; 0, b; 1:, b; ..., b; None, :, b; :, None, b; i, b", "n", b=C, i=AT),
    parts("n m", "b; ~b; b, None; None, b", "", ALL, b=KEPT),
    parts("n m k", "b; b, 0; b, ::-1; b, None; b, ...", "k", b=KEPT),
    parts("k n m", ":, b; 0, b; ..., b; ::-1, b; :, None, b; None, 1:, b", "k", b=KEPT),
    parts("n n", "b, b; b, b[::1], ...; b[:, None] & b", b=B),
    parts(
        "n k m", "b, :, o; b, 0, o; b, 1:, None, o; b, ..., o; 0, :, c", "n k m", b=B, c=C, o=ONE
    ),
    parts("n m", "True; False; None, True; z; ..., z; z, 0; 0, z", "n", z=Arg("", "bool")),
    Row("[x[T.neq(x, 0)], x[T.isnan(x)]]", {"x": Arg("n m")}, "fc"),
]

ORDER = Arg("n", "int64", permutation)
CHANGED = [
    put("n", "0"),
    put("n", "..."),
    put("n", ":", "n", letters=ALL),
    put("n", "1:", "n", ":-1"),
    put("n", "::-2", "n", "::2"),
    put("n", "i:j:s", "n", "i:j:s", letters=ALL, **BOUNDS),
    put("n m", "i", "m", i=AT),
    put("n m", "i, j", i=AT, j=TO),
    put("n m", ":, j", "n", letters=ALL, j=TO),
    put("n m", "1:, ::2", "1 1"),
    put("n m", "None, ::2, None", "1"),
    put("n m", "..., -1", "n"),
    put("n m k", ":, 0", "n k"),
    put("n m k", "..., i:, 0", "m", "i:", i=BOUND),
    put("n m k", "-1, 1:, None, ::-1", "k", letters=ALL),
    put("n", "p", "n", p=ORDER),
    put("n", "p", p=P),
    put("n m", "p", "m", letters=ALL, p=P),
    put("n m", "p, 1:", "n m", ":, 1:", p=ORDER),
    put("m n", ":, p", "m n", p=ORDER),
    put("n n", "p, p[::-1]", "n", letters=ALL, p=ORDER),
    put("n k n", "p, :, p", "n k", p=ORDER),
    put("m n", "i, p", "n", i=Arg("", "int64", position("m")), p=ORDER),
    put("n", "b", b=B),
    put("n m", "b", "m", b=B),
    put("n m", "b", "n m", "b", letters=ALL, b=KEPT),
    put("n m", ":, b", "n 1", letters=ALL, b=C),
    put("n m k", "b, ::-1", "k", b=KEPT),
    put("n k m", "b, 1:, o", "1 1", "", "m", b=B, o=ONE),
]


def repeated(x: str, key: str, y: str, least: str = "", letters: str = FEW, **args: Arg) -> Row:
    """Return a row for increments at positions that may occur several times."""
    return Row(
        f"T.inc_subtensor(x[{key}], y)",
        {"x": Arg(x), "y": Arg(y), **args},
        letters,
        f"put_more(x, np.s_[{key}], y)",
        least=dict.fromkeys(least.split(), 1),
    )


SEVERAL = [
    repeated("n", "p", "j", letters=ALL, p=P),
    repeated("n m", "p", "j m", letters=ALL, p=P),
    repeated("m n", ":, p", "m j", p=P),
    repeated("n m", "t, q", "h j", t=TABLE, q=Q),
    repeated("n k m", "p, 0, q", "j", "k", **BOTH),
    repeated("n k m", "p, ::-1, q", "j k", letters=ALL, **BOTH),
    repeated("n m", "[0, 0, -1]", "m"),
    repeated("n m", "p, o", "j", "m", p=P, o=ONE),
    Row(
        "T.inc_subtensor(x[:, 1:][p, :2], y, inplace=True)",
        {"x": Arg("n m"), "y": Arg(), "p": P},
        FEW,
        "put_more(x[:, 1:], (p, np.s_[:2]), y)",
    ),
]

ROWS: list[Row] = [*BASIC, *DTYPES, *OUTSIDE, *ARRAYS, *MASKS, *CHANGED, *SEVERAL]
