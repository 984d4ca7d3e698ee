"""Lines of sparse matrices: made from dense ones, computed with, and made dense again."""

from __future__ import annotations

from tests.language.program import Program

# What keeps the structure keeps it for results that happen to be zero too: these functions are
# zero at zero, so that it makes no difference to SciPy, which drops such elements.
UNARY = (
    "S.neg({a})", "S.transpose({a})", "S.tanh({a})", "S.sin({a})", "S.sqr({a})",
    "S.structured_abs({a})", "S.structured_maximum({a}, 0)", "S.structured_pow({a}, 3)",
    "S.to_format({a}, 'csr')", "S.to_format({a}, 'csc')", "{a} * s",
)  # fmt: skip


def make_sparse(p: Program) -> None:
    """A sparse matrix out of a dense one of which some elements are zero."""
    x = p.pick(lambda value: value.dtype == "float64" and value.ndim == 2 and value.size < 50)
    v = p.pick(lambda value: value.dtype == "float64" and value.ndim == 1 and value.size < 8)
    name = p.one_of("csr_from_dense", "csc_from_dense", "csr_from_dense", "square_diagonal")
    if name == "square_diagonal" and v:
        p.bind("M", f"S.square_diagonal({v})")
    elif x:
        x = p.one_of(x, f"T.nnet.relu({x})", f"T.tril({x})", f"T.switch({x} < 0.25, 0, {x})")
        p.bind("M", f"S.{name}({x})")


def sparse_unary(p: Program) -> None:
    a = p.pick_sparse()
    if not a:
        return
    n, m = p.parts[a][1].shape
    texts = [text.format(a=a) for text in UNARY]
    if p.values.get("w") is not None:
        texts += [f"S.row_scale({a}, w)"] * (n == len(p.values["w"]))
        texts += [f"S.col_scale({a}, v)", f"S.structured_add_s_v({a}, v)"] * (
            m == len(p.values["v"])
        )
    if n > 1 and m > 1:
        texts += [f"{a}[1:]", f"{a}[::-1, 1:]", f"S.transpose(S.transpose({a})[[1, 0]])",
                  f"{a}[[0, -1, 0]]", f"{a}[{n - 1}]", f"{a}[:j, ::2]"]  # fmt: skip
    p.bind("M", p.one_of(*texts))


def sparse_binary(p: Program) -> None:
    a = p.pick_sparse()
    if not a:
        return
    shape = p.parts[a][1].shape
    b = p.pick_sparse(lambda other: other.shape == shape)
    c = p.pick_sparse(lambda other: other.shape[0] == shape[1])
    same = p.parts[a][1].shape
    dense = p.pick(lambda v: v.dtype == "float64" and v.shape == same)
    texts = [f"S.add({a}, {b})", f"S.sub({a}, S.tanh({b}))", f"S.mul({a}, {b})",
             f"S.vstack([{a}, {b}], format='csr')",
             f"S.hstack([{a}, {b}], format='csc')"]  # fmt: skip
    if c:
        texts += [f"S.true_dot({a}, {c})", f"S.structured_dot({a}, {c})"]
    if dense:
        texts.append(f"S.mul({a}, {dense})")
    p.bind("M", p.one_of(*texts))


def make_dense(p: Program) -> None:
    """An array out of a sparse matrix."""
    a = p.pick_sparse()
    if not a:
        return
    n, m = p.parts[a][1].shape
    y = p.pick(lambda v: v.dtype == "float64" and v.ndim in (1, 2) and v.shape[0] == m)
    left = p.pick(lambda v: v.dtype == "float64" and v.ndim == 2 and v.shape[1] == n)
    one = p.pick(lambda v: v.dtype == "float64" and v.shape == (n, m))
    texts = [f"S.dense_from_sparse({a})", f"S.sp_sum({a})", f"S.sp_sum({a}, axis=0)",
             f"S.sp_sum({a}, axis=1)"]  # fmt: skip
    if y:
        texts += [f"S.structured_dot({a}, {y})", f"S.dot({a}, {y})"]
    if left:
        texts.append(f"S.dot({left}, {a})")
    if one:
        sampled = f"S.sampling_dot({one}, {one}, S.true_dot({a}, S.transpose({a})))"
        texts += [f"S.add({a}, {one})", f"{one} - {a}", f"S.dense_from_sparse({sampled})"]
    if n == m:
        texts.append(f"S.diag({a})")
    if n and m:
        texts += [f"{a}[{n - 1}, 0]", f"T.flatten({a}[[0, {n - 1}], [{m - 1}, 0]], 1)"]
    p.add(p.one_of(*texts))
