"""Estimates compared with known counts: each estimator's error, and how often its interval covers the truth."""
