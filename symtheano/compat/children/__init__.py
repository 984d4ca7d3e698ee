"""A folder in ``sys.path``: processes that ``multiprocessing`` starts anew find theano in it."""
