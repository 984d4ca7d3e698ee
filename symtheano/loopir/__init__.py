"""LoopIR: loops, loads, stores and scalar statements. Knows neither ops nor C."""

from symtheano.loopir.builder import Builder
from symtheano.loopir.index import Index
from symtheano.loopir.nodes import (
    Allocate,
    Assign,
    Buffer,
    Call,
    Check,
    Comment,
    Declare,
    For,
    If,
    Kernel,
    Let,
    LetIndex,
    Literal,
    Load,
    Program,
    PythonCall,
    Statement,
    Store,
    Value,
    While,
)
from symtheano.loopir.view import View

__all__ = [
    "Allocate",
    "Assign",
    "Buffer",
    "Builder",
    "Call",
    "Check",
    "Comment",
    "Declare",
    "For",
    "If",
    "Index",
    "Kernel",
    "Let",
    "LetIndex",
    "Literal",
    "Load",
    "Program",
    "PythonCall",
    "Statement",
    "Store",
    "Value",
    "View",
    "While",
]
