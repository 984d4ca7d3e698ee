"""Convolution of images, its two gradients, and the functions of Theano that use them."""
