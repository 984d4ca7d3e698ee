"""Loading, linking and calling of compiled code."""
