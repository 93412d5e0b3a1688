"""Kernels in C: one library for several instruction sets, chosen at run time."""
