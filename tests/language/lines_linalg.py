"""Lines of linear algebra: products, equations, factors, transforms."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.language.program import Program


def product(p: Program) -> None:
    x = p.pick_of("fc", 1, 3)
    if not x:
        return
    a = p.values[x]
    y = p.pick(lambda b: b.dtype == a.dtype and b.ndim in (1, 2)
               and b.shape[0] == a.shape[-1])  # fmt: skip
    if y and a.ndim < 3:
        letters = {(2, 2): "ij,jk->ki", (1, 1): "i,i->", (2, 1): "ij,j->i", (1, 2): "i,ij->j"}
        ndim = p.values[y].ndim
        p.add(p.one_of(f"T.dot({x}, {y})", f"T.matmul({x}, {y})",
                       f"T.tensordot({x}, {y}, axes=1)",
                       f"T.einsum({letters[a.ndim, ndim]!r}, {x}, {y})"))  # fmt: skip
    elif y:
        p.add(f"T.matmul({x}, {y})" if p.values[y].ndim == 2 else f"T.tensordot({x}, {y}, axes=1)")


def more_products(p: Program) -> None:
    x = p.pick_of("fc", 1, 3)
    if not x:
        return
    same = p.pick(lambda b: b.dtype == p.values[x].dtype and b.shape == p.values[x].shape)
    texts = {
        1: ["T.outer({x}, {y})", "T.inner({x}, {y})", "T.einsum('i,j->ij', {x}, {y})"],
        2: ["T.kron({x}, {y})", "T.dot({x}, {y}.T)", "T.einsum('ij,ij->j', {x}, {y})",
            "T.einsum('ij,kj->ik', {x}, {y})"],
        3: ["T.matmul({x}, T.swapaxes({y}, 1, 2))", "T.einsum('bij,bij->bi', {x}, {y})",
            "T.einsum('bij,bkj->bik', {x}, {y})", "T.tensordot({x}, {y}, axes=[[0, 2], [0, 2]])",
            "T.batched_dot({x}, T.swapaxes({y}, 1, 2))"],
    }  # fmt: skip
    p.add(p.one_of(*texts[p.values[x].ndim]).format(x=x, y=same))


def solve(p: Program) -> None:
    """Linear algebra on a matrix that is well conditioned."""
    x = p.pick(lambda value: value.dtype == "float64" and value.ndim == 2 and value.shape[0] < 7)
    if not x:
        return
    matrix = f"(T.dot({x}, {x}.T) + 3 * T.eye({x}.shape[0]))"
    n = p.values[x].shape[0]
    b = p.pick(lambda v: v.dtype == "float64" and v.ndim in (1, 2) and v.shape[0] == n) or x
    p.add(p.one_of(f"T.slinalg.cholesky({matrix})", f"T.nlinalg.det({matrix} * 0.25)",
                   f"T.nlinalg.inv({matrix})", f"T.slinalg.solve({matrix}, {b})",
                   f"T.nlinalg.slogdet({matrix})[1]",
                   f"T.nlinalg.matrix_power({matrix} * 0.2, 3)"))  # fmt: skip


def transform(p: Program) -> None:
    x = p.pick(lambda value: value.dtype == "float64" and value.ndim == 2 and value.shape[1] > 1)
    if x:
        norm = p.one_of(None, "ortho")
        text = f"T.fft.theano_rfft({x}, norm={norm!r})"
        if p.draw(st.booleans()):
            odd = bool(p.values[x].shape[1] % 2)
            text = f"T.fft.theano_irfft({text} * 0.5, norm={norm!r}, is_odd={odd})"
        p.add(text)


def factors(p: Program) -> None:
    """Factors, multiplied so that signs and orders that are free don't matter."""
    x = p.pick(lambda v: v.dtype == "float64" and v.ndim == 2 and v.size and max(v.shape) < 7)
    if not x:
        return
    n, m = p.values[x].shape
    square = f"(T.dot({x}, {x}.T) + 3 * T.eye({x}.shape[0]))"
    rank = f"np.linalg.svd({x}, compute_uv=False)"
    apart = f"1e-4 * np.append(np.diff({rank}), {rank}[-1])"
    levels = f"1e-4 * np.diff(np.linalg.eigvalsh({square}))"
    kind = p.one_of("svd", "eigh", "qr", "lu", "lstsq", "numbers")
    if kind == "svd" and not is_near(p, apart):
        left, sizes, right = p.bind("U S W", f"T.nlinalg.svd({x}, full_matrices=False)")
        p.add(p.one_of(sizes, f"T.dot({left} * {sizes}, {right})", f"abs({right})",
                       f"T.dot({left} * T.tanh({sizes}), {right})", f"T.sqr({left})"),
              apart)  # fmt: skip
    elif kind == "eigh" and not is_near(p, levels):
        roots, columns = p.bind("L Q", f"T.nlinalg.eigh({square})")
        p.add(p.one_of(roots, f"T.dot({columns} * T.log({roots}), {columns}.T)",
                       f"T.sqr({columns})", f"T.dot({columns}, {columns}.T)"), levels)  # fmt: skip
    elif kind == "qr" and n >= m and not is_near(p, apart):
        columns, right = p.bind("Q R", f"T.nlinalg.qr({x})")
        p.add(p.one_of(f"T.dot({columns}, {right})", f"abs({right})",
                       f"T.dot({columns}, {columns}.T)"), apart, f"np.diag({right})")  # fmt: skip
    elif kind == "lu":
        left, right = p.bind("P R", f"T.slinalg.lu({square}, permute_l=True)")
        p.add(f"T.dot({left}, {right}) * T.tanh({right})")
    elif kind == "lstsq":
        b = p.pick(lambda v: v.dtype == "float64" and v.ndim in (1, 2) and v.shape[0] == n) or x
        p.add(f"T.nlinalg.lstsq({x}, {b}, rcond=1e-9)[0]", apart)
    elif kind == "numbers":
        numbers(p, x, square, apart)


