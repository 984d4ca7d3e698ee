"""Linear algebra on matrices and batches of them: products, factorizations, solutions, spectra.

All functions work on the last two axes; what stands in front of them is a batch, as in NumPy.
A matrix that has no answer (singular, not positive definite, no convergence) raises
``numpy.linalg.LinAlgError``; one that holds NaN has NaN for an answer, or raises.
"""
