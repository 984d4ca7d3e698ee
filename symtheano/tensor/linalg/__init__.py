"""Linear algebra on matrices and batches of them: products, factorizations, solutions, spectra.

All functions work on the last two axes; other axes are batches, as in NumPy. If there is no result
(singular, not positive definite, no convergence), ``numpy.linalg.LinAlgError`` is raised; if a
matrix contains NaN, the result is NaN or an error is raised.
"""
