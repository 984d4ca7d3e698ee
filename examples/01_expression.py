# Lesson 1: an expression becomes a program.
#
# A symbolic variable stands for a number or an array that will be known later. Mathematics on such
# variables computes nothing; it records a graph of what is to be computed. Because the whole
# expression is known before any of it runs, symtheano can differentiate it, simplify it, and write
# it down as C.
#
# The expression here is the sum of log(1 + exp(x)) over the elements of a vector. Written so, it
# overflows: exp(1000) is infinite in double precision, although the answer is 1000. Watch what
# becomes of it.

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano.printing import debugprint

x = T.dvector("x")
y = T.log(1 + T.exp(x)).sum()

# The derivative is another graph, made from the first by the chain rule.

dy_dx = T.grad(y, x)

print("As written:\n")
debugprint([y, dy_dx])

# `function` names what goes in and what comes out. It looks at the graph as mathematics: log(1 +
# exp(x)) is known as softplus, its derivative is the sigmoid, and both have forms which are right
# for every argument. One loop reads x once and makes both outputs.

f = symtheano.function([x], [y, dy_dx])

print("\nAs it will run:\n")
debugprint(f)

# `explain` tells which rules did that. One line of this file made the expression, so all of them
# stand under that line: those that bring the graph into one form first, then those that know what
# is lost in floating point.

print("\nWhat the rules did:\n")
symtheano.explain(f)

# What is left is one C file, compiled once and kept for the next time. It begins with what all such
# files have in common; the last functions are the work itself, and comments say which of the lines
# above they came from.

print("\nIts C:\n")
print(f.c_source)

# And now numbers. The plain formula, computed by NumPy, is lost at 1000; the function is not.

numbers = np.array([-1000.0, -1.0, 0.0, 1.0, 1000.0])
value, gradient = f(numbers)
with np.errstate(over="ignore"):
    plain = np.log(1 + np.exp(numbers)).sum()

print("plain NumPy:", plain)
print("symtheano:  ", value)
print("derivative: ", gradient)

assert np.isclose(value, np.logaddexp(0, numbers).sum())
assert np.allclose(gradient, [0, 1 / (1 + np.e), 0.5, np.e / (1 + np.e), 1])
