"""The user graph: types, variables, ops and their applications; traversals; its immutable form."""
