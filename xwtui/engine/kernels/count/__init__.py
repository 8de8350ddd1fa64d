"""Kernels for counting: belief propagation, particles, the pairwise estimate and enumeration."""
