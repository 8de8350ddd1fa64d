"""Emogic's letter and word searches, compiled: each makes the steps of the readable one in `strategies`."""
