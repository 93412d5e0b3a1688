"""Kernels in C: one library with several levels of instructions, chosen at run time."""
