"""Beliefs, particles, pairs of entries, enumeration and letter walks."""
