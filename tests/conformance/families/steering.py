"""Derivatives as expressions, what steers them, and ops of users."""

from __future__ import annotations

from tests.conformance.draws import number, within
from tests.conformance.families.sparse_matrices import few
from tests.conformance.row import Arg, Row

X = {"x": Arg("n m")}
TWO = {"x": Arg("n m"), "y": Arg("n m")}
VECTORS = {"x": Arg("n"), "y": Arg("n")}


def grad_of(cost: str, options: str = "") -> str:
    """Return the text of the gradient of a cost with respect to ``x``."""
    return f"T.grad(T.sum({cost}), x{options})"


def steered(text: str, value: str, slope: str, letters: str = "F") -> list[Row]:
    """Return rows of an expression that is ``x`` itself, and of the gradient of its square."""
    return [
        Row(f"{text} * 1", X, "iF", plain=value, slope=False),
        Row(grad_of(f"T.sqr({text})"), X, letters, plain=slope, slope=False),
    ]


PASSING = [
    *steered("gradient.grad_clip(x, -1, 2)", "x", "np.clip(2 * x, -1, 2)"),
    *steered("gradient.GradClip(-3, 1)(x)", "x", "np.clip(2 * x, -3, 1)"),
    *steered("gradient.grad_scale(x, -0.5)", "x", "-x"),
    *steered("gradient.GradScale(3)(x)", "x", "6 * x"),
    *(row for name in ("gradient.zero_grad", "gradient.consider_constant", "T.consider_constant",
                       "gradient.zero_grad_", "gradient.consider_constant_", "gradient.ZeroGrad()",
                       "gradient.ConsiderConstant()")
      for row in steered(f"{name}(x)", "x", "np.zeros_like(x)")),
    *(row for name in ("gradient.disconnected_grad", "gradient.disconnected_grad_",
                       "gradient.DisconnectedGrad()")
      for row in (Row(f"{name}(x) * 1", X, "iF", plain="x", slope=False),
                  Row(grad_of(f"x * {name}(x)"), X, "F", plain="x", slope=False),
                  Row(grad_of(f"{name}(x)", ", disconnected_inputs='ignore'"), X, "F",
                      plain="np.zeros_like(x)", slope=False))),
    *(Row(f"{name}(x) * 1", X, "iF", plain="x", slope=False)
      for name in ("gradient.undefined_grad", "gradient.undefined_grad_",
                   "gradient.UndefinedGrad()", "gradient.PassThrough()")),
    *(Row(f"T.grad(T.sum(T.sqr(sparse.dense_from_sparse({text}))), x)",
          {"x": Arg("n m", draw=few(number))}, "F", plain=slope, slope=False) for text, slope in (
        ("gradient.grad_scale(sparse.csr_from_dense(x), 3)", "6 * x"),
        ("gradient.grad_clip(sparse.csc_from_dense(x), -1, 2)", "np.clip(2 * x, -1, 2)"),
        ("gradient.zero_grad(sparse.csr_from_dense(x))", "np.zeros_like(x)"),
    )),
    Row(grad_of("x**2 * y", ", consider_constant=[y]"), TWO, "F", plain="2 * x * y"),
    Row("(lambda e: T.grad(None, x, known_grads={e: y}))(T.sin(x))", TWO, "F",
        plain="np.cos(x) * y", slack=10),
]  # fmt: skip

DERIVATIVES = [
    Row("T.grad(T.sum(x**3), x)", X, "f", plain="3 * x**2", slack=10),
    Row("symtheano.grad((x * y).sum(), [x, y])", TWO, "F", plain="[y, x]"),
    Row("gradient.grad(T.dot(x, y), x)", VECTORS, "F", plain="y + 0"),
    Row("T.grad(T.sum(abs(x)**2), x)", X, "c", plain="2 * x", slack=10, edges=False),
    Row("[T.Lop(T.sin(x), x, y), symtheano.Lop(T.sin(x), x, y), gradient.Lop(x * 2, x, y)]", TWO,
        "F", plain="[np.cos(x) * y, np.cos(x) * y, 2 * y]", slack=10),
    Row("[T.Rop(T.sin(x), x, y), symtheano.Rop(T.sin(x), x, y), gradient.Rop(x * 2, x, y)]", TWO,
        "F", plain="[np.cos(x) * y, np.cos(x) * y, 2 * y]", slack=10),
    Row("T.jacobian(x**2, x)", {"x": Arg("n")}, "F", plain="np.diag(2 * x)", edges=False),
    Row("gradient.jacobian(T.outer(x, y).sum(axis=1), [x, y])", {"x": Arg("n"), "y": Arg("m")}, "F",
        plain="[np.eye(len(x), dtype=x.dtype) * y.sum(), x[:, None] * np.ones_like(y)]", slack=10,
        edges=False),
    Row("T.hessian(T.sum(x**3), x)", {"x": Arg("n")}, "F", plain="np.diag(6 * x)", edges=False),
    Row("gradient.hessian(T.dot(x, x), x)", {"x": Arg("n")}, "F",
        plain="2 * np.eye(len(x), dtype=x.dtype)", slope=False),
    Row("gradient.hessian_times_vector(T.grad(T.sum(x**3), x), x, y)", VECTORS, "F",
        plain="6 * x * y",
        edges=False),
    Row("(lambda h: (lambda wrt, end: [*wrt, *end])(*symtheano.subgraph_grad("
        "[x], [h], cost=T.sum((x * h) ** 2))))(y * 2)", TWO, "F",
        plain="[8 * x * y**2, 4 * x**2 * y]", slack=10, edges=False),
    Row("(lambda h, e: [*gradient.subgraph_grad([x], [h], start={e(h): y})[0]])"
        "(y * 2, lambda h: x * h)", TWO, "F", plain="[2 * y * y]", slope=False),
    Row("gradient.format_as(True, False, [x * 2])", X, "F", plain="[x * 2]"),
]  # fmt: skip

