"""``theano.tensor.nnet.opt``: its rewrite rules are symtheano's."""
