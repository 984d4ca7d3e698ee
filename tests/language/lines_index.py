"""Lines with brackets: parts of an array, and arrays of which parts are set or increased."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.language.program import Program


def slice_text(p: Program) -> str:
    bound = st.sampled_from(["", "", "1", "-1", "2", "-3", "j"])
    start_, stop = p.draw(bound), p.draw(bound)
    return f"{start_}:{stop}:{p.one_of(1, 1, 2, -1, -2)}"


def key_text(p: Program, x: str, advanced: bool, distinct: bool = False) -> str:
    """Return what may be in the brackets after a variable."""
    shape = p.values[x].shape
    mask = p.pick(lambda value: value.dtype == "bool" and value.ndim > 0
                  and value.shape == shape[: value.ndim])  # fmt: skip
    if advanced and mask and p.draw(st.booleans()):
        rest = [slice_text(p) for _ in shape[p.values[mask].ndim :] if p.draw(st.booleans())]
        return ", ".join([mask, *rest])
    parts = []
    length = p.one_of(1, 2, 3)
    for n in shape:
        kind = p.one_of("slice", "slice", "number", "whole", "list", "array")
        vector = p.pick(lambda value: value.dtype == "int64" and value.ndim == 1
                        and len(value) == length)  # fmt: skip
        if kind == "number" and n:
            parts.append(p.one_of(str(p.draw(st.integers(-n, n - 1))), f"j % {n}"))
        elif kind == "list" and advanced and n and (n >= length or not distinct):
            index = p.draw(st.lists(st.integers(0, n - 1), min_size=length, max_size=length,
                                    unique=distinct))  # fmt: skip
            parts.append(f"np.array({[i - n if i % 2 else i for i in index]})")
        elif kind == "array" and advanced and n and vector and not distinct:
            parts.append(f"{vector} % {n}")
        else:
            parts.append(":" if kind == "whole" else slice_text(p))
    if p.draw(st.booleans()) and p.draw(st.booleans()):
        return ", ".join(["...", *parts[max(0, len(parts) - 1) :]])
    if not distinct and len(shape) < 3 and p.draw(st.booleans()) and p.draw(st.booleans()):
        parts.insert(p.draw(st.integers(0, len(parts))), "None")
    return ", ".join(parts)


def index(p: Program) -> None:
    x = p.pick_of("fciub", 1, 3)
    if x:
        p.add(f"{x}[{key_text(p, x, p.draw(st.booleans()))}]")


def put(p: Program) -> None:
    x = p.pick(lambda value: 1 <= value.ndim <= 3
               and value.dtype in ("float64", "int64", "complex128"))  # fmt: skip
    if x:
        more = p.draw(st.booleans())
        key = key_text(p, x, p.draw(st.booleans()), distinct=not more)
        single = "j" if p.values[x].dtype == "int64" else "s"
        wide = p.one_of("2", f"{x}[{key}] * 2", single)
        name = "put_more" if more else "put"
        p.add(f"{name}({x}, np.s_[{key}], {wide})")
