# Lesson 1: from an expression to a program.
# A symbolic variable represents a number or an array whose value is given later. Operations on
# symbolic variables compute nothing; they record a graph of the computation. Because the whole
# expression is known before any of it runs, symtheano can differentiate it, simplify it, and
# generate C for it.
#
# The expression here is the sum of log(1 + exp(x)) over the elements of a vector. Written this way,
# it overflows: exp(1000) is infinite in double precision, although the result is 1000.

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano.printing import debugprint

x = T.dvector("x")
y = T.log(1 + T.exp(x)).sum()

# The derivative is another graph, which is made from the first one by the chain rule.

dy_dx = T.grad(y, x)

print("As written:\n")
debugprint([y, dy_dx])

# `function` takes the inputs and the outputs. It rewrites the graph: log(1 + exp(x)) is recognized
# as softplus, its derivative is the sigmoid, and both have forms that are accurate for every
# argument. One loop reads x once and computes both outputs.

f = symtheano.function([x], [y, dy_dx])

print("\nAs it will run:\n")
debugprint(f)

# `explain` prints the rewrite rules that were applied, grouped by the line of the program that
# wrote the expression. Here, all of them are listed under one line: first the rules that normalize
# the graph, then those that make it numerically stable.

print("\nWhat the rules did:\n")
symtheano.explain(f)

# The result is one C file, which is compiled once and cached. It begins with declarations that all
# generated files have in common. The last functions are the loops, and comments show which lines of
# the program they come from.

print("\nIts C:\n")
print(f.c_source)

# Now call it with numbers. The plain formula, computed by NumPy, overflows at 1000; the function
# does not.

numbers = np.array([-1000.0, -1.0, 0.0, 1.0, 1000.0])
value, gradient = f(numbers)
with np.errstate(over="ignore"):
    plain = np.log(1 + np.exp(numbers)).sum()

print("plain NumPy:", plain)
print("symtheano:  ", value)
print("derivative: ", gradient)

assert np.isclose(value, np.logaddexp(0, numbers).sum())
assert np.allclose(gradient, [0, 1 / (1 + np.e), 0.5, np.e / (1 + np.e), 1])