BOTH = (
    "(lambda a, b: symtheano.OpFromGraph([a, b], [a * b + a, a - b]{0})(x, y))(x.type(), y.type())"
)
ONE = "(lambda a: symtheano.OpFromGraph([a], [T.sin(a)]{0})(x))(x.type())"
SOFTMAX = Row("T.vectorize_graph((lambda v: T.exp(v) / T.exp(v).sum())(x), {x: y})",
              {"x": Arg("m"), "y": Arg("n m")}, "F",
              plain="np.exp(y) / np.exp(y).sum(axis=1, keepdims=True)", slack=10, slope=False,
              edges=False)  # fmt: skip
USERS = [
    Row(f"[*{BOTH.format('')}]", TWO, "fc", plain="[x * y + x, x - y]", slack=10),
    Row(ONE.format(", inline=True, name='sine'"), X, "f", plain="np.sin(x)", slack=10),
    Row(grad_of(ONE.format(", grad_overrides=lambda inputs, gs: [gs[0] * 3]")), X, "F",
        plain="np.full_like(x, 3)", slope=False),
    Row(grad_of(ONE.format(", lop_overrides=lambda inputs, outputs, gs: [outputs[0] + gs[0]]")), X,
        "F", plain="np.sin(x) + 1", slope=False, slack=10),
    Row("T.Rop(" + ONE.format(", rop_overrides=lambda inputs, points: [points[0] * inputs[0]]")
        + ", x, y)", TWO, "F", plain="x * y", slope=False),
    Row("symtheano.clone(T.exp(x) * x, replace={x: y})", TWO, "F", plain="np.exp(y) * y", slack=10),
    Row("symtheano.clone_replace([x * 2, x + y], {x: y})", TWO, "iFc", plain="[y * 2, y + y]"),
    Row("symtheano.as_op([x.type], [x.type], infer_shape=lambda node, shapes: shapes)"
        "(np.sort)(x) * 2", {"x": Arg("n m", draw=within(-4, 4))}, "iF", plain="np.sort(x) * 2",
        slope=False),
    Row("symtheano.as_op(x.type, [x.type, T.lscalar])(lambda a: [a[1:], np.array(len(a))])(x)",
        {"x": Arg("n")}, "iF", plain="[x[1:], np.int64(len(x))]", slope=False),
    Row("printing.Print('x', global_fn=lambda op, value: None)(x) * 2", X, "iFc", plain="x * 2"),
    Row("printing.Print('x', ('shape',), lambda op, value: str(value))(x + y)", TWO, "F",
        plain="x + y"),
    Row("T.Assert('rows')(x, T.ge(x.shape[0], 0)) * 2", X, "iFc", plain="x * 2"),
    Row("T.assertion.AssertOrRaise('x', 'builtins', 'LookupError')(x, T.ge(x.ndim, 0)) * 2", X, "F",
        plain="x * 2"),
    Row("T.assert_op(x, T.all(T.eq(x.shape, y.shape)), x.ndim > 1) + y", TWO, "iFc", plain="x + y"),
    Row("[T.opt.Assert()(x), T.opt.assert_op(x, True)]", X, "iFc", plain="[x, x]"),
    SOFTMAX,
    Row("T.vectorize(lambda a, b: T.dot(a, b), '(m,n),(n)->(m)')(x, y)",
        {"x": Arg("j n m"), "y": Arg("j m")}, "F", plain="(x * y[:, None]).sum(axis=-1)",
        slack=10, edges=False),
    Row("T.vectorize(lambda a, b: a * T.cos(b))(x, y)", TWO, "F", plain="x * np.cos(y)", slack=10),
]  # fmt: skip

ROWS: list[Row] = [*PASSING, *DERIVATIVES, *USERS]