def is_near(p: Program, guard: str) -> bool:
    """Return whether a number that must not vanish is too close to zero."""
    return bool((abs(p.number(guard)) < p.near()).any())


def numbers(p: Program, x: str, square: str, apart: str) -> None:
    """Powers, inverses, norms and the like of a matrix."""
    n, m = p.values[x].shape
    wide = n == m and not is_near(p, apart)
    text = p.one_of(
        f"T.nlinalg.pinv({x})", f"T.nlinalg.norm({x}, 'nuc')", f"T.nlinalg.norm({x}, 2)",
        f"T.nlinalg.norm({x}, axis=1)", f"T.nlinalg.matrix_rank({x})",
        f"T.nlinalg.cond({x}) * 0.01", f"T.slinalg.expm({square} * 0.1)",
        f"T.slinalg.eigvalsh({square})", f"T.nlinalg.multi_dot([{x}, {x}.T, {x}])",
        f"T.slinalg.cho_solve((T.slinalg.cholesky({square}), True), {x})",
        f"T.slinalg.solve_triangular({square}, {x}, lower=True)",
        f"T.slinalg.solve_triangular({square}, {x}, trans=1)",
        f"T.real(T.nlinalg.eigvals({square}).sum())",
        f"T.nlinalg.slogdet({square})[0]", f"T.nlinalg.inv({square} * 2)",
        f"T.nlinalg.det({x})" if n == m else f"T.nlinalg.det({square}) * 0.01",
        f"T.nlinalg.inv({x}) * 0.1" if wide else f"T.nlinalg.matrix_power({square}, -1)",
        f"T.slinalg.solve({x}, {x}.T) * 0.1" if wide else f"T.dot({x}.T, {x})",
    )  # fmt: skip
    levels = f"1e-4 * np.diff(np.linalg.eigvalsh({square}))"
    p.add(text, apart if "pinv" in text or "cond" in text or "rank" in text or "(x" in text else "",
          levels if "eig" in text else "" if "cho" in text else apart)  # fmt: skip


def batches(p: Program) -> None:
    """Matrices in a batch."""
    t = p.pick(lambda v: v.dtype == "float64" and v.ndim == 3 and v.size and v.shape[1] < 6)
    if not t:
        return
    square = f"(T.matmul({t}, T.swapaxes({t}, 1, 2)) + 3 * T.eye({t}.shape[1]))"
    p.add(p.one_of(
        f"T.slinalg.cholesky({square})", f"T.nlinalg.inv({square})",
        f"T.nlinalg.det({square} * 0.25)", f"T.nlinalg.slogdet({square})[1]",
        f"T.slinalg.solve({square}, {t})", f"T.nlinalg.eigh({square})[0]",
        f"T.nlinalg.svd({square}, compute_uv=False)", f"T.matmul({square}, {t})",
        f"T.einsum('bii->b', {square})", f"abs(T.nlinalg.qr({square})[1])",
        f"T.fft.theano_irfft(T.fft.theano_rfft({t}) * 0.5, is_odd={bool(p.values[t].shape[2] % 2)})"
        if p.values[t].shape[2] > 1 else f"T.matmul({t}, T.swapaxes({t}, -1, -2))",
    ), "", f"1e-4 * np.diff(np.linalg.eigvalsh({square}))")  # fmt: skip


def complex_transform(p: Program) -> None:
    """NumPy's Fourier transforms, and arithmetic of complex numbers."""
    z = p.pick(lambda v: v.dtype == "complex128" and v.ndim in (1, 2) and v.size)
    if not z:
        return
    norm = p.one_of("backward", "ortho", "forward")
    p.add(p.one_of(
        f"T.fft.fft({z}, norm={norm!r})", f"T.fft.ifft({z}, axis=0, norm={norm!r})",
        f"T.fft.ifft(T.fft.fft({z}) * {z})", f"T.fft.fft({z}, n=4, axis=-1)",
        f"T.fft.ifftn({z})", f"T.real({z} * T.conj({z}))", f"T.imag({z} * {z}[::-1])",
        f"T.dot({z}, T.conj({z}).T)", f"abs({z} * {z} + 3)", f"T.exp({z} * 1j)",
        f"T.cumsum({z}, axis=-1)", f"T.sum({z} * T.conj({z}[::-1]), axis=0)",
        f"T.real({z}) + 1j * T.imag({z}) * 0.5", f"T.vdot({z}, {z} * {z})"
        if p.values[z].ndim == 1 else f"T.outer({z}[0], {z}[-1])",
        f"1 / ({z} * 0.25 + 2)", f"T.angle({z} + 3)", f"T.sqrt({z} + 3)", f"T.log({z} + 3)",
        f"T.tanh({z} * 0.25)", f"{z} ** 2", f"T.sin({z} * 0.5)",
    ))  # fmt: skip
