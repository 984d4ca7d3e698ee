"""The user graph: types, variables, ops and their applications; walks over it; its frozen form."""
