"""The conformance suite: a table of expressions, each run on every dtype, edge value and layout.

A row of the table is a text that is evaluated twice: with ``T`` as ``symtheano.tensor`` for
variables, and with NumPy under the same names for values. From the row's arguments the suite
makes calls: all dtypes, edge values, layouts, empty and single axes. Results of compiled code are
compared with the interpreter's and with NumPy's, gradients with finite differences, ``Rop`` with
``Lop``. ``docs/conformance.md`` lists the rows with the number of their cases.
"""
