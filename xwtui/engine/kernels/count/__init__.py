"""Beliefs, particles, pairs of entries and enumeration."""
