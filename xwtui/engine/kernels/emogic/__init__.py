"""Emogic's letter and word searches, compiled: each step matches one of the readable versions in `strategies`."""
