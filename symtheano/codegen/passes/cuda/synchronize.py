"""Synchronize: threads wait where they use what others have written."""

from __future__ import annotations

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Barrier, For, If, Kernel, Statement, While
from symtheano.loopir.device import Pending, is_shared_out
from symtheano.loopir.names import walk
from symtheano.loopir.rewrite import Body, with_inner_loops


def synchronize(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Put barriers in blocks and warps, as few as needed in one list of statements."""
    changed = with_inner_loops(kernel, lambda loop: [_changed(loop)])
    count = sum(isinstance(s, Barrier) for s in walk(changed.body))
    if count:
        context.note(None, "{} barriers", count)
    context.otherwise("not, no thread uses what another one has written")
    return changed


def _changed(statement: For) -> For:
    if statement.kind in ("grid", "warp"):
        barrier = Barrier("block" if statement.kind == "grid" else "warp")
        return replace(statement, body=_waiting(statement.body, Pending(), barrier))
    return statement


def _waiting(statements: Body, seen: Pending, barrier: Barrier) -> Body:
    """Return statements with barriers; ``seen`` is what threads have used since the last one."""
    block: list[Statement] = []
    for s in statements:
        here = Pending()
        here.add(s)
        if seen.conflict(here) is not None:
            block.append(barrier)
            seen.clear()
        if isinstance(s, For) and not is_shared_out(s):
            s = replace(s, body=_waiting(s.body, _before(here), barrier))
        elif isinstance(s, While):
            again = _before(here)
            test, body = _waiting(s.test, again, barrier), _waiting(s.body, again, barrier)
            s = replace(s, test=test, body=body)
        elif isinstance(s, If):
            then = Pending(set(seen.reads), set(seen.writes))
            first, second = _waiting(s.then, then, barrier), _waiting(s.otherwise, seen, barrier)
            s = replace(s, then=first, otherwise=second)
            seen.join(then)
        seen.join(here)
        block.append(s)
    return tuple(block)


def _before(iteration: Pending) -> Pending:
    """Return what the iteration before has used, if one of a loop waits for it."""
    if iteration.conflict(iteration) is None:
        return Pending()
    return Pending(set(iteration.reads), set(iteration.writes))
