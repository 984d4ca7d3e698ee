"""``theano.scan_module.scan_opt``: its rewrite rules are symtheano's."""
